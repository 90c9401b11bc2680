"""Small logs on disk and what an import leaves in the database, for the tests of imports."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from annotate.imports.import_settings import ImportSettings
from annotate.imports.log_import import ImportReport, import_log
from data.task import Item
from db import frames
from db.engine import Database, reading, writing
from db.items import list_items
from db.studies import Study, get_study, list_studies


@dataclass(frozen=True)
class Imported:
    """A study as an import left it, with its report."""

    report: ImportReport
    study: Study
    items: list[Item]
    judgments: pd.DataFrame

    @property
    def said(self) -> dict[str, Any]:
        return self.report.as_dict()

    def of_role(self, role: str) -> list[Item]:
        return [item for item in self.items if item.role == role]

    def counted(self, role: str = "main") -> pd.DataFrame:
        frame = self.judgments
        return frame[(frame["status"] == "counted") & (frame["role"] == role)]


def imported(database: Database, *files: Path, name: str = "log", **options: Any) -> Imported:
    """Import files with these settings and read back what is stored."""
    with writing(database) as session:
        report = import_log(session, name=name, files=files, settings=ImportSettings(**options))
    with reading(database) as session:
        study = get_study(session, name=name)
        items = [stored.item for stored in list_items(session, study=study)]
        return Imported(report, study, items, frames.judgments(session, study=study))


def studies(database: Database) -> list[str]:
    with reading(database) as session:
        return [study.name for study in list_studies(session)]


def answer(text: str, said: str, worker: str, **more: str) -> dict[str, str]:
    """A row of a pool about one text; `more` are columns by the second half of their names."""
    row = {"INPUT:text": text, "OUTPUT:result": said, "GOLDEN:result": more.pop("golden", "")}
    return row | {"ASSIGNMENT:worker_id": worker} | {f"ASSIGNMENT:{name}": cell for name, cell in more.items()}


def write_table(path: Path, rows: Sequence[Mapping[str, str]], *, delimiter: str = "\t") -> Path:
    """Write rows with all columns that any of them has, as Toloka does: CRLF, quotes where they are needed."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows([row.get(name, "") for name in columns] for row in rows)
    return path
