"""Means of group means: every group of items weighs the same, and one that is listed but empty counts 0."""

from collections.abc import Sequence

import numpy as np

from eval.arrays import Floats, share_of

Sums = tuple[float, ...]


def placed(sums: Sums, group: str, groups: Sequence[str]) -> Sums:
    """Return the sums at the place of their group among those listed, zeros elsewhere; nothing counts in no group.

    Without a list all items are one group, and the sums are returned as they are.
    """
    if not groups:
        return sums
    return tuple(each if group == name else 0.0 for name in groups for each in sums)


def mean_of_means(sums: Floats) -> Floats:
    """The mean over G groups of credit / answers, of sums (..., 2 G); an empty group counts 0, all empty give NaN."""
    each = sums.reshape(*sums.shape[:-1], -1, 2)
    credit, answers = each[..., 0], each[..., 1]
    means = share_of(credit, answers, empty=0.0).mean(axis=-1)
    return np.where(answers.sum(axis=-1) > 0, means, np.nan)
