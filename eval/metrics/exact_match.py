"""Exact match of texts: the same words in the same order."""

from collections.abc import Mapping

from data.answers.answer_type import AnswerType
from eval.metrics.texts import accepted, words


def exact_match(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """The credit of one answer and the one: (1, 1) where its words are those of an accepted gold, else (0, 1).

    Case, "ё", stress marks, punctuation and white space do not count (`eval.metrics.texts.words`). Texts without words
    match where they are equal up to white space around them. No answer is worth 0.
    """
    if given is None:
        return 0.0, 1.0
    return float(any(_key(right) == _key(given) for right in accepted(answer, fields, gold))), 1.0


def _key(text: str) -> list[str]:
    return words(text) or [text.strip()]
