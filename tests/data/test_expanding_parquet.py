"""A Parquet file of a few KB that stands for gigabytes is refused by every command, fast, and in one sentence."""

import functools
import os
import resource
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import typer
from pyarrow import parquet

from annotate.pages.manage.own_table_form import filled
from data.errors import BadFile
from data.files.rows import each_row, read_rows
from data.limits import MOST_ROWS
from tests.helpers.processes import command, ended

MORE_MEMORY = 200 * 1024  # KB beyond what the same command takes for a file with one row
WITHIN = 60  # seconds beyond the same; what is refused late takes many minutes
AS_COMMANDS = {
    "check": ["check", "rsg/parus", "FILE"],
    "create": ["create", "study", "--task", "rsg/parus", "--items", "FILE"],
    "score": ["score", "rsg/parus", "--gold", "FILE", "--predictions", "FILE"],
    "import-log": ["import-log", "study", "FILE"],
}
WAYS = (*AS_COMMANDS, "page")
NAMES = ("premise", "choice1", "choice2", "question")


def shared_text(path: Path) -> None:
    """One text of 500,000 letters in 20,000 rows of 4 columns: 80 GB."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), pa.array(["А" * 500_000]))
    parquet.write_table(pa.table(dict.fromkeys(NAMES, text)), path, compression="zstd")


def long_lists(path: Path) -> None:
    """Lists of 2,000,000 zeros in 30 rows of 2 columns."""
    lists = pa.ListArray.from_arrays(
        pa.array(np.arange(31, dtype="int32") * 2_000_000), pa.array(np.zeros(60_000_000, "int64"))
    )
    parquet.write_table(pa.table(dict.fromkeys(NAMES[:2], lists)), path, compression="zstd")


def shared_in_maps(path: Path) -> None:
    """A map with the same long text in 20,000 rows of 4 columns: 80 GB."""
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), pa.array(["А" * 500_000]))
    maps = pa.MapArray.from_arrays(pa.array(np.arange(20_001, dtype="int32")), pa.array(["k"] * 20_000), texts)
    parquet.write_table(pa.table(dict.fromkeys(NAMES, maps)), path, compression="zstd")


def shared_bytes(path: Path) -> None:
    """A value of a fixed length of 1 MB in 20,000 rows: 20 GB."""
    one = pa.array([b"x" * 1_000_000], pa.binary(1_000_000))
    column = pa.chunked_array([one] * 1000)
    with parquet.ParquetWriter(path, pa.schema([("premise", column.type)]), compression="zstd") as writer:
        writer.write_table(pa.table({"premise": column}))


def limited(file: Path, way: str) -> None:
    """Give a file to a command, or to the page, in a process that may take 8 GB."""
    resource.setrlimit(resource.RLIMIT_AS, (8 * 1024**3, 8 * 1024**3))
    if way in AS_COMMANDS:
        return command(*(str(file) if word == "FILE" else word for word in AS_COMMANDS[way]))
    try:
        filled(file)
    except BadFile as error:
        typer.echo(str(error))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[[Path], None]], Path]:
    """Writes each file once: what stands for gigabytes takes seconds to write."""

    @functools.cache
    def file(write: Callable[[Path], None]) -> Path:
        path = tmp_path_factory.mktemp("files") / "items.parquet"
        write(path)
        return path

    return file


def used(file: Path, way: str) -> tuple[str, float, int]:
    """Return what a command says about a file, how many of the processor's seconds it takes and how many KB."""
    environment = {**os.environ, "ETALON_HOME": str(file.parent), "ETALON_DB": f"sqlite:///{file.parent / 'a.db'}"}
    said, _, seconds, size = ended(limited, file, way, printed=file.with_name(f"{way}.txt"), environment=environment)
    assert "Traceback" not in said, said[-500:]
    return said, seconds, size


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[float, int]]:
    path = tmp_path_factory.mktemp("small") / "small.parquet"
    parquet.write_table(pa.table({"premise": ["x"]}), path)
    return {way: used(path, way)[1:] for way in WAYS}


UNPACKED, LISTED = "holds more than 2 GB once it is unpacked", "values in its lists"
REFUSED = [*((way, shared_text, UNPACKED) for way in WAYS), *((way, long_lists, LISTED) for way in ("check", "page"))]


@pytest.mark.parametrize(("way", "write", "words"), REFUSED)
def test_every_command_refuses_it(
    files: Callable[[Callable[[Path], None]], Path],
    small: dict[str, tuple[float, int]],
    way: str,
    write: Callable[[Path], None],
    words: str,
) -> None:
    path = files(write)
    assert path.stat().st_size < 5000
    said, seconds, size = used(path, way)
    assert words in " ".join(said.split()), said[-500:]
    assert seconds < small[way][0] + WITHIN
    assert size < small[way][1] + MORE_MEMORY


@pytest.mark.parametrize(
    ("write", "words"), [(shared_in_maps, "once it is unpacked"), (shared_bytes, "1000000 bytes each")]
)
def test_what_else_repeats_is_refused_too(
    tmp_path: Path, small: dict[str, tuple[float, int]], write: Callable[[Path], None], words: str
) -> None:
    write(tmp_path / "items.parquet")
    said, seconds, size = used(tmp_path / "items.parquet", "check")
    assert words in " ".join(said.split())
    assert seconds < small["check"][0] + WITHIN
    assert size < small["check"][1] + MORE_MEMORY


def test_a_text_shared_by_as_many_rows_as_may_be_is_looked_at_by_its_beginning(
    tmp_path: Path, small: dict[str, tuple[float, int]]
) -> None:
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 480, pa.int32()), pa.array(["А" * 500_000]))
    parquet.write_table(pa.table(dict.fromkeys(NAMES, text)), tmp_path / "items.parquet", compression="zstd")
    _, seconds, size = used(tmp_path / "items.parquet", "page")
    assert seconds < small["page"][0] + WITHIN
    assert size < small["page"][1] + MORE_MEMORY


def test_long_texts_that_differ_are_read(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    with parquet.ParquetWriter(path, pa.schema([("premise", pa.string())]), compression="zstd") as writer:
        for number in range(0, 1000, 100):
            texts = [f"{row} " + "x" * 1_000_000 for row in range(number, number + 100)]
            writer.write_table(pa.table({"premise": texts}))
    seen = 0
    for row in each_row(path):
        assert str(getattr(row, "values")["premise"]).startswith(f"{seen} x")  # noqa: B009
        seen += 1
    assert seen == 1000


def test_a_million_short_rows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    many = np.arange(1_000_000)
    parquet.write_table(pa.table({"id": many, "premise": pa.array(many).cast(pa.string()), "label": many % 2}), path)
    assert sum(1 for _ in each_row(path)) == 1_000_000


def test_maps_and_lists_of_a_fixed_length_are_objects_and_lists(tmp_path: Path) -> None:
    path = tmp_path / "items.parquet"
    maps = pa.array([[("a", "x"), ("b", None)], None, []], pa.map_(pa.string(), pa.string()))
    pairs = pa.array([["a", "b"], None, ["a", None]], pa.list_(pa.string(), 2))
    parquet.write_table(pa.table({"m": maps, "p": pairs}), path)
    rows, problems = read_rows(path)
    assert not problems
    assert [row.values["m"] for row in rows] == [{"a": "x", "b": None}, None, {}]
    assert [row.values["p"] for row in rows] == pairs.to_pylist()


def test_a_text_that_is_not_utf_8_has_its_sentence(tmp_path: Path) -> None:
    broken = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    parquet.write_table(pa.table({"premise": broken}), tmp_path / "items.parquet")
    assert "is not a Parquet file that can be read" in used(tmp_path / "items.parquet", "check")[0]


def test_a_file_of_lines_has_a_number_of_rows_too(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text('{"premise": "a"}\n' * 10 + "{}\n" * MOST_ROWS)
    assert f"has more than {MOST_ROWS} rows" in used(tmp_path / "items.jsonl", "import-log")[0].replace("\n", " ")
