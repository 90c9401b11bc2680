"""A server that has nothing else to do computes its newest studies before anybody asks for them."""

from threading import Event
from typing import Any

import pytest
from sqlalchemy import Engine

from baseline.pages.shelf import Shelf
from baseline.pages.warming import answered, idle, warm, warmed
from tests.test_ahead import computed as computed
from tests.test_item_page import made


def test_studies_with_answers_are_ready_before_they_are_asked_for(sqlite: Engine, computed: list[str]) -> None:
    made(sqlite, "rrg", "ggr")
    shelf = Shelf(sqlite)
    warm(shelf, lambda: True)
    assert computed == ["colours"]
    shelf.open("colours")
    assert computed == ["colours"]


def test_nothing_is_computed_where_the_server_never_rests(sqlite: Engine, computed: list[str]) -> None:
    made(sqlite, "rrg", "ggr")
    warm(Shelf(sqlite), lambda: False)
    assert computed == []


def test_a_study_that_fails_is_told_in_one_line(
    sqlite: Engine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made(sqlite, "rrg", "ggr")

    def broken(*_: Any) -> None:
        raise ValueError("a row that\nnobody expected")

    monkeypatch.setattr(Shelf, "open", broken)
    warm(Shelf(sqlite), lambda: True)
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "'colours' could not be computed ahead" in told


def test_a_study_without_answers_is_left(sqlite: Engine) -> None:
    made(sqlite, "")
    assert answered(sqlite) == []


def test_the_end_of_the_server_ends_the_waiting(sqlite: Engine, computed: list[str]) -> None:
    made(sqlite, "rrg", "ggr")
    stop = Event()
    stop.set()
    assert not idle(stop)
    with warmed(Shelf(sqlite)):
        pass
    assert computed == []
