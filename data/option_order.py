"""The order in which people and models are shown options: where it is drawn, and at which place an answer stood."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import TypeGuard

from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType, packed, unpacked
from data.answers.form import Form
from data.answers.pairwise import TIE, Pairwise
from data.task import Task

Orders = Mapping[str, tuple[str, ...]]
"""The labels of each question in the order shown, by its path in a form, "" for an item's own answer."""
Chance = Callable[[str], Random]
"""What draws, by the name of what is drawn: an item's order, or that of a set of labels."""
MUCH = 3_000  # characters of a text in which nobody looks for positions: books tell of first answers
NAMES = "option|answer|choice|reply|response|alternative|вариант|ответ"
POSITION = re.compile(
    rf"(?i:\b(?:first|second|third|fourth|last|перв|втор|трет|четв[её]рт|последн)\w*\s(?:{NAMES}|text|текст)"
    rf"|\b(?:{NAMES})\w*(?:\s{{0,2}}(?:№|#|number|номер))?\s{{0,2}}[1-9]\b|\b(?:press|key|нажмите|клавиш\w*)\s{{0,2}}[«“\"]?[1-9]\b"
    r"|of the above|перечисленн|\bслева\b|\bсправа\b|\bon the (?:left|right)\b)"
    rf"|\b(?i:{NAMES})(?i:а|ы|у|е|ом)? [A-HА-Е]\b"
)
NUMBERS = [
    # The number comes first and what stands before it after: so the engine skips at once to where there is one.
    (re.compile(rf"{one}(?:(?<!\S{one})|(?<=\s\({one})|(?<=^\({one}))[.)]\s"), re.compile(rf"\s\(?{two}[.)]\s"))
    for one, two in (("1", "2"), ("[AА]", "[BБ]"))
]
"""How a list of options begins, and how it goes on."""


def drawn_orders(task: Task, fields: Mapping[str, str], chance: Chance, *, explanation: str = "") -> Orders:
    """Return the order in which an item's options are shown, of each question for which it is drawn.

    The item's own options are drawn for it, fixed labels once for all items, so that keys do not jump. Degrees, scales
    and labels that are numbers stay as they are, and so does all where texts name positions. What is drawn follows from
    the texts alone: neither an item's id nor its role can be told by it.
    """
    texts = "\0".join(fields.values())
    questions = list(_questions(task.answer, fields))
    moving = [(path, asked, seen) for path, asked, seen in questions if _may_move(asked)]
    if not moving or task.order == "fixed":
        return {}
    # What a text that is judged says of options is about others.
    judged = all(isinstance(asked, Pairwise) for _, asked, _ in questions)
    own = () if judged else (text for _, asked, seen in moving for text in asked.texts_of_options(seen))
    if _name_positions(*task.question.values(), *task.instruction.values()) or _name_positions(explanation, *own):
        return {}
    if not judged and _tell_positions(*_texts_read(task, fields)):
        return {}
    # Several questions about the same two texts, which stand there once, keep one order.
    return {
        path: _drawn(asked, seen, chance, f"{path and ('/'.join(asked.option_fields) or path)}/{texts}")
        for path, asked, seen in moving
    }


def _drawn(asked: Offered, seen: Mapping[str, str], chance: Chance, item: str) -> tuple[str, ...]:
    offered = asked.offered(seen)
    moving = [label for label in offered if label != TIE]
    chance(item if asked.positional else f"labels/{'/'.join(offered)}").shuffle(moving)
    return (*moving, *(label for label in offered if label == TIE))


def _questions(answer: AnswerType, fields: Mapping[str, str]) -> Iterator[tuple[str, AnswerType, Mapping[str, str]]]:
    own = answer.of(fields)
    if not isinstance(own, Form):
        yield "", own, fields
        return
    for place, seen in enumerate(own.question_fields(fields)):
        yield from ((own.path(place, part), part.answer.of(seen), seen) for part in own.parts)


def _may_move(asked: AnswerType) -> TypeGuard[Offered]:
    """Return whether there are options without an order of their own."""
    if not isinstance(asked, Offered):
        return False
    return asked.positional or (asked.level == "nominal" and not asked.named_by_labels)


def _texts_read(task: Task, fields: Mapping[str, str]) -> Iterator[str]:
    """Yield what is read beside the options, but for long texts."""
    texts = (fields[field.name] for field in task.fields if field.kind in ("plain", "question"))
    return (text for text in texts if len(text) < MUCH)


@lru_cache(maxsize=500)
def _tell_positions(*texts: str) -> bool:
    return _name_positions(*texts) or any(
        (begun := one.search(text)) and two.search(text, begun.end() - 1) for text in texts for one, two in NUMBERS
    )


@lru_cache(maxsize=500)
def _name_positions(*texts: str) -> bool:
    return any(map(POSITION.search, texts))


def as_stored(orders: Orders) -> str | None:
    """Return the orders as a judgment keeps them: a list of labels, of a form one under each path; None for none.

    >>> as_stored({"": ("1", "0")}), as_stored({})
    ('["1","0"]', None)
    """
    if not orders:
        return None
    return packed(list(orders[""]) if "" in orders else {path: list(labels) for path, labels in orders.items()})


def place_shown(answer: AnswerType, label: str, shown: str | None) -> str:
    """Return at which place, from 0, an item's own option stood that was chosen; any other answer as it is.

    >>> from data.answers.pairwise import Pairwise
    >>> pair = Pairwise(option_fields=("one", "other"))
    >>> place_shown(pair, "1", '["1","0"]'), place_shown(pair, "1", None)
    ('0', '1')
    """
    if shown is None or not isinstance(answer, Offered) or not answer.positional:
        return label
    order = _order(shown)
    return str(order.index(label)) if label in order else label


@lru_cache(maxsize=500)
def _order(shown: str) -> tuple[str, ...]:
    return tuple(unpacked(shown))
