"""Bennett's S: agreement beyond that of people who choose evenly among all labels."""

import numpy as np

from eval.agreement.equal_pairs import above_chance
from eval.arrays import Floats


def bennett_of(totals: Floats) -> Floats:
    """Bennett's S (B,) of the sums of `item_sums` over the items of samples (B, 2 + K)."""
    return above_chance(totals, np.full(len(totals), 1 / (totals.shape[1] - 2)))
