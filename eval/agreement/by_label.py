"""Agreement label by label: on which answers people agree and on which they do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import nan

import numpy as np

from eval.agreement.alpha import alpha, beyond_chance
from eval.agreement.equal_pairs import paired_counts
from eval.agreement.rare_labels import one_label_share
from eval.arrays import Floats, Integers, distinct, ends_or_none, number_or_none, share_of
from eval.estimate import UNDEFINED, Interval
from eval.intervals.clusters import (
    SINGLE_ITEMS,
    Resampling,
    SamplingUnits,
    above_chance_interval,
    equal_by_chance,
    sampling_units,
)
from eval.intervals.jackknife import why_these_people, wider_interval, without_each
from eval.intervals.mean import ratio_interval
from eval.votes import Votes, check_listed

FIGURES = {"share": 0.0, "specific": 0.0, "alpha": -1.0}
"""What is known of a label, and how low each can be; none is above 1."""


@dataclass(frozen=True)
class Category:
    """Agreement on one label, over items with two answers or more.

    `share` is the label's part of all answers. `specific` is the chance that another answer to the item is this label
    when one is (specific agreement); `alpha` is Krippendorff's of "this label or another". NaN for a label not given.
    `answers` are those that are this label, on so many `items`; `lost` is the share of resamples in which none or all
    are.
    `cis` are their 95% intervals by the names of FIGURES, which resample items, or clusters of them; `over_items` are
    the narrower ones of those that hold for other people too.
    """

    label: str
    share: float
    specific: float
    alpha: float
    cis: Mapping[str, Interval]
    answers: int = 0
    items: int = 0
    lost: float = 0.0
    over_items: Mapping[str, Interval] = field(default_factory=dict)

    def as_dict(self) -> dict[str, object]:
        """The row as it stands in JSON; NaN becomes None."""
        shown: dict[str, object] = {name: number_or_none(getattr(self, name)) for name in FIGURES}
        shown |= {f"{name}_ci": ends_or_none(ci) for name, ci in self.cis.items()}
        shown |= {f"{name}_ci_items": ends_or_none(ci) for name, ci in self.over_items.items()}
        return {"label": self.label, **shown, "answers": self.answers, "items": self.items}


def categories(votes: Votes, resampling: Resampling = SINGLE_ITEMS, *, others: bool = False) -> tuple[Category, ...]:
    """The agreement on each label of the dictionary, in its order; answers without a second one do not count.

    Open answers have no labels in common over items and are refused. Of two labels alpha is that of the study, and so
    is its interval.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> [(each.label, each.share) for each in categories(votes)]
    [('a', 0.75), ('b', 0.25)]
    """
    check_listed(votes, "Agreement label by label")
    several = np.flatnonzero(votes.counts.sum(axis=1) > 1)
    counts, items = votes.counts[several], [votes.items[row] for row in several.tolist()]
    kinds, width = distinct(counts), counts.shape[1]
    units = sampling_units(kinds.inverse, kinds.multiplicity, items, resampling)
    sums = _label_sums(kinds.rows)
    # One bootstrap for all labels, the same as that of the study's alpha.
    samples = units.resample(lambda times: _alphas(times @ sums), width=4 * width)
    alphas = np.broadcast_to(samples.T, (width, len(samples)))
    over_items = [
        _category(label, column, counts.sum(axis=1), items, units, each)
        for label, column, each in zip(votes.labels, counts.T, alphas, strict=True)
    ]
    if not others or why_these_people(votes, resampling.clusters):
        return tuple(over_items)
    without = np.stack([_figures(rest.counts) for rest in without_each(votes)])
    return tuple(_wider(each, without[:, :, place]) for place, each in enumerate(over_items))


def _category(
    label: str, count: Integers, size: Integers, items: Sequence[str], units: SamplingUnits, alphas: Floats
) -> Category:
    given, total, resampling = int(count.sum()), int(size.sum()), units.resampling
    if not given:
        return Category(label, 0.0 if total else nan, nan, nan, dict.fromkeys(FIGURES, UNDEFINED))
    times, sizes = count.astype(np.float64), size.astype(np.float64)
    again = times * (times - 1) / (sizes - 1)
    either = np.stack([count, size - count], axis=1)
    value = alpha(either)
    cis = {
        "share": ratio_interval(times, sizes, resampling, items=items),
        "specific": ratio_interval(again, times, resampling, items=items),
        "alpha": above_chance_interval(alphas, value, equal_by_chance(either.sum(axis=0)), units),
    }
    lost = one_label_share(either, resampling, items)
    return Category(label, given / total, float(again.sum() / given), value, cis, given, int((count > 0).sum()), lost)


def _label_sums(counts: Integers) -> Floats:
    """How often each item (C, 2K) was given each label, and how many of the other answers, on average, are it too."""
    again = counts * (counts - 1) / (counts.sum(axis=1, keepdims=True) - 1)
    return np.hstack([counts, again]).astype(np.float64)


def _alphas(sums: Floats) -> Floats:
    """Alpha of each label against the rest (B, K) out of summed `_label_sums` (B, 2K); 1 where no answers differ."""
    given, again = np.split(sums, 2, axis=1)
    total = given.sum(axis=1, keepdims=True)
    expected = given * (total - given) / (total - 1)
    return beyond_chance(given - again, expected)


def _figures(counts: Integers) -> Floats:
    """What FIGURES names of each label (3, K), out of how often each item (N, K) was given each."""
    sums = _label_sums(paired_counts(counts)).sum(axis=0)
    given, again = np.split(sums, 2)
    return np.stack([share_of(given, given.sum()), share_of(again, given), _alphas(sums[None])[0]])


def _wider(label: Category, without: Floats) -> Category:
    """The label's agreement for other people too, given its figures (G, 3) without each of G groups of them."""
    wide = {
        name: wider_interval(getattr(label, name), label.cis[name], values, low=low, high=1.0)
        for (name, low), values in zip(FIGURES.items(), without.T, strict=True)
    }
    known = {name: ends for name, ends in wide.items() if not np.isnan(ends[0])}
    return replace(label, cis={**label.cis, **known}, over_items={name: label.cis[name] for name in known})
