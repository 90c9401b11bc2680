"""The interval of a mean over units of unlike weight, parts of credit, or clusters, by their effective number."""

import numpy as np

from eval.arrays import Floats, Integers
from eval.intervals.wilson import UNDEFINED, Interval, wilson


def mean_interval(totals: Floats, sizes: Floats | Integers, times: Floats | Integers) -> Interval:
    """The 95% interval of sum of `totals` / sum of `sizes` over U units, items or clusters of them.

    Wilson's, with as many answers as would make a share of right ones vary so much (the effective number; Franco et al.
    2019). For one answer to each item that is right or wrong it is Wilson's of these. How units vary is read off the
    sample with one more unit, of the mean size, in which all is wrong (or right, where most is wrong): few errors, or
    none, show little of how they come together. Where all is right the effective number is that of the units. So it is
    one method at every value, and never of width zero.

    Args:
        totals (C,): The credit of each kind of unit, from 0 to its size.
        sizes (C,): Over how many answers; a unit of size 0 does not count.
        times (C,): How many units are of the kind.

    Returns:
        Two shares from 0 to 1; (NaN, NaN) of nothing.

    Source: Franco, Little, Louis, Slud (2019), Comparative study of confidence intervals for proportions in complex
    sample surveys, Journal of Survey Statistics and Methodology 7, 334-364.

    >>> two_kinds = mean_interval(np.array([0.0, 1.0]), np.ones(2), np.array([1, 9]))
    >>> [round(end, 3) for end in two_kinds], [round(end, 3) for end in wilson(9, 10)]
    ([0.596, 0.982], [0.596, 0.982])
    """
    # Rounded, so that equal sums that were added up in another order stay equal.
    right, answers = (round(float(times @ each), 12) for each in (totals, sizes))
    if not answers:
        return UNDEFINED
    units, share = float(times @ (np.asarray(sizes) > 0)), min(1.0, max(0.0, right / answers))
    size = answers / units
    made_up = size if share < 0.5 else 0.0
    expected = (answers * share + made_up) / (answers + size)
    apart = float(times @ (totals - expected * sizes) ** 2) + (made_up - expected * size) ** 2
    # Rounded, so that answers that are right or wrong have Wilson's interval to the last digit.
    effect = round(apart / (expected * (1 - expected) * (answers + size)), 12)
    return wilson(share * answers / effect, answers / effect)
