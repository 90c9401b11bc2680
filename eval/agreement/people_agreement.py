"""Coefficients of agreement with intervals that hold for other people too."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from eval.agreement.coefficients import COEFFICIENTS, Agreement
from eval.arrays import Floats
from eval.intervals.jackknife import wider_interval, without_each
from eval.intervals.wilson import Interval
from eval.votes import Votes

SHARES = ("pairwise", "similarity")
"""Coefficients that are never below 0."""


def wider_agreement(agreement: Agreement, votes: Votes, figures: Callable[[Votes], Mapping[str, float]]) -> Agreement:
    """The agreement of the votes with wider intervals, given how its `figures` are computed anew out of a part of them.

    `figures` names them as COEFFICIENTS does; whether there can be such intervals `why_these_people` says.
    """
    without = [figures(left) for left in without_each(votes)]
    narrow = agreement.cis
    cis = {**narrow} | {
        name: ends
        for name in (without[0] if without else ())
        if not np.isnan((ends := _wide(agreement, name, np.array([each[name] for each in without])))[0])
    }
    return replace(
        agreement, cis=cis, over_items={name: narrow[name] for name in COEFFICIENTS if cis[name] != narrow[name]}
    )


def _wide(agreement: Agreement, name: str, without: Floats) -> Interval:
    value, low = agreement.values[name], 0.0 if name in SHARES else -1.0
    if value is None:
        return agreement.cis[name]
    return wider_interval(value, agreement.cis[name], without, low=low, high=1)
