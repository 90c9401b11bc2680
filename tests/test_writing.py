"""Tables as files: what comes back, and what a spreadsheet may not run."""

import csv
import io
import json
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from data.errors import UnknownName
from data.writing import FORMATS, FORMULA_STARTS, MEDIA_TYPES, write_frame

TEXTS = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "item": TEXTS,
            "label": TEXTS,
            "n": st.none() | st.integers(-(2**53), 2**53),
            "seconds": st.none() | st.floats(allow_nan=False, allow_infinity=False),
            "simulated": st.none() | st.booleans(),
        }
    ),
    max_size=20,
)
COLUMNS = ["item", "label", "n", "seconds", "simulated"]


def frame(rows: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([[row[name] for name in COLUMNS] for row in rows], columns=COLUMNS, dtype=object)


@given(ROWS)
def test_jsonl_gives_every_value_back(rows: list[dict[str, Any]]) -> None:
    lines = write_frame(frame(rows), "jsonl").decode().split("\n")[:-1]
    assert [json.loads(line) for line in lines] == rows


@given(ROWS)
def test_parquet_gives_every_value_back(rows: list[dict[str, Any]]) -> None:
    table = parquet.read_table(io.BytesIO(write_frame(frame(rows), "parquet")))
    assert table.column_names == COLUMNS
    assert table.to_pylist() == rows


@given(ROWS)
def test_no_text_cell_of_a_csv_can_be_run_by_a_spreadsheet(rows: list[dict[str, Any]]) -> None:
    header, *lines = csv.reader(io.StringIO(write_frame(frame(rows), "csv").decode(), newline=""))
    assert header == COLUMNS
    assert len(lines) == len(rows)
    for cells, row in zip(lines, rows, strict=True):
        for cell, value in zip(cells[:2], [row["item"], row["label"]], strict=True):
            assert not cell.startswith(FORMULA_STARTS)
            assert cell in ("" if value is None else value, f"'{value}")


@pytest.mark.parametrize("start", FORMULA_STARTS)
def test_a_formula_becomes_text_and_a_negative_number_stays_a_number(start: str) -> None:
    written = write_frame(pd.DataFrame({"text": [f"{start}1+1"], "number": [-1.5]}), "csv").decode()
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert row == {"text": f"'{start}1+1", "number": "-1.5"}


def test_a_formula_in_a_column_name_is_neutralised_too() -> None:
    assert write_frame(pd.DataFrame({"=cmd()": ["a"]}), "csv") == b"'=cmd()\r\na\r\n"


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_table_keeps_its_columns_where_the_format_has_any(form: str) -> None:
    written = write_frame(frame([]), form)
    expected = {"csv": ",".join(COLUMNS) + "\r\n", "jsonl": ""}
    if form == "parquet":
        assert parquet.read_table(io.BytesIO(written)).column_names == COLUMNS
    else:
        assert written.decode() == expected[form]


def test_moments_are_written_as_iso_8601() -> None:
    told = pd.DataFrame({"at": [datetime(2026, 3, 1, 12, 30, tzinfo=UTC)]}, dtype=object)
    assert write_frame(told, "csv").decode().split() == ["at", "2026-03-01T12:30:00+00:00"]
    assert json.loads(write_frame(told, "jsonl").split(b"\n")[0]) == {"at": "2026-03-01T12:30:00+00:00"}


def test_every_way_to_be_missing_is_one_and_the_same() -> None:
    missing = pd.DataFrame({"a": [None, float("nan"), pd.NA, pd.NaT]}, dtype=object)
    assert write_frame(missing, "jsonl") == b'{"a": null}\n' * 4


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="csv"):
        write_frame(frame([]), "csw")


def test_every_format_has_a_content_type() -> None:
    assert FORMATS.keys() == MEDIA_TYPES.keys()
