"""The command that makes items with long texts."""

from pathlib import Path
from typing import Annotated, Any

import typer

from data.commands.options import read_options, with_options
from data.console import tell, watched
from data.files.saving import write_lines
from data.generators import draws_of
from data.generators.generator import GENERATOR_SETTINGS, GeneratorSettings, as_line, lengths_of, records


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
    write_lines(to, watched(map(as_line, made), of=per_length * len(wanted), what=f"{to.name}: items"))
    tell(f"{to.name}: {per_length * len(wanted)} items, {per_length} of each length")
