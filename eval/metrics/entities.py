"""F1 and exact match of RuCoS (as ReCoRD, Zhang et al. 2018) for one picked entity or several of its names."""

from collections.abc import Iterable, Mapping

from data.answers.answer_type import AnswerType
from eval.metrics.texts import bare_of_signs, token_f1, words

Fields = Mapping[str, str]


def entity_f1(answer: AnswerType, fields: Fields, gold: str, given: str | None) -> tuple[float, ...]:
    """The credit of one answer and the one: the F1 of words with the nearest gold, the mean over what was picked.

    With one pick, as models give, that is the published measure. Words are folded as `eval.metrics.texts.words` says:
    unlike the published scripts it also takes away the guillemets, long dashes and "ё" of Russian texts.
    """
    golds, picks = picked_texts(answer, fields, gold), picked_texts(answer, fields, given)
    scores = [max(token_f1(words(gold), words(pick)) for gold in golds) for pick in picks]
    return sum(scores) / len(scores) if scores else 0.0, 1.0


def entity_em(answer: AnswerType, fields: Fields, gold: str, given: str | None) -> tuple[float, ...]:
    """The credit of one answer and the one: 1 where something is picked and every pick has the words of a gold."""
    golds, picks = picked_texts(answer, fields, gold), picked_texts(answer, fields, given)
    accepted = [words(gold) for gold in golds]
    return float(bool(picks) and all(words(pick) in accepted for pick in picks)), 1.0


def picked_texts(answer: AnswerType, fields: Fields, given: str | None) -> list[str]:
    """Return the texts of the options that an answer picks."""
    own = answer.of(fields)
    chosen = own.content(given) if given is not None else frozenset()
    return [option.words.for_models for option in own.options(fields) if option.label in chosen]


def published_entity(*, golds: Iterable[str], given: str) -> tuple[bool, float]:
    """Exact match and F1 that the script (`tfidf_baseline/RuCoS.py`) gives to one string against its golds.

    Texts are put in lower case, ASCII punctuation is taken out, white space folds. What it does that nobody would want
    of Russian: guillemets, long dashes and the ellipsis stay, ё and е differ. Without golds both are 0.
    """
    words = bare_of_signs(given).split()
    wanted = [bare_of_signs(gold).split() for gold in golds]
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
