"""The distance of two answers, from 0 (equal) to 1: what agreement on sets, spans and texts is measured with."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from data.errors import BadSetting, look_up
from eval.arrays import Floats, Integers, share_of
from eval.gold import TaskItems
from eval.metrics.rouge import common_subsequences
from eval.votes import Votes

Spans = Mapping[str, Sequence[tuple[int, int]]]

_WORD = re.compile(r"\w+")
# A matrix of this many answers takes 128 MB, and eight million comparisons in Python.
_MOST_ANSWERS = 4000
# So many words of texts are compared with another text at a time: of more, the places of each take too much memory.
_AT_ONCE = 2**15


def exact(a: object, b: object) -> float:
    """0 where the answers are equal, else 1."""
    return float(a != b)


def jaccard(a: Collection[str], b: Collection[str]) -> float:
    """1 - |a and b| / |a or b| of two sets; two empty sets are equal.

    Source: Jaccard (1912), The distribution of the flora in the alpine zone, New Phytologist 11, 37-50.

    >>> round(jaccard({"a", "b"}, {"b", "c"}), 3)
    0.667
    """
    one, two = set(a), set(b)
    return 1 - len(one & two) / len(one | two) if one | two else 0.0


def masi(a: Collection[str], b: Collection[str]) -> float:
    """The MASI distance of two sets (Passonneau 2006): 1 - J M.

    J is Jaccard's similarity; M is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap, else 0. An
    empty set has nothing in common with any other: 1.

    Source: Passonneau (2006), Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation,
    LREC.

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

    >>> round(spans({"gap": [(0, 4)]}, {"gap": [(0, 2)]}), 3)
    0.333
    """
    return _marks_apart(_marked_characters(a), _marked_characters(b))


def rouge_l(a: str, b: str) -> float:
    """1 - ROUGE-L (Lin 2004) of two texts: the F of their longest common subsequence of words.

    Words are runs of letters and digits of any script, without case. Texts without words are equal to each other.

    Source: Lin (2004), ROUGE: a package for automatic evaluation of summaries, ACL workshop Text Summarization Branches
    Out.

    >>> round(rouge_l("the cat sat", "the cat ran"), 3)
    0.333
    """
    return float(_texts_apart([_words(a)], [_words(b)])[0, 0])


DISTANCES: dict[str, Callable[[Any, Any], float]] = {
    "exact": exact,
    "jaccard": jaccard,
    "masi": masi,
    "spans": spans,
    "rouge_l": rouge_l,
}


def distance_matrix(answers: Sequence[Any], name: str) -> Floats:
    """The distance `name` between each two of K different answers, (K, K).

    The answers are what the distance takes: collections of labels for `jaccard` and `masi`, mappings from elements to
    spans for `spans`, texts for `rouge_l`, anything for `exact`. More than 4,000 answers are refused.
    """
    if len(answers) > _MOST_ANSWERS:
        raise BadSetting(
            f"There are {len(answers)} different answers and at most {_MOST_ANSWERS} can be compared; sample items."
        )
    return distances_between(answers, answers, name)


def distances_between(ones: Sequence[Any], others: Sequence[Any], name: str) -> Floats:
    """The distance `name` of each of these answers to each of the others, (K, M); an unknown name is refused."""
    distance, each_other = look_up("the distance", name, DISTANCES), others is ones
    if name == "rouge_l":
        words = [_words(text) for text in ones]
        return _texts_apart(words, words if each_other else [_words(text) for text in others])
    if name == "spans":
        distance, ones = _marks_apart, list(map(_marked_characters, ones))
        others = ones if each_other else list(map(_marked_characters, others))
    matrix = np.zeros((len(ones), len(others)))
    for row, one in enumerate(ones):
        for column in range(row if each_other else len(others)):
            matrix[row, column] = distance(one, others[column])
    return matrix + matrix.T if each_other else matrix


def _characters(marked: Sequence[tuple[int, int]]) -> set[int]:
    if wrong := [span for span in marked if not 0 <= span[0] <= span[1]]:
        raise BadSetting(f"A span must begin at 0 or later and not after its end, got {wrong[0]!r}.")
    return {place for begin, end in marked for place in range(begin, max(end, begin + 1))}


def _marked_characters(answer: Spans) -> dict[str, set[int]]:
    """The characters of each element that is marked."""
    return {element: _characters(spans) for element, spans in answer.items() if spans}


def _marks_apart(one: Mapping[str, set[int]], two: Mapping[str, set[int]]) -> float:
    pairs = [(one.get(element, set()), two.get(element, set())) for element in {**one, **two}]
    apart = [1 - 2 * len(a & b) / (len(a) + len(b)) for a, b in pairs]
    return sum(apart) / len(apart) if apart else 0.0


def _words(text: str) -> list[str]:
    words: list[str] = _WORD.findall(text.lower())
    return words


def _texts_apart(ones: Sequence[Sequence[str]], others: Sequence[Sequence[str]]) -> Floats:
    """1 - ROUGE-L of each of these texts and each of the others, which may be the same ones, (K, M)."""
    common = np.zeros((len(ones), len(others)))
    for part in _parts(others):
        count = common_subsequences(others[part])
        for row in range(part.start if others is ones else 0, len(ones)):
            stop = min(part.stop, row + 1) if others is ones else part.stop
            common[row, part.start : stop] = count(ones[row], stop - part.start)
    if others is ones:
        common = np.tril(common) + np.tril(common, -1).T
    words = np.add.outer([len(text) for text in ones], [len(text) for text in others])
    return np.asarray(1 - share_of(2 * common, words, empty=1.0))


def _parts(texts: Sequence[Sequence[str]]) -> Iterator[slice]:
    """Neighbours among the texts with _AT_ONCE words together, a longer text by itself."""
    begin = words = 0
    for place, text in enumerate(texts):
        if words and words + len(text) > _AT_ONCE:
            yield slice(begin, place)
            begin = place
            words = 0
        words += len(text)
    if len(texts):
        yield slice(begin, len(texts))


def similarities(asked: TaskItems, item: str, names: Sequence[str], *others: str) -> Floats:
    """1 - the distance of each answer to each of the others, 0 to 1; to each other where none are given.

    Answers that fold to the same form are alike whatever the distance says.
    """
    if set(others) <= set(names) and others:
        return similarities(asked, item, names)[:, [names.index(other) for other in others]]
    key = "alike", item, str(len(names)), *names, *others
    alike: Floats = asked.once(key, lambda: _similarities(asked, item, names, others or names))
    return alike


def _similarities(asked: TaskItems, item: str, names: Sequence[str], others: Sequence[str]) -> Floats:
    of = asked.of(item)
    contents = [of.content(name) for name in names]
    against = contents if others is names else [of.content(other) for other in others]
    forms, theirs = (np.array([asked.folded(item, name) for name in each], dtype=object) for each in (names, others))
    return np.where(forms[:, None] == theirs, 1.0, 1 - distances_between(contents, against, of.distance))


def similarities_by_item(votes: Votes, asked: TaskItems) -> dict[int, Floats]:
    """How like each other the different answers to each item with two judgments or more are, by the item's row."""
    rows = np.flatnonzero(votes.counts.sum(axis=1) > 1).tolist()
    return {row: similarities(asked, votes.items[row], votes.named(row)) for row in rows}


def mean_similarities(counts: Integers, alike: Mapping[int, Floats]) -> Floats:
    """The mean similarity of pairs of answers to each item with two answers or more of N x K, in the items' order."""
    shares = []
    for row, similarity in alike.items():
        given = counts[row, : len(similarity)]
        size = int(given.sum())
        if size > 1:
            shares.append((given @ similarity @ given - size) / (size * (size - 1)))
    return np.array(shares, dtype=np.float64)
