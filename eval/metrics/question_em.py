"""Exact match by question: the share of questions answered wholly right, where an item may ask several."""

from collections.abc import Mapping

import numpy as np

from data.answers.answer_type import AnswerType
from data.answers.form import Form
from eval.arrays import Floats


def right_questions(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer: questions answered wholly right, and questions; no answer leaves all of them wrong."""
    own = answer.of(fields)
    if not isinstance(own, Form):
        return float(given is not None and own.right(given, gold, fields)), 1.0
    if given is None:
        return 0.0, float(len(own.question_fields(fields)))
    questions = own.right_questions(given, gold, fields)
    return float(sum(questions)), float(len(questions))


def question_em(sums: Floats) -> Floats:
    """Right questions over questions of sums (..., 2), 0 to 1; NaN without questions."""
    right, questions = sums[..., 0], sums[..., 1]
    return np.asarray(np.divide(right, questions, out=np.full(right.shape, np.nan), where=questions > 0))
