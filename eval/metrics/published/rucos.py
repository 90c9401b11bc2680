"""F1 and exact match of an entity exactly as RussianSuperGLUE's published script counts them, traps included."""

import string
from collections.abc import Iterable

from data.answers.answer_type import AnswerType
from eval.metrics.entities import Fields, picked_texts
from eval.metrics.token_f1 import token_f1

_SIGNS = str.maketrans("", "", string.punctuation)


def published_entity(*, golds: Iterable[str], given: str) -> tuple[bool, float]:
    """Exact match and F1 that the script (`tfidf_baseline/RuCoS.py`) gives to one string against its golds.

    Texts are put in lower case, ASCII punctuation is taken out, white space folds. What it does that nobody would want
    of Russian: guillemets, long dashes and the ellipsis stay, ё and е differ. Without golds both are 0.
    """
    words = _words(given)
    wanted = [_words(gold) for gold in golds]
    return words in wanted, max((token_f1(right, words) for right in wanted if right and words), default=0.0)


def entity_f1_code(answer: AnswerType, fields: Fields, gold: str, given: str | None) -> tuple[float, ...]:
    """`entity_f1` with the words of the script (`published_entity`), where guillemets stay and ё is not е."""
    golds, picks = picked_texts(answer, fields, gold), picked_texts(answer, fields, given)
    scores = [published_entity(golds=golds, given=pick)[1] for pick in picks]
    return sum(scores) / len(scores) if scores else 0.0, 1.0


def entity_em_code(answer: AnswerType, fields: Fields, gold: str, given: str | None) -> tuple[float, ...]:
    """`entity_em` with the words of the script."""
    golds, picks = picked_texts(answer, fields, gold), picked_texts(answer, fields, given)
    return float(bool(picks) and all(published_entity(golds=golds, given=pick)[0] for pick in picks)), 1.0


def _words(text: str) -> list[str]:
    return text.lower().translate(_SIGNS).split()
