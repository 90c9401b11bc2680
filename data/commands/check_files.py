"""Commands about files: whether a task can be asked with them, their encoding, and new ones with long texts."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from data.catalogue.catalog import task_named
from data.commands.options import JSON, read_options, with_options
from data.console import print_json, print_text, tell, watched
from data.errors import BadFile
from data.files.item_files import check_items
from data.files.problem_table import problem_frame, unread
from data.files.saving import write_lines, write_to
from data.files.text_files import ENCODINGS, converted, sample
from data.generators import draws_of
from data.generators.generator import GENERATOR_SETTINGS, GeneratorSettings, as_line, lengths_of, records
from data.gold_leaks import leaks_in
from data.table_files import write_frame
from data.task import Item, Task


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
        write_to(to, write_frame(problem_frame(problems), to.suffix.removeprefix(".")))
    with_gold = sum(item.gold is not None for item in items)
    shown = [f"{file.name}: {leak}; give the field the kind hidden" for leak in leaks_in(chosen, items)]
    published = compared_with_published(chosen, items)
    if as_json:
        counts = {"items": len(items), "gold": with_gold, "published": dict(chosen.splits)}
        print_json({"task": chosen.id, "file": file.name, **counts, "problems": sentences, "shown gold": shown})
    else:
        read = f"{file.name}: {len(items)} items can be used, {with_gold} of them with gold"
        print_text("\n".join([*sentences, read, *labels_of(chosen, items), *shown, *published]))
    if sentences:
        raise typer.Exit(2)


def convert(
    file: Path,
    to: Annotated[Path, typer.Option(help="The file to write, in UTF-8.")],
    encoding: Annotated[str, typer.Option(help=f"What the file is: {', '.join(ENCODINGS)}.")],
) -> None:
    """Write a copy in UTF-8 of a file of text that is in another encoding, which is never guessed."""
    tell(f"{converted(file, encoding, to)}: begins with “{sample(to, 'utf-8')}”")


def labels_of(task: Task, items: Sequence[Item]) -> list[str]:
    """Return how many items have each of two right labels, and how many of one come to one of the other."""
    counts = Counter(item.gold for item in items if item.gold is not None)
    if len(task.answer.labels()) != 2 or len(counts) != 2:
        return []
    (most, many), (least, few) = counts.most_common()
    return [f"right answers: {many} {most}, {few} {least}, {many / few:.2f} to 1"]


LENGTH = "length"


def compared_with_published(task: Task, items: Sequence[Item]) -> list[str]:
    """Return sentences on a file's number of items beside the published ones; none for a task without such.

    A family of long texts publishes its numbers by length, and so they are compared; else the file is held against the
    split it equals, or against the nearest one.
    """
    if not task.splits or not items:
        return []
    lengths = Counter(item.fields.get(LENGTH, "") for item in items)
    if set(lengths) & set(task.splits):
        return [_of_length(name, number, task.splits.get(name)) for name, number in lengths.items()]
    published = ", ".join(f"{name} {number}" for name, number in task.splits.items())
    equal = [name for name, number in task.splits.items() if number == len(items)]
    if equal:
        return [f"published: {published}; this file has as many as {equal[0]}"]
    nearest = min(task.splits, key=lambda name: abs(task.splits[name] - len(items)))
    return [f"published: {published}; this file has {_apart(len(items), task.splits[nearest])} than {nearest}"]


def _of_length(name: str, number: int, published: int | None) -> str:
    if published is None:
        return f"{name or 'without a length'}: {number} items; nothing is published of that length"
    if number == published:
        return f"{name}: {number} items, as published"
    return f"{name}: {number} items, {_apart(number, published)} than the published {published}"


def _apart(number: int, published: int) -> str:
    return f"{abs(number - published)} {'fewer' if number < published else 'more'}"


@with_options(GENERATOR_SETTINGS, both_ways=False)
def generate(
    task: str,
    lengths: Annotated[
        str, typer.Option("--lengths", "--length", help="Lengths in tokens, such as 4k,8k,128k; k is a thousand.")
    ],
    per_length: Annotated[
        int, typer.Option("--per-length", "--n", help="Items of each length; the same questions at all lengths.")
    ],
    to: Annotated[Path, typer.Option(help="The file to write, JSONL as LIBRA has it.")],
    **given: Any,
) -> None:
    """Make items with long texts for a task: words x fertility = tokens."""
    chosen, _ = read_options(GeneratorSettings, given)
    draws, wanted = draws_of(task, as_published=chosen.as_published, files=chosen.files), lengths_of(lengths)
    made = records(task, draws, lengths=wanted, per_length=per_length, seed=chosen.seed, fertility=chosen.fertility)
    write_lines(to, watched(map(as_line, made), f"{to.name}, items", of=per_length * len(wanted)))
    tell(f"{to.name}: {per_length * len(wanted)} items, {per_length} of each length")
