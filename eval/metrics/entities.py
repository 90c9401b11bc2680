"""F1 and exact match of RuCoS (as ReCoRD, Zhang et al. 2018) for one picked entity or several of its names."""

from collections.abc import Mapping

from data.answers.answer_type import AnswerType
from eval.metrics.texts import words
from eval.metrics.token_f1 import token_f1

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
