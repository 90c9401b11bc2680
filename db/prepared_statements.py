"""Prepared statements: compiled once for a database, then handed to its driver as they are.

Composing, looking up and wrapping a statement costs SQLAlchemy several times what SQLite needs to run it, and an
answer of a worker takes a dozen. What SQLAlchemy knows is used still: the SQL, and how values go in and come out.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.exc import DBAPIError, MultipleResultsFound, NoResultFound

Convert = Callable[[Any], Any] | None
Row = Any
"""A row of what was found: a tuple whose values have the names of their columns too."""


@dataclass(frozen=True)
class FetchedRows:
    """The rows that a statement gave, all of them read."""

    rows: list[Row]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def all(self) -> list[Row]:
        """Return every row."""
        return self.rows

    def first(self) -> Row | None:
        """Return the first row, None where there is none."""
        return self.rows[0] if self.rows else None

    def one(self) -> Row:
        """Return the only row; raises NoResultFound and MultipleResultsFound."""
        if len(self.rows) > 1:
            raise MultipleResultsFound(f"one row was expected and {len(self.rows)} were found")
        if not self.rows:
            raise NoResultFound("one row was expected and none was found")
        return self.rows[0]

    def scalar(self) -> Any:
        """Return the first value of the first row, None where there is no row."""
        return self.rows[0][0] if self.rows else None

    def scalar_one(self) -> Any:
        """Return the first value of the only row; raises what `one` does."""
        return self.one()[0]

    def scalars(self) -> list[Any]:
        """Return the first value of every row."""
        return [row[0] for row in self.rows]


class Prepared:
    """A statement in the words of one database, with what its values need on the way in and out."""

    def __init__(self, statement: Executable, dialect: Dialect, names: Mapping[str, object]) -> None:
        self._names = frozenset(names)
        compiled: Any = statement.compile(dialect=dialect, column_keys=list(names))  # type: ignore[attr-defined]
        if compiled.insert_prefetch or compiled.update_prefetch or compiled.post_compile_params:
            raise TypeError(f"defaults made by Python and lists of values cannot be prepared: {compiled}")
        self._sql, self._by_place, self._dialect = str(compiled), compiled.positiontup is not None, dialect
        self._error = dialect.loaded_dbapi.Error
        binds = compiled.binds
        params = compiled.construct_params(dict.fromkeys(names))
        self._constants = {name: value for name, value in params.items() if name not in self._names}
        converts: dict[str, Convert] = {
            name: binds[name].type.dialect_impl(dialect).bind_processor(dialect) for name in params
        }
        self._binds = [(name, converts[name]) for name in compiled.positiontup or params]
        columns = list(statement.exported_columns)  # type: ignore[attr-defined]
        self._types = [column.type for column in columns]
        row: Any = namedtuple("Row", [column.key for column in columns], rename=True)  # type: ignore[misc]
        self._made: Callable[[Iterable[Any]], Row] = row._make
        self._converts: list[tuple[int, Callable[[Any], Any]]] | None = None

    def run(self, connection: Connection, values: Mapping[str, object]) -> FetchedRows:
        """Run the statement with these values; raises DBAPIError as SQLAlchemy does, TypeError for other names."""
        if values.keys() != self._names:
            raise TypeError(f"prepared for the values {sorted(self._names)}, got {sorted(values)}")
        driver: Any = connection.connection.dbapi_connection
        cursor = driver.cursor()
        try:
            cursor.execute(self._sql, self._parameters(values))
            return FetchedRows(self._read(cursor) if self._types else [])
        except self._error as error:
            raise failed(error, self._sql, connection) from error
        finally:
            cursor.close()

    def _parameters(self, values: Mapping[str, object]) -> Any:
        """Return the values as the driver takes them: by their places or by their names."""
        known = {**self._constants, **values} if self._constants else values
        given = [known[name] if convert is None else convert(known[name]) for name, convert in self._binds]
        return given if self._by_place else {name: value for (name, _), value in zip(self._binds, given, strict=True)}

    def _read(self, cursor: Any) -> list[Row]:
        if self._converts is None:
            ways = (
                kind.dialect_impl(self._dialect).result_processor(self._dialect, column[1])
                for kind, column in zip(self._types, cursor.description, strict=True)
            )
            self._converts = [(place, convert) for place, convert in enumerate(ways) if convert is not None]
        rows, made = cursor.fetchall(), self._made
        if self._converts:
            rows = [list(row) for row in rows]
            for place, convert in self._converts:
                for row in rows:
                    row[place] = convert(row[place])
        return [made(row) for row in rows]


def failed(error: Exception, sql: str, connection: Connection) -> DBAPIError:
    """Return what SQLAlchemy would have raised for what a database's driver did."""
    dialect, driver = connection.dialect, cast(Any, connection.connection.dbapi_connection)
    lost = dialect.is_disconnect(cast(Any, error), driver, None)
    base = dialect.loaded_dbapi.Error
    return cast(DBAPIError, DBAPIError.instance(sql, None, error, base, connection_invalidated=lost, dialect=dialect))


_PREPARED: dict[tuple[Executable, str], Prepared] = {}  # statements are made once, so none of them is ever given up


def prepared(statement: Executable, dialect: Dialect, names: Mapping[str, object]) -> Prepared:
    """Return a statement as the database takes it, compiled at its first use; `names` are those of its values."""
    known = _PREPARED.get((statement, dialect.name))
    if known is None:
        known = _PREPARED[statement, dialect.name] = Prepared(statement, dialect, names)
    return known
