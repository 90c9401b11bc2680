"""Workbooks as files of items: the same rows as CSV, with their numbers; hostile and broken ones are refused."""

import zipfile
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from openpyxl import Workbook

from data.errors import BadFile
from data.files.rows import Row, read_rows
from data.limits import LARGEST_SHEET


def book(path: Path, *rows: Any) -> Path:
    made = Workbook()
    assert made.active
    for row in rows:
        made.active.append(row)
    made.save(path)
    return path


def test_a_sheet_is_read_as_the_same_table_in_csv(tmp_path: Path) -> None:
    rows = [["id", "текст", "n", "when"], ["a", "Отзыв\nдва", 3.0, datetime(2026, 1, 2)], [], ["b", None, 0.5, "x"]]
    read, problems = read_rows(book(tmp_path / "t.xlsx", *rows))
    assert problems == []
    assert read == [
        Row(2, {"id": "a", "текст": "Отзыв\nдва", "n": 3, "when": "2026-01-02"}),
        Row(4, {"id": "b", "текст": "", "n": 0.5, "when": "x"}),
    ]


def test_a_cell_beside_the_table_is_a_row_with_a_cell_too_many(tmp_path: Path) -> None:
    read, problems = read_rows(book(tmp_path / "t.xlsx", ["id", "text"], ["a", "b", "лишнее"], ["c", "d"]))
    assert [row.values for row in read] == [{"id": "c", "text": "d"}]
    assert [str(problem)[:60] for problem in problems] == [
        "t.xlsx, line 2: has 3 cells where the header has 2; check th"
    ]


def test_a_formula_counts_with_the_value_that_was_saved_with_it(tmp_path: Path) -> None:
    (row,), _ = read_rows(book(tmp_path / "t.xlsx", ["id", "n"], ["a", "=1+1"]))
    assert row.values == {"id": "a", "n": ""}, "nothing has computed it yet"


def bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for place in range(LARGEST_SHEET // 2**24 + 1):
            packed.writestr(f"xl/{place}.xml", bytes(2**24))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (bomb, "more than 256 MB once it is unpacked"),
        (lambda path: path.write_bytes(b"PK\x03\x04 and more"), "is not an XLSX workbook"),
        (lambda path: path.write_text("id,text\n"), "is not an XLSX workbook"),
        (lambda path: zipfile.ZipFile(path, "w").writestr("[Content_Types].xml", "<a>"), "cannot be read|can be read"),
        (lambda path: book(path, ["a", "a"], ["1", "2"]), "line 1: the column 'a' appears twice"),
        (lambda path: book(path), "there is not one record in it"),
    ],
)
def test_what_is_no_table_is_refused_with_a_sentence(tmp_path: Path, make: Any, said: str) -> None:
    make(tmp_path / "t.xlsx")
    with pytest.raises(BadFile, match=said):
        read_rows(tmp_path / "t.xlsx")


def test_a_damaged_workbook_is_read_or_refused_with_a_sentence(tmp_path: Path) -> None:
    whole = book(tmp_path / "t.xlsx", ["id", "text"], *([str(n), f"Отзыв {n}"] for n in range(40))).read_bytes()
    drawn, refused = Random(1), 0
    for _ in range(200):
        damaged = bytearray(whole)
        for place in (drawn.randrange(len(whole)) for _ in range(drawn.choice((1, 3, 20)))):
            damaged[place] = drawn.randrange(256)
        (tmp_path / "t.xlsx").write_bytes(damaged)
        try:
            read_rows(tmp_path / "t.xlsx")
        except BadFile:
            refused += 1
    assert refused > 100


def test_a_truncated_workbook_is_refused(tmp_path: Path) -> None:
    whole = book(tmp_path / "t.xlsx", ["id", "text"], *([str(n), "x" * 50] for n in range(500))).read_bytes()
    for cut in range(100, len(whole), len(whole) // 12):
        (tmp_path / "t.xlsx").write_bytes(whole[:cut])
        with pytest.raises(BadFile):
            read_rows(tmp_path / "t.xlsx")
