"""How far people agree, by what their answers are: labels of a closed list, points of a scale, or open answers."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from eval.agreement.alpha import checked_name
from eval.agreement.coefficients import ALL_EQUAL, Agreement, agreement, coefficient_figures
from eval.agreement.open_answers import open_agreement, open_figures
from eval.arrays import Floats
from eval.gold import TaskItems
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.jackknife import why_these_people, wider_interval, without_each
from eval.intervals.wilson import UNDEFINED, Interval
from eval.votes import Votes


def agreement_of(
    votes: Votes, resampling: Resampling = SINGLE_ITEMS, *, asked: TaskItems | None = None, others: bool = False
) -> Agreement:
    """The agreement of votes, as their answers are compared: open ones by a distance, a closed list at its level.

    >>> from eval.votes import code
    >>> rows = [(f"q{n}", worker, "ab"[n % 2]) for n in range(8) for worker in "xyz"]
    >>> rows[0] = ("q0", "x", "b")
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> round(agreement_of(votes).alpha, 3)
    0.839
    """
    level = checked_name("nominal" if asked is None or votes.names is not None else asked.answer.level)
    values = [float(label) for label in votes.labels] if level == "interval" else None
    if votes.names is not None:
        of_open = open_agreement(votes, resampling)
    else:
        of_open = agreement(votes.counts, resampling, level=level, values=values, items=votes.items)
    if of_open.distance in ("ordinal", "interval") and not np.isnan(of_open.alpha):
        of_open = replace(of_open, notes=(*of_open.notes, EQUAL_OR_NOT))
    if not others or np.isnan(of_open.alpha) or why_these_people(votes, resampling.clusters):
        return of_open
    closed = votes.names is None
    figures = coefficient_figures(level, values) if closed else open_figures(votes, resampling.seed)
    return wider_agreement(of_open, votes, figures)


EQUAL_OR_NOT = (
    "Answers are on a scale: alpha counts how far apart they are, all other coefficients (pairwise agreement, AC1, "
    "kappas) whether they are equal."
)
ALL_EQUAL_WITHOUT_ANY = (
    "Whoever is left out, all others still agree, so people add no width: intervals of agreement for other people are "
    "those over items (docs/statistics.md says how often they hold)."
)
SHARES = ("pairwise", "similarity")
"""Coefficients that are never below 0."""


def wider_agreement(agreement: Agreement, votes: Votes, figures: Callable[[Votes], Mapping[str, float]]) -> Agreement:
    """The agreement of the votes with wider intervals, given how its `figures` are computed anew out of a part of them.

    `figures` names them as COEFFICIENTS does; whether there can be such intervals `why_these_people` says.
    """
    without = [figures(rest) for rest in without_each(votes)]
    names = without[0] if without else ()
    wide = {name: _wide(agreement, name, np.array([each[name] for each in without])) for name in names}
    known = {name: ends for name, ends in wide.items() if not np.isnan(ends[0])}
    over_items = {name: agreement.cis[name] for name in known}
    notes = agreement.notes + (ALL_EQUAL_WITHOUT_ANY,) * (ALL_EQUAL in agreement.notes)
    return replace(agreement, cis={**agreement.cis, **known}, over_items=over_items, notes=notes)


def _wide(agreement: Agreement, name: str, without: Floats) -> Interval:
    value, low = agreement.values[name], 0.0 if name in SHARES else -1.0
    return UNDEFINED if value is None else wider_interval(value, agreement.cis[name], without, low=low, high=1)
