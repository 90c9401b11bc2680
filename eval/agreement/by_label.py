"""Agreement label by label: on which answers people agree and on which they do not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.agreement.alpha import alpha, alpha_interval
from eval.agreement.rare_labels import one_label_share
from eval.arrays import Integers, number_or_none
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.ratio import ratio_interval
from eval.intervals.wilson import UNDEFINED, Interval
from eval.votes import Votes, check_listed

CIS = ("alpha_ci", "share_ci", "specific_ci")


@dataclass(frozen=True)
class Category:
    """Agreement on one label, over items with two answers or more.

    `share` is the label's part of all answers. `specific` is the chance that another answer to the item is this label
    when one is (specific agreement); `alpha` is Krippendorff's of "this label or another". NaN for a label not given.
    `answers` are those that are this label, on so many `items`; `lost` is the share of resamples in which none or all
    are.
    The intervals are 95% and resample items, or clusters of them.
    """

    label: str
    share: float
    specific: float
    alpha: float
    alpha_ci: Interval
    share_ci: Interval = UNDEFINED
    specific_ci: Interval = UNDEFINED
    answers: int = 0
    items: int = 0
    lost: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """The row as it stands in JSON; NaN becomes None."""
        values = {name: number_or_none(getattr(self, name)) for name in ("share", "specific", "alpha")}
        ends = {name: [number_or_none(end) for end in getattr(self, name)] for name in CIS}
        return {"label": self.label, **values, **ends, "answers": self.answers, "items": self.items}


def categories(votes: Votes, resampling: Resampling = SINGLE_ITEMS) -> tuple[Category, ...]:
    """The agreement on each label of the dictionary, in its order; answers without a second one do not count.

    Open answers have no labels in common over items and are refused.

    Parameters
    ----------
    votes : Votes
        J judgments over N items and K labels of a closed list.
    resampling : Resampling
        What bootstrap samples are of, how many there are, and their seed.

    Returns
    -------
    tuple of Category
        Agreement on each of the K labels.

    Examples
    --------
    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> [(each.label, each.share) for each in categories(votes)]
    [('a', 0.75), ('b', 0.25)]
    """
    check_listed(votes, "Agreement label by label")
    size = votes.counts.sum(axis=1)
    several = np.flatnonzero(size > 1)
    counts, size = votes.counts[several], size[several]
    items = [votes.items[row] for row in several.tolist()]
    return tuple(
        _category(label, column, size, items, resampling) for label, column in zip(votes.labels, counts.T, strict=True)
    )


def _category(label: str, count: Integers, size: Integers, items: Sequence[str], resampling: Resampling) -> Category:
    given, total, nothing = int(count.sum()), int(size.sum()), float("nan")
    if not given:
        return Category(label, 0.0 if total else nothing, nothing, nothing, (nothing, nothing))
    times, sizes = count.astype(np.float64), size.astype(np.float64)
    again = times * (times - 1) / (sizes - 1)
    either = np.stack([count, size - count], axis=1)
    return Category(
        label=label,
        share=given / total,
        specific=float(again.sum() / given),
        alpha=alpha(either),
        alpha_ci=alpha_interval(either, resampling, items=items),
        share_ci=ratio_interval(times, sizes, resampling, items=items),
        specific_ci=ratio_interval(again, times, resampling, items=items),
        answers=given,
        items=int((count > 0).sum()),
        lost=one_label_share(either, resampling, items) if given < total else 0.0,
    )
