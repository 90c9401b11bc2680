"""A task and an item become the messages a model is asked with: the same words that people read."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from string import Formatter

from data.errors import BadTask
from data.task import PublicItem, Task


def messages(task: Task, item: PublicItem) -> list[dict[str, str]]:
    """Return one user message: the task's template filled in, or its parts in order where it has no template.

    A text is put in as it stands: braces inside it mean nothing. Raises BadTask for a template that names what the
    task does not have, and for an item without one of the task's fields.
    """
    for field in task.fields:
        if field.name not in item.fields:
            has = ", ".join(map(repr, item.fields)) or "none"
            raise BadTask(f"task {task.id!r}: the item has no field {field.name!r}; its fields are {has}")
    filled = _filled(task, item.fields) if task.prompt else _composed(task, item.fields)
    return [{"role": "user", "content": filled}]


def prompt_hash(task: Task) -> str:
    """Return 12 hexadecimal digits that change whenever some item's prompt would; raises BadTask as `messages` does.

    What is hashed is the prompt itself with each field's name in the place of its text, and the words that stand for
    closed values: so the sentence of the answer type counts, and the English wording does not.
    """
    skeleton = messages(task, PublicItem({field.name: f"{{{field.name}}}" for field in task.fields}))
    words = {field.name: {value: wording.ru for value, wording in field.values.items()} for field in task.fields}
    text = json.dumps([skeleton, words], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _filled(task: Task, fields: Mapping[str, str]) -> str:
    parts, plain = _parts(task, fields), _plain(task, fields)
    both = sorted(parts.keys() & plain.keys())
    if both:
        raise BadTask(
            f"task {task.id!r}: {{{both[0]}}} in a prompt is a part of the task, and there is a plain field "
            f"{both[0]!r}; give the field another name or kind"
        )
    texts = parts | plain
    pieces = []
    for literal, name in _pieces(task):
        if name is not None and name not in texts:
            raise BadTask(
                f"task {task.id!r}: its prompt names {name!r}, which is not there; use {', '.join(texts)}, "
                "and {{ }} for plain braces"
            )
        pieces += [literal, "" if name is None else texts[name]]
    return "".join(pieces)


def _pieces(task: Task) -> Iterator[tuple[str, str | None]]:
    """Yield the template's literal stretches, each with the name in braces behind it."""
    try:
        for literal, name, form, conversion in Formatter().parse(task.prompt):
            # There is no formatting here: "INPUT:text" is a column's name, which Python would take for a format.
            yield literal, name and name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
    except ValueError as error:
        raise BadTask(
            f"task {task.id!r}: its prompt is not a template ({error}); write {{{{ and }}}} for plain braces"
        ) from error


def _composed(task: Task, fields: Mapping[str, str]) -> str:
    titles = {field.name: field.title.ru for field in task.fields}
    texts = [f"{titles[name]}: {text}" for name, text in _plain(task, fields).items()]
    parts = _parts(task, fields)
    asked = "\n".join(filter(None, (parts["question"], parts["options"])))
    return "\n\n".join(filter(None, (parts["instruction"], *texts, asked, parts["answer_format"])))


def _parts(task: Task, fields: Mapping[str, str]) -> dict[str, str]:
    options = task.answer.options(fields)
    return {
        "instruction": task.instruction.ru,
        "question": task.legend(fields).ru,
        "options": "\n".join(f"{option.key}. {option.words.ru}" for option in options),
        "answer_format": task.answer.answer_format(fields),
    }


def _plain(task: Task, fields: Mapping[str, str]) -> dict[str, str]:
    return {f.name: task.shown(f.name, fields[f.name]).ru for f in task.fields if f.kind == "plain"}
