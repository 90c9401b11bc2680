"""Plain answers: a table or JSONL with an item and an answer in each record, and the whole reply where it is kept."""

from pathlib import Path
from typing import Any

from baseline.imports.log_records import DroppedRecord, Record, RunLog, ids_in, integer, parted, texts
from baseline.models.reply import Reply
from data.errors import BadFile
from data.files.prediction_files import ITEM_COLUMNS, UNSET, Given, answer_in, given_in, gold_columns
from data.task import Task


def read_plain(path: Path, task: Task) -> RunLog:
    """Return the answers of a file; raises BadFile where no record has both an item and an answer or a reply."""
    given_file = given_in(path, task)
    given, problems = given_file.records, given_file.problems
    if problems and not given:
        raise BadFile(str(problems[0]))
    models = {str(record.values["model"]) for record in given if record.values.get("model")}
    if len(models) > 1:
        raise BadFile(f"{path.name}: holds answers of {len(models)} models; give a file for each")
    records, dropped = parted(_record(record, task) for record in given)
    return RunLog(
        model=next(iter(models), None),
        records=records,
        dropped=[*(DroppedRecord(f"line {problem.line}", problem.message) for problem in problems), *dropped],
        read=str(given_file.columns),
        unreadable=problems,
    )


def _record(given: Given, task: Task) -> Record | DroppedRecord:
    where, values, columns = f"line {given.line}", given.values, given.columns
    if given.item and not columns.predicted:
        said = "" if given.gold is None else str(given.gold)
        return Record(where, Reply(said), ids=(given.item.id,), values=given.item.fields, stated=given)
    stated, raw = answer_in(given), values.get(columns.reply)
    sample = _number(values.get("sample", 0))
    if sample is None:
        return DroppedRecord(where, "its sample is no number from 0 on")
    if raw is None and (stated is UNSET or stated is None):
        return DroppedRecord(where, "has neither an answer nor a reply")
    reply = Reply(str(stated if raw is None else raw))
    if given.item:
        return Record(where, reply, ids=(given.item.id,), sample=sample, values=given.item.fields, stated=given)
    known = {*ITEM_COLUMNS, *columns.read, *gold_columns(task), "sample", "model"}
    others = {name: value for name, value in values.items() if name not in known}
    return Record(
        where=where,
        reply=reply,
        ids=tuple(ids_in(values, ITEM_COLUMNS)),
        sample=sample,
        values=others,
        text="\n".join(texts(others)),
        stated=given,
    )


def _number(value: Any) -> int | None:
    """Return a sample's number, from a table as well, where it is a text."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 9:
        return int(value)
    return integer(value)
