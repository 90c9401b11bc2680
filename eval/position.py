"""Position bias: how often the option shown first is chosen where the order was drawn."""

import numpy as np

from eval.arrays import Floats, Mask
from eval.estimate import Estimate
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.jackknife import groups_of_people, wider_estimate
from eval.intervals.mean import ratio
from eval.votes import Votes


def first_share(votes: Votes, first: Mask | Floats, resampling: Resampling = SINGLE_ITEMS) -> Estimate:
    """The share of J judgments that took the option shown first, for other items and other people.

    Args:
        votes: The judgments that chose one option; a tie is none.
        first (J,): Whether each chose what stood first.

    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": ["0", "1", "0", "0"]})
    >>> first_share(votes, np.array([True, False, True, True])).value
    0.75
    """
    taken, number = np.asarray(first, dtype=np.float64), len(votes.items)
    each = np.bincount(votes.item, minlength=number)
    found = ratio(
        np.bincount(votes.item, taken, minlength=number).astype(np.float64), each, resampling, items=votes.items
    )
    group = groups_of_people(votes)[votes.worker]
    without = [taken[group != one] for one in range(int(group.max(initial=-1)) + 1)]
    if not all(map(len, without)):
        return found
    return wider_estimate(found, np.array([rest.mean() for rest in without]), low=0, high=1)
