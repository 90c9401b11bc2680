"""Files that are not UTF-8: it is said what they look like, and they are converted when somebody says so."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from data.errors import BadFile
from data.files.rows import read_rows
from data.files.text_files import suspected, uploaded

RUNNER = CliRunner()
TEXT = "текст,метка\nМама мыла раму, а папа нет,да\n".replace("раму, а", "раму а")


@pytest.mark.parametrize(
    ("written", "seen", "chosen"),
    [
        ("cp1251", "windows-1251", "windows-1251"),
        ("koi8-r", "koi8-r", "koi8-r"),
        ("cp866", "cp866", "cp866"),
        ("utf-16", "utf-16", "utf-16"),
        ("utf-16-le", "utf-16", "utf-16"),
        ("utf-16-be", "utf-16", "utf-16"),
    ],
)
def test_a_russian_file_is_known_and_converted_as_it_was_meant(
    tmp_path: Path, written: str, seen: str, chosen: str
) -> None:
    path, to = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_bytes(TEXT.encode(written))
    assert suspected(path) == seen
    with pytest.raises(BadFile, match="UTF-16" if seen == "utf-16" else r"looks like .* would read “текст,метка"):
        read_rows(path)
    done = RUNNER.invoke(cli, ["convert", str(path), "--to", str(to), "--encoding", chosen])
    assert done.exit_code == 0, done.output
    assert to.read_text("utf8") == TEXT
    assert not suspected(to)


def test_a_file_whose_own_name_ends_like_that_of_a_copy_is_itself(tmp_path: Path) -> None:
    own, copy = tmp_path / "a-utf8.csv", tmp_path / "b-utf8.csv"
    for path in (own, copy, tmp_path / "b.csv"):
        path.write_text("id\n1\n")
    assert (uploaded(own), uploaded(copy)) == (own, tmp_path / "b.csv")


def test_what_is_no_text_looks_like_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    for content in (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)),
        b"PK\x03\x04" + bytes(40),
        TEXT.encode(),
        b"",
    ):
        path.write_bytes(content)
        assert suspected(path) == ""


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.ods", b"PK\x03\x04", "a.ods: is a spreadsheet; open it in Excel or LibreOffice, choose File, Save as"),
        ("a.csv", b"\xd0\xcf\x11\xe0" + bytes(9), "a.csv: is an old Excel workbook; open it"),
        ("a.csv", b"PK\x03\x04" + bytes(9), "a.csv: is a ZIP archive; unpack it"),
    ],
)
def test_a_workbook_is_refused_with_how_to_save_it(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadFile) as refused:
        read_rows(path)
    assert str(refused.value).startswith(sentence)


def test_an_encoding_that_does_not_fit_or_is_not_known_is_a_sentence(tmp_path: Path) -> None:
    path, to = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_bytes(b"\x98\x98")
    for encoding, words in (("windows-1251", "is not Windows-1251"), ("ebcdic", "use one of windows-1251")):
        done = RUNNER.invoke(cli, ["convert", str(path), "--to", str(to), "--encoding", encoding])
        assert done.exit_code == 2
        assert words in done.output
