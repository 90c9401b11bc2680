"""The files that leave: which there are of what happened, what is asked of one, and computing it in time."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import Any, TypeVar

import pandas as pd

from data.answers.answer_type import packed
from data.catalogue.task_files import task_text
from data.errors import EtalonError
from data.table_files import MEDIA_TYPES, Download, Export, as_table, needed_form, write_log
from data.tables import Column
from db import frames
from db.cache import fingerprints
from db.engine import Database, Session, reading
from db.events import add_download, list_events
from db.items import list_items, told_apart
from db.payments import owed
from db.records import APPEALS, DECISIONS, EVENTS, REPORTS, list_appeals, list_decisions, list_reports
from db.studies import Study, get_study
from db.worker_summaries import worker_summaries


@dataclass(frozen=True)
class ExportRequest:
    """From what a file is made: a study, and for what is computed the choices of whoever asks.

    `respondent` is whose answers are wanted (`human`, `model:NAME`), None for all that there are; `rules` are changes
    by name to those stored with the study; a submission holds the `others` beside the study. A dataset has tables of
    the form `table`, the `hidden` columns too, a `split` of its rows, and a `licence` in place of the study's. `tell`
    is given what is to be said beside the file.
    """

    session: Session
    study: Study
    respondent: str | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)
    others: Sequence[Study] = ()
    table: str = "csv"
    hidden: bool = False
    split: bool = False
    licence: str = ""
    tell: Callable[[str], None] = lambda _: None


@dataclass(frozen=True)
class FileRequest:
    """Which file of which study: one of `exports`; `choices` are fields of ExportRequest by name."""

    exports: Mapping[str, Export[ExportRequest]]
    study: str
    what: str
    form: str
    choices: Mapping[str, Any] = field(default_factory=dict)

    def key(self, database: Database) -> Hashable:
        """Return what tells this file of the study as it is now from all others; raises UnknownName."""
        needed_form(self.exports, self.what, self.form)
        with reading(database) as session:
            study = get_study(session, name=self.study)
            mark = fingerprints(session, study_id=study.id).get(study.id, ())
        return study.id, self.what, self.form, *sorted(self.choices.items()), mark

    def made(self, database: Database) -> Download:
        """Return the file; raises EtalonError."""
        with reading(database) as session:
            study = get_study(session, name=self.study)
            asked = ExportRequest(session, study, **self.choices)
            content = needed_form(self.exports, self.what, self.form)(asked)
        whose = f"-{asked.respondent.removeprefix('model:')}" if asked.respondent else ""
        name = f"{self.study}-{self.what}{whose}.{self.form}".replace("/", "-")
        return Download(name, content, MEDIA_TYPES[self.form])


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
    judged = judgment_rows(asked).query("status == 'counted' and role in ('main', 'control')")
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
        "appeals", "Appeals", "What workers who were stopped wrote, and what they were answered", as_table(appeal_rows)
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


AT_ONCE = 2
SECONDS = 50.0
"""How long a file is waited for: a proxy gives up after 60 unless it is told otherwise."""
KEPT, LARGEST_KEPT = 16, 8 * 2**20
"""Files that are kept until their study changes, and the bytes that one may have."""


class NotInTime(EtalonError):
    """A file that was not ready in the time that somebody waits for it."""


@dataclass(frozen=True)
class ComputedFiles:
    """The files that are being computed, and those of results last asked for, kept until their study changes.

    They never take the threads in which sign-in, pages and workers are served. Who asks for a file that is being
    computed waits for the same one; a second file of an account waits for the first. What nobody waits for any more is
    not begun.
    """

    database: Database
    seconds: float = SECONDS
    _tasks: dict[Hashable, asyncio.Task[Download]] = field(default_factory=dict)
    _until: dict[Hashable, float] = field(default_factory=dict)
    _one_each: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def get(self, asked: FileRequest, account: str) -> Download:
        """Return the file that an account asks for, with an event; raises NotInTime, EtalonError."""
        key = await asyncio.to_thread(asked.key, self.database)
        task = self._tasks.pop(key, None) or asyncio.create_task(self._compute(key, asked, account))
        self._tasks[key] = task  # the last one asked for stands last
        if not task.done():
            self._until[key] = time.monotonic() + self.seconds
            await asyncio.wait([task], timeout=self.seconds)
        if not task.done():
            raise self._late(asked)
        made = task.result()
        await asyncio.to_thread(add_download, self.database, study=asked.study, file=made.name, who=account)
        return made

    async def _compute(self, key: Hashable, asked: FileRequest, account: str) -> Download:
        try:
            async with self._one_each[account], self._places:
                if time.monotonic() > self._until[key]:
                    raise asyncio.CancelledError  # everybody was told that it is late
                made = await asyncio.to_thread(asked.made, self.database)
        except BaseException:
            self._tasks.pop(key)
            raise
        finally:
            self._until.pop(key)
        if not asked.exports[asked.what].for_viewers or len(made.content) > LARGEST_KEPT:
            self._tasks.pop(key)
        for oldest in [each for each, task in self._tasks.items() if task.done()][:-KEPT]:
            self._tasks.pop(oldest)
        return made

    def _late(self, asked: FileRequest) -> NotInTime:
        name = f"{asked.what}.{asked.form}"
        return NotInTime(
            f"{name} of {asked.study!r} is not ready after {self.seconds:g} seconds: it takes long, or others come "
            "first (two files are made at once, one for each account). Try again in a few minutes, or run on the "
            f"server: python app.py export {quote(asked.study)} --what {asked.what} --to {name}"
        )
