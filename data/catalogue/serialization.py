"""A Task as plain data and back: the snapshot stored on every study, so that a study is reproducible for ever."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from data.task import Task
from data.wording import Language


@cache
def task_adapter() -> TypeAdapter[Task]:
    """Return what reads and writes tasks; it is made once, when it is first asked for."""
    return TypeAdapter(Task)


def as_dict(task: Task) -> dict[str, Any]:
    """Return the task as data that JSON can hold; `from_dict` gives an equal task back."""
    values: dict[str, Any] = task_adapter().dump_python(task, mode="json")
    return values


def from_dict(values: Mapping[str, Any], *, known: Collection[Language] | None = None) -> Task:
    """Return the task that `as_dict` described; raises pydantic's ValidationError where it contradicts itself.

    Its texts are in the languages that are `known`, None for any: what was stored is read though a language has gone.
    """
    return task_adapter().validate_python(values, context=known)
