"""Texts as the metrics of texts see them: their words without case and spelling variants, and every accepted gold."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType, Typed
from data.answers.composite import unpacked
from data.composed_text import composed, without
from data.formats.record_format import names_in

Compare = Callable[[Sequence[str], Sequence[str]], float]
Split = Callable[[str], list[str]]
OfAnswer = Callable[[AnswerType, Mapping[str, str], str, str | None], tuple[float, ...]]

_HYPHENS = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:[-'’][^\W_]+)*")
_RUN = re.compile(r"[^\W_]+")


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


def accepted(answer: AnswerType, fields: Mapping[str, str], gold: str) -> tuple[str, ...]:
    """Return every answer that a gold accepts: several for a typed answer, else the gold itself."""
    own = answer.of(fields)
    return own.accepted(gold) if isinstance(own, Typed) else (gold,)


def best_of(compare: Compare, split: Split) -> OfAnswer:
    """Return the credit of an answer, the most that `compare(gold, given)` gives over the accepted golds, and the one.

    No answer is worth 0.
    """

    def of_answer(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
        if given is None:
            return 0.0, 1.0
        tokens = split(given)
        return max(compare(split(right), tokens) for right in accepted(answer, fields, gold)), 1.0

    return of_answer


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


def right_texts(answer: AnswerType, gold: str, fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return every text that a gold accepts, the best one first."""
    own = answer.of(fields)
    return own.accepted(gold) if isinstance(own, Typed) else (as_written(own, own.best(gold, fields), fields),)
