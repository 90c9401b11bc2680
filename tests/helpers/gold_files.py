"""Files of items with gold for every task: samples, the authors' own where they are there, small ones made so."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from data.catalogue.catalog import sample_file, tasks
from data.files.item_files import read_items
from data.formats import format_named
from data.task import Task
from tests.helpers.leaderboards import FLAT, MUSERC, RUCOS, USE_RECORDS, written

Record = dict[str, Any]
WITHOUT_GOLD = tuple(f"writing/{name}" for name in ("abstract", "history", "news", "several_sentences", "yes_no"))
"""Tasks whose answers are new texts: nothing is right."""
AUTHORS = {
    "ruscontext/coref_anaphora": "ruscontext/coref__anaph_ref_choice_questions.json",
    "ruscontext/coref_nps": "ruscontext/coref__are_NPs_coref.json",
    "ruscontext/disrpt": "ruscontext/disrpt.json",
    "ruscontext/ellipsis": "ruscontext/ellipsis.csv",
    "ruscontext/idiom_literal": "ruscontext/idiom_literal.json",
    "ruscontext/idiom_meaning": "ruscontext/idiom_two_meanings.json",
    "ruscontext/idiom_texts": "ruscontext/idiom_three_texts.json",
    "ruscontext/rudabank": "ruscontext/rudabank.csv",
    "agrr/binary": "agrr/dev.csv",
    "agrr/resolution": "agrr/dev.csv",
    "agrr/full": "agrr/dev.csv",
    "rsg/parus": "toloka_logs/PARus/gold.csv",
}
MADE: Mapping[str, list[Record]] = {
    **{task: records for task, (_, records) in FLAT.items() if task not in AUTHORS},
    "rsg/muserc": MUSERC,
    "rsg/rucos": RUCOS,
    "use": USE_RECORDS,
    "agrr/validate": [{"text": "Мама мыла раму, а папа машину.", "class": "1", "cV": "5:9", "V": "23:23"}
                      | {"cR1": "", "cR2": "", "R1": "", "R2": ""},
                      {"text": "Мама мыла раму.", "class": "0", "cV": "", "V": "", "cR1": "", "cR2": ""}
                      | {"R1": "", "R2": ""}],
}  # fmt: skip
"""Small files in the format in which the authors distribute theirs, for what is not among the shared data."""
COLUMNS = (
    "gold answer", "gold", "correct_label", "tag", "positive_outputs", "suggested ellipsis resolution", "assessment",
    "class", "outputs", "label", "answer", "variant",
)  # fmt: skip
"""The columns of gold in all these files; of two in one record the first one is it."""


def with_gold() -> list[Task]:
    """Return every task of the catalogue that has gold."""
    return [task for task in tasks().values() if task.id not in WITHOUT_GOLD]


def samples_of(task: Task) -> Path:
    """Return the sample items of a task."""
    return sample_file(task, "main")


def has_authors_file(task: Task) -> bool:
    """Return whether there is a file of the authors besides the samples, which are in LIBRA's own format already."""
    return task.id in (*AUTHORS, *MADE)


def authors_file(task_id: str, request: pytest.FixtureRequest, folder: Path) -> Path:
    """Return a file as the authors distribute it: theirs, else a small one in their format."""
    if task_id in MADE:
        return written(folder / "authors.jsonl", MADE[task_id])
    shared: Path = request.getfixturevalue("shared")
    return shared / AUTHORS[task_id]


def records_of(path: Path, task: Task) -> list[Record]:
    """Return the records of a file as they stand, read with nothing of ours."""
    text = path.read_text("utf-8-sig")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    if path.suffix == ".json":
        found = json.loads(text)
        return list(found.values()) if isinstance(found, dict) else found
    rows = text.splitlines(keepends=True)
    if not format_named(task.file_format).quoted:
        return list(csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE))
    return list(csv.DictReader(rows))


def told(task: Task, record: Record) -> Iterator[object]:
    """Yield the gold of each item of a record exactly as its file has it."""
    if "qas" in record:
        yield from ([one["text"] for one in asked["answers"]] for asked in record["qas"])
    elif isinstance(record.get("passage"), dict):
        yield [[one["label"] for one in asked["answers"]] for asked in record["passage"]["questions"]]
    elif task.id in ("agrr/resolution", "agrr/full"):
        yield None if "cV" not in record else {name: record[name] for name in elements(task) if record[name].strip()}
    elif task.id == "agrr/validate" and "assessment" not in record:
        yield {"class": record["class"]}
    else:
        yield record[next(name for name in COLUMNS if name in record)]


def elements(task: Task) -> tuple[str, ...]:
    """Return the columns of spans that a task of AGRR asks for."""
    return ("cV", "V") if task.id == "agrr/resolution" else ("cV", "cR1", "cR2", "V", "R1", "R2")


def given_back(path: Path, task: Task) -> list[Record]:
    """Return an id and the answer for each item with gold, the answer in the coding of the file."""
    cells = [cell for record in records_of(path, task) for cell in told(task, record)]
    items = read_items(path, task)
    assert len(items) == len(cells)
    pairs = zip(items, cells, strict=True)
    return [{"id": item.id, "answer": cell} for item, cell in pairs if item.gold is not None and cell is not None]
