"""Tables as values, rows of anything with columns that say what data hold of each and what people read, and as text.

`data.table_files` writes them as files of data, `data.drawing.html_tables` on pages and in reports.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, Generic, TypeVar

from data.numbers import DASH

LEDGER = ("name", "words")

R = TypeVar("R")


LEFT_OUT = object()
"""The value of a column in a row that has nothing of the kind: the data of this row are without it."""


def as_it_is(value: Any) -> object:
    """Return a value for people as it stands in data."""
    return value


def plain(value: Any) -> Any:
    """Return a value as JSON holds it: moments in ISO 8601, what can say itself `as_dict` does, within mappings too."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    return value.as_dict() if hasattr(value, "as_dict") else value


@dataclass(frozen=True)
class Column(Generic[R]):
    """One column of a table, whichever form the table is written in.

    `key` names it in data, `title` heads it where people read and `help` says more of it. `value` takes it from a row
    as data hold it, `format` makes of that what people read. `forms` are the forms it stands in, () for all. `style`
    names the styles of its cells on a page. `flat` takes from a row what a file of rows (CSV, Parquet) holds, where the
    value itself has parts; None: the value. `read` takes from it what people read where the value does not tell.
    """

    key: str
    title: str
    help: str
    value: Callable[[R], Any]
    format: Callable[[Any], object] = as_it_is
    forms: tuple[str, ...] = ()
    style: str = ""
    flat: Callable[[R], Any] | None = None
    read: Callable[[R], object] | None = None

    def words(self, row: R) -> object:
        """Return what people read of a row, a dash for what is left out of it."""
        if self.read:
            return self.read(row)
        value = self.value(row)
        return DASH if value is LEFT_OUT else self.format(value)

    def called(self, **words: str) -> "Column[R]":
        """Return the column with these words filled into its title and its help."""
        return replace(self, title=self.title.format(**words), help=self.help.format(**words))


@dataclass(frozen=True)
class Table(Generic[R]):
    """Rows of anything with the columns that are shown of them."""

    caption: str
    columns: Sequence[Column[R]]
    rows: Sequence[R]

    def within(self, form: str) -> "Table[R]":
        """Return the table with the columns that stand in this form."""
        return replace(self, columns=tuple(c for c in self.columns if not c.forms or form in c.forms))

    @property
    def plain(self) -> "Table[R]":
        """The table without what only a page says of its columns."""
        return replace(self, columns=[replace(column, style="", help="") for column in self.columns])

    @property
    def flat(self) -> "Table[R]":
        """The table as a file of rows holds it: no cell has parts."""
        return replace(self, columns=[replace(column, value=column.flat or column.value) for column in self.columns])

    def titled(self, titles: Mapping[str, str]) -> "Table[R]":
        """Return the table with other titles for some of its columns, by their keys."""
        return replace(self, columns=[replace(c, title=titles.get(c.key, c.title)) for c in self.columns])

    @property
    def header(self) -> list[str]:
        """What stands above the columns."""
        return [column.title for column in self.columns]

    @property
    def cells(self) -> list[list[object]]:
        """What people read in each row, column by column."""
        return [[column.words(row) for column in self.columns] for row in self.rows]

    @property
    def records(self) -> list[dict[str, Any]]:
        """Each row as plain data, by the keys of its columns."""
        every = ({column.key: column.value(row) for column in self.columns} for row in self.rows)
        return [{key: plain(value) for key, value in record.items() if value is not LEFT_OUT} for record in every]


def chosen(columns: Iterable[Column[R]], *keys: str) -> list[Column[R]]:
    """Return the columns with these keys, in this order."""
    named = {column.key: column for column in columns}
    return [named[key] for key in keys]


def table_of(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Table[Sequence[object]]:
    """Return rows of values as a table, whose columns are called in data what stands above them."""
    columns: list[Column[Sequence[object]]] = [
        Column(title, title, "", itemgetter(place)) for place, title in enumerate(header)
    ]
    return Table(caption, columns, tuple(rows))


def name_value_table(rows: Iterable[tuple[str, object]]) -> Table[Sequence[object]]:
    """Return names and what is said of each as a table whose columns have no titles."""
    return table_of("", LEDGER, rows).titled(dict.fromkeys(LEDGER, ""))


def piped(cell: object) -> str:
    """Return a cell such that it ends nowhere but where it does."""
    return str(cell).replace("|", "\\|")


def markdown_table(table: Table[Any], escape: Callable[[object], str] = piped) -> str:
    """Return a table alone as Markdown, its cells escaped."""
    lines: list[Sequence[object]] = [table.header, *table.cells]
    header, *rows = ([escape(cell) for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in [header, ["---"] * len(header), *rows])


def text_table(table: Table[Any]) -> str:
    """Return a table as columns aligned for reading."""
    return aligned(table.header, table.cells)


def aligned(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return rows as columns aligned for reading: numbers to the right, words to the left."""
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    right = [all(isinstance(row[place], int | float) for row in rows) and bool(rows) for place in range(len(header))]
    return "\n".join(
        "  ".join(
            cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in (cells if any(header) else cells[1:])
    )
