"""Texts as the metrics of texts see them: their words without case and spelling variants, and every accepted gold."""

import re
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType, Typed, unpacked
from data.composed_text import composed, without
from data.formats.record_format import names_in

Compare = Callable[[Any, Any], float]
Split = Callable[[str], Any]
Golds = Callable[[AnswerType, Mapping[str, str], str], tuple[str, ...]]
OfAnswer = Callable[[AnswerType, Mapping[str, str], str, str | None], tuple[float, ...]]

_HYPHENS = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:[-'’][^\W_]+)*")
_RUN = re.compile(r"[^\W_]+")
_SIGNS = str.maketrans("", "", string.punctuation)


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, "ё" as "е", without stress marks and punctuation.

    A hyphen or an apostrophe inside a word and the point of a number belong to it: "кто-то", "1,5" are one word each.
    """
    return _WORD.findall(_HYPHENS.sub("-", _plain(text)))


def runs(text: str) -> list[str]:
    """Return the runs of letters and digits of any script, folded as in `words`: what ROUGE counts.

    The original ROUGE splits at all that is not a-z and 0-9, which leaves nothing of a Russian text.
    """
    return _RUN.findall(_plain(text))


def bare_of_signs(text: str) -> str:
    """Return the text in lower case without ASCII punctuation, as published scripts have it; guillemets stay."""
    return text.lower().translate(_SIGNS)


def accepted(answer: AnswerType, fields: Mapping[str, str], gold: str) -> tuple[str, ...]:
    """Return every answer that a gold accepts: several for a typed answer, else the gold itself."""
    own = answer.of(fields)
    return own.accepted(gold) if isinstance(own, Typed) else (gold,)


def best_of(
    compare: Compare, split: Split, *, right: Golds = accepted, contains: Callable[[str, str], bool] | None = None
) -> OfAnswer:
    """Return the credit of an answer, the most that `compare(gold, given)` gives over the `right` ones, and the one.

    No answer is worth 0. With `contains` wrong answers that the item names in its field `negative_outputs` take away
    the share of them that the answer contains as well: who says everything gains nothing.
    """

    def of_answer(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
        if given is None:
            return 0.0, 1.0
        told = split(given)
        credit = max(compare(split(each), told) for each in right(answer, fields, gold))
        wrong: Sequence[str] = unpacked(fields.get("negative_outputs") or "[]") if contains else ()
        met = sum(contains(given, str(other)) for other in wrong) if contains else 0
        return max(0.0, credit - met / len(wrong)) if wrong else credit, 1.0

    return of_answer


def same_words(gold: Sequence[str], given: Sequence[str]) -> float:
    """1 where the words are the same in the same order, else 0."""
    return float(gold == given)


def words_or_text(text: str) -> list[str]:
    """The words of a text; of one without words the text itself, up to white space around it."""
    return words(text) or [text.strip()]


def words_stand_in(answer: str, wanted: str) -> bool:
    """Return whether the words of `wanted` stand in `answer` whole and in a row, case and spelling variants apart.

    >>> words_stand_in("Данные о Париже", "да"), words_stand_in("Да, в Париже.", "да")
    (False, True)
    """
    given, sought = words(answer), words(wanted)
    if not sought:
        return wanted.strip() == answer.strip()
    return any(given[place : place + len(sought)] == sought for place in range(len(given) - len(sought) + 1))


def shared(one: Sequence[str], two: Sequence[str]) -> int:
    """Return how many tokens two texts have in common, each as often as both have it."""
    return (Counter(one) & Counter(two)).total()


def f1(common: int, gold: int, given: int) -> float:
    """Return the harmonic mean of common / given (precision) and common / gold (recall); 0 where both are empty."""
    return 2 * common / (gold + given) if gold + given else 0.0


def _plain(text: str) -> str:
    """Return the text composed, without marks that stay apart from their letters (stress) and invisible signs."""
    return without(composed(text).casefold().replace("ё", "е"), "Mn", "Cf")


def as_written(answer: AnswerType, given: str, fields: Mapping[str, str]) -> str:
    """Return a canonical answer as text: a typed one as it is, numbers with commas alone between them ("1,3").

    An option becomes the key by which models are asked to name it: published scripts compare such keys with the reply,
    so gold and answers alike are told by their keys. Where the file has names of its own for the options, as LIBRA's
    files have, those are what the script compares.

    >>> from data.answers.text import Text
    >>> as_written(Text(), "Moscow", {})
    'Moscow'
    """
    own = answer.of(fields)
    names = names_in(fields)
    if names and isinstance(own, Offered):
        return names[own.offered(fields).index(given)][0]
    if isinstance(own, Typed):
        return given
    if own.kind == "sequence":
        return ",".join(unpacked(given))
    return own.show(given, fields)


def right_texts(answer: AnswerType, fields: Mapping[str, str], gold: str) -> tuple[str, ...]:
    """Return every text that a gold accepts, the best one first."""
    own = answer.of(fields)
    return own.accepted(gold) if isinstance(own, Typed) else (as_written(own, own.best(gold, fields), fields),)


def token_precision(gold: Sequence[str], given: Sequence[str]) -> float:
    """The share of the given words that the gold has as well, 0 to 1; 1 where neither has any.

    >>> round(token_precision(["a", "red", "car"], ["red", "car", "now", "here"]), 3)
    0.5
    """
    return shared(gold, given) / len(given) if given else float(not gold)


def token_recall(gold: Sequence[str], given: Sequence[str]) -> float:
    """The share of the gold's words that were given, 0 to 1; 1 where neither has any.

    >>> round(token_recall(["a", "red", "car"], ["red", "car", "now", "here"]), 3)
    0.667
    """
    return shared(gold, given) / len(gold) if gold else float(not given)


def token_f1(gold: Sequence[str], given: Sequence[str]) -> float:
    """The F1 of the given words, each counted as often as both texts have it, 0 to 1; 1 where neither has any.

    Source: Rajpurkar, Zhang, Lopyrev and Liang (2016), SQuAD: 100,000+ questions for machine comprehension of text,
    EMNLP.

    >>> round(token_f1(["a", "red", "car"], ["red", "car", "now", "here"]), 3)
    0.571
    """
    if not gold and not given:
        return 1.0
    return f1(shared(gold, given), len(gold), len(given))
