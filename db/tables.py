"""The tables. One row each of what happened; nothing a person sent is ever deleted, it may be voided with a reason."""

import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Annotated, Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, PlainSerializer
from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Index,
    Select,
    String,
    Table,
    UniqueConstraint,
    bindparam,
    func,
    literal_column,
    select,
    text,
)
from sqlalchemy import cast as as_type
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import declared_attr
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlmodel import Field, SQLModel

from db.clock import now

Number = TypeVar("Number", np.int64, np.float64)


def _as_text(value: object) -> object:
    return value if isinstance(value, str) else json.dumps(value)


JsonText = Annotated[str, BeforeValidator(_as_text), PlainSerializer(json.loads, return_type=Any)]
"""Plain data that is stored and not read here, as text while it is carried about."""


def table_of(row: type[SQLModel]) -> Table:
    """Return the table of a row, for statements that are made once and run for every answer."""
    return cast(Table, row.__table__)  # type: ignore[attr-defined]


def columns_of(record: type[Any], table: Table, **others: ColumnElement[Any]) -> list[ColumnElement[Any]]:
    """Return a column for each field of a record, under its name: the one that is named here, else the table's own."""
    named = {field.name: others.get(field.name) for field in fields(record)}
    return [(table.c[name] if column is None else column).label(name) for name, column in named.items()]


def objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    """Return values as an array of objects: no label turns into a number on its way, no None into NaN."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def joined(numbers: ColumnElement[Any], *, missing: str = "") -> ColumnElement[str]:
    """Return a column of numbers as one text, which is read many times faster than as many rows.

    Where a number is `missing` this word stands in its place; without one it is left out.
    """
    text = as_type(numbers, String)
    return func.aggregate_strings(func.coalesce(text, missing) if missing else text, " ")


def numbers_of(text: str | None, kind: type[Number]) -> npt.NDArray[Number]:
    """Return the numbers that were `joined`; none where there were no rows."""
    return np.fromstring(text or "", dtype=kind, sep=" ")


def word(value: str | int) -> ColumnElement[Any]:
    """Return a value written out in the statement: with a parameter in its place a partial index would not be used."""
    return literal_column(f"'{value}'" if isinstance(value, str) else str(value))


def json_column() -> Any:
    """Return a column that holds plain data."""
    return Column(JSON, nullable=False)


class TextsOf(FunctionElement[str]):
    """The texts of a JSON list as a table: many are looked up so at a tenth of what a parameter for each costs."""

    name = "texts_of"
    inherit_cache = True


@compiles(TextsOf)
def _texts_of(element: TextsOf, compiler: SQLCompiler, **kwargs: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **kwargs)})"


@compiles(TextsOf, "postgresql")
def _texts_of_postgresql(element: TextsOf, compiler: SQLCompiler, **kwargs: Any) -> str:
    return f"json_array_elements_text(CAST({compiler.process(element.clauses, **kwargs)} AS JSON))"


def texts_in(name: str) -> Select[tuple[str]]:
    """Return a selection of the texts of a JSON list that is given under a name when the statement is run."""
    return select(TextsOf(bindparam(name, type_=String)).table_valued("value").c.value)


BEFORE_NONCES = "~"  # what the nonces of rows begin with that are older than nonces


class PlaceKey(NamedTuple):
    """An enrolment's number and its nonce.

    Numbers are given again after a restored backup, nonces never are: the key of a row that is gone opens nothing. What
    was signed before there were nonces has none (""). It opens the rows of that time alone, whose nonces begin with
    BEFORE_NONCES, until its browser is given a cookie with the nonce at its next request; `annotate.accounts.signer`
    takes it only in the first epoch, that is while no backup was restored.
    """

    id: int
    nonce: str

    def opens(self, nonce: str) -> bool:
        """Return whether this is the key of the enrolment of that number, which has this nonce."""
        return self.nonce == nonce if self.nonce else nonce.startswith(BEFORE_NONCES)


def new_nonce() -> str:
    """Return what tells an enrolment from all others for good."""
    return secrets.token_urlsafe(12)


COMEBACKS = 10  # items whose time ran out, before their worker confirms presence


class KeyedRow(SQLModel):
    """A row with a key of its own, in the table that is called as its class is: `source_row` for SourceRowRow."""

    id: int | None = Field(default=None, primary_key=True)

    @declared_attr.directive
    def __tablename__(cls) -> str:
        """The name of the table."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Row")).lower()


def _where(name: str, *columns: str, holds: str, unique: bool = False) -> Index:
    """Return an index over the rows of which a condition holds."""
    return Index(name, *columns, unique=unique, sqlite_where=text(holds), postgresql_where=text(holds))


class StudyRow(KeyedRow, table=True):
    """One collection: a task (as a snapshot), its settings, its people.

    `instruction` counts the versions of what people read before they begin, `pilot_of` is the study that it tries.
    """

    name: str = Field(unique=True, index=True)
    task_id: str
    task: dict[str, Any] = Field(sa_column=json_column())
    settings: dict[str, Any] = Field(sa_column=json_column())
    status: str = "open"
    origin: str = "collected"
    seed: int = 0
    created_at: datetime = Field(default_factory=now)
    archived: bool = False
    instruction: int = 1
    pilot_of: int | None = None
    public: bool = False


class ItemRow(KeyedRow, table=True):
    """One item of a study. `free` = target - filled - held, kept in the transaction that moves the others."""

    __table_args__ = (
        UniqueConstraint("study_id", "role", "key"),
        _where("claimable", "study_id", "shuffle", holds="free > 0"),
        _where("by_room", "study_id", "free", "shuffle", holds="free > 0"),
    )
    study_id: int = Field(foreign_key="study.id", index=True)
    key: str
    role: str
    place: int
    fields: dict[str, str] = Field(sa_column=json_column())
    gold: str | None = None
    explanation: str = ""
    shuffle: int = 0
    target: int = 0
    filled: int = 0
    held: int = 0
    free: int = 0


class SourceRowRow(KeyedRow, table=True):
    """One row of the files of a study, at the place of the item it became, or where one that is left out stood.

    `columns` are its own as JSON text, null where a field of the item says the same; `why` says why it is no item.
    """

    __table_args__ = (UniqueConstraint("study_id", "place"),)
    study_id: int = Field(foreign_key="study.id")
    place: int
    columns: str
    why: str = ""


class WorkerRow(KeyedRow, table=True):
    """One person, known by a pseudonym; `simulated` people are programs and are labelled so wherever they appear.

    `external` is by what the person is known again on another device: a digest of what an invitation says of them.
    """

    name: str = Field(unique=True, index=True)
    external: str | None = Field(default=None, unique=True, index=True)
    simulated: bool = False
    created_at: datetime = Field(default_factory=now)


class EnrolmentRow(KeyedRow, table=True):
    """One worker in one study, and how far along its way the worker is.

    `served` counts all leases, `worked` those of main and control items; `answers` (of main and control items),
    `seconds` and `earned` sum up the judgments, those apart that their worker took back or sent after being stopped:
    kept with them, so that no answer has to count them anew. `clocked` sums up what counts against `max_hours`, and
    `answered_at` is when the last answer came. An item whose time ran out comes back to its worker `comebacks` times
    before presence is to be confirmed. `ahead` is how many items were to come when the present page began, `checks` how
    many controls that page holds where it is not the study's number, `undoable` the place of the answer that may be
    taken back, `skips` how often an item was given back unanswered on purpose. `noticed_at` is when the study's notice
    of sensitive topics was acknowledged, `instruction` the version of the instruction that was read last. Cookies and
    return links name the random `nonce`.
    """

    __table_args__ = (UniqueConstraint("study_id", "worker_id"),)
    study_id: int = Field(foreign_key="study.id", index=True)
    worker_id: int = Field(foreign_key="worker.id", index=True)
    status: str = "active"
    language: str = "ru"
    consent_version: str | None = None
    consented_at: datetime | None = None
    noticed_at: datetime | None = None
    instructed_at: datetime | None = None
    instruction: int = 1
    qualified_at: datetime | None = None
    served: int = 0
    worked: int = 0
    answers: int = 0
    seconds: float = 0.0
    earned: float = 0.0
    clocked: float = 0.0
    answered_at: datetime | None = None
    comebacks: int = COMEBACKS - 1  # the first lease is none, the one after presence was confirmed is
    ahead: int = 0
    checks: int | None = None
    skips: int = 0
    undoable: int | None = None
    joined_at: datetime = Field(default_factory=now)
    nonce: str = Field(default_factory=new_nonce)


class AssignmentRow(KeyedRow, table=True):
    """The lease of one item to one worker, one at a time; `shown` is a training answer being explained.

    `reserved` waits for its turn: an item of a sitting, which takes them all at once, or one kept during training;
    `skipped` was given back on purpose;
    `left` was put back for the item before it or because its worker may do no more, `undone` gave way to another lease
    of the same item.
    """

    __table_args__ = (
        _where("one_at_a_time", "enrolment_id", holds="status in ('held', 'shown')", unique=True),
        _where("expiring", "study_id", "expires_at", holds="status in ('held', 'reserved')"),
        _where("skipped", "enrolment_id", "item_id", holds="status = 'skipped'"),
        UniqueConstraint("enrolment_id", "place"),
    )
    study_id: int = Field(foreign_key="study.id")
    enrolment_id: int = Field(foreign_key="enrolment.id")
    item_id: int = Field(foreign_key="item.id", index=True)
    place: int
    status: str = "held"
    leased_at: datetime
    expires_at: datetime


class JudgmentRow(KeyedRow, table=True):
    """One worker's answer to one item. `repeat` tells answers to the same control or training item apart.

    `pasted`: text was pasted into the answer; `away`: the page was hidden while the item was open. `instruction` is the
    version of the instruction that its worker had read. `skill` is how able
    the other platform held its worker to be in the pool of an imported log, a share from 0 to 1. `options_shown` are
    the labels in the order drawn for the worker (`data.option_order`), null where they stood as in the file.
    """

    __table_args__ = (UniqueConstraint("item_id", "worker_id", "repeat"), Index("by_study", "study_id", "worker_id"))
    study_id: int = Field(foreign_key="study.id")
    item_id: int = Field(foreign_key="item.id")
    worker_id: int = Field(foreign_key="worker.id")
    repeat: int = 0
    label: str
    status: str = "counted"
    reason: str | None = None
    page: str | None = None
    price: float | None = None
    seconds: float | None = None
    submitted_at: datetime | None = None
    pasted: bool = False
    away: bool = False
    instruction: int = 1
    skill: float | None = None
    options_shown: str | None = None


class ReportRow(KeyedRow, table=True):
    """What a worker has found wrong with an item: a reason from a short list and what was written about it.

    `instead`: it stands in place of an answer, and is paid `price` as one.
    """

    study_id: int = Field(foreign_key="study.id", index=True)
    item_id: int = Field(foreign_key="item.id")
    enrolment_id: int = Field(foreign_key="enrolment.id")
    reason: str
    text: str = ""
    reported_at: datetime
    instead: bool = True
    price: float = 0.0


class AppealRow(KeyedRow, table=True):
    """What a worker who was stopped wrote, and what `who` answered: `restored` with it, `read` by who goes on."""

    study_id: int = Field(foreign_key="study.id", index=True)
    enrolment_id: int = Field(foreign_key="enrolment.id", index=True)
    text: str
    sent_at: datetime
    reply: str = ""
    who: str = ""
    replied_at: datetime | None = None
    restored: bool = False
    read: bool = False


class DecisionRow(KeyedRow, table=True):
    """What an expert holds to be an item's right answer; the newest one counts, the others are its history.

    `blind`: it was decided before the votes were seen.
    """

    __table_args__ = (Index("decisions_of_study", "study_id", "item_id"),)
    study_id: int = Field(foreign_key="study.id")
    item_id: int = Field(foreign_key="item.id")
    who: str
    label: str
    note: str = ""
    blind: bool = True
    decided_at: datetime


class EventRow(KeyedRow, table=True):
    """What was done to a study or to a worker in it: when, by whom (an account or a rule), why, and to which judgments.

    `upto` is the worker's last judgment at that moment: what a rule has acted upon is not held against anybody again.
    """

    __table_args__ = (Index("events_of_worker", "study_id", "worker_id"),)
    study_id: int = Field(foreign_key="study.id")
    worker_id: int | None = Field(default=None, foreign_key="worker.id")
    kind: str
    rule: str = ""
    who: str
    reason: str = ""
    details: dict[str, Any] = Field(sa_column=json_column())
    upto: int | None = None
    at: datetime


class ArrivalRow(KeyedRow, table=True):
    """From where a new place was taken, kept for a while: `source` is a digest of the address and the study."""

    __table_args__ = (Index("arrivals_of_source", "study_id", "source", "at"),)
    study_id: int = Field(foreign_key="study.id")
    enrolment_id: int = Field(index=True)
    source: str
    at: datetime = Field(index=True)


class RefusalRow(KeyedRow, table=True):
    """Somebody who agreed to `version` of a study's terms and found no place left for the address, kept for a while.

    `person` is by what an invitation knows them again, `source` a digest as that of an arrival.
    """

    __table_args__ = (UniqueConstraint("study_id", "person"),)
    study_id: int = Field(foreign_key="study.id")
    person: str
    source: str
    version: str
    at: datetime = Field(index=True)


STUDY = table_of(StudyRow)
ITEM = table_of(ItemRow)
SOURCE_ROW = table_of(SourceRowRow)
WORKER = table_of(WorkerRow)
ENROLMENT = table_of(EnrolmentRow)
ASSIGNMENT = table_of(AssignmentRow)
JUDGMENT = table_of(JudgmentRow)
REPORT = table_of(ReportRow)
APPEAL = table_of(AppealRow)
DECISION = table_of(DecisionRow)
EVENT = table_of(EventRow)
ARRIVAL = table_of(ArrivalRow)
REFUSAL = table_of(RefusalRow)


class InstallationRow(KeyedRow, table=True):
    """What the database knows of the installation's secret: the only row, made at the first start.

    `digest` is a slow one, salted; `drawing_key` is masked with the secret. `epoch` is another one after every restored
    backup, "" before the first.
    """

    salt: str
    digest: str
    drawing_key: str
    epoch: str = ""


class AccountRow(KeyedRow, table=True):
    """Someone who may sign in to the requesters' pages.

    `version` goes up with the password, the role and when the account is shut: what was signed for an earlier one (a
    sign-in, an invitation, a new password's link) is worth nothing any more. Without a hash nobody can sign in yet.
    Who is `limited` reaches the studies of `account_study` alone.
    """

    name: str = Field(unique=True)
    password_hash: str
    role: str = "owner"
    version: int = 0
    disabled: bool = False
    limited: bool = False
    created_at: datetime = Field(default_factory=now)


class AccountStudyRow(KeyedRow, table=True):
    """A study that a limited account reaches."""

    __table_args__ = (UniqueConstraint("account_id", "study_id"),)
    account_id: int = Field(foreign_key="account.id")
    study_id: int = Field(foreign_key="study.id")


class AccountEventRow(KeyedRow, table=True):
    """What was done to an account, by which account ("" for a command on the server), and what it was for a role."""

    account: str
    kind: str
    who: str
    note: str = ""
    at: datetime


class FailureRow(KeyedRow, table=True):
    """How often it failed to sign in from somewhere, until when that is remembered; `source` is a digest."""

    source: str = Field(unique=True)
    number: int
    until: datetime = Field(index=True)


class EndedRow(SQLModel, table=True):
    """A sign-in that was ended before its time, kept `until` its cookie is too old in any case."""

    __tablename__ = "ended_sign_in"

    key: str = Field(primary_key=True)
    until: datetime = Field(index=True)


class RunRow(KeyedRow, table=True):
    """A model over a study's main items; `settings` holds everything needed to repeat it.

    While it is running, `process` is the program that asks (host and number) and `alive_at` when it last said so.
    `unanswered_cost` is what was paid for attempts that no prediction tells of: errors that were asked again, and
    questions whose run ended before they had a reply. Who submitted it from outside has a `contact`.
    """

    study_id: int = Field(foreign_key="study.id", index=True)
    model: str
    kind: str
    settings: dict[str, Any] = Field(sa_column=json_column())
    status: str = "running"
    started_at: datetime = Field(default_factory=now)
    finished_at: datetime | None = None
    alive_at: datetime | None = None
    process: str | None = None
    unanswered_cost: float = 0.0
    contact: str = ""


class PredictionRow(KeyedRow, table=True):
    """A model's answer to one item: the reply as it came and what was read in it.

    `request` is the key of the very request that was sent, `cached` tells that an earlier reply to it was taken.
    """

    __table_args__ = (UniqueConstraint("run_id", "item_id", "sample"),)
    run_id: int = Field(foreign_key="run.id")
    item_id: int = Field(foreign_key="item.id", index=True)
    sample: int = 0
    raw: str
    label: str | None = None
    status: str
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    request: str | None = Field(default=None, index=True)
    cached: bool = False
    cut: bool = False
    cost: float | None = None


RUN = table_of(RunRow)
PREDICTION = table_of(PredictionRow)
