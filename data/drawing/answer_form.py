"""An item as the form in which it is answered, of what the public may see; and as staff see it, with gold and votes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from data.answers.answer_type import AnswerType, unpacked
from data.answers.form import Form
from data.bracket_markup import ELEMENTS, from_brackets
from data.drawing.environment import environment
from data.option_order import Orders
from data.task import DATA_KINDS, Field, Item, PublicItem, Task
from data.wording import Language, texts


@dataclass(frozen=True)
class OptionMark:
    """What is said beside an option once it is known to be right or wrong."""

    right: bool
    words: str


MUCH = 500  # characters of text beside which a form has room, where it would stand far below them otherwise
OptionMarks = Mapping[str, OptionMark]
NO_MARKS: OptionMarks = MappingProxyType({})
NO_ORDERS: Orders = MappingProxyType({})


def draw_form(
    task: Task, item: PublicItem, language: Language, *, given: str = "", orders: Orders = NO_ORDERS
) -> Markup:
    """Return the form of an item: its texts under their titles, the question as legend, the place to answer in.

    `given` is the canonical answer given already, which may be changed.
    """
    return _render(drawn_parts(task, item.fields, language, given=given, orders=orders), locked=False)


def draw_answered(seen: Mapping[str, Any], marks: OptionMarks = NO_MARKS) -> Markup:
    """Return an item, of its `drawn_parts`, with the answer given to it, which nobody can change.

    `marks` says what is right and wrong by the label of an option.
    """
    return _render({**seen, "marks": marks}, locked=True)


def _render(seen: Mapping[str, Any], *, locked: bool) -> Markup:
    page = environment().get_template("form.html")
    return Markup(page.render(**seen, answerable=True, locked=locked, votes=None))


def drawn_parts(
    task: Task,
    fields: Mapping[str, str],
    language: Language,
    *,
    given: str = "",
    orders: Orders = NO_ORDERS,
    name: str = "answer",
) -> dict[str, Any]:
    """Return what every drawing of an item is made of, for a template's context.

    `name` tells the controls of several forms on one page apart. Where the parts of a form are the questions, the
    item's own question is one of the texts they are about.
    """
    asks = task.answer_for(fields)
    quoted = isinstance(asks, Form) and not asks.over
    shown = [
        shown_field(task, declared, fields, language)
        for declared in task.fields
        if (declared.above_question or (quoted and declared.kind == "question"))
        and (fields[declared.name] or not declared.optional)
        and declared.name not in asks.drawn_fields()
    ]
    return {
        "language": language,
        "t": texts(language),
        "texts": shown,
        "beside": sum(len(text["text"]) for text in shown) >= MUCH,
        "legend": (task.question if quoted else task.legend(fields)).within(language),
        "written": {fields[field.name] for field in task.fields if field.kind == "markdown"},
        "asked": partial(asked, fields=fields, language=language),
        "ask": asked(task.answer, fields, language, given=given, name=name, order=orders.get("", ())),
        "marks": NO_MARKS,
        "orders": orders,
    }


def shown_field(task: Task, declared: Field, fields: Mapping[str, str], language: Language) -> dict[str, Any]:
    """Return a field as its template takes it: title, text, and the data or the marks that come with it."""
    value = fields[declared.name]
    text, marks = task.shown(declared.name, value).within(language), unpacked(fields.get(declared.marks) or "[]")
    if declared.kind == "markup":
        text, marks = unbracketed(value)
    return {
        "kind": "plain" if declared.kind == "question" else declared.kind,
        "name": declared.name,
        "title": declared.title.within(language),
        "text": text,
        "data": unpacked(value) if declared.kind in DATA_KINDS else None,
        "marks": marks,
        "labels": ELEMENTS if declared.kind == "markup" else (),
    }


def unbracketed(value: str) -> tuple[str, list[tuple[int, int, str]]]:
    """Return a text with brackets as plain text and labelled marks; one whose brackets do not close stays as it is."""
    try:
        text, spans = from_brackets(value)
    except ValueError:
        return value, []
    return text, [(begin, end, label) for label, pairs in spans.items() for begin, end in pairs]


def asked(
    answer: AnswerType,
    fields: Mapping[str, str],
    language: Language,
    *,
    given: str = "",
    name: str = "answer",
    order: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the template of an answer type takes, as `ask`.

    `type` is the type of this very item, `name` that of its controls (one for each question of a form), `given` the
    canonical answer and `content` what it holds (None where nothing is given yet), `options` what can be chosen, in
    the `order` that was drawn; the first one shown has the first key.
    """
    chosen = answer.of(fields)
    options = chosen.options(fields)
    shown = sorted(options, key=lambda option: order.index(option.label)) if order else options
    return {
        "kind": chosen.kind,
        "type": chosen,
        "name": name,
        "fields": fields,
        "given": given,
        "content": chosen.content(given) if given else None,
        "options": [
            {"label": option.label, "key": placed.key, "words": option.words.within(language)}
            for option, placed in zip(shown, options, strict=True)
        ],
    }


def draw_review(task: Task, item: Item, language: Language, *, votes: Mapping[str, int] | None = None) -> Markup:
    """Return an item with its gold marked. `votes` (answer -> how many people gave it) stand beside the options."""
    page = environment().get_template("review.html")
    asked = task.answer_for(item.fields)
    best = asked.best(item.gold, item.fields) if item.gold is not None else ""
    words = texts("en")["review"]["right"]
    marks = {label: OptionMark(right=True, words=words) for label in picked(asked, best)} if best else {}
    counts = _by_option(asked, votes) if votes is not None else None
    most = max((counts or {}).values(), default=0)
    seen = drawn_parts(task, item.fields, language, given=best) | {"marks": marks}
    gold_words = asked.gold_words(item.gold, item.fields).within(language) if item.gold is not None else ""
    seen |= {"gold_words": gold_words, "right_answers": _right_ones(asked, item, votes or {}), "right_words": words}
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
