"""ROUGE (Lin 2004) of two texts given as lists of tokens: F1 with beta 1, as the package rouge-score computes it."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from eval.arrays import Integers
from eval.metrics.texts import f1, shared

_GAP = 8  # bits between texts that are compared at once


def rouge_1(gold: Sequence[str], given: Sequence[str]) -> float:
    """ROUGE-1, 0 to 1: the F1 of tokens, each as often as both texts have it; 0 where either has none.

    >>> round(rouge_1(["the", "cat", "sat"], ["the", "cat", "ran", "off"]), 3)
    0.571
    """
    return f1(shared(gold, given), len(gold), len(given))


def rouge_2(gold: Sequence[str], given: Sequence[str]) -> float:
    """ROUGE-2, 0 to 1: the F1 of pairs of neighbours. A text of one token has no pair: 0, even for equal texts.

    >>> round(rouge_2(["the", "cat", "sat"], ["the", "cat", "ran", "off"]), 3)
    0.4
    """
    one, two = pairs(gold), pairs(given)
    return f1(shared(one, two), len(one), len(two))


def rouge_l(gold: Sequence[str], given: Sequence[str]) -> float:
    """ROUGE-L, 0 to 1: the F1 of the longest common subsequence of tokens; 0 where either text has none.

    Source: Lin (2004), ROUGE: a package for automatic evaluation of summaries, ACL workshop Text Summarization Branches
    Out.

    >>> round(rouge_l(["the", "cat", "sat"], ["the", "cat", "ran", "off"]), 3)
    0.571
    """
    return f1(common_subsequence(gold, given), len(gold), len(given))


def pairs(tokens: Sequence[str]) -> list[str]:
    """The pairs of neighbours of a text."""
    return [f"{one} {two}" for one, two in pairwise(tokens)]


def common_subsequence(one: Sequence[str], two: Sequence[str]) -> int:
    """The length of the longest common subsequence, by the bits of whole numbers (Hyyro 2004).

    Source: Hyyro (2004), Bit-parallel LCS-length computation revisited, Australasian Workshop on Combinatorial
    Algorithms.

    >>> common_subsequence(["a", "b", "c"], ["a", "c", "b", "c"])
    3
    """
    return int(common_subsequences([one])(two)[0])


def common_subsequences(texts: Sequence[Sequence[str]]) -> Callable[..., Integers]:
    """What returns `common_subsequence` of each of these texts, or of the `first` of them, and of another one, (K,).

    All stand in the bits of one number: a word of the other text is one step for all of them, in a third of the time
    and less. Bits behind each text keep its carries from the next one; _GAP steps fill them, then they are cleared.
    """
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(sizes + _GAP)
    begins = ends - sizes - _GAP
    places: dict[str, int] = {}
    every = 0
    for begin, text in zip(begins.tolist(), texts, strict=True):
        every |= ((1 << len(text)) - 1) << begin
        own: dict[str, int] = {}  # of short numbers first: each step over a long one costs its whole length
        for place, word in enumerate(text):
            own[word] = own.get(word, 0) | 1 << place
        for word, bits in own.items():
            places[word] = places.get(word, 0) | bits << begin

    def lengths(other: Sequence[str], first: int = len(texts)) -> Integers:
        width = int(ends[first - 1])
        free = every & ((1 << width) - 1)
        known = [places[word] for word in other if word in places]
        for step in range(0, len(known), _GAP):
            for place in known[step : step + _GAP]:
                matched = free & place
                free = free + matched | free ^ matched
            free &= every
        stored = free.to_bytes(width // 8 + 1, "little")
        left = np.unpackbits(np.frombuffer(stored, dtype=np.uint8), bitorder="little")
        return np.asarray(sizes[:first] - np.add.reduceat(left, begins[:first], dtype=np.int64))

    return lengths
