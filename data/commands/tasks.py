"""The command that lists what can be asked."""

from data.catalog import tasks
from data.commands.options import JSON
from data.console import print_json, print_text, table
from data.task import Task


def list_tasks(as_json: JSON = False) -> None:
    """List every task: id, title, answer type, metrics, fields."""
    described = [_described(task) for task in tasks().values()]
    if as_json:
        print_json({"tasks": described})
        return
    names = ("id", "title", "answer", "metrics", "fields")
    rows = [[_words(task[name]) for name in names] for task in described]
    print_text(table(["task", "title", "answer", "metrics", "fields"], rows))


def _words(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _described(task: Task) -> dict[str, object]:
    return {
        "id": task.id,
        "title": task.title.en,
        "answer": task.answer.kind,
        "metrics": list(task.metrics),
        "fields": [field.name for field in task.fields],
    }
