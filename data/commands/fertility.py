"""The command that measures a tokenizer; no other needs the library behind it, which is large."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from tokenizers import Tokenizer

from data.commands.options import JSON
from data.console import print_json, print_text
from data.errors import BadFile, quoted_names
from data.files.rows import ENDINGS, read_rows
from data.files.text_files import read_text

BATCH = 256
"""Texts that are tokenized together."""
RECORDS = set(ENDINGS) - {".txt"}  # which some benchmarks have for a table, and everybody else for a text


@dataclass(frozen=True)
class Fertility:
    """What was counted in a file."""

    tokens: int
    words: int

    @property
    def ratio(self) -> float:
        """Tokens a word, as LIBRA (section 3.3) measures it."""
        return self.tokens / self.words


def fertility_of(tokenizer: Path, file: Path, *, field: str | None = None) -> Fertility:
    """Return the tokens, without special ones, and the words, parted by white space, of a text or of records.

    A file of records (`data.files.rows.ENDINGS`) but .txt: of each the text in `field`, or every text where that is
    None. Any other file is one text, taken line by line. Raises BadFile.
    """
    model = _tokenizer(tokenizer)
    tokens = words = 0
    texts = iter(_texts(file, field))
    while batch := list(islice(texts, BATCH)):
        tokens += sum(len(made) for made in model.encode_batch_fast(batch, add_special_tokens=False))
        words += sum(len(text.split()) for text in batch)
    if not words:
        raise BadFile(f"{file.name}: there is not one word in it; give a text, or name the field that holds it")
    return Fertility(tokens, words)


def _tokenizer(path: Path) -> Tokenizer:
    text = read_text(path)
    try:
        return Tokenizer.from_str(text)
    except Exception as error:  # the library raises nothing narrower
        raise BadFile(
            f"{path.name}: is no tokenizer ({error}); give a tokenizer.json of the tokenizers library"
        ) from error


def _texts(file: Path, field: str | None) -> Iterable[str]:
    if file.suffix.lower() not in RECORDS:
        return read_text(file).splitlines(keepends=True)
    rows, problems = read_rows(file)
    if problems:
        raise BadFile(str(problems[0]))
    return _of_records([row.values for row in rows], field, file.name)


def _of_records(records: Sequence[Mapping[str, object]], field: str | None, name: str) -> Iterator[str]:
    if field is not None and not any(field in record for record in records):
        raise BadFile(f"{name}: no record has a field {field!r}; they have {quoted_names(records[0])}")
    for record in records:
        values = record.values() if field is None else [record.get(field)]
        yield from (value for value in values if isinstance(value, str))


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
