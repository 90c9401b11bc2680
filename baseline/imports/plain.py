"""Plain answers: a table or JSONL with an item and an answer in each record, and the whole reply where it is kept."""

from pathlib import Path
from typing import Any

from baseline.imports.files import read_lines
from baseline.imports.record import UNSET, Dropped, Log, Record, texts, whole
from baseline.models.base import Reply
from baseline.reports.scoring_files import ANSWER_COLUMNS
from data.errors import BadFile
from data.reading import ID_COLUMNS
from data.rows import Row
from data.task import Task

ITEM = ("item", *ID_COLUMNS)
REPLY = ("raw", "reply", "response")


def read_plain(path: Path, task: Task) -> Log:
    """Return the answers of a file; raises BadFile where no record has both an item and an answer or a reply."""
    rows, dropped = read_lines(path)
    answers = (*ANSWER_COLUMNS, task.answer_column)
    names = {name for row in rows for name in row.values}
    if not names.intersection((*answers, *REPLY)):
        raise BadFile(
            f"{path.name}: has no column of answers; it needs one of {', '.join(dict.fromkeys((*answers, *REPLY)))}, "
            f"and {', '.join(ITEM)} for the item"
        )
    models = {str(row.values["model"]) for row in rows if row.values.get("model")}
    if len(models) > 1:
        raise BadFile(f"{path.name}: holds answers of {len(models)} models; give a file for each")
    read = [_record(row, answers) for row in rows]
    return Log(
        model=next(iter(models), None),
        records=[one for one in read if isinstance(one, Record)],
        dropped=[*dropped, *(one for one in read if isinstance(one, Dropped))],
    )


def _record(row: Row, answers: tuple[str, ...]) -> Record | Dropped:
    where, values = f"line {row.line}", row.values
    stated = next((values[name] for name in answers if name in values), UNSET)
    raw = next((values[name] for name in REPLY if isinstance(values.get(name), str)), None)
    sample = _number(values.get("sample", 0))
    if sample is None:
        return Dropped(where, "its sample is no number from 0 on")
    if raw is None and stated in (UNSET, None):
        return Dropped(where, "has neither an answer nor a reply")
    others = {name: value for name, value in values.items() if name not in {*ITEM, *answers, *REPLY, "sample", "model"}}
    return Record(
        where=where,
        reply=Reply(raw if raw is not None else str(stated)),
        ids=tuple(str(values[name]) for name in ITEM if isinstance(values.get(name), str | int)),
        sample=sample,
        values=others,
        text="\n".join(texts(others)),
        answer=stated,
        spoken=raw is not None,
    )


def _number(value: Any) -> int | None:
    """Return a sample's number, from a table as well, where it is a text."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 9:
        return int(value)
    return whole(value)
