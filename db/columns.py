"""Pieces that tables and statements are made of."""

from typing import Any, cast

from sqlalchemy import JSON, Column, ColumnElement, Table, literal_column
from sqlmodel import SQLModel


def table_of(row: type[SQLModel]) -> Table:
    """Return the table of a row, for statements that are made once and run for every answer."""
    return cast(Table, row.__table__)  # type: ignore[attr-defined]


def word(value: str | int) -> ColumnElement[Any]:
    """Return a value written out in the statement: with a parameter in its place a partial index would not be used."""
    return literal_column(f"'{value}'" if isinstance(value, str) else str(value))


def json_column() -> Any:
    """Return a column that holds plain data."""
    return Column(JSON, nullable=False)
