"""Logs with a column for each annotator or item, and JSON of {annotator: {item: label}}, become a row an answer."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from string import digits

from annotate.imports.item_fields import sound_rows
from annotate.imports.log_columns import Wanted
from data.files.column_names import OF_ANSWERS, column_of, plain_name
from data.files.rows import Row
from data.files.text_files import read_text

ITEM, WORKER, LABEL = "item", "(annotator)", "(answer)"
"""Columns of the rows that are made; a file may have a `worker` or a `label` of its own."""
FEWEST = 2
NUMBERED = re.compile(rf"(?:{'|'.join(OF_ANSWERS['worker'])})_?\d+")
"""The name of a column that holds the answers of one annotator: `annotator1`."""
SHORT = re.compile(r"(?:ann|anno|person|judge|expert|[awrj])_?\d+")
"""A name that may be of such a column, in a table that names neither workers nor answers: `ann1`, `w2`."""


def answer_rows(path: Path, wanted: Wanted) -> tuple[list[Row], list[str], Wanted]:
    """Return the rows of a log, one for each answer, its columns, and which of them are wanted.

    Cells without an answer of a table with a column for each annotator or each item make no row. Raises BadFile where
    the file cannot be read.
    """
    rows, header = sound_rows(path)
    if wanted.answer or wanted.worker:
        return rows, header, wanted
    made = replace(wanted, worker=WORKER, answer=LABEL)
    people = [name for name in header if NUMBERED.fullmatch(plain_name(name))]
    if not people and not any(column_of(header, OF_ANSWERS[use]) for use in ("worker", "answer")):
        people = [name for name in header if SHORT.fullmatch(plain_name(name))]
    if len(people) >= FEWEST:
        return _row_for_each(rows, people), [*(name for name in header if name not in people), WORKER, LABEL], made
    if _by_annotator(path, rows, header):
        return _of_annotators(rows, "id"), [ITEM, WORKER, LABEL], made
    if worker := _worker_of_items(header):
        return _of_annotators(rows, worker), [ITEM, WORKER, LABEL], made
    return rows, header, wanted


def _worker_of_items(header: Sequence[str]) -> str | None:
    """Return the column of the workers where all others are numbered items (`q1`, `q2`); None for other tables."""
    worker = column_of(header, OF_ANSWERS["worker"])
    stems = {name.rstrip(digits).rstrip(" _-") for name in header if name != worker}
    return worker if len(header) > FEWEST and len(stems) == 1 and not stems & set(header) else None


def _row_for_each(rows: Sequence[Row], people: Sequence[str]) -> list[Row]:
    """Return a row for each annotator of each row who has answered."""
    long_rows = []
    for row in rows:
        item = {name: value for name, value in row.values.items() if name not in people}
        given = {name: row.values.get(name) for name in people}
        long_rows += [
            Row(row.line, item | {WORKER: name, LABEL: said}) for name, said in given.items() if _is_filled(said)
        ]
    return long_rows


def _by_annotator(path: Path, rows: Sequence[Row], header: Sequence[str]) -> bool:
    """Whether a file is one JSON object of objects, none of whose values is named as columns of logs are."""
    if path.suffix.lower() != ".json" or header[:1] != ["id"] or not read_text(path).lstrip().startswith("{"):
        return False
    plain = all(not isinstance(value, list | dict) for row in rows for value in row.values.values())
    return plain and not any(column_of(header, OF_ANSWERS[use]) for use in ("worker", "answer", "gold"))


def _of_annotators(rows: Sequence[Row], worker: str) -> list[Row]:
    """Return the answers of rows that hold all that an annotator said; a line is that of the annotator."""
    return [
        Row(row.line, {ITEM: item, WORKER: row.values[worker], LABEL: label})
        for row in rows
        for item, label in row.values.items()
        if item != worker and _is_filled(label)
    ]


def _is_filled(value: object) -> bool:
    return value is not None and str(value).strip() != ""
