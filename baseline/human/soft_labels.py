"""Labels to learn from: people's one answer to each item with its share, and soft labels that keep the disagreement."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from baseline.human.baseline import Collected, collected
from data.errors import BadSetting
from data.task import ROLES
from db.engine import Session
from db.item_lookup import source_rows
from db.items import told_apart
from db.studies import Study
from eval.arrays import Floats, share_of
from eval.consensus.rules import BY_SKILL, METHODS, MODELS
from eval.gold import right_rows
from eval.panel import Panel, PanelRules, panel

SHARES = ("majority", *BY_SKILL, *MODELS)
PLURAL = PanelRules()


def soft_label_rows(session: Session, *, study: Study, rules: PanelRules) -> pd.DataFrame:
    """Return a row for each main item with judgments and each answer: item, label, share, votes, method.

    Shares of an item sum to one. By `rules.consensus` they are those of the votes (majority), of the voters' skills
    (weighted), or the probabilities of a model of the voters (dawid-skene, one-coin). Every label of a closed list has
    a row, of an open answer those that were given. Raises BadSetting for another consensus.
    """
    if rules.consensus not in SHARES:
        raise BadSetting(f"--consensus {rules.consensus!r} has no shares; choose one of {', '.join(SHARES)}")
    return share_rows(panel(collected(session, study=study), rules))


def share_rows(people: Panel) -> pd.DataFrame:
    """Return the rows of `soft_label_rows` for people whose consensus has shares."""
    shares = _shares(people)
    rows = [
        (item, label, float(shares[row, place]), int(people.votes.counts[row, place]))
        for row, item in enumerate(people.votes.items)
        if people.votes.counts[row].any()
        for place, label in enumerate(people.votes.named(row))
    ]
    columns = ["item", "label", "share", "votes"]
    return pd.DataFrame(rows, columns=columns, dtype=object).assign(method=people.rules.consensus)


def labelled_rows(
    session: Session, *, study: Study, rules: PanelRules, columns: Callable[[str], bool] = lambda _: True
) -> pd.DataFrame:
    """Return every row of the study's files in its order, with those of its own `columns`, and what became of it.

    `role` is that of its item or "left out", and `why` says why a row is left out, or what became of its votes where
    they came to no answer. `label` is what an expert decided, else people's one answer; of training and control items
    their gold: `source` says which. `share` is what `soft_label_rows` gives the label, by a rule without shares that of
    the votes, of training and controls that of the right answers. Of ratings `median` and `mean` are those of the
    votes.
    """
    answers = collected(session, study=study)
    people = panel(answers, rules)
    labels = {**_of_main_items(people), **_of_known_items(answers, people)}
    rows = source_rows(session, study=study)
    ours = [
        {"item": (item := told_apart(row.item)), "role": row.item.role, **labels[item]}
        if row.item and row.item.role in ROLES
        else {"item": row.item.id if row.item else None, "role": "left out", "why": row.why or "found to be broken"}
        for row in rows
    ]
    names = ["item", "role", "why", "label", "votes", *(["median", "mean"] if people.scale else []), "share", "source"]
    added = pd.DataFrame(ours, columns=names, dtype=object)
    own = pd.DataFrame([row.columns for row in rows], dtype=object)
    own = own[[name for name in own if columns(str(name))]]
    own = own.rename(columns={name: f"{name} (field)" for name in added})
    return pd.concat([added[["item"]], own, added.drop(columns="item")], axis=1)


def _of_main_items(people: Panel) -> dict[str, dict[str, Any]]:
    """Return what is said of each main item: what an expert decided stands, whatever the consensus."""
    shares = _shares(people if people.rules.consensus in SHARES else replace(people, rules=PLURAL))
    said: dict[str, dict[str, Any]] = {}
    for row, item in enumerate(people.votes.items):
        label = people.decisions.get(item, people.consensus.winner[row])
        given = zip(people.votes.named(row), shares[row].tolist(), strict=False)
        said[item] = {
            "why": "" if label is not None else str(people.consensus.status[row]),
            "label": label,
            "votes": int(people.votes.counts[row].sum()),
            **_middle_of(people, row),
            "share": None if label is None else sum(share for name, share in given if people.same(item, name, label)),
            "source": "" if label is None else "expert" if item in people.decisions else "votes",
        }
    return said


def _middle_of(people: Panel, row: int) -> dict[str, float]:
    """Return the median and the mean of the ratings of an item; nothing where answers are no points of a scale."""
    if not people.scale or not people.votes.counts[row].any():
        return {}
    ratings = np.repeat(people.scale, people.votes.counts[row])
    return {"median": float(np.median(ratings)), "mean": float(ratings.mean())}


def _of_known_items(answers: Collected, people: Panel) -> dict[str, dict[str, Any]]:
    """Return what is said of each training and control item, whose label is its gold."""
    known = answers.items[answers.items["role"].isin(("training", "control"))]
    gold = known.set_index("item")["gold"]
    judged = answers.judgments.query("status == 'counted' and role in ('training', 'control')")
    judged = judged[~judged["worker"].isin(people.excluded)]
    right = right_rows(judged, judged["item"].map(gold), answers.asked).groupby(judged["item"]).agg(["size", "mean"])
    votes, share = right["size"], right["mean"]
    return {
        item: {"why": "", "label": label, "votes": int(votes.get(item, 0)), "share": share.get(item), "source": "gold"}
        for item, label in zip(gold.index.tolist(), gold, strict=True)
    }


def _shares(people: Panel) -> Floats:
    """Return the share of each answer to each item, N x K."""
    votes, rule = people.votes, people.rules.consensus
    if rule in MODELS:
        return MODELS[rule](votes).posterior
    if rule in BY_SKILL:
        totals = METHODS[rule].scores(votes, people.skills_of(votes))
        return np.asarray(totals / np.maximum(totals.sum(axis=1, keepdims=True), np.finfo(float).tiny))
    return share_of(votes.counts, votes.counts.sum(axis=1, keepdims=True))
