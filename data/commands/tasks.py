"""The command that lists what can be asked."""

from data.catalog import tasks
from data.commands.options import JSON
from data.console import print_json, print_text
from data.table_text import text_table
from data.tables import Column, Table
from data.task import Task

TASKS: tuple[Column[Task], ...] = (
    Column("id", "task", "", lambda task: task.id),
    Column("title", "title", "", lambda task: task.title.en),
    Column("answer", "answer", "", lambda task: task.answer.kind),
    Column("metrics", "metrics", "", lambda task: list(task.metrics), ", ".join),
    Column("fields", "fields", "", lambda task: [field.name for field in task.fields], ", ".join),
)


def list_tasks(as_json: JSON = False) -> None:
    """List every task: id, title, answer type, metrics, fields."""
    table = Table("", TASKS, list(tasks().values()))
    if as_json:
        print_json({"tasks": table.records})
    else:
        print_text(text_table(table))
