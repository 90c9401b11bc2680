"""A study is made while others work, and nobody finds it before it is whole; what breaks off is taken away."""

from collections.abc import Iterator
from random import Random

import pytest
from sqlalchemy import Engine, func, select

from annotate.accounts.signer import Signer
from annotate.requesters.requester_service import RequesterService
from data.errors import BadSetting, UnknownName
from data.task import Item
from db import unfinished_studies
from db.engine import Database, reading
from db.items import count_items, coverage
from db.studies import Study, check_name, get_study, list_studies
from db.study_settings import StudySettings
from db.tables import ITEM
from db.unfinished_studies import SILENT, begin_study, clear_abandoned, fill_study
from tests.helpers.collection import TASK, Watch, arrive, make_service, make_study, things


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfinished_studies, "BATCH", 10)


def store(database: Database, items: Iterator[Item] | list[Item], clock: Watch) -> Study:
    settings = StudySettings(overlap=3)
    begun = begin_study(database, name="large", task=TASK, settings=settings, seed=1, moment=clock())
    return fill_study(database, begun, items, order=Random(1), clock=clock)


def names(database: Database) -> list[str]:
    with reading(database) as session:
        return [study.name for study in list_studies(session)]


def items_in(database: Database) -> int:
    with reading(database) as session:
        return int(session.execute(select(func.count()).select_from(ITEM)).scalar_one())


def test_an_answer_in_another_study_is_stored_while_a_study_is_made(engine: Engine) -> None:
    small, worker = make_study(engine, main=30, overlap=1), arrive(make_service(engine))
    answered: list[int] = []

    def given() -> Iterator[Item]:
        for item in things("main", 25):
            worker.answer(worker.look())
            with reading(engine) as session:
                answered.append(coverage(session, study=small).filled)
            yield item

    made = store(engine, given(), Watch())
    assert answered == list(range(1, 26))
    with reading(engine) as session:
        assert (made.status, count_items(session, study=made, role="main")) == ("open", 25)
        assert coverage(session, study=made).target == 75


def test_a_study_that_nobody_answered_can_be_deleted_and_its_name_taken_again(engine: Engine) -> None:
    make_study(engine, main=30)
    store(engine, things("main", 25), Watch())
    requesters = RequesterService(engine, Signer("a secret for tests"), "http://etalon.example", Watch())
    requesters.set_status("large", "paused")
    requesters.delete("large")
    assert (names(engine), items_in(engine)) == (["colours"], 30)
    store(engine, things("main", 5), Watch())
    arrive(make_service(engine))
    with pytest.raises(BadSetting, match="people have been in study 'colours', and what they gave is never deleted"):
        requesters.delete("colours")


def test_nobody_finds_a_study_before_it_is_whole(sqlite: Engine) -> None:
    def given() -> Iterator[Item]:
        for item in things("main", 25):
            with reading(sqlite) as session:
                with pytest.raises(UnknownName):
                    get_study(session, name="large")
                with pytest.raises(BadSetting, match="'large' is being made right now"):
                    check_name(session, "large")
            assert names(sqlite) == []
            yield item

    store(sqlite, given(), Watch())
    assert names(sqlite) == ["large"]


def test_what_an_error_breaks_off_is_gone_when_the_next_study_is_made(engine: Engine) -> None:
    def given() -> Iterator[Item]:
        yield from things("main", 25)
        raise BadSetting("the disk is full")

    clock = Watch()
    with pytest.raises(BadSetting, match="the disk is full"):
        store(engine, given(), clock)
    assert (names(engine), items_in(engine)) == ([], 20)
    clear_abandoned(engine, clock())
    assert items_in(engine) == 0
    store(engine, things("main", 3), clock)
    assert (names(engine), items_in(engine)) == (["large"], 3)


def test_what_a_dead_server_left_goes_after_a_while_and_who_was_only_asleep_is_told(sqlite: Engine) -> None:
    clock, left = Watch(), list[int]()

    def given() -> Iterator[Item]:
        yield from things("main", 15)
        for later in (SILENT, 2 * SILENT):
            clear_abandoned(sqlite, clock() + later)
            left.append(items_in(sqlite))
        yield from things("control", 15)

    with pytest.raises(BadSetting, match="'large' was given up after a long pause; make it again"):
        store(sqlite, given(), clock)
    assert (left, items_in(sqlite), names(sqlite)) == ([10, 0], 0, [])
