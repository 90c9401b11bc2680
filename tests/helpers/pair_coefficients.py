"""Single coefficients of answers from a closed list, as `agreement` gives them."""

from eval.agreement.coefficients import agreement
from eval.arrays import Integers
from eval.intervals.clusters import Resampling

ONCE = Resampling(draws=1)


def pairwise(counts: Integers) -> float:
    return agreement(counts, ONCE).pairwise


def ac1(counts: Integers) -> float:
    value = agreement(counts, ONCE).values["ac1"]
    assert value is not None
    return value


def fleiss(counts: Integers) -> float | None:
    return agreement(counts, ONCE).values["fleiss"]
