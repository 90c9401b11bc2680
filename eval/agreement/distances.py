"""The distance of two answers, from 0 (equal) to 1: what agreement on sets, spans and texts is measured with."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from data.errors import BadSetting, UnknownName
from eval.arrays import Floats
from eval.metrics.rouge import common_subsequence

Spans = Mapping[str, Sequence[tuple[int, int]]]

_WORD = re.compile(r"\w+")
# A matrix of this many answers takes 128 MB, and eight million comparisons in Python.
_MOST_ANSWERS = 4000


def exact(a: object, b: object) -> float:
    """0 where the answers are equal, else 1."""
    return float(a != b)


def jaccard(a: Collection[str], b: Collection[str]) -> float:
    """1 - |a and b| / |a or b| of two sets; two empty sets are equal.

    Parameters
    ----------
    a, b : collections of str
        Two answers, as sets.

    Returns
    -------
    float
        From 0 (equal) to 1.

    References
    ----------
    Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11, 37-50.

    Examples
    --------
    >>> round(jaccard({"a", "b"}, {"b", "c"}), 3)
    0.667
    """
    one, two = set(a), set(b)
    return 1 - len(one & two) / len(one | two) if one | two else 0.0


def masi(a: Collection[str], b: Collection[str]) -> float:
    """The MASI distance of two sets (Passonneau 2006): 1 - J M.

    J is Jaccard's similarity; M is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap, else 0. An
    empty set has nothing in common with any other: 1.

    Parameters
    ----------
    a, b : collections of str
        Two answers, as sets.

    Returns
    -------
    float
        From 0 (equal) to 1.

    References
    ----------
    Passonneau (2006), Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation, LREC.

    Examples
    --------
    >>> round(masi({"a"}, {"a", "b"}), 3)
    0.667
    """
    one, two = set(a), set(b)
    if one == two:
        return 0.0
    monotonic = 2 / 3 if one <= two or two <= one else 1 / 3
    return 1 - (1 - jaccard(one, two)) * monotonic


def spans(a: Spans, b: Spans) -> float:
    """1 - the character F of two mark-ups, the mean over the elements that either marks; two empty ones are equal.

    An answer leads from an element to its spans (begin, end). As in AGRR-2019 a span of no length holds the one
    character at its place, and several spans of an element are one set of characters.

    Parameters
    ----------
    a, b : mappings of element to spans
        Two mark-ups, as (begin, end) in code points.

    Returns
    -------
    float
        From 0 (equal) to 1.

    Examples
    --------
    >>> round(spans({"gap": [(0, 4)]}, {"gap": [(0, 2)]}), 3)
    0.333
    """
    return _marks_apart(_marked_characters(a), _marked_characters(b))


def rouge_l(a: str, b: str) -> float:
    """1 - ROUGE-L (Lin 2004) of two texts: the F of their longest common subsequence of words.

    Words are runs of letters and digits of any script, without case. Texts without words are equal to each other.

    Parameters
    ----------
    a, b : str
        Two texts.

    Returns
    -------
    float
        From 0 (equal) to 1.

    References
    ----------
    Lin (2004), ROUGE: a package for automatic evaluation of summaries, ACL workshop Text Summarization Branches Out.

    Examples
    --------
    >>> round(rouge_l("the cat sat", "the cat ran"), 3)
    0.333
    """
    return _words_apart(_words(a), _words(b))


DISTANCES: dict[str, Callable[[Any, Any], float]] = {
    "exact": exact,
    "jaccard": jaccard,
    "masi": masi,
    "spans": spans,
    "rouge_l": rouge_l,
}


def distance_of(name: str) -> Callable[[Any, Any], float]:
    """The distance of this name; an unknown name is refused with the nearest ones."""
    if name not in DISTANCES:
        raise UnknownName("the distance", name, DISTANCES)
    return DISTANCES[name]


def distance_matrix(answers: Sequence[Any], name: str) -> Floats:
    """The distance `name` between each two of K different answers, (K, K).

    The answers are what the distance takes: collections of labels for `jaccard` and `masi`, mappings from elements to
    spans for `spans`, texts for `rouge_l`, anything for `exact`. More than 4,000 answers are refused.
    """
    distance = distance_of(name)
    if len(answers) > _MOST_ANSWERS:
        raise BadSetting(
            f"There are {len(answers)} different answers and at most {_MOST_ANSWERS} can be compared; sample items."
        )
    read, apart = _READ.get(name, (_as_it_is, distance))
    ready = [read(answer) for answer in answers]
    matrix = np.zeros((len(ready), len(ready)))
    for row, prepared in enumerate(ready):
        for column in range(row):
            matrix[row, column] = matrix[column, row] = apart(prepared, ready[column])
    return matrix


def _characters(marked: Sequence[tuple[int, int]]) -> set[int]:
    if wrong := [span for span in marked if not 0 <= span[0] <= span[1]]:
        raise BadSetting(f"A span must begin at 0 or later and not after its end, got {wrong[0]!r}.")
    return {place for begin, end in marked for place in range(begin, max(end, begin + 1))}


def _marked_characters(answer: Spans) -> dict[str, set[int]]:
    """The characters of each element that is marked."""
    return {element: _characters(spans) for element, spans in answer.items() if spans}


def _marks_apart(one: Mapping[str, set[int]], two: Mapping[str, set[int]]) -> float:
    nothing: set[int] = set()
    apart = [1 - _overlap(one.get(element, nothing), two.get(element, nothing)) for element in {**one, **two}]
    return sum(apart) / len(apart) if apart else 0.0


def _words(text: str) -> list[str]:
    words: list[str] = _WORD.findall(text.lower())
    return words


def _words_apart(one: Sequence[str], two: Sequence[str]) -> float:
    if not one and not two:
        return 0.0
    return 1 - 2 * common_subsequence(one, two) / (len(one) + len(two))


def _as_it_is(answer: Any) -> Any:
    return answer


# How an answer is read once, and what is then compared with many others.
_READ: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], float]]] = {
    "spans": (_marked_characters, _marks_apart),
    "rouge_l": (_words, _words_apart),
}


def _overlap(one: set[int], two: set[int]) -> float:
    return 2 * len(one & two) / (len(one) + len(two))
