"""What happened in a study as files that may leave it: judgments in several shapes, items, decisions, payments."""

from collections.abc import Sequence
from typing import TypeVar

import pandas as pd

from data.answers.composite import packed
from data.catalogue.task_files import task_text
from data.table_files import Export, as_table, write_log
from data.tables import Column
from db import frames
from db.appeals import list_appeals
from db.decisions import list_decisions
from db.events import list_events
from db.export_request import ExportRequest
from db.items import list_items, told_apart
from db.payments import owed
from db.record_columns import APPEALS, DECISIONS, EVENTS, REPORTS
from db.reports import list_reports
from db.worker_summaries import worker_summaries

R = TypeVar("R")


def judgment_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return every judgment, in the columns of `db.frames.JUDGMENTS`."""
    return frames.judgments(asked.session, study=asked.study)


def item_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return the items with their fields, gold and role, in the form `create` reads.

    What other tables call an item stands under `item`, unless it has a field of that name. A field called as another
    column stands as `id (field)`.
    """
    column = asked.study.task.answer_column
    own = ("id", column, "role", "explanation")
    rows = [
        {
            "id": entry.item.id,
            "item": told_apart(entry.item),
            **{f"{name} (field)" if name in own else name: text for name, text in entry.item.fields.items()},
            column: entry.item.gold,
            "role": entry.item.role,
            "explanation": entry.item.explanation,
        }
        for entry in list_items(asked.session, study=asked.study)
    ]
    return pd.DataFrame(rows, dtype=object)


def toloka_log(asked: ExportRequest) -> bytes:
    """Return the main and control judgments that count as the log of a crowd platform."""
    study = asked.study
    answer, names = study.task.answer_column, [field.name for field in study.task.fields]
    items = {told_apart(entry.item): entry.item for entry in list_items(asked.session, study=study)}
    judged = judgment_rows(asked).query("status == 'counted' and role != 'training'")
    rows = pd.DataFrame(
        {
            **{f"INPUT:{name}": [items[key].fields[name] for key in judged["item"]] for name in names},
            f"OUTPUT:{answer}": judged["label"].to_list(),
            f"GOLDEN:{answer}": [items[key].gold if items[key].role == "control" else "" for key in judged["item"]],
            "HINT:text": "",
            "ASSIGNMENT:assignment_id": [page or f"row-{place}" for place, page in enumerate(judged["page"])],
            "ASSIGNMENT:worker_id": judged["worker"].to_list(),
            "ASSIGNMENT:status": "APPROVED",
            "ASSIGNMENT:reward": judged["price"].to_list(),
        }
    )
    return write_log(rows)


def decision_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return every decision of experts in the order they were made."""
    return _rows(list_decisions(asked.session, study=asked.study), DECISIONS)


def report_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return every report of a worker on an item."""
    return _rows(list_reports(asked.session, study=asked.study), REPORTS)


def appeal_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return every appeal of a worker, the oldest first."""
    return _rows(list_appeals(asked.session, study=asked.study)[::-1], APPEALS)


def event_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return every event, the oldest first; `details` as JSON, "" where there are none."""
    events = list_events(asked.session, study=asked.study, most=None)[::-1]
    rows = _rows(events, EVENTS)
    details = [packed(dict(event.details)) if event.details else "" for event in events]
    return rows.assign(details=pd.Series(details, dtype=object))


def consent_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return who agreed to which version of the text, in which language and when."""
    agreed = [
        (work.name, work.consent.version, work.consent.language, work.consent.at, work.consent.noticed_at)
        for work in worker_summaries(asked.session, study=asked.study)
        if work.consent
    ]
    columns = ["worker", "consent_version", "language", "consented_at", "notice_acknowledged_at"]
    return pd.DataFrame(agreed, columns=columns, dtype=object)


def payment_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return what the study owes each worker."""
    return owed(asked.session, study=asked.study).frame


def task_file(asked: ExportRequest) -> bytes:
    """Return what the study asks as a task file."""
    return task_text(asked.study.task).encode()


_HAPPENED: tuple[Export[ExportRequest], ...] = (
    Export(
        "judgments",
        "Judgments",
        "All, one row each, with worker, status and time; as Toloka TSV those that count",
        as_table(judgment_rows) | {"tsv": toloka_log},
        titles={"tsv": "Toloka TSV"},
    ),
    Export("items", "Items", "With their fields, gold and role", as_table(item_rows)),
    Export("decisions", "Decisions", "All that experts decided, blind and with the votes", as_table(decision_rows)),
    Export("reports", "Reports", "What workers found wrong with items", as_table(report_rows)),
    Export(
        "appeals",
        "Appeals",
        "What workers who were stopped wrote, and what they were answered",
        as_table(appeal_rows),
    ),
    Export("payments", "Payments", "What the study owes each worker", as_table(payment_rows)),
    Export("events", "Events", "What was done to the study and its workers", as_table(event_rows)),
    Export(
        "consents",
        "Consents",
        "Who agreed to which version of the text, and acknowledged the notice",
        as_table(consent_rows),
    ),
    Export("task", "Task", "What is asked, to be used again in another study", {"toml": task_file}),
)
EXPORTS = {export.key: export for export in _HAPPENED}
"""What happened, by its key; what is computed of it is added in `baseline.output.computed_exports`."""


def _rows(records: Sequence[R], columns: Sequence[Column[R]]) -> pd.DataFrame:
    """Return a row for each record with the data of these columns."""
    rows = [tuple(column.value(each) for column in columns) for each in records]
    return pd.DataFrame(rows, columns=[column.key for column in columns], dtype=object)
