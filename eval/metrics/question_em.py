"""Exact match by question: the share of questions answered wholly right, where an item may ask several."""

from collections.abc import Mapping

from data.answers.answer_type import AnswerType
from data.answers.form import Form


def right_questions(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer: questions answered wholly right, and questions; no answer leaves all of them wrong."""
    own = answer.of(fields)
    if not isinstance(own, Form):
        return float(given is not None and own.right(given, gold, fields)), 1.0
    if given is None:
        return 0.0, float(len(own.question_fields(fields)))
    questions = own.right_questions(given, gold, fields)
    return float(sum(questions)), float(len(questions))
