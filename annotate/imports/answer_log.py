"""A log of answers as every reader hands it on: one row per answer, and what was left out on the way."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from data.task import Role


@dataclass(frozen=True)
class LogRow:
    """One answer of a log. `answer` and `golden` stand as they were written, moments are UTC.

    `golden` is the right answer where the row tells it, `cluster` what binds its item to others, "" for nothing.
    `item_id` is the id that the log itself gives the item, None where its fields are all that tells it from others.
    `pool` is the place of its file among those that were read.
    """

    file: str
    line: int
    fields: Mapping[str, str]
    answer: str
    worker: str
    role: Role = "main"
    golden: str | None = None
    cluster: str = ""
    item_id: str | None = None
    page: str | None = None
    status: str | None = None
    price: float | None = None
    started: datetime | None = None
    submitted: datetime | None = None
    seconds: float | None = None
    pool: int = 0

    @property
    def where(self) -> str:
        """The file and the line, as a sentence about the row begins."""
        return f"{self.file}, line {self.line}"


def page_key(worker: str, page: str | None, started: datetime | None) -> str:
    """Return what tells pages apart: each is of one worker, since many logs number the pages of everybody from 1.

    Where a log names none, what a worker began at one moment was one page.
    """
    return f"{worker} {page or started}"


@dataclass(frozen=True)
class UnusableRow:
    """A row that holds no usable answer, and what it lacks."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True)
class AnswerLog:
    """The rows of one or several files, in their order.

    `read` counts all rows of the files, `page_rows` those of each page (by `page_key`), dropped ones included. `unread`
    counts the times and prices that could not be read, by column; `unused` are columns that were left aside,
    `recognised` those that were known by their names, by what they hold.
    """

    files: tuple[str, ...]
    rows: tuple[LogRow, ...]
    field_names: tuple[str, ...]
    answer_name: str
    read: int
    dropped: tuple[UnusableRow, ...] = ()
    page_rows: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    unused: tuple[str, ...] = ()
    recognised: Mapping[str, str] = field(default_factory=dict)

    def __add__(self, other: "AnswerLog") -> "AnswerLog":
        """Return both logs as one; that they ask the same question is for the reader to check."""
        return AnswerLog(
            files=self.files + other.files,
            rows=self.rows + other.rows,
            field_names=tuple(dict.fromkeys(self.field_names + other.field_names)),
            answer_name=self.answer_name,
            read=self.read + other.read,
            dropped=self.dropped + other.dropped,
            page_rows=self.page_rows + other.page_rows,
            unread=self.unread + other.unread,
            unused=tuple(dict.fromkeys(self.unused + other.unused)),
            recognised={**self.recognised, **other.recognised},
        )

    def reasons(self) -> Counter[str]:
        """Return how many rows were dropped for which reason."""
        return Counter(row.reason for row in self.dropped)
