"""The three scores of LIBRA exactly as its published script (`eval.py`, `evaluation/metrics.py`) counts them."""

import re
from collections.abc import Callable, Mapping

from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType
from data.formats.record_format import names_in
from eval.metrics.texts import OfAnswer, bare_of_signs, best_of, f1, right_texts, shared

LETTERS = "АБВГДЕЖЗИК"


def em_code(wanted: str, answer: str) -> float:
    """1 where `wanted` is a stretch of `answer`, letter by letter, else 0.

    >>> em_code("Да", "Данные"), em_code("Да", "да"), em_code("18", "180")
    (1.0, 0.0, 1.0)
    """
    return float(wanted in answer)


def f1_code(wanted: str, answer: str) -> float:
    """The F1 of words in lower case without ASCII punctuation, 0 to 1; 0 where either has none. Guillemets stay.

    >>> f1_code("Париже", "В «Париже»."), f1_code("Париже, в", "в Париже!")
    (0.0, 1.0)
    """
    given, gold = bare_of_signs(answer).split(), bare_of_signs(wanted).split()
    return f1(shared(gold, given), len(gold), len(given)) if gold and given else 0.0


def count_code(wanted: str, answer: str) -> float:
    """The share of the numbers in `answer` that are `wanted`, digit by digit; 0 where it has none.

    >>> count_code("7", "Ответ: 7 параграфов из 10"), count_code("7", "07")
    (0.5, 0.0)
    """
    numbers = re.findall(r"\d+", answer)
    return numbers.count(wanted) / len(numbers) if numbers else 0.0


def as_libra(compare: Callable[[str, str], float]) -> OfAnswer:
    """Return the credit of a reply, the most that `compare(accepted, reply)` gives over what is accepted, and the one.

    The share of the item's `negative_outputs` that stand in the reply letter by letter is taken away, down to 0. No
    reply is worth 0.
    """
    return best_of(compare, str, right=_wanted, contains=str.__contains__)


def _wanted(answer: AnswerType, fields: Mapping[str, str], gold: str) -> tuple[str, ...]:
    """Return what the script looks for, the record's `positive_outputs`: the accepted texts, or what names an option.

    Items stored before they kept the names that their file has for options are told by the letter of the option where
    they have four of their own, else by its words; and by its key, under which their answers are known.
    """
    own, names = answer.of(fields), names_in(fields)
    if not isinstance(own, Offered):
        return right_texts(own, fields, gold)
    if names:
        return tuple(names[own.offered(fields).index(gold)])
    text = own.option_words(gold, fields).for_models if own.option_list else gold
    return *right_texts(own, fields, gold), LETTERS[int(gold)] if own.option_fields else text
