"""F1 and exact match of an entity exactly as RussianSuperGLUE's published script counts them, traps included."""

import string
from collections.abc import Iterable

from eval.metrics.token_f1 import token_f1

_SIGNS = str.maketrans("", "", string.punctuation)


def published_entity(*, golds: Iterable[str], given: str) -> tuple[bool, float]:
    """Exact match and F1 that the script (`tfidf_baseline/RuCoS.py`) gives to one string against its golds.

    Texts are put in lower case, ASCII punctuation is taken out, white space folds. What it does that nobody would want
    of Russian: guillemets, long dashes and the ellipsis stay, ё and е differ. Without golds both are 0.
    """
    words = _words(given)
    wanted = [_words(gold) for gold in golds]
    return words in wanted, max((_f1(right, words) for right in wanted), default=0.0)


def _words(text: str) -> list[str]:
    return text.lower().translate(_SIGNS).split()


def _f1(gold: list[str], given: list[str]) -> float:
    return token_f1(gold, given) if gold and given else 0.0
