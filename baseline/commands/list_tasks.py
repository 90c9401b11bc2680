"""The command that lists what can be asked, prints a task as a file, or the schema of such files."""

from importlib import import_module
from typing import Annotated

import typer

from data.catalogue.catalog import task_named, tasks
from data.catalogue.task_files import task_text
from data.commands.options import JSON
from data.console import print_json, print_result, print_text, tell
from data.errors import BadSetting
from data.tables import Column, Table, text_table
from data.task import Task

SCHEMAS = "baseline.commands.task_schemas"
"""Imported for a schema alone: metrics need more than a list of tasks may take time for."""

TASKS: tuple[Column[Task], ...] = (
    Column("id", "task", "", lambda task: task.id),
    Column("title", "title", "", lambda task: task.title.for_requesters),
    Column("answer", "answer", "", lambda task: task.answer.kind),
    Column("metrics", "metrics", "", lambda task: list(task.metrics), ", ".join),
    Column("fields", "fields", "", lambda task: [field.name for field in task.fields], ", ".join),
)


def list_tasks(
    task: Annotated[str | None, typer.Argument(help="Only this task, or that of a file.", show_default=False)] = None,
    *,
    toml: Annotated[bool, typer.Option("--toml", help="Print a task as a file, nothing left out.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of task files, for editors.")] = False,
    of_family: Annotated[
        bool,
        typer.Option("--family-schema", help="Print the JSON Schema of family.toml, which a folder of tasks shares."),
    ] = False,
    as_json: JSON = False,
) -> None:
    """List every task: id, title, answer type, metrics, fields."""
    if schema or of_family:
        schemas = import_module(SCHEMAS)
        print_json(schemas.schema(of_family=not schema))
        return
    if toml:
        if task is None:
            raise BadSetting("--toml prints one task; name it: tasks TASK --toml")
        print_text(task_text(task_named(task)).rstrip())
        return
    readable, faults = tasks().readable() if task is None else ([task_named(task)], [])
    table = Table("", TASKS, readable)
    unreadable = {"unreadable": faults} if faults else {}
    print_result(lambda: {"tasks": table.records, **unreadable}, lambda: text_table(table), as_json=as_json)
    for fault in faults:
        tell(fault)
