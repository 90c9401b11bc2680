"""How often people, and each model, took the option that was shown first, where the order was drawn."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from baseline.runs.option_orders import order_asked
from data.answers.answer_type import unpacked
from data.answers.choice import Choice
from data.answers.pairwise import TIE
from db import frames
from db.engine import Session
from db.runs import Run
from db.studies import Study
from eval.estimate import Estimate
from eval.intervals.jackknife import judgment_mean
from eval.panel import Panel
from eval.votes import code


@dataclass(frozen=True, eq=False)
class FirstShown:
    """The shares of the option shown first: people's, None where no order was drawn, and models' by their runs.

    `chance` is what merit alone would give.
    """

    people: Estimate | None
    runs: Mapping[int, Estimate]
    chance: float


def first_shown(session: Session, study: Study, panel: Panel, runs: Iterable[Run]) -> FirstShown | None:
    """Return who took the first option how often, of a study whose items bring their own; None where nobody can tell.

    Of fixed labels nothing is told: their order is one for each person, and what they mean weighs more.
    """
    answer = study.task.answer
    if not isinstance(answer, Choice) or not answer.positional:
        return None
    judged = frames.shown_orders(session, study=study)
    votes, held = panel.votes, ["item", "worker"]
    names = (votes.items, votes.item), (votes.workers, votes.worker)
    counted = pd.MultiIndex.from_arrays([np.array(each, dtype=object)[codes] for each, codes in names], names=held)
    judged = judged[pd.MultiIndex.from_frame(judged[held]).isin(counted)]
    rows = zip(judged["item"], judged["worker"], judged["label"], map(unpacked, judged["options_shown"]), strict=True)
    people = [(item, worker, label, tuple(order)) for item, worker, label, order in rows if label != TIE]
    drawn = [run for run in runs if run.settings.get("both_orders") or run.settings.get("order") == "drawn"]
    fields = frames.fields_of_items(session, study=study) if drawn else {}
    asked = {run.id: _chosen(session, study, run, fields) for run in drawn}
    shares = {run: _share(rows, panel) for run, rows in asked.items() if rows}
    every = [*people, *(row for rows in asked.values() for row in rows)]
    if not every:
        return None
    chance = float(np.mean([1 / len([label for label in order if label != TIE]) for *_, order in every]))
    return FirstShown(_share(people, panel) if people else None, shares, chance)


Chosen = tuple[str, str, str, tuple[str, ...]]
"""Item, who answered, label, and the labels in the order shown."""


def _chosen(session: Session, study: Study, run: Run, fields: Mapping[str, Mapping[str, str]]) -> list[Chosen]:
    said = frames.predictions(session, run_id=run.id)
    said = said[(said["status"] == "ok") & (said["label"] != TIE)]
    return [
        (item, run.model, label, order_asked(study.task, fields[item], run.settings, sample))
        for item, label, sample in zip(said["item"], said["label"], said["sample"], strict=True)
    ]


def _share(rows: list[Chosen], panel: Panel) -> Estimate:
    items, workers, labels, orders = zip(*rows, strict=True)
    votes = code({"item": items, "worker": workers, "label": labels})
    first = np.array([label == order[0] for label, order in zip(labels, orders, strict=True)])
    return judgment_mean(votes, first, panel.resampling)
