"""A task and an item become the messages a model is asked with: the same words that people read."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from string import Formatter

from data.errors import BadTask
from data.shown import as_text
from data.task import PublicItem, Task


def messages(task: Task, item: PublicItem, variant: int = 0) -> list[dict[str, str]]:
    """Return one user message: the task's template filled in, or its parts in order where it has no template.

    `variant` is the number of the template: 0 for the task's own, from 1 for its other wordings.
    A text is put in as it stands: braces inside it mean nothing. Raises BadTask for a template that names what the
    task does not have, and for an item without one of the task's fields.
    """
    return [{"role": "user", "content": prompt_text(task, item.fields, variant)}]


def prompt_text(task: Task, fields: Mapping[str, str], variant: int = 0) -> str:
    """Return the text that a model is asked with about an item with these fields; raises BadTask as `messages` does."""
    for field in task.fields:
        if field.name not in fields:
            has = ", ".join(map(repr, fields)) or "none"
            raise BadTask(f"task {task.id!r}: the item has no field {field.name!r}; its fields are {has}")
    template = task.template(fields, variant)
    return _filled(task, fields, template) if template else _composed(task, fields)


def prompt_hash(task: Task, item: PublicItem, variant: int = 0) -> str:
    """Return 12 hexadecimal digits that change whenever some item's prompt would; raises BadTask as `messages` does.

    What is hashed is the prompt of `item` (any item of the study, always the same one), so that the sentence of the
    answer type counts, the words that stand for closed values, and the answer type, since other items may use what
    this one does not. The English wording does not count.
    """
    words = {field.name: {value: wording.ru for value, wording in field.values.items()} for field in task.fields}
    text = json.dumps([messages(task, item, variant), words, task.answer.as_dict()], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _filled(task: Task, fields: Mapping[str, str], template: str) -> str:
    parts, drawn = _parts(task, fields), _texts(task, fields)
    both = sorted(parts.keys() & drawn.keys())
    if both:
        raise BadTask(
            f"task {task.id!r}: {{{both[0]}}} in a prompt is a part of the task, and there is a field "
            f"{both[0]!r}; give the field another name or kind"
        )
    texts = parts | drawn
    pieces = []
    for literal, name in _pieces(task, template):
        if name is not None and name not in texts:
            raise BadTask(
                f"task {task.id!r}: its prompt names {name!r}, which is not there; use {', '.join(texts)}, "
                "and {{ }} for plain braces"
            )
        pieces += [literal, "" if name is None else texts[name]]
    return "".join(pieces)


def _pieces(task: Task, template: str) -> Iterator[tuple[str, str | None]]:
    """Yield the template's literal stretches, each with the name in braces behind it."""
    try:
        for literal, name, form, conversion in Formatter().parse(template):
            # There is no formatting here: "INPUT:text" is a column's name, which Python would take for a format.
            yield literal, name and name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
    except ValueError as error:
        raise BadTask(
            f"task {task.id!r}: its prompt is not a template ({error}); write {{{{ and }}}} for plain braces"
        ) from error


def _composed(task: Task, fields: Mapping[str, str]) -> str:
    titles = {field.name: field.title.ru for field in task.fields}
    texts = [f"{titles[name]}: {text}" for name, text in _texts(task, fields).items()]
    parts = _parts(task, fields)
    asked = "\n".join(filter(None, (parts["question"], parts["options"])))
    return "\n\n".join(filter(None, (parts["instruction"], *texts, asked, parts["answer_format"])))


def _parts(task: Task, fields: Mapping[str, str]) -> dict[str, str]:
    asked = task.answer_for(fields)
    return {
        "instruction": task.instruction.ru,
        "question": task.legend(fields).ru,
        "options": asked.listing(fields),
        "answer_format": asked.answer_format(fields),
    }


def _texts(task: Task, fields: Mapping[str, str]) -> dict[str, str]:
    return {f.name: as_text(task, f, fields) for f in task.fields if f.drawn}
