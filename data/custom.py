"""A Task as plain data and back: the snapshot stored on every study, so that a study is reproducible for ever."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from data.task import Task


@cache
def task_adapter() -> TypeAdapter[Task]:
    """Return what reads and writes tasks; it is made once, when it is first asked for."""
    return TypeAdapter(Task)


def as_dict(task: Task) -> dict[str, Any]:
    """Return the task as data that JSON can hold; `from_dict` gives an equal task back."""
    values: dict[str, Any] = task_adapter().dump_python(task, mode="json")
    return values


def from_dict(values: Mapping[str, Any]) -> Task:
    """Return the task that `as_dict` described; raises pydantic's ValidationError where it contradicts itself."""
    return task_adapter().validate_python(values)
