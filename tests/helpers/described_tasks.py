"""Tasks for the tests that stand in no file of their own."""

from collections.abc import Mapping
from typing import Any

from data.catalogue.task_files import written_out
from data.catalogue.validation import validated
from data.errors import BadFile
from data.task import Task


def task_from(values: Mapping[str, Any]) -> Task:
    """Return the task that the values of a task file describe; raises BadFile where they describe none."""
    task, faults = validated(written_out(values))
    if task is None or faults:
        raise BadFile(faults[0].sentence)
    return task
