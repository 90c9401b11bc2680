"""Tables as files: what comes back, and what a spreadsheet may not run."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import parquet

from baseline.output.computed_exports import EXPORTS
from data.errors import UnknownName
from data.table_files import FORMATS, GUARDED, MEDIA_TYPES, archived, as_before, write_frame, write_log

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


SEPARATORS = ",;\t"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
NUMBER_AND_WORDS = re.compile(r"[+-]\d[\d.,]*[ \u00a0]?%?([ \u00a0][^\W\d][\w \u00a0.,;?]*)?")
"""What begins like a formula and is none: a number, and a number with words behind it."""
TRICKY = st.text(st.sampled_from("=+-@＝＠,;\t\r\n'\" 15а."), max_size=12)


def may_run(cell: str) -> bool:
    """Whether a spreadsheet could take a cell for a formula; it passes over the tabs of rows split elsewhere."""
    begins = re.split(r"[,;\t\r\n]", cell.lstrip("\t\r"))[0]
    return begins.startswith((*FORMULA_STARTS, "＝", "＋", "－", "＠")) and not NUMBER_AND_WORDS.fullmatch(begins)


def cells_of(text: str, separator: str) -> Iterator[str]:
    """The cells that a spreadsheet sees that splits at this separator, whatever the file was written for."""
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
        yield from row


@given(st.lists(st.fixed_dictionaries({"a": TRICKY, "b": TRICKY}), max_size=4))
@example([{"a": "", "b": "\r-1"}])
def test_a_table_is_safe_at_whichever_separator_it_is_split(rows: list[dict[str, str]]) -> None:
    table = pd.DataFrame(rows, columns=["a", "b"], dtype=object)
    for written in (write_frame(table, "csv"), write_log(table)):
        for separator in SEPARATORS:
            assert not [cell for cell in cells_of(written.decode(), separator) if may_run(cell)]


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize(
    "text",
    [
        "a;=1+1;b",
        "x\t=1+1",
        "a,=1+1",
        'a;"=1+1";b',
        "a;'=1+1",
        "a\n=1+1",
        "a\r\n@SUM(1)",
        "a; =1+1",
        "-5;=1+1",
        "-5 баллов\t+cmd|' /C",
    ],
)
def test_no_formula_stands_within_a_cell(text: str, separator: str) -> None:
    for written in (write_frame(pd.DataFrame({"n": [1], "t": [text]}), "csv"), write_log(pd.DataFrame({"t": [text]}))):
        found = list(cells_of(written.decode(), separator))
        assert not [cell for cell in found if may_run(cell)]
        assert any("1+1" in cell or "SUM" in cell or "cmd" in cell for cell in found)


@pytest.mark.parametrize("text", ["-5", "+7", "-5,5", "-5 баллов", "-5 баллов, не больше", "-10 %", "1-2", "а - б"])
def test_numbers_and_words_behind_them_stay_readable(text: str) -> None:
    assert (
        write_frame(pd.DataFrame({"t": [text]}), "jsonl").decode() == json.dumps({"t": text}, ensure_ascii=False) + "\n"
    )
    ((_,), (cell,)) = csv.reader(io.StringIO(write_frame(pd.DataFrame({"t": [text]}), "csv").decode(), newline=""))
    assert cell == text


@pytest.mark.parametrize("text", ["-2+3", "-5|cmd", "-A1", "- слово", "+СУММ(1)", "-5 A1!B1", "-1:2"])
def test_what_could_be_reckoned_is_guarded(text: str) -> None:
    ((_,), (cell,)) = csv.reader(io.StringIO(write_frame(pd.DataFrame({"t": [text]}), "csv").decode(), newline=""))
    assert cell == f"'{text}"


@given(st.lists(TRICKY | st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=6))
def test_a_log_gives_its_cells_back(texts: list[str]) -> None:
    ((*_, guard), *rows) = csv.reader(
        io.StringIO(write_log(pd.DataFrame({"t": texts}, dtype=object)).decode(), newline=""), delimiter="\t"
    )
    assert guard == GUARDED
    assert [as_before(cell, told) for cell, told in rows] == texts


def test_logs_of_earlier_versions_are_read_as_they_were_written() -> None:
    assert as_before("'=1;'=2", "yes") == "=1;'=2"
    assert as_before("'=1", None) == "'=1"


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
            assert not may_run(cell)
            assert cell.replace("'", "") == ("" if value is None else value.replace("'", ""))


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
    forms = {form for export in EXPORTS.values() for form in export.forms}
    assert FORMATS.keys() | forms == MEDIA_TYPES.keys()


def test_the_same_files_make_the_same_archive_whenever_that_is() -> None:
    with zipfile.ZipFile(io.BytesIO(archived({"a.csv": b"1", "b.csv": b"2"}))) as archive:
        assert [(member.filename, member.date_time) for member in archive.infolist()] == [
            ("a.csv", (1980, 1, 1, 0, 0, 0)),
            ("b.csv", (1980, 1, 1, 0, 0, 0)),
        ]
