"""Unanimity: an answer that all gave; where people differ, those they gave are level."""

import numpy as np

from eval.arrays import Floats, Integers
from eval.votes import Votes


def unanimous(votes: Votes, _skills: Floats | None) -> Integers:
    """The score (N, K) of each answer."""
    return (votes.counts > 0).astype(np.int64)
