"""The log of a server: lines of one form, without keys of links and words of workers, however often something fails."""

import json
import logging
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.log import LOG, begin_request
from data.log_lines import LogHandler, configure
from db.engine import opened
from tests.helpers.operated import operated
from tests.program.test_operations import until

WORD = "кошкадом"
KEY = "Zx81key"


@pytest.fixture
def written(log_of_this_test: None, capsys: pytest.CaptureFixture[str]) -> Callable[[], list[dict[str, Any]]]:
    """The lines of a log in this process, as JSON."""
    lines: list[dict[str, Any]] = []
    configure("json")

    def read() -> list[dict[str, Any]]:
        lines.extend(json.loads(line) for line in capsys.readouterr().err.splitlines())
        return lines

    return read


def test_a_session_with_a_link_an_answer_and_faults_leaves_neither_key_nor_word(
    tmp_path: Path, sqlite_url: str
) -> None:
    with operated(tmp_path, sqlite_url, {"data.log_lines:EVERY": 2.0}) as running:
        token = running.enter()
        with opened(sqlite_url) as database, database.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE judgment RENAME TO elsewhere")
        for _ in range(50):
            reply = running.answer(token, WORD)
            assert reply.status_code == 500
        assert running.get(f"/join/ellipses/{running.invitation}?PROLIFIC_PID={WORD}").status_code == 409

        def failed() -> list[dict[str, Any]]:
            return [line for line in running.lines() if line["event"] == "Exception in ASGI application"]

        until(lambda: sum(line.get("times", 1) for line in failed()) >= 50)
        lines = running.lines()
        assert len(failed()) < 10
    assert {"time", "level", "event"} <= set.intersection(*map(set, lines))
    first = failed()[0]
    assert (first["level"], first["study"]) == ("error", "ellipses")
    assert first["request"].partition("-")[0] == reply.headers["x-request-id"].partition("-")[0]
    assert "no such table" in first["fault"]
    assert "worker/service.py" in first["at"]
    printed = running.printed.read_text("utf8")
    secret = (WORD, json.dumps(WORD)[1:-1], running.invitation, token, *running.client.cookies.values())
    assert [kept for kept in secret if kept in printed] == []


def test_lines_as_text_have_time_and_level(log_of_this_test: None, capsys: pytest.CaptureFixture[str]) -> None:
    configure("text")
    LOG.info("it began")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("20")
    assert "Z [info" in line


def test_what_an_exception_holds_is_not_written_but_what_it_is_and_where(written: Callable[[], list[Any]]) -> None:
    def read(word: str) -> None:
        try:
            raise KeyError(word)
        except KeyError as error:
            raise ValueError(f"an answer {word!r}") from error

    with pytest.raises(ValueError, match="an answer") as met:
        read(WORD)
    begin_request(f"/join/colours/{KEY}")
    LOG.error("it failed", exc_info=met.value)
    (line,) = written()
    assert (line["event"], line["fault"], line["study"]) == ("it failed", "ValueError < KeyError", "colours")
    assert line["at"].count("program/test_log.py:") >= 2
    assert not {WORD, KEY} & set(json.dumps(line, ensure_ascii=False).split('"'))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"GET /join/colours/{KEY} failed", "GET /join/… failed"),
        (f"https://x.example/account/new/{KEY}: gone", "https://x.example/account/new/… gone"),
        (f"asked /annotate/?study=s&PROLIFIC_PID={KEY} twice", "asked /annotate/?… twice"),
        (f"first line\nfuture: ValueError({KEY!r})", "first line"),
    ],
)
def test_keys_and_what_follows_the_first_line_are_cut(written: Callable[[], list[Any]], said: str, kept: str) -> None:
    logging.getLogger("uvicorn.error").warning(said)
    assert [line["event"] for line in written()] == [kept]


def test_what_libraries_write_into_their_lines_is_left_out_and_warnings_come_the_same_way(
    written: Callable[[], list[Any]],
) -> None:
    logging.getLogger("aiohttp.client").error("cannot send %s", KEY)
    logging.getLogger("aiohttp.client").info("sending")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        logging.captureWarnings(True)  # pytest listens to them itself
        warnings.warn("this will go", FutureWarning, stacklevel=1)
    first, second = written()
    assert first["event"] == "cannot send %s"
    assert "FutureWarning: this will go" in second["event"]


def test_a_fault_that_comes_a_thousand_times_is_a_line_and_one_more_with_its_count(
    written: Callable[[], list[Any]],
) -> None:
    (lines,) = (handler for handler in logging.getLogger().handlers if isinstance(handler, LogHandler))
    for _ in range(1000):
        LOG.warning("it failed")
        LOG.info("it went")
    assert len(written()) == 1001
    lines.tell()
    lines.tell()
    assert [line["times"] for line in written()[1001:]] == [999]
    LOG.warning("it failed")
    assert len(written()) == 1003
