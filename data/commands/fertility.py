"""The command that measures a tokenizer; no other needs the library behind it, which is large."""

from pathlib import Path
from typing import Annotated

import typer

from data.commands.shared_options import JSON
from data.console import print_json, print_text
from data.token_fertility import fertility_of


def measure_fertility(
    tokenizer: Annotated[Path, typer.Argument(help="A tokenizer.json as the tokenizers library writes it.")],
    file: Annotated[Path, typer.Argument(help="A plain text, or records (JSONL, JSON, CSV, TSV).")],
    field: Annotated[
        str | None, typer.Option(help="The field of the records to measure; every text if left out.")
    ] = None,
    as_json: JSON = False,
) -> None:
    """Measure how many tokens a tokenizer makes of a word, for `generate --fertility`."""
    fertility = fertility_of(tokenizer, file, field=field)
    if as_json:
        print_json({"tokens": fertility.tokens, "words": fertility.words, "fertility": fertility.ratio})
    else:
        print_text(
            f"{file.name}: {fertility.tokens} tokens, {fertility.words} words, {fertility.ratio:.2f} tokens a word"
        )
