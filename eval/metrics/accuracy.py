"""Accuracy: the share of answers that are right."""

from collections.abc import Mapping

import numpy as np

from data.answers.answer_type import AnswerType
from eval.arrays import Floats, share_of


def accuracy(confusion: Floats) -> Floats:
    """Right answers over all answers, 0 to 1, higher is better; "no answer" is a wrong one.

    `confusion` is (..., K, K + 1): gold labels by given labels, the last column "no answer"; the result is (...).
    NaN where there are no answers.
    """
    right = np.einsum("...kk->...", confusion[..., :-1])
    return share_of(right, confusion.sum(axis=(-2, -1)))


def wholly_right(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """The credit of one answer of any type and the number of answers: (1, 1) where it is wholly right, else (0, 1)."""
    return float(given is not None and answer.right(given, gold, fields)), 1.0
