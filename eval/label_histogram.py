"""The histogram of distinct cells (gold, ballots): all that metrics, their resampling and paired tests need."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eval.arrays import Codes, Floats, Integers, Mask, distinct, row_sums
from eval.ballots import Ballots
from eval.gold import column_of
from eval.metrics.accuracy import accuracy


@dataclass(frozen=True, eq=False, repr=False)
class LabelHistogram:
    """C distinct combinations of the gold label with the ballots of R respondents.

    `gold` is (C,), `ballots` (C, R, K + 1), `multiplicity` (C,): the number of items in each cell. Items in one cell
    are exchangeable. `graded` says that a single answer may be worth a part. The cells are in lexicographic order, so
    the order of the items never matters. `place` (N,) is the cell of each item of the first respondent, -1 where it
    does not count.
    """

    gold: Integers
    ballots: Floats
    multiplicity: Integers
    place: Integers
    of: Callable[[Floats], Floats] = accuracy
    graded: bool = False

    @cached_property
    def as_one_each(self) -> bool:
        """Whether the answers to each item count as one: as many to every item, all right or all wrong where several.

        For histograms of means, whose first label is the right one.
        """
        sizes = self.ballots.sum(axis=2)
        if np.isclose(sizes, 1).all():
            return True
        share = (self.ballots[:, :, 0] / sizes).round(9)
        return bool((np.ptp(sizes, axis=0) < 1e-9).all() and np.isin(share, (0, 1)).all())

    @cached_property
    def answers(self) -> Floats:
        """The number of answers of each respondent (R,)."""
        return np.asarray(self.multiplicity @ self.ballots.sum(axis=2))

    @property
    def width(self) -> int:
        """How many numbers one confusion matrix holds."""
        labels = self.ballots.shape[2]
        return int(labels * (labels - 1))

    @property
    def adds(self) -> Mask:
        """True throughout: every item is a cell of the confusion."""
        return np.ones(len(self.gold), dtype=bool)

    @property
    def differs(self) -> Mask:
        """Whether an answer of the first respondent to the items of each kind (C,) counts other than the second's."""
        one, other = (self.ballots[:, r] / self.ballots[:, r].sum(axis=1, keepdims=True) for r in (0, 1))
        return np.asarray((np.abs(one - other) > 1e-9).any(axis=1))

    def totals(self, respondent: int, multiplicities: Integers, /) -> Floats:
        """Gold by given of one respondent, (B, K, K + 1), for multiplicities (B, C) of the cells.

        A tie that is shared out enters with its fractions.
        """
        ballots = self.ballots[:, respondent]
        labels = ballots.shape[1] - 1
        result = np.zeros((len(multiplicities), labels, labels + 1))
        for gold in np.unique(self.gold):
            chosen = self.gold == gold
            result[:, gold] = multiplicities[:, chosen].astype(np.float64) @ ballots[chosen]
        return result


def label_histogram(gold: Mapping[str, str], *respondents: Ballots, means: bool = False) -> LabelHistogram:
    """The cells of the items that have gold and are scored for every respondent.

    With `means` the labels are reduced to one, "the right one", and wrong answers to "no answer" (K = 1): for a mean
    over answers nothing else matters, and the cells are far fewer.
    """
    items = respondents[0].items
    known = column_of(gold, items)
    labels = sorted({*known.labels}.union(*(each.labels for each in respondents)))
    # No gold has the code -1, which takes the last place.
    place = np.array([*map(labels.index, known.labels), -1], dtype=np.int32)
    codes = place[known.codes]
    aligned = [ballots.on(items).over(labels) for ballots in respondents]
    both = np.logical_and.reduce([codes >= 0, *(ballots.scored for ballots in aligned)])
    # Most studies know the gold of every item, and everybody answers all: then there is nothing to leave out.
    answered = codes if both.all() else codes[both]
    weights = [ballots.weights if both.all() else ballots.weights[both] for ballots in aligned]
    if means:
        return histogram(np.zeros_like(answered), [_gold_and_other(answered, weight) for weight in weights], both)
    return histogram(answered, weights, both)


def confusion_of(gold: Mapping[str, str], said: Ballots) -> Floats:
    """Gold by given (K, K + 1) over the items that have gold, "no answer" last; shared-out ties by their fractions."""
    known = column_of(gold, said.items)
    labels = sorted({*known.labels, *said.labels})
    place = np.array([*map(labels.index, known.labels), 0], dtype=np.int32)
    weights = said.over(labels).weights * (known.codes >= 0)[:, None]
    columns = [np.bincount(place[known.codes], weights=column, minlength=len(labels)) for column in weights.T]
    return np.stack(columns, axis=1)


def _gold_and_other(gold: Codes, weights: Floats) -> Floats:
    """How much of each row goes to the gold label and how much elsewhere, N x 2."""
    right = weights[np.arange(len(gold)), gold]
    wrong = row_sums(weights) - right
    # Three thirds that are all wrong must be the whole number one, not a hair less.
    near = np.rint(wrong)
    return np.stack([right, np.where(np.abs(wrong - near) < 1e-9, near, wrong)], axis=1)


def histogram(gold: Codes, weights: list[Floats], counting: Mask) -> LabelHistogram:
    """The cells of the M items that count: their gold, each respondent's weights (M, K + 1), and which of N."""
    kinds = distinct(np.hstack([gold[:, None].astype(np.float64), *weights]))
    shape = len(kinds.rows), len(weights), weights[0].shape[1]
    place = np.full(len(counting), -1, dtype=np.int64)
    place[counting] = kinds.inverse
    return LabelHistogram(
        kinds.rows[:, 0].astype(np.int64), kinds.rows[:, 1:].reshape(shape), kinds.multiplicity, place
    )
