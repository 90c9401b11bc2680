"""A Task as a file of its own: TOML that people can read, send to each other and use again."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from data.catalog import get_task
from data.checking import misfit
from data.custom import as_dict, from_dict
from data.errors import BadFile, EtalonError, UnknownName
from data.task import Task
from data.toml import as_toml, read_toml

ENDING = ".toml"
USED = "# What is asked in a study: python app.py create STUDY --task THIS_FILE --items FILE"
NEEDED = ("id", "title", "fields", "question", "instruction", "answer", "metrics")
SPARE: dict[str, Any] = {
    "description": {"ru": "", "en": ""},
    "prompt": "",
    "official": [],
    "aliases": {},
    "answer_column": "label",
    "source": "",
    "licence": "",
    "version": 1,
}
"""What a file written by hand may leave out."""


def task_text(task: Task) -> str:
    """Return a task as TOML; `read_task` of it gives an equal task back."""
    return f"{USED}\n{as_toml(as_dict(task))}"


def read_task(path: Path) -> Task:
    """Return the task of a TOML file; raises BadFile with one sentence for whatever is wrong with it."""
    values = read_toml(path, "export a study's task and start from that file")
    try:
        return task_from(values)
    except EtalonError as error:
        raise BadFile(f"{path.name}: {error}") from error


def task_from(values: dict[str, Any]) -> Task:
    """Return the task that values from outside describe; raises an EtalonError where they describe none."""
    known = [one.name for one in fields(Task)]
    if unknown := next((name for name in values if name not in known), None):
        raise UnknownName("the entry", unknown, known)
    if missing := next((name for name in NEEDED if name not in values), None):
        raise BadFile(f"{missing!r} is missing; a task needs {', '.join(NEEDED)}")
    try:
        task = from_dict({**SPARE, **values})
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, re.error) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise BadFile(f"does not describe a task ({what}); export a study's task to see how one looks") from error
    if wrong := misfit(task, Task):
        raise BadFile(f"{wrong}")
    return task


def task_named(name: str) -> Task:
    """Return the task of the catalogue with that id, or of the file where the name ends in .toml."""
    return read_task(Path(name)) if name.lower().endswith(ENDING) else get_task(name)
