"""In which order a run shows an item's options to its model, and what was chosen of them."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from data.answers.answer_options import Offered
from data.answers.answer_type import packed, unpacked
from data.answers.choices import Choices
from data.answers.pairwise import TIE, Pairwise
from data.errors import BadSetting
from data.option_order import drawn_orders
from data.task import Task

BOTH = "both_orders"
Fields = Mapping[str, str]


def requests_each(settings: Mapping[str, Any]) -> int:
    """Return how many requests stand for one answer of a run with these settings."""
    return 2 if settings.get(BOTH) else 1


def order_asked(task: Task, fields: Fields, settings: Mapping[str, Any], sample: int) -> tuple[str, ...]:
    """Return the labels in the order in which a run asks for that sample of an item; () where it is the item's own."""
    answer, each = task.answer, requests_each(settings)
    if not isinstance(answer, Offered):
        return ()
    order = answer.offered(fields) if each == 2 else ()
    if settings.get("order") == "drawn":
        seeded = f"{settings.get('seed') or 0}:{sample // each}"
        order = drawn_orders(task, fields, lambda of: Random(f"{seeded}:{of}")).get("", order)
    return (order[1], order[0], *order[2:]) if sample % each else order


def asked_so(task: Task, fields: Fields, order: tuple[str, ...]) -> tuple[Task, Fields]:
    """Return the task and the item's fields with the options in that order."""
    answer = task.answer
    if not order or not isinstance(answer, Offered):
        return task, fields
    if answer.choices:
        return replace(task, answer=replace(answer, choices={label: answer.choices[label] for label in order})), fields
    places = [int(label) for label in order if label != TIE]
    if answer.option_list:
        texts = unpacked(fields[answer.option_list])
        return task, {**fields, answer.option_list: packed([texts[place] for place in places])}
    names = answer.option_fields
    moved = {name: fields[names[place]] for name, place in zip(names, places, strict=True)}
    return task, {**fields, **moved}


def read_so(task: Task, fields: Fields, order: tuple[str, ...], reply: str) -> str | None:
    """Return the answer that a reply names to the question as it was asked, by the item's own labels."""
    asked, shown = asked_so(task, fields, order)
    label = asked.answer_for(shown).read_reply(reply, shown)
    if label is None or not order or not isinstance(task.answer, Offered) or not task.answer.positional:
        return label
    if isinstance(task.answer, Choices):
        return task.answer.validate([order[int(place)] for place in unpacked(label)], fields)
    return label if label == TIE else order[int(label)]


def check_orders(task: Task, settings: Mapping[str, Any]) -> None:
    """Refuse (BadSetting) what a task's answers have no order for."""
    if settings.get(BOTH) and not isinstance(task.answer, Pairwise):
        raise BadSetting(f"--both-orders is for pairs, and {task.id} asks for {task.answer.kind!r}; leave it out")
    if settings.get("order") == "drawn" and not isinstance(task.answer, Offered):
        raise BadSetting(
            f"--order drawn: the answers of {task.id} ({task.answer.kind!r}) have no options; leave it out"
        )
