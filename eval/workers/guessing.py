"""How often somebody who guesses is right."""

from collections.abc import Iterable, Mapping

from data.answers.answer_type import AnswerType


def guess(answer: AnswerType, items: Iterable[Mapping[str, str]]) -> float:
    """The accuracy of a guesser on items with these fields: 1 / K, the mean over items that bring their own options.

    0 where answers cannot be listed.

    Returns:
        From 0 to 1.

    >>> from data.answers.choice import Choice
    >>> guess(Choice(["yes", "no"]), [])
    0.5
    """
    if labels := answer.labels():
        return 1 / len(labels)
    options = [len(answer.of(fields).options(fields)) for fields in items]
    return sum(1 / number for number in options if number) / len(options) if options else 0.0
