"""Accuracy beyond guessing: 0 for who chooses evenly among the labels, 1 for who is always right."""

import numpy as np

from eval.arrays import Floats
from eval.metrics.labels import accuracy


def beyond_guessing(confusion: Floats) -> Floats:
    """(accuracy - 1 / K) / (1 - 1 / K) of (..., K, K + 1) confusions, (...)."""
    chance = 1 / confusion.shape[-2]
    return np.asarray((accuracy(confusion) - chance) / (1 - chance))
