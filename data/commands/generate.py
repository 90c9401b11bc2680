"""The command that makes items with long texts."""

from pathlib import Path
from typing import Annotated

import typer

from data.console import tell, watched
from data.generators import draws_of
from data.generators.base import FERTILITY, as_line, lengths_of, records
from data.writing import write_lines


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
