"""Archived studies: off the list unless they are asked for, with all else as it was, and in the history."""

import pytest

from annotate.accounts.signer import Signer
from annotate.requesters.requester_service import RequesterService
from db.engine import Database, reading
from db.events import list_events
from db.studies import get_study
from tests.helpers.collection import arrive, make_service, make_study


@pytest.fixture
def requesters(engine: Database) -> RequesterService:
    for name in ("colours", "shapes-of-spring"):
        make_study(engine, name=name, main=2)
    return RequesterService(engine, Signer("a secret for tests"), "http://localhost")


def listed(requesters: RequesterService, words: str = "") -> list[str]:
    return [card.study.name for card in requesters.studies(words)]


def test_studies_are_found_by_name_task_and_state(requesters: RequesterService) -> None:
    requesters.set_status("colours", "closed")
    assert listed(requesters) == ["shapes-of-spring", "colours"]
    assert listed(requesters, "SPRING") == ["shapes-of-spring"]
    assert listed(requesters, "closed") == ["colours"]
    assert listed(requesters, "closed spring") == []
    task = requesters.study("colours").study.task.id
    assert listed(requesters, task) == ["shapes-of-spring", "colours"]


def test_an_archived_study_is_listed_when_it_is_asked_for_and_goes_on(
    requesters: RequesterService, engine: Database
) -> None:
    before = requesters.study("colours")
    for _ in range(2):
        after = requesters.archive("colours", who="ann")
    assert (before.study.archived, after.study.archived, after.study.status) == (False, True, "open")
    assert listed(requesters) == listed(requesters, "o") == ["shapes-of-spring"]
    assert listed(requesters, "archived") == listed(requesters, "col Archived") == ["colours"]
    assert arrive(make_service(engine)).look().stage == "work"
    assert not requesters.archive("colours", archived=False, who="bob").study.archived
    assert listed(requesters) == ["shapes-of-spring", "colours"]
    with reading(engine) as session:
        events = list_events(session, study=get_study(session, name="colours"))
    assert [(event.kind, event.who) for event in events] == [("unarchived", "bob"), ("archived", "ann")]
