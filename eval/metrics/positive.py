"""Precision, recall and F1 of finding what a yes-or-no question asks for, corrected and as AGRR-2019 publishes it."""

from collections.abc import Mapping

import numpy as np

from data.answers.answer_type import AnswerType
from data.errors import BadSetting
from eval.arrays import Floats, share_of
from eval.metrics.symbol_f import EPSILON

POSITIVE = "1"
"""The label that is to be found; a task with these metrics has it and one other."""


def among_found(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer, each 0 or 1: found rightly, said to be there, there in fact; and the one."""
    labels = answer.of(fields).labels()
    if POSITIVE not in labels:
        raise BadSetting(
            f"Precision and recall are those of the label {POSITIVE!r}, and the labels are {', '.join(labels)}; rename "
            "the one to be found, or use the macro-averages."
        )
    return float(gold == given == POSITIVE), float(given == POSITIVE), float(gold == POSITIVE), 1.0


def precision(sums: Floats) -> Floats:
    """Found rightly / said to be there, of sums (..., 4); 0 where nothing is said to be there, NaN without answers."""
    right, said, _, answers = np.moveaxis(sums, -1, 0)
    return _share(right, said, answers)


def recall(sums: Floats) -> Floats:
    """Found rightly / there in fact, of sums (..., 4); 0 where nothing is there, NaN without answers."""
    right, _, there, answers = np.moveaxis(sums, -1, 0)
    return _share(right, there, answers)


def f1(sums: Floats) -> Floats:
    """The F1 of sums (..., 4), 0 to 1; 0 where nothing is found, NaN without answers."""
    right, said, there, answers = np.moveaxis(sums, -1, 0)
    return _share(2 * right, said + there, answers)


def among_found_code(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """`among_found`, but a row without an answer is left out of every count, as in the script."""
    return (0.0, 0.0, 0.0, 1.0) if given is None else among_found(answer, fields, gold, given)


def f1_code(sums: Floats) -> Floats:
    """The F1 of the script, of sums (..., 4): 1e-7 is added above and below, so that nothing found of nothing is 1."""
    right, said, there, answers = np.moveaxis(sums, -1, 0)
    precision, recall = ((right + EPSILON) / (total + EPSILON) for total in (said, there))
    return np.asarray(np.where(answers > 0, 2 * precision * recall / (precision + recall + EPSILON), np.nan))


def _share(part: Floats, total: Floats, answers: Floats) -> Floats:
    return np.where(answers > 0, share_of(part, total, empty=0.0), np.nan)
