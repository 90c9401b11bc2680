"""Logs with a column for each annotator, and JSON of {annotator: {item: label}}, become a row for each answer."""

import re
from collections.abc import Sequence
from pathlib import Path

from annotate.imports.item_fields import sound_rows
from annotate.imports.log_columns import Wanted
from data.files.column_names import OF_ANSWERS, column_of, plain_name
from data.files.rows import Row
from data.files.text_files import read_text

ITEM, WORKER, LABEL = "item", "worker", "label"
NUMBERED = re.compile(rf"(?:{'|'.join(OF_ANSWERS['worker'])})_?\d+")
"""The name of a column that holds the answers of one annotator: `annotator1`."""


def answer_rows(path: Path, wanted: Wanted) -> tuple[list[Row], list[str]]:
    """Return the rows of a log, one for each answer, and its columns; raises BadFile where it cannot be read.

    Cells without an answer of a table with a column for each annotator make no row.
    """
    rows, header = sound_rows(path)
    if wanted.answer or wanted.worker:
        return rows, header
    people = [name for name in header if NUMBERED.fullmatch(plain_name(name))]
    if len(people) > 1:
        return _row_for_each(rows, people), [*(name for name in header if name not in people), WORKER, LABEL]
    return (_of_annotators(rows), [ITEM, WORKER, LABEL]) if _by_annotator(path, rows, header) else (rows, header)


def _row_for_each(rows: Sequence[Row], people: Sequence[str]) -> list[Row]:
    """Return a row for each annotator of each row who has answered."""
    long_rows = []
    for row in rows:
        item = {name: value for name, value in row.values.items() if name not in people}
        given = {name: row.values.get(name) for name in people}
        long_rows += [Row(row.line, item | {WORKER: name, LABEL: said}) for name, said in given.items() if _has(said)]
    return long_rows


def _by_annotator(path: Path, rows: Sequence[Row], header: Sequence[str]) -> bool:
    """Whether a file is one JSON object of objects, none of whose values is named as columns of logs are."""
    if path.suffix.lower() != ".json" or header[:1] != ["id"] or not read_text(path).lstrip().startswith("{"):
        return False
    plain = all(not isinstance(value, list | dict) for row in rows for value in row.values.values())
    return plain and not any(column_of(header, OF_ANSWERS[use]) for use in ("worker", "answer", "gold"))


def _of_annotators(rows: Sequence[Row]) -> list[Row]:
    """Return the answers of objects whose ids are the annotators' names; a line is the number of the annotator."""
    return [
        Row(row.line, {ITEM: item, WORKER: row.values["id"], LABEL: label})
        for row in rows
        for item, label in row.values.items()
        if item != "id" and _has(label)
    ]


def _has(value: object) -> bool:
    return value is not None and str(value).strip() != ""
