"""A log as every reader hands it on: one row per answer, and what was left out on the way."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from data.task import Role


@dataclass(frozen=True)
class LogRow:
    """One answer of a log. `answer` and `golden` stand as they were written, moments are UTC.

    `item_id` is the id that the log itself gives the item, None where its fields are all that tells it from others.
    """

    file: str
    line: int
    fields: Mapping[str, str]
    answer: str
    worker: str
    role: Role = "main"
    golden: str | None = None
    item_id: str | None = None
    page: str | None = None
    status: str | None = None
    price: float | None = None
    started: datetime | None = None
    submitted: datetime | None = None

    @property
    def where(self) -> str:
        """The file and the line, as a sentence about the row begins."""
        return f"{self.file}, line {self.line}"


@dataclass(frozen=True)
class Dropped:
    """A row that holds no usable answer, and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True)
class Log:
    """The rows of one or several files, in their order.

    `read` counts all rows of the files, `page_rows` those of each page, dropped ones included. `unread` counts cells
    with a time or a price that could not be read, by column; `unused` are columns that might have mattered.
    """

    rows: tuple[LogRow, ...]
    field_names: tuple[str, ...]
    answer_name: str
    read: int
    page_rows: Mapping[str, int]
    dropped: tuple[Dropped, ...] = ()
    unread: Mapping[str, int] | None = None
    unused: tuple[str, ...] = ()
