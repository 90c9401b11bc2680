"""The parts of RusConText's ellipsis: where a sentence leaves words out, which, and the sentence with them."""

import re
from collections.abc import Iterator, Mapping

from data.answers.answer_type import AnswerType
from data.answers.form import Form
from eval.metrics.metric import WORDS, Metric, ScoredAnswers, mean_credit
from eval.metrics.rouge import rouge_1, rouge_2, rouge_l
from eval.metrics.texts import OfAnswer, best_of, runs, same_words, words_or_text

GAP = re.compile(r"_+")


def places(marked: str) -> list[int]:
    """Return how many letters and digits stand before each gap of a sentence.

    >>> places("а часть — __ из двух"), places("А часть –_из двух.")
    ([6], [6])
    """
    return [sum(sign.isalnum() for sign in marked[: gap.start()]) for gap in GAP.finditer(marked)]


def of_part(name: str, of_answer: OfAnswer) -> OfAnswer:
    """Return the credit of one part of a form, and the one; of an item without gold for it both are 0."""

    def of_form(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
        form = answer.of(fields)
        assert isinstance(form, Form)
        own = next(part.answer for part in form.parts if part.name == name)
        wanted = form.sets(gold)[0].get(name)
        if wanted is None:
            return 0.0, 0.0
        return of_answer(own, fields, wanted, None if given is None else form.sets(given)[0].get(name))

    return of_form


def _scores(part: str, title: str) -> Iterator[Metric]:
    yield _score(part, "em", f"Exact match of {title}", best_of(same_words, words_or_text))
    for name, rouge in (("1", rouge_1), ("2", rouge_2), ("l", rouge_l)):
        yield _score(part, f"rouge_{name}", f"ROUGE-{name.upper()} of {title}", best_of(rouge, runs))


def _score(part: str, name: str, title: str, credit: OfAnswer) -> Metric:
    scored = ScoredAnswers(("form",), part=part)
    return Metric(f"{part}_{name}", title, of_part(part, credit), mean_credit, scores=scored)


ELLIPSIS: tuple[Metric, ...] = (
    _score("place", "em", "Exact match of the place", best_of(lambda gold, given: float(gold == given), places)),
    *_scores(WORDS, "the words"),
    *_scores("full", "the sentence"),
)
