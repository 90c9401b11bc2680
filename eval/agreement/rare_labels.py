"""Rare labels: how often a bootstrap loses every label but one, and what is said of its intervals then."""

from collections.abc import Mapping, Sequence

import numpy as np

from data.wording import enumerated
from eval.agreement.equal_pairs import paired_counts
from eval.arrays import Integers
from eval.intervals.clusters import Resampling, cluster_codes

LEAST = 0.01
"""The share of resamples with a single label from which it is said."""


def one_label_share(counts: Integers, resampling: Resampling, items: Sequence[str] = ()) -> float:
    """The share of bootstrap samples, of infinitely many, in which all answers bear one label.

    Args:
        counts (N, K): Answers by item and label; items with fewer than two do not count.

    Returns:
        0 where all answers bear one label anyway, and where nothing can be resampled.

    >>> from eval.intervals.clusters import SINGLE_ITEMS
    >>> round(one_label_share(np.array([[3, 0]] * 99 + [[1, 2]]), SINGLE_ITEMS), 3)
    0.366
    """
    paired = paired_counts(counts)
    if paired.any(axis=0).sum() < 2:
        return 0.0
    if resampling.clusters is not None:
        several = np.flatnonzero(counts.sum(axis=1) > 1).tolist()
        codes = cluster_codes([items[row] for row in several], resampling.clusters)
        paired = np.stack([np.bincount(codes, weights=column) for column in paired.T], axis=1)
    alike = paired[(paired > 0).sum(axis=1) == 1] > 0
    return float(((alike.sum(axis=0) / len(paired)) ** len(paired)).sum())


def rare_labels_note(share: float, unit: str) -> tuple[str, ...]:
    """The sentence where so large a share of the resamples of `unit`s bears one label, none below LEAST."""
    if share < LEAST:
        return ()
    when = f"In {share:.0%} of the resamples of {unit}s all answers bear one label, so rare are the others"
    return (_lost(when, "alpha and Fleiss' kappa count", "their"),)


def lost_labels_note(shares: Mapping[str, float], unit: str) -> tuple[str, ...]:
    """The same of a table label by label, for each label that is none or all of the answers in so many resamples.

    Args:
        shares: Each label's share of such resamples, 0 to 1.

    Returns:
        The sentence, nothing where no share reaches LEAST.

    >>> lost_labels_note({"no": 0.0, "unclear": 0.366}, "item")[0][:84]
    'Label by label, in 37% of the resamples of items nobody or everybody gives the label'
    """
    lost = {name: share for name, share in shares.items() if share >= LEAST}
    if not lost:
        return ()
    low, high = (f"{end:.0%}" for end in (min(lost.values()), max(lost.values())))
    share = low if low == high else f"{low} to {high}"
    when = f"Label by label, in {share} of the resamples of {unit}s nobody or everybody gives the label"
    when += f" ({enumerated(list(lost))})"
    return (_lost(when, "its alpha counts", "its"),)


def _lost(when: str, figures: str, whose: str) -> str:
    return (
        f"{when}: there {figures} as 1, and the upper ends of {whose} intervals say little, as do those of intervals "
        "for other people where there are such."
    )
