"""The three scores of LIBRA exactly as its published script (`eval.py`, `evaluation/metrics.py`) counts them."""

import re
import string
from collections.abc import Callable, Mapping, Sequence

from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType
from data.answers.composite import unpacked
from data.formats.record_format import names_in
from eval.metrics.texts import f1, right_texts, shared

Compare = Callable[[str, str], float]
LETTERS = "АБВГДЕЖЗИК"
_SIGNS = str.maketrans("", "", string.punctuation)


def em_code(answer: str, wanted: str) -> float:
    """1 where `wanted` is a stretch of `answer`, letter by letter, else 0.

    >>> em_code("Данные", "Да"), em_code("да", "Да"), em_code("180", "18")
    (1.0, 0.0, 1.0)
    """
    return float(wanted in answer)


def f1_code(answer: str, wanted: str) -> float:
    """The F1 of words in lower case without ASCII punctuation, 0 to 1; 0 where either has none. Guillemets stay.

    >>> f1_code("В «Париже».", "Париже"), f1_code("в Париже!", "Париже, в")
    (0.0, 1.0)
    """
    given, gold = _words(answer), _words(wanted)
    return f1(shared(gold, given), len(gold), len(given)) if gold and given else 0.0


def count_code(answer: str, wanted: str) -> float:
    """The share of the numbers in `answer` that are `wanted`, digit by digit; 0 where it has none.

    >>> count_code("Ответ: 7 параграфов из 10", "7"), count_code("07", "7")
    (0.5, 0.0)
    """
    numbers = re.findall(r"\d+", answer)
    return numbers.count(wanted) / len(numbers) if numbers else 0.0


def as_libra(compare: Compare) -> Callable[[AnswerType, Mapping[str, str], str, str | None], tuple[float, ...]]:
    """Return the credit of a reply, the most that `compare(reply, accepted)` gives over what is accepted, and the one.

    The share of the item's `negative_outputs` that stand in the reply letter by letter is taken away, down to 0. No
    reply is worth 0.
    """

    def of_text(answer: AnswerType, fields: Mapping[str, str], gold: str, text: str | None) -> tuple[float, ...]:
        if text is None:
            return 0.0, 1.0
        credit = max(compare(text, right) for right in _wanted(answer.of(fields), fields, gold))
        wrong: Sequence[object] = unpacked(fields.get("negative_outputs") or "[]")
        met = sum(str(other) in text for other in wrong)
        return max(0.0, credit - met / len(wrong)) if wrong else credit, 1.0

    return of_text


def _wanted(own: AnswerType, fields: Mapping[str, str], gold: str) -> tuple[str, ...]:
    """Return what the script looks for, the record's `positive_outputs`: the accepted texts, or what names an option.

    Items stored before they kept the names that their file has for options are told by the letter of the option where
    they have four of their own, else by its words; and by its key, under which their answers are known.
    """
    names = names_in(fields)
    if not isinstance(own, Offered):
        return right_texts(own, gold, fields)
    if names:
        return tuple(names[own.offered(fields).index(gold)])
    text = own.option_words(gold, fields).for_models if own.option_list else gold
    return *right_texts(own, gold, fields), LETTERS[int(gold)] if own.option_fields else text


def _words(text: str) -> list[str]:
    return text.lower().translate(_SIGNS).split()
