"""Commands about what is asked: `tasks` lists every task, `check` reads a file and says all that is wrong with it."""

from pathlib import Path
from typing import Annotated

import typer

from data.catalog import get_task, tasks
from data.console import print_json, print_text, table
from data.errors import BadFile
from data.reading import check_items
from data.task import Task

commands = typer.Typer()
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@commands.command("tasks")
def list_tasks(as_json: JSON = False) -> None:
    """List every task: id, title, answer type, metrics, fields."""
    described = [_described(task) for task in tasks().values()]
    if as_json:
        print_json({"tasks": described})
        return
    names = ("id", "title", "answer", "metrics", "fields")
    rows = [[_words(task[name]) for name in names] for task in described]
    print_text(table(["task", "title", "answer", "metrics", "fields"], rows))


@commands.command()
def check(task: str, file: Path, as_json: JSON = False) -> None:
    """Read and validate a file of items against a task; every problem is printed with its line."""
    chosen = get_task(task)
    try:
        items, problems = check_items(file, chosen)
        sentences = [str(problem) for problem in problems]
    except BadFile as error:
        items, sentences = [], [str(error)]
    with_gold = sum(item.gold is not None for item in items)
    if as_json:
        print_json(
            {"task": chosen.id, "file": file.name, "items": len(items), "gold": with_gold, "problems": sentences}
        )
    else:
        print_text(
            "\n".join([*sentences, f"{file.name}: {len(items)} items can be used, {with_gold} of them with gold"])
        )
    if sentences:
        raise typer.Exit(2)


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
