"""The command that measures a tokenizer; no other needs the library behind it, which is large."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from tokenizers import Tokenizer

from data.commands.options import JSON
from data.console import print_result
from data.errors import BadFile
from data.files.rows import ENDINGS, read_rows
from data.files.text_files import read_text

BATCH = 256
"""Texts that are tokenized together."""
RECORDS = set(ENDINGS) - {".txt"}  # which some benchmarks have for a table, and everybody else for a text


def _tokenizer(path: Path) -> Tokenizer:
    text = read_text(path)
    try:
        return Tokenizer.from_str(text)
    except Exception as error:  # the library raises nothing narrower
        raise BadFile(
            f"{path.name}: is no tokenizer ({error}); give a tokenizer.json of the tokenizers library"
        ) from error


def _texts(file: Path) -> Iterable[str]:
    """Return the texts of a file: of records (but .txt) every text; any other is one, by lines."""
    if file.suffix.lower() not in RECORDS:
        return read_text(file).splitlines(keepends=True)
    rows, problems = read_rows(file)
    if problems:
        raise BadFile(str(problems[0]))
    return (value for row in rows for value in row.values.values() if isinstance(value, str))


def measure_fertility(
    tokenizer: Annotated[Path, typer.Argument(help="A tokenizer.json as the tokenizers library writes it.")],
    file: Annotated[Path, typer.Argument(help="A plain text, or records (JSONL, JSON, CSV, TSV).")],
    as_json: JSON = False,
) -> None:
    """Measure how many tokens a tokenizer makes of a word, for `generate --fertility`."""
    model = _tokenizer(tokenizer)
    tokens = words = 0
    texts = iter(_texts(file))
    while batch := list(islice(texts, BATCH)):
        tokens += sum(len(made) for made in model.encode_batch_fast(batch, add_special_tokens=False))
        words += sum(len(text.split()) for text in batch)
    if not words:
        raise BadFile(f"{file.name}: there is not one word in it; give a text")
    ratio = tokens / words  # as LIBRA (section 3.3) measures it
    print_result(
        lambda: {"tokens": tokens, "words": words, "fertility": ratio},
        lambda: f"{file.name}: {tokens} tokens, {words} words, {ratio:.2f} tokens a word",
        as_json=as_json,
    )
