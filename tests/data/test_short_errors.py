"""What a file can have too much of is refused fast, and no sentence about a file quotes more than a person reads."""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from data.catalogue.catalog import get_task
from data.errors import BadFile
from data.files.item_files import check_items
from data.files.rows import read_rows
from data.limits import FREE_ROWS, FREE_VALUES, MOST_FIELDS, MOST_PROBLEMS
from tests.data.test_gold_given_back import command
from tests.helpers.gold_files import samples_of

LONGEST = 500  # characters of a sentence
LONG = "ы" * 1_000_000
ROW: dict[str, Any] = {"premise": "p", "question": "cause", "choice1": "a", "choice2": "b", "label": 0}
PARUS = get_task("rsg/parus")
CASES: dict[str, list[Any]] = {
    "100,000 keys": [dict.fromkeys(map(str, range(100_000)), 1)],
    "100,000 keys beside a right record": [{"id": "a", **ROW}, dict.fromkeys(map(str, range(100_000)), 1)],
    "4,000 other columns": [dict.fromkeys((f"column {n}" for n in range(4_000)), 1)],
    "long names": [{LONG: 1, "answer": "x"}, {f"{LONG}2": 1}],
    "a long answer": [{**ROW, "id": "a", "label": LONG}],
    "a long list": [{**ROW, "id": "a", "label": ["x"] * 300_000}],
    "a long object": [{**ROW, "id": "a", "label": {"a": LONG}}],
    "a long number": [{**ROW, "id": "a", "label": int("1" * 4_000)}],
    "a long id twice": [{**ROW, "id": LONG}, {**ROW, "id": LONG}],
    "a long value of a closed field": [{**ROW, "id": "a", "question": LONG}],
    "predictions of many names": [{"id": "a", **dict.fromkeys(("pred", "y_hat", "result"), LONG)}],
    "gold and many unknown columns": [{"id": "a", "label": 0, **{f"{'x' * 200}{n}": 1 for n in range(4_000)}}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def database(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)


def lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf8")
    return path


@pytest.mark.parametrize("kind", CASES)
def test_no_sentence_about_a_file_is_longer_than_five_hundred_characters(kind: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "hostile.jsonl", CASES[kind])
    gold = samples_of(PARUS)
    assert command("create", "s", "--task", PARUS.id, "--items", gold).exit_code == 0
    ways: list[tuple[object, ...]] = [("check", PARUS.id, path), ("create", "t", "--task", PARUS.id, "--items", path)]
    ways += [("score", PARUS.id, "--gold", gold, "--predictions", path)]
    ways += [("score", PARUS.id, "--gold", path, "--predictions", gold)]
    ways += [("import-run", "s", path, "--from", "jsonl", "--model", "m")]
    refused = 0
    for way in ways:
        result = command(*way)
        refused += result.exit_code != 0
        for line in (*result.stdout.splitlines(), *result.stderr.splitlines()):
            assert len(line) <= LONGEST, (way[0], line[:600])
    assert refused


def test_a_record_has_so_many_fields_and_no_more(tmp_path: Path) -> None:
    fitting = dict.fromkeys(map(str, range(MOST_FIELDS)), 1)
    for path in (lines(tmp_path / "a.jsonl", [fitting, {**fitting, "one": 1}]), tmp_path / "a.json"):
        if path.suffix == ".json":
            path.write_text(json.dumps([fitting, {**fitting, "one": 1}]))
        rows, problems = read_rows(path)
        assert [len(row.values) for row in rows] == [MOST_FIELDS]
        assert [(one.line, one.message) for one in problems] == [
            (2, f"has {MOST_FIELDS + 1} fields; a record has at most {MOST_FIELDS}")
        ]


def same_rows(path: Path, rows: int, columns: int) -> Path:
    one = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, "int32")), pa.array(["x"]))
    parquet.write_table(pa.table({f"c{number}": one for number in range(columns)}), path, compression="zstd")
    return path


@pytest.mark.parametrize(
    ("rows", "columns"), [(2_000_000, 5), (FREE_ROWS + 1, 1), (FREE_ROWS, 1 + FREE_VALUES // FREE_ROWS)]
)
def test_a_small_parquet_file_of_very_many_rows_is_refused_before_they_are_read(
    rows: int, columns: int, tmp_path: Path
) -> None:
    path = same_rows(tmp_path / "rows.parquet", rows, columns)
    assert path.stat().st_size < 100_000
    began = time.perf_counter()
    with pytest.raises(BadFile, match=f"rows.parquet: has {rows} rows of {rows * columns} values in") as error:
        read_rows(path)
    assert time.perf_counter() - began < 1
    assert len(str(error.value)) < LONGEST


def test_as_many_rows_as_a_small_file_may_have_are_read(tmp_path: Path) -> None:
    rows, problems = read_rows(same_rows(tmp_path / "rows.parquet", FREE_ROWS, 2))
    assert (len(rows), problems) == (FREE_ROWS, [])


def test_a_file_in_which_everything_is_wrong_is_left_early(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    texts = {name: pa.array([value] * (2 * MOST_PROBLEMS)) for name, value in ROW.items()}
    parquet.write_table(pa.table(texts), path)
    with pytest.raises(BadFile, match=r"is already on line 1.* is it the right file"):
        check_items(path, PARUS)
