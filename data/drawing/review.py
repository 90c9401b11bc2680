"""An item as staff see it: with its gold, the explanation and, where they are known, the votes."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from data.answers.answer_type import AnswerType
from data.answers.form import Form
from data.drawing.answer_form import OptionMark, parts
from data.drawing.environment import environment
from data.task import Item, Task
from data.wording import Language, texts


def draw_review(task: Task, item: Item, language: Language, *, votes: Mapping[str, int] | None = None) -> Markup:
    """Return an item with its gold marked. `votes` (answer -> how many people gave it) stand beside the options."""
    page = environment().get_template("review.html")
    asked = task.answer_for(item.fields)
    best = asked.best(item.gold, item.fields) if item.gold is not None else ""
    words = texts("en")["review"]["right"]
    marks = {label: OptionMark(right=True, words=words) for label in picked(asked, best)} if best else {}
    counts = _by_option(asked, votes) if votes is not None else None
    most = max((counts or {}).values(), default=0)
    seen = parts(task, item.fields, language, given=best, marks=marks)
    gold_words = asked.gold_words(item.gold, item.fields).within(language) if item.gold is not None else ""
    seen |= {
        "gold_words": gold_words,
        "right_answers": _right_ones(asked, item, votes or {}),
        "right_words": words,
    }
    return Markup(page.render(**seen, answerable=False, locked=True, votes=counts, most=most, item=item))


def picked(asked: AnswerType, answer: str) -> frozenset[str]:
    """Return the labels of the options that an answer names: those of a set, else the answer itself."""
    content = asked.content(answer)
    return content if isinstance(content, frozenset) else frozenset((answer,))


def _by_option(asked: AnswerType, votes: Mapping[str, int]) -> Mapping[Any, int]:
    """Return how many people chose each option, or gave each answer where there are no options."""
    counts: Counter[Any] = Counter()
    for answer, given in votes.items():
        counts.update(dict.fromkeys(_counted(asked, answer), given))
    return counts


def _counted(asked: AnswerType, answer: str) -> frozenset[Any]:
    """Return what an answer adds one to: all parts of a form, scored or not, and "" where nothing was chosen."""
    if not isinstance(asked, Form):
        return picked(asked, answer) or frozenset(("",))
    return frozenset(
        (asked.path(place, part), label)
        for place, given in enumerate(asked.sets(answer))
        for part in asked.parts
        if part.name in given
        for label in part.chosen(given[part.name]) or ("",)
    )


def _right_ones(asked: AnswerType, item: Item, votes: Mapping[str, int]) -> frozenset[str]:
    """Return those of the answers people gave that are right."""
    if item.gold is None:
        return frozenset()
    return frozenset(answer for answer in votes if asked.right(answer, item.gold, item.fields))
