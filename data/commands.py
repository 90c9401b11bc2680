"""Commands about what is asked: tasks are listed, files checked and made, tokenizers measured."""

from pathlib import Path
from typing import Annotated

import typer

from data.catalog import tasks
from data.console import print_json, print_text, table, tell, watched
from data.encodings import ENCODINGS, converted, sample
from data.errors import BadFile
from data.generators import draws_of
from data.generators.base import FERTILITY, as_line, lengths_of, records
from data.leaks import told_by
from data.problems import listed, unread
from data.reading import check_items
from data.splits import beside_published
from data.tables import write_frame
from data.task import Task
from data.task_files import task_named
from data.writing import write_lines, write_to

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
def check(
    task: str,
    file: Path,
    to: Annotated[Path | None, typer.Option(help="File for the problems: .csv, .jsonl or .parquet.")] = None,
    as_json: JSON = False,
) -> None:
    """Read and validate a file of items against a task: problems with their lines, numbers beside published ones."""
    chosen = task_named(task)
    try:
        items, problems = check_items(file, chosen)
        sentences = [str(problem) for problem in problems]
    except BadFile as error:
        items, problems, sentences = [], [unread(file, error)], [str(error)]
    if to:
        write_to(to, write_frame(listed(problems), to.suffix.removeprefix(".")))
    with_gold = sum(item.gold is not None for item in items)
    shown = [f"{file.name}: {leak}; give the field the kind hidden" for leak in told_by(chosen, items)]
    published = beside_published(chosen, items)
    if as_json:
        counts = {"items": len(items), "gold": with_gold, "published": dict(chosen.splits)}
        print_json({"task": chosen.id, "file": file.name, **counts, "problems": sentences, "shown gold": shown})
    else:
        read = f"{file.name}: {len(items)} items can be used, {with_gold} of them with gold"
        print_text("\n".join([*sentences, read, *shown, *published]))
    if sentences:
        raise typer.Exit(2)


@commands.command()
def convert(
    file: Path,
    to: Annotated[Path, typer.Option(help="The file to write, in UTF-8.")],
    encoding: Annotated[str, typer.Option(help=f"What the file is: {', '.join(ENCODINGS)}.")],
) -> None:
    """Write a copy in UTF-8 of a file of text that is in another encoding, which is never guessed."""
    tell(f"{converted(file, encoding, to)}: begins with “{sample(to, 'utf-8')}”")


@commands.command()
def generate(
    task: str,
    lengths: Annotated[
        str, typer.Option("--lengths", "--length", help="Lengths in tokens, such as 4k,8k,128k; k is a thousand.")
    ],
    per_length: Annotated[
        int, typer.Option("--per-length", "--n", help="Items of each length; the same questions at all lengths.")
    ],
    to: Annotated[Path, typer.Option(help="The file to write, JSONL as LIBRA has it.")],
    seed: Annotated[int, typer.Option(help="The same seed makes the same file.")] = 0,
    fertility: Annotated[float, typer.Option(help="Tokens a word makes; LIBRA divides its data with 3.")] = FERTILITY,
    background: Annotated[Path | None, typer.Option(help="A book or other plain text to hide things in.")] = None,
    dialogues: Annotated[
        Path | None, typer.Option(help="Talks to ask about, JSONL: topic, dialog [{role, content}].")
    ] = None,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="Follow the published recipe to the letter.")
    ] = False,
) -> None:
    """Make items with long texts for a task: words x fertility = tokens."""
    files = {"background": background, "dialogues": dialogues}
    draws = draws_of(task, as_published=as_published, files={name: file for name, file in files.items() if file})
    wanted = lengths_of(lengths)
    made = records(task, draws, lengths=wanted, per_length=per_length, seed=seed, fertility=fertility)
    write_lines(to, watched(map(as_line, made), of=per_length * len(wanted), what=f"{to.name}: items"))
    tell(f"{to.name}: {per_length * len(wanted)} items, {per_length} of each length")


@commands.command("fertility")
def measure_fertility(
    tokenizer: Annotated[Path, typer.Argument(help="A tokenizer.json as the tokenizers library writes it.")],
    file: Annotated[Path, typer.Argument(help="A plain text, or records (JSONL, JSON, CSV, TSV).")],
    field: Annotated[
        str | None, typer.Option(help="The field of the records to measure; every text if left out.")
    ] = None,
    as_json: JSON = False,
) -> None:
    """Measure how many tokens a tokenizer makes of a word: what `generate --fertility` takes."""
    from data.fertility import fertility_of  # noqa: PLC0415  (the library behind it is large, and no other command needs it)

    found = fertility_of(tokenizer, file, field=field)
    if as_json:
        print_json({"tokens": found.tokens, "words": found.words, "fertility": found.ratio})
    else:
        print_text(f"{file.name}: {found.tokens} tokens, {found.words} words, {found.ratio:.2f} tokens a word")


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
