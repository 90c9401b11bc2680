"""A labelled study as a dataset to publish: its rows and labels, soft labels, votes without names, and its cards."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pandas as pd

from baseline.comparison.report_evidence import Evidence
from baseline.human.baseline import deidentified_judgments
from baseline.human.soft_labels import SHARES, labelled_rows, share_rows
from baseline.output.html import TEMPLATES, drawn_plain
from data.errors import look_up
from data.table_files import DATASET_TABLES, FORMATS, archived
from data.task import Task
from db.exports import ExportRequest
from db.items import told_apart
from db.studies import Study

SHORT = re.compile(r"[a-z0-9.+-]+")
"""The short names that Hugging Face has for licences; anything else is called by its own name there."""
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
MOST_LABELS = 20
LICENCES = ("CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC0-1.0", "Apache-2.0", "MIT")
PARTS = {"train": 0.8, "validation": 0.9, "test": 1.0}
"""The splits, each with the share of the items at which it ends."""
MEANING = {
    "item": "the item's id",
    "role": "main: labelled by people; control and training: its gold was known; left out: not used",
    "why": "why a row was left out, or why its votes gave no label",
    "label": "the label",
    "votes": "how many votes the item has",
    "median": "the median of the votes",
    "mean": "the mean of the votes",
    "share": "the share of the votes for the label",
    "source": "where its label comes from: votes, expert or gold",
    "split": "train, validation or test",
}
TYPES = {"votes": "sc:Integer", "share": "sc:Float", "median": "sc:Float", "mean": "sc:Float"}
READABLE = {"csv": "text/csv", "jsonl": "application/jsonlines", "parquet": "application/x-parquet"}
"""The forms of tables whose columns Croissant can describe."""


def dataset(asked: ExportRequest, evidence: Evidence, method: str) -> bytes:
    """Return a zip of tables in the form `asked.table`, with a card for Hugging Face and one in Croissant.

    `method` says there how the labels were made.

    Columns that were left out of the study stay out; those kept but not shown are in where `asked.hidden` says so.
    Votes are in where the consent that people gave says that answers may be published. Raises UnknownName.
    """
    _, ending, write = look_up("the form of tables", asked.table, DATASET_TABLES)
    study, session, people = asked.study, asked.session, evidence.results.panel
    rows = labelled_rows(session, study=study, rules=people.rules, columns=published(study.task, hidden=asked.hidden))
    if asked.split:
        clusters = {told_apart(item): item.fields.get(study.task.cluster, "") for item in evidence.items}
        rows["split"] = splits(rows, clusters, seed=study.seed)
    tables = {"data": rows}
    if people.rules.consensus in SHARES:
        tables["soft-labels"] = share_rows(people)
    if votes_are_announced(study):
        tables["votes"] = deidentified_judgments(session, study=study)
    files = {f"{name}.{ending}": write(frame) for name, frame in tables.items()}
    licence = asked.licence or licence_of(study)
    card = croissant(study, licence, files, tables if asked.table in FORMATS else {}, ending)
    about = readme(evidence, licence, tables, ending, method)
    return archived({"README.md": about.encode(), "croissant.json": card, **files})


def votes_are_announced(study: Study) -> bool:
    """Return whether people agreed to our own text of consent, which says that answers may be published."""
    return study.origin != "imported" and not study.settings.consent


def kept_from_people(task: Task) -> set[str]:
    """Return the fields that a study keeps without showing them, but for those by which its results are grouped."""
    grouped = {task.cluster, *(group.field for group in task.breakdowns)}
    return {field.name for field in task.fields if field.kind == "hidden"} - grouped


def published(task: Task, *, hidden: bool) -> Callable[[str], bool]:
    """Return whether a column of the study's files goes into its dataset."""
    fields = {field.name for field in task.fields} - (set() if hidden else kept_from_people(task))
    named = {*fields, "id", "explanation"}
    return lambda column: column == task.answer_column or task.aliases.columns.get(column, column) in named


def splits(rows: pd.DataFrame, bound: Mapping[str, str], *, seed: int) -> list[str | None]:
    """Return the split of each row, None for rows left out: 80, 10 and 10% of items or clusters, drawn by the seed.

    `bound` has the cluster of an item, "" where it has none; the items of one go into the same split.
    """
    groups = [
        bound.get(item) or item if role != "left out" else None
        for item, role in zip(rows["item"], rows["role"], strict=True)
    ]
    order = sorted(set(filter(None, groups)))
    Random(seed).shuffle(order)
    drawn: dict[str | None, str | None] = {None: None}
    for place, group in enumerate(order):
        drawn[group] = next(part for part, end in PARTS.items() if (place + 0.5) / len(order) <= end)
    return [drawn[group] for group in groups]


def readme(evidence: Evidence, licence: str, tables: Mapping[str, pd.DataFrame], ending: str, method: str) -> str:
    """Return the card of a dataset as Hugging Face reads it."""
    study, rows = evidence.study, tables["data"]
    answer = study.task.answer
    labels = Counter(rows["label"].dropna() if answer.labels() else ())
    options = ", ".join(f"{place} is {name}" for place, name in enumerate(getattr(answer, "option_fields", ())))
    meaning = MEANING | ({"label": f"{MEANING['label']}: {options}"} if options else {})
    return drawn_plain(
        "dataset.md",
        title=study.task.title.for_requesters,
        language=study.settings.language,
        licence=licence,
        short_licence=licence.lower() if SHORT.fullmatch(licence.lower()) else "",
        size=next((name for least, name in SIZES if len(rows) < least), "n>1M"),
        ending=ending,
        tables=list(tables),
        study=study,
        columns=[(name, meaning.get(name, "as in the file it came from")) for name in rows.columns],
        roles=Counter(rows["role"]).most_common(),
        labels=labels.most_common(MOST_LABELS),
        method=method,
    )


def licence_of(study: Study) -> str:
    """Return the licence of the items, as the study's description or its task names it."""
    return study.settings.items_licence or study.task.licence


def croissant(
    study: Study, licence: str, files: Mapping[str, bytes], tables: Mapping[str, pd.DataFrame], ending: str
) -> bytes:
    """Return the dataset in Croissant 1.0: its files, and the columns of `tables`."""
    card = json.loads((TEMPLATES / "croissant.json").read_text("utf8"))
    card |= {
        "name": study.name,
        "description": study.task.title.for_requesters,
        "license": licence or "unknown",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "encodingFormat": READABLE.get(ending, "application/octet-stream"),
                "sha256": hashlib.sha256(content).hexdigest(),
            }
            for name, content in files.items()
        ],
        "recordSet": [
            {"@type": "cr:RecordSet", "@id": name, "field": list(_fields(name, f"{name}.{ending}", table))}
            for name, table in tables.items()
        ],
    }
    return json.dumps(card, ensure_ascii=False, indent=1).encode()


def _fields(name: str, file: str, table: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for place, column in enumerate(table.columns):
        yield {
            "@type": "cr:Field",
            "@id": f"{name}/{place}",  # a name may hold spaces, which no id may
            "name": column,
            "dataType": TYPES.get(column, "sc:Text"),
            "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
        }
