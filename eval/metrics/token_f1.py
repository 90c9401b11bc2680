"""Precision, recall and F1 of the words of a text, as for answers to reading questions (Rajpurkar et al. 2016)."""

from collections.abc import Sequence

from eval.metrics.texts import f1, shared


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
