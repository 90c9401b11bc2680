"""The mean of what single judgments are worth, for other items and other people."""

import numpy as np

from eval.arrays import Floats, Mask
from eval.estimate import Estimate
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.jackknife import groups_of_people, wider_estimate
from eval.intervals.mean import ratio
from eval.votes import Votes


def judgment_mean(votes: Votes, worth: Mask | Floats, resampling: Resampling = SINGLE_ITEMS) -> Estimate:
    """The mean of what J judgments are worth, all weighing the same.

    Args:
        votes: The judgments.
        worth (J,): From 0 to 1; NaN for a judgment that says nothing.

    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": ["0", "1", "0", "0"]})
    >>> judgment_mean(votes, np.array([True, False, True, True])).value
    0.75
    """
    given, number = np.asarray(worth, dtype=np.float64), len(votes.items)
    said = np.flatnonzero(~np.isnan(given))
    item, given = votes.item[said], given[said]
    totals, sizes = (np.bincount(item, each, minlength=number).astype(np.float64) for each in (given, None))
    found = ratio(totals, sizes, resampling, items=votes.items)
    group = groups_of_people(votes)[votes.worker][said]
    without = [given[group != one] for one in np.unique(group)]
    if not all(map(len, without)):
        return found
    return wider_estimate(found, np.array([rest.mean() for rest in without]), low=0, high=1)
