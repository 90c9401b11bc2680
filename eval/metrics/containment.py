"""The "exact match" of LIBRA, which is whether an answer contains an accepted one, corrected: word by word."""

from collections.abc import Callable, Mapping, Sequence

from data.answers.answer_type import AnswerType
from data.answers.composite import unpacked
from eval.metrics.texts import accepted, words

Contains = Callable[[str, str], bool]


def words_stand_in(answer: str, wanted: str) -> bool:
    """Return whether the words of `wanted` stand in `answer` whole and in a row, case and spelling variants apart.

    >>> words_stand_in("Данные о Париже", "да"), words_stand_in("Да, в Париже.", "да")
    (False, True)
    """
    given, sought = words(answer), words(wanted)
    if not sought:
        return wanted.strip() == answer.strip()
    return any(given[place : place + len(sought)] == sought for place in range(len(given) - len(sought) + 1))


def containing(contains: Contains) -> Callable[[AnswerType, Mapping[str, str], str, str | None], tuple[float, ...]]:
    """Return the credit of an answer, 1 where it contains an accepted one, and the one; no answer is worth 0.

    Wrong answers that the item names in its field `negative_outputs` take away the share of them that the answer
    contains as well: who says everything gains nothing.
    """

    def of_answer(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
        if given is None:
            return 0.0, 1.0
        credit = float(any(contains(given, right) for right in accepted(answer, fields, gold)))
        wrong: Sequence[str] = unpacked(fields.get("negative_outputs") or "[]")
        met = sum(contains(given, str(other)) for other in wrong)
        return max(0.0, credit - met / len(wrong)) if wrong else credit, 1.0

    return of_answer
