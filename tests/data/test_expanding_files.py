"""Files of a few bytes that stand for gigabytes, numbers without end, and lists within lists: one sentence each."""

import json
import time
import zipfile
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import baseline.imports.log_readers
import data.files.rows
import data.files.text_files
import data.limits
from app import cli
from baseline.imports.log_readers import members
from data.catalogue.catalog import get_task
from data.catalogue.task_files import read_task
from data.errors import BadFile
from data.files.item_files import check_items
from data.files.rows import Row, each_row, read_rows
from data.limits import DEEPEST, DEEPEST_KEY, LARGEST_TASK, LONGEST_LINE, MOST_COLUMNS, MOST_PROBLEMS, MOST_ROWS
from tests.helpers.processes import ended

MORE_MEMORY = 150 * 1024  # KB beyond what the same command takes for a file with nothing in it
TERRA = "rsg/terra"


def held(path: Path) -> None:
    """Hold all rows of a file."""
    list(each_row(path))


def memory(path: Path) -> int:
    """Return the KB that a process of its own takes to hold all rows of a file."""
    process = ended(held, path, printed=path.with_suffix(".txt"))
    assert process.code == 0, process.printed
    return process.memory


@pytest.fixture(scope="module")
def one_row(tmp_path_factory: pytest.TempPathFactory) -> int:
    """The KB that a process takes for a file with nothing in it."""
    path = tmp_path_factory.mktemp("small") / "small.parquet"
    parquet.write_table(pa.table({"premise": ["x"]}), path)
    return memory(path)


LONG_TEXT = "x" * 388_000


@pytest.mark.parametrize(
    ("cell", "dictionary"),
    [
        (LONG_TEXT, False),
        ([LONG_TEXT], False),
        ({"text": LONG_TEXT}, False),
        ([{"text": LONG_TEXT}], False),
        (LONG_TEXT, True),
    ],
    ids=["text", "list", "object", "objects", "dictionary"],
)
def test_a_text_that_a_thousand_rows_of_parquet_share_is_there_once(
    tmp_path: Path, one_row: int, cell: object, dictionary: bool
) -> None:
    path = tmp_path / "items.parquet"
    column = pa.array([cell] * 1000)
    parquet.write_table(
        pa.table({"premise": column.dictionary_encode() if dictionary else column}), path, compression="zstd"
    )
    assert path.stat().st_size < 5000
    assert memory(path) < one_row + MORE_MEMORY


def test_rows_of_parquet_are_what_they_were(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    table = pa.table(
        {
            "text": ["а", None, "б", "а"],
            "words": [["а", None], [], None, ["б"]],
            "object": [{"a": "x", "n": 1}, None, {"a": None, "n": None}, {"a": "y", "n": 2}],
            "objects": [[{"a": "x"}], [], None, [{"a": None}, {"a": "y"}]],
            "lists": [[["а"], []], [], None, [["б", "в"]]],
            "number": [1, 2, None, 4],
        }
    )
    for more in ({}, {"use_dictionary": False}, {"data_page_version": "2.0"}):
        parquet.write_table(table, path, **more)
        assert [row.values for row in read_rows(path)[0]] == table.to_pylist()


def test_a_number_that_is_none_is_missing_and_moments_and_prices_are_texts(tmp_path: Path) -> None:
    columns = {"number": [1.5, float("nan")], "day": [date(2026, 1, 2), None], "price": [Decimal("1.50"), None]}
    parquet.write_table(pa.table(columns), tmp_path / "items.parquet")
    rows = [row.values for row in read_rows(tmp_path / "items.parquet")[0]]
    assert rows == [{"number": 1.5, "day": "2026-01-02", "price": "1.50"}, dict.fromkeys(columns)]


def test_parquet_says_itself_when_it_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "items.parquet"
    parquet.write_table(pa.table({"a": pa.nulls(MOST_ROWS + 1, pa.int8())}), path)
    assert path.stat().st_size < 100_000
    refused(path, f"has {MOST_ROWS + 1} rows")
    parquet.write_table(pa.table({f"c{number}": [1] for number in range(MOST_COLUMNS + 1)}), path)
    refused(path, f"has {MOST_COLUMNS + 1} columns")
    monkeypatch.setattr(data.limits, "LARGEST_UNPACKED", 10_000_000)
    parquet.write_table(pa.table({"a": ["x" * 11_000_000]}), path, compression="zstd", use_dictionary=False)
    refused(path, "once it is unpacked")


def refused(path: Path, words: str) -> None:
    """Check that a file is refused with one sentence, as a function and as the command."""
    began = time.process_time()
    with pytest.raises(BadFile, match=words) as error:
        list(each_row(path))
    assert str(error.value).startswith(path.name)
    ran = CliRunner().invoke(cli, ["check", TERRA, str(path)])
    assert ran.exit_code in (1, 2)
    assert time.process_time() - began < 20


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf8")
    return path


def test_lines_and_files_have_a_longest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "items.jsonl", '{"premise": "' + "x" * LONGEST_LINE + '"}\n')
    refused(path, "line 1: has more than 16 MB")
    refused(written(tmp_path / "wide.csv", "," * 1_000_000 + "\n1\n"), "columns")
    monkeypatch.setattr(data.files.rows, "LONGEST_LINE", 100_000)
    refused(written(tmp_path / "open.csv", "a,b\n1,2\n" + '"\n",' * 50_000), "is a quote open")
    monkeypatch.setattr(data.files.text_files, "LARGEST_WHOLE", 1000)
    refused(written(tmp_path / "items.json", json.dumps([{"premise": "x" * 2000}])), "JSONL")


def test_a_record_and_its_lists_may_be_as_deep_as_is_said(tmp_path: Path) -> None:
    deep = "[" * (DEEPEST - 1) + "1" + "]" * (DEEPEST - 1)  # the record itself is one level
    rows, problems = read_rows(written(tmp_path / "items.jsonl", f'{{"premise": {deep}}}\n{{"premise": [{deep}]}}\n'))
    assert ([row.line for row in rows], [problem.line for problem in problems]) == ([1], [2])


def test_what_is_no_number_and_too_deep_is_told_so(tmp_path: Path) -> None:
    number, deep = "9" * 6000, "[" * 500 + "]" * 500
    for value, words in ((number, "4,300 digits"), (deep, f"more than {DEEPEST} deep"), ("[" * 90_000, "deep")):
        path = written(tmp_path / "items.jsonl", f'{{"premise": {value}}}\n{{"premise": "p"}}\n')
        rows, problems = read_rows(path)
        assert [row.line for row in rows] == [2]
        assert [problem.line for problem in problems] == [1]
        assert words in str(problems[0])
        path = written(tmp_path / "items.json", f'[{{"premise": "p"}}, {{"premise": {value}}}]')
        try:
            _, problems = read_rows(path)
            told = str(problems[0])
        except BadFile as error:
            told = str(error)
        assert words.split()[-1] in told


def test_a_file_of_nothing_but_mistakes_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = written(tmp_path / "items.jsonl", "1\n" * (MOST_PROBLEMS * 3))
    refused(path, f"more than {MOST_PROBLEMS} lines cannot be read")


def test_objects_in_objects_have_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data.limits, "MOST_VALUES", 1000)
    refused(written(tmp_path / "items.json", json.dumps({"data": [{}] * 2000})), "JSONL")
    rows, _ = read_rows(written(tmp_path / "list.json", json.dumps([{"a": 1}] * 2000)))
    assert len(rows) == 2000, "a list is decoded record by record"


@pytest.mark.parametrize(
    ("text", "line"),
    [('[{"a": 1},\n {"a": 2},]', 2), ('[{"a": 1}\n {"a": 2}]', 2), ('[{"a": 1}]\nx', 2), ('[{"a": 1},\n', 2), ("[", 1)],
)
def test_a_broken_list_names_the_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(BadFile, match=f"items.json, line {line}: is not JSON"):
        list(each_row(written(tmp_path / "items.json", text)))


@pytest.mark.parametrize(
    "text",
    [
        "a." * 400_000 + "a = 1",
        "[" + "a." * 400_000 + "a]",
        'a = {"b".' + "c." * 400_000 + "d = 1}",
        "a = " + "[" * 400_000,
        "a = " + "{a=" * 200_000,
        "a = " + "[" * 900 + "]" * 900,
        "a = " + "9" * 900_000,
        'a = """' + "\\\n" * 400_000,
        "a = '''" + "'" * 900_000,
        "\n" * 900_000 + "=",
        "[a]\n" * 200_000,
    ],
    ids=range(11),
)
def test_no_task_file_takes_long(tmp_path: Path, text: str) -> None:
    began = time.process_time()
    with pytest.raises(BadFile, match=r"task\.toml"):
        read_task(written(tmp_path / "task.toml", text))
    assert time.process_time() - began < 10


def test_a_task_file_has_a_size_and_keys_a_depth(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="at most 1 MB"):
        read_task(written(tmp_path / "task.toml", "#" * (LARGEST_TASK + 1)))
    with pytest.raises(BadFile, match="parts with dots"):
        read_task(written(tmp_path / "task.toml", ".".join("a" * (DEEPEST_KEY + 1)) + " = 1"))


def test_an_archive_has_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}.json", json.dumps("x" * 4000))
    assert len(list(members(path, lambda _: True))) == 3
    for name, words in (("LARGEST_MEMBER", "is larger than"), ("LARGEST_UNPACKED", "holds more than")):
        with monkeypatch.context() as changed:
            changed.setattr(baseline.imports.log_readers, name, 3000)
            with pytest.raises(BadFile, match=words):
                list(members(path, lambda _: True))


def test_long_texts_of_benchmarks_pass(tmp_path: Path) -> None:
    long = "слово " * 350_000
    record = {"premise": long, "hypothesis": "h", "label": "entailment"}
    lines = written(tmp_path / "items.jsonl", json.dumps(record, ensure_ascii=False) + "\n")
    table = written(tmp_path / "items.csv", f"premise,hypothesis,label\n{long},h,entailment\n")
    whole = written(tmp_path / "items.json", json.dumps([record], ensure_ascii=False))
    parquet.write_table(pa.table({name: [value] for name, value in record.items()}), tmp_path / "items.parquet")
    for path in (lines, table, whole, tmp_path / "items.parquet"):
        items, problems = check_items(path, get_task(TERRA))
        assert problems == []
        assert items[0].fields["premise"].strip() == long.strip()
    assert all(isinstance(row, Row) for row in each_row(lines))
