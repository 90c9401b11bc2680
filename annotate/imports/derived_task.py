"""A task for a log without one: a choice between the labels that occur, about the columns that are there."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from annotate.imports.labels import in_order
from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.number import Number
from data.errors import BadFile
from data.task import Field, Task
from data.wording import own_wording, same

Scale = Literal["nominal", "ordinal", "interval"]
SCALES: tuple[Scale, ...] = get_args(Scale)


@dataclass(frozen=True)
class AnswerScale:
    """How the answers of a log compare, and the `order` in which labels stand, the least first, where it is stated."""

    name: Scale = "nominal"
    order: tuple[str, ...] = ()


NOMINAL = AnswerScale()


def derived_task(
    name: str, fields: Mapping[str, bool], labels: Collection[str], *, where: str, scale: AnswerScale = NOMINAL
) -> Task:
    """Return the task `log/<name>`; raises BadFile where fewer than two labels leave nothing to choose.

    Of `fields` those are optional that are empty somewhere.
    On an "ordinal" scale answers are labels in order, on an "interval" scale numbers; BadFile where labels are not.
    """
    if len(labels) < 2:
        only = f"the only label is {min(labels)!r:.60}" if labels else "there is no label"
        raise BadFile(
            f"{where}: {only} in answers and gold alike, so nothing was chosen; check the answer's column, add a gold "
            "file with the other labels, or name the task with --task"
        )
    return Task(
        # A name that is unfit for a study is refused by the study itself, with the sentence about names.
        id="log/" + (re.sub(r"[^\w.-]", "_", name) or "_"),
        title=same(name),
        description=own_wording("proposals", "of_a_log"),
        fields=tuple(Field(field, same(field), optional=empty) for field, empty in fields.items()),
        question=own_wording("proposals", "question"),
        instruction=own_wording("proposals", "choose"),
        answer=_answer(labels, scale, where),
        # No template: a column may bear the name of one of a template's own parts, as PARus' `question` does.
        prompt="",
        metrics=("accuracy",),
    )


def clustered(task: Task, columns: Sequence[str]) -> Task:
    """Return a task whose items are bound together by a field: that of this column, or a hidden one of its own."""
    if not columns:
        return task
    name = "+".join(task.aliases.columns.get(column, column) for column in columns)
    known = any(field.name == name for field in task.fields)
    hidden = () if known else (Field(name, same(name), kind="hidden", optional=True),)
    return replace(task, fields=(*task.fields, *hidden), cluster=name)


def _answer(labels: Collection[str], scale: AnswerScale, where: str) -> AnswerType:
    if scale.name == "nominal":
        return Choice(choices={label: same(label) for label in in_order(labels)})
    if scale.name == "ordinal":
        return Choice(choices={label: same(label) for label in _degrees(labels, scale.order, where)}, ordered=True)
    _check_numbers(labels, where, "on an interval scale")
    return Number(measured=True)


def _degrees(labels: Collection[str], order: Sequence[str], where: str) -> list[str]:
    """Return the labels of an ordinal scale, the least first: as they are stated, else numbers by their size."""
    if order:
        if strange := sorted(set(labels) - set(order)):
            raise BadFile(f"{where}: the answer {strange[0]!r:.60} is not in --order {','.join(order)}; add it there")
        return list(order)
    _check_numbers(labels, where, "in an order that they tell themselves; say --order LEAST,…,MOST")
    if all(len(label) == 1 for label in labels):  # digits tell the points between them too
        return [str(point) for point in range(int(min(labels)), int(max(labels)) + 1)]
    return sorted(labels, key=float)


def _check_numbers(labels: Collection[str], where: str, what: str) -> None:
    number = Number()
    if strange := [label for label in in_order(labels) if number.parse(label, {}) != label]:
        raise BadFile(f"{where}: the answer {strange[0]!r:.60} is no number, so that answers do not stand {what}")
