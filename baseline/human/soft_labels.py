"""Labels to learn from: people's one answer to each item with its share, and soft labels that keep the disagreement."""

from dataclasses import replace

import numpy as np
import pandas as pd

from baseline.human.baseline import collected
from data.errors import BadSetting
from db import frames
from db.engine import Session
from db.studies import Study
from eval.arrays import Floats
from eval.consensus.majority import skill_sums, soft_labels
from eval.consensus.rules import MODELS
from eval.panel import Panel, PanelRules, panel

SHARES = ("majority", "weighted", *MODELS)
PLURAL = PanelRules()


def soft_label_rows(session: Session, *, study: Study, rules: PanelRules, smoothing: float = 0.0) -> pd.DataFrame:
    """Return a row for each main item with judgments and each answer: item, label, share, votes, method.

    Shares of an item sum to one. By `rules.consensus` they are those of the votes (majority; with `smoothing` a,
    (n + a) / (N + a K)), of the voters' skills (weighted), or the probabilities of a model of the voters (dawid-skene,
    one-coin). Every label of a closed list has a row, of an open answer those that were given. Raises BadSetting for
    another consensus, and smoothing of anything but votes.
    """
    if rules.consensus not in SHARES:
        raise BadSetting(f"--consensus {rules.consensus!r} has no shares; choose one of {', '.join(SHARES)}")
    if smoothing and rules.consensus != "majority":
        raise BadSetting(f"--smoothing is of votes; the shares of {rules.consensus!r} need none")
    people = panel(collected(session, study=study), rules)
    shares = _shares(people, smoothing)
    rows = [
        {
            "item": item,
            "label": label,
            "share": float(shares[row, place]),
            "votes": int(people.votes.counts[row, place]),
        }
        for row, item in enumerate(people.votes.items)
        if people.votes.counts[row].any()
        for place, label in enumerate(people.votes.named(row))
    ]
    columns = ["item", "label", "share", "votes"]
    return pd.DataFrame(rows, columns=columns, dtype=object).assign(method=rules.consensus)


def labelled_rows(session: Session, *, study: Study, rules: PanelRules) -> pd.DataFrame:
    """Return a row for each main item: its fields, people's one answer (`label`, none unless `status` is won), `share`.

    The share is what `soft_label_rows` gives the answer; by a rule without shares it is that of the votes.
    """
    people = panel(collected(session, study=study), rules)
    shares = _shares(people if rules.consensus in SHARES else replace(people, rules=PLURAL), 0.0)
    of_items = frames.items(session, study=study, fields=True)
    fields = dict(zip(of_items["item"], of_items["fields"], strict=True))
    rows = []
    for row, item in enumerate(people.votes.items):
        label = people.consensus.winner[row]
        given = dict(zip(people.votes.named(row), shares[row].tolist(), strict=False))
        answer = {
            "label": label,
            "share": None if label is None else given.get(label),
            "votes": int(people.votes.counts[row].sum()),
            "status": str(people.consensus.status[row]),
        }
        about = {"item": item, **answer}
        shown = {f"{name} (field)" if name in about else name: said for name, said in fields[item].items()}
        rows.append({"item": item, **shown, **answer})
    return pd.DataFrame(rows, dtype=object)


def _shares(people: Panel, smoothing: float) -> Floats:
    """Return the share of each answer to each item, N x K."""
    votes, rule = people.votes, people.rules.consensus
    if rule in MODELS:
        return MODELS[rule](votes).posterior
    if rule == "weighted":
        totals = skill_sums(votes, people.skills_of(votes), "The consensus 'weighted'")
        return np.asarray(totals / np.maximum(totals.sum(axis=1, keepdims=True), np.finfo(float).tiny))
    if votes.names is None or not smoothing:
        return soft_labels(votes.counts, smoothing=smoothing)
    # An open answer competes with those that were given to its own item.
    given = np.arange(len(votes.labels)) < np.array([[len(names)] for names in votes.names])
    raised = np.where(given, votes.counts + smoothing, 0)
    return np.asarray(raised / np.maximum(raised.sum(axis=1, keepdims=True), 1))
