"""How often people, and each model, took the option that was shown first, where the order was drawn."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from baseline.runs.run_prompts import order_asked
from data.answers.answer_type import unpacked
from data.answers.choice import Choice
from data.answers.form import Form, by_criterion
from data.answers.pairwise import TIE, Pairwise
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
    judged = _judged(session, study, panel)
    people = [(item, worker, label, tuple(order)) for item, worker, label, order in judged if label != TIE]
    drawn = [run for run in runs if run.settings.get("both_orders") or run.settings.get("order") == "drawn"]
    fields = frames.fields_of_items(session, study=study) if drawn else {}
    asked = {run.id: _chosen(session, study, run, fields) for run in drawn}
    shares = {run: _share(rows, panel) for run, rows in asked.items() if rows}
    every = [*people, *(row for rows in asked.values() for row in rows)]
    if not every:
        return None
    chance = float(np.mean([1 / len([label for label in order if label != TIE]) for *_, order in every]))
    return FirstShown(_share(people, panel) if people else None, shares, chance)


def first_by_criterion(session: Session, study: Study, panel: Panel) -> dict[str, Estimate]:
    """Return people's shares of the text shown first, in a form that compares two by several criteria, by their words.

    Only those criteria whose order was drawn: {} for any other answer.
    """
    form, found = study.task.answer, {}
    pairs = [part for part in form.scored if isinstance(part.answer, Pairwise)] if isinstance(form, Form) else []
    judged = _judged(session, study, panel) if pairs else []
    for part in pairs:
        rows: list[Chosen] = []
        for item, worker, label, orders in judged:
            chosen, order = by_criterion(form, label, part.name), tuple(orders.get(part.name, ()))
            if chosen and chosen != TIE and chosen in order:
                rows.append((item, worker, chosen, order))
        if rows:
            found[part.title.for_requesters] = _share(rows, panel)
    return found


def _judged(session: Session, study: Study, panel: Panel) -> list[tuple[str, str, str, Any]]:
    """Return item, worker, label and stored order of each judgment of the panel whose order was drawn."""
    judged = frames.shown_orders(session, study=study)
    votes, held = panel.votes, ["item", "worker"]
    names = (votes.items, votes.item), (votes.workers, votes.worker)
    counted = pd.MultiIndex.from_arrays([np.array(each, dtype=object)[codes] for each, codes in names], names=held)
    judged = judged[pd.MultiIndex.from_frame(judged[held]).isin(counted)]
    orders = map(unpacked, judged["options_shown"])
    return list(zip(judged["item"], judged["worker"], judged["label"], orders, strict=True))


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
