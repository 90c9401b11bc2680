"""Pieces that tables, statements and what is read with them are made of."""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
from pydantic import BeforeValidator, PlainSerializer
from sqlalchemy import JSON, Column, ColumnElement, Select, String, Table, bindparam, func, literal_column, select
from sqlalchemy import cast as as_type
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlmodel import SQLModel

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
