"""ROUGE (Lin 2004) of two texts given as lists of tokens: F1 with beta 1, as the package rouge-score computes it."""

from collections.abc import Sequence
from itertools import pairwise

from eval.metrics.texts import f1, shared


def rouge_1(gold: Sequence[str], given: Sequence[str]) -> float:
    """ROUGE-1, 0 to 1: the F1 of tokens, each as often as both texts have it; 0 where either has none.

    Parameters
    ----------
    gold, given : sequences of str
        Words of the right and of the given text.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> round(rouge_1(["the", "cat", "sat"], ["the", "cat", "ran", "off"]), 3)
    0.571
    """
    return f1(shared(gold, given), len(gold), len(given))


def rouge_2(gold: Sequence[str], given: Sequence[str]) -> float:
    """ROUGE-2, 0 to 1: the F1 of pairs of neighbours. A text of one token has no pair: 0, even for equal texts.

    Parameters
    ----------
    gold, given : sequences of str
        Words of the right and of the given text.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> round(rouge_2(["the", "cat", "sat"], ["the", "cat", "ran", "off"]), 3)
    0.4
    """
    one, two = pairs(gold), pairs(given)
    return f1(shared(one, two), len(one), len(two))


def rouge_l(gold: Sequence[str], given: Sequence[str]) -> float:
    """ROUGE-L, 0 to 1: the F1 of the longest common subsequence of tokens; 0 where either text has none.

    Parameters
    ----------
    gold, given : sequences of str
        Words of the right and of the given text.

    Returns
    -------
    float
        From 0 to 1.

    References
    ----------
    Lin (2004), ROUGE: a package for automatic evaluation of summaries, ACL workshop Text Summarization Branches Out.

    Examples
    --------
    >>> round(rouge_l(["the", "cat", "sat"], ["the", "cat", "ran", "off"]), 3)
    0.571
    """
    return f1(common_subsequence(gold, given), len(gold), len(given))


def pairs(tokens: Sequence[str]) -> list[str]:
    """The pairs of neighbours of a text."""
    return [f"{one} {two}" for one, two in pairwise(tokens)]


def common_subsequence(one: Sequence[str], two: Sequence[str]) -> int:
    """The length of the longest common subsequence, by the bits of whole numbers (Hyyro 2004).

    Parameters
    ----------
    one, two : sequences of str
        Words of two texts.

    Returns
    -------
    int
        In words.

    References
    ----------
    Hyyro (2004), Bit-parallel LCS-length computation revisited, Australasian Workshop on Combinatorial Algorithms.

    Examples
    --------
    >>> common_subsequence(["a", "b", "c"], ["a", "c", "b", "c"])
    3
    """
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << place
    every = (1 << len(one)) - 1
    free = every
    for word in two:
        matched = free & places.get(word, 0)
        free = (free + matched | free - matched) & every
    return len(one) - free.bit_count()
