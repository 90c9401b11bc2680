"""Excluding and restoring workers by hand: what becomes of their answers, of the items and of what they earned."""

from types import SimpleNamespace
from typing import Any

import gradio as gr
import pytest
from sqlalchemy import Engine, text

from annotate.pages.manage.workers_tab import EXCLUDE, RESTORE, WorkersTab
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from annotate.worker.stages import Act
from data.errors import BadSetting, UnknownName
from db import frames
from db.assignments import settle_expired
from db.engine import Database, reading, writing
from db.events import Cause, Event, list_events
from db.exclusions import enrolled, pause
from db.judgments import AFTERWARDS, EXCLUDED
from db.studies import get_study
from db.workers import Enrolment
from tests.helpers.collection import SIGNER, Person, Watch, arrive, make_service, make_study, status_of
from tests.helpers.components import built

WHY = "clicked through"


def oversight(database: Database) -> Oversight:
    return Oversight(database, Watch())


def name_of(database: Database, person: Person) -> str:
    return enrolment_of(database, person).worker


def enrolment_of(database: Database, person: Person) -> Enrolment:
    key = person.service.signer.enrolment(person.cookie)
    with writing(database) as session:
        study = get_study(session, name=person.study)
        worker = session.execute(
            text("SELECT name FROM worker JOIN enrolment ON worker.id = worker_id WHERE enrolment.id = :key"),
            {"key": key.id if key else 0},
        )
        return enrolled(session, study=study, worker=worker.scalar_one())


def slots(database: Database) -> list[tuple[int, int, int]]:
    """(filled, held, free) of the main items in their order."""
    with reading(database) as session:
        rows = session.execute(text("SELECT filled, held, free FROM item WHERE role = 'main' ORDER BY place"))
        return [(row[0], row[1], row[2]) for row in rows]


def statuses(database: Database, worker: str, role: str = "main") -> list[tuple[str, str | None]]:
    with reading(database) as session:
        frame = frames.judgments(session, study=get_study(session, name="colours"))
    mine = frame[(frame["worker"] == worker) & (frame["role"] == role)]
    return list(mine[["status", "reason"]].itertuples(index=False, name=None))


def events(database: Database) -> list[Event]:
    with reading(database) as session:
        return list_events(session, study=get_study(session, name="colours"))


def workers_tab(database: Engine) -> WorkersTab:
    requesters = RequesterService(database, SIGNER, "http://here", Watch())
    return built(lambda: WorkersTab(requesters, gr.State(None)))


def test_a_button_does_what_it_said_whatever_another_manager_did_meanwhile(sqlite: Engine) -> None:
    make_study(sqlite)
    person = arrive(make_service(sqlite, Watch()))
    worker, requesters, bob = name_of(sqlite, person), oversight(sqlite), SimpleNamespace(username="bob")
    page: Any = workers_tab(sqlite)
    requesters.exclude("colours", worker, who="anna", reason=WHY)
    page.act("colours", worker, WHY, EXCLUDE, bob)
    assert status_of(requesters, "colours", worker) == "excluded"
    page.act("colours", worker, WHY, RESTORE, bob)
    page.act("colours", worker, WHY, RESTORE, bob)
    assert status_of(requesters, "colours", worker) == "active"
    assert [event.who for event in events(sqlite) if event.kind in ("excluded", "restored")] == ["bob", "anna"]


def test_reading_the_workers_again_keeps_who_is_chosen(sqlite: Engine) -> None:
    make_study(sqlite)
    worker, page = name_of(sqlite, arrive(make_service(sqlite, Watch()))), workers_tab(sqlite)
    everybody, one = page.show("colours", None), page.show("colours", worker)
    assert worker in everybody[page.table]["value"]
    assert everybody[page.worker]["choices"] == [worker]
    assert everybody[page.worker]["value"] is None
    assert (everybody[page.table]["visible"], everybody[page.exclude]["interactive"]) == (True, False)
    assert (one[page.worker]["value"], one[page.table]["visible"]) == (worker, False)
    assert f"{worker} has not answered an item yet." in one[page.answers]
    assert page.show("colours", "w-of another study")[page.worker]["value"] is None


def test_a_workers_page_has_figures_answers_with_their_texts_and_events(sqlite: Engine) -> None:
    make_study(sqlite, main=3, control=1, overlap=3, page_main=3, page_controls=1, price=2)
    watch = Watch()
    service = make_service(sqlite, watch)
    people = [arrive(service) for _ in range(3)]
    for person, label in zip(people, ("green", "red", "red"), strict=True):
        for place in range(4):
            view = person.look()
            watch.passes(seconds=4 + place)
            person.answer(view, label, seconds=4 + place)
    worker, requesters = name_of(sqlite, people[0]), oversight(sqlite)
    requesters.exclude("colours", name_of(sqlite, people[2]), who="anna", reason=WHY)
    requesters.restore("colours", name_of(sqlite, people[2]), who="anna", reason=WHY)
    record = requesters.record("colours", worker)
    assert (record.agreed, record.compared) == (0, 3), "two others say red on each main item"
    assert (record.line.right, record.line.controls, record.line.work.pay) == (0, 1, 8)
    assert record.median is not None
    assert 4 <= record.median <= 7
    other = requesters.record("colours", name_of(sqlite, people[1]))
    assert (other.agreed, other.compared) == (0, 0), "of the two others one says green: no majority"
    drawn = workers_tab(sqlite).show("colours", worker)
    page = str(drawn)
    assert "main thing 1" in page
    assert WHY not in page


@pytest.mark.each_database
def test_an_excluded_workers_answers_leave_their_places_and_come_back(engine: Database) -> None:
    make_study(engine, main=3, control=1, overlap=2, page_main=3, page_controls=1, price=2)
    person = arrive(make_service(engine, Watch()))
    for _ in range(4):
        person.answer(person.look())
    worker, before = name_of(engine, person), enrolment_of(engine, person)
    counted = slots(engine)

    assert oversight(engine).exclude("colours", worker, who="anna", reason=WHY)
    assert person.look().stage == "stopped"
    assert status_of(oversight(engine), "colours", worker) == "excluded"
    assert slots(engine) == [(0, 0, 2)] * 3
    main = len(statuses(engine, worker))
    assert statuses(engine, worker) == [("void", EXCLUDED)] * main
    assert set(statuses(engine, worker, "control")) <= {("counted", None)}
    after = enrolment_of(engine, person)
    assert (after.answers, after.earned) == (before.answers, before.earned)
    with reading(engine) as session:
        assert frames.excluded_workers(session, study=get_study(session, name="colours")) == {worker}

    assert oversight(engine).restore("colours", worker, who="boris", reason="a mistake")
    assert slots(engine) == counted
    assert statuses(engine, worker) == [("counted", None)] * main
    back = enrolment_of(engine, person)
    assert (back.status, back.answers, back.earned) == ("active", before.answers, before.earned)
    told = [(event.kind, event.who, event.reason, event.worker) for event in events(engine)]
    assert told == [("restored", "boris", "a mistake", worker), ("excluded", "anna", WHY, worker)]
    assert len(events(engine)[1].details["void"]) == main


@pytest.mark.each_database
def test_reopened_items_go_to_others_and_what_finds_no_room_is_surplus(engine: Database) -> None:
    make_study(engine, main=2, overlap=1)
    service = make_service(engine, Watch())
    first = arrive(service)
    list(first.work())
    second = arrive(service)
    assert second.look().stage == "done"
    worker = name_of(engine, first)
    oversight(engine).exclude("colours", worker, who="anna", reason=WHY)
    view = second.look()
    assert sorted(slots(engine)) == [(0, 0, 1), (0, 1, 0)]
    oversight(engine).restore("colours", worker, who="anna", reason="a mistake")
    second.answer(view)
    assert sorted(statuses(engine, worker)) == [("counted", None), ("surplus", None)]
    assert slots(engine) == [(1, 0, 0)] * 2
    assert enrolment_of(engine, first).answers == 2


@pytest.mark.each_database
def test_what_an_excluded_worker_holds_is_given_back_and_a_late_answer_counts_for_nothing(engine: Database) -> None:
    make_study(engine, main=1, overlap=1, price=2)
    watch = Watch()
    person = arrive(make_service(engine, watch))
    view = person.look()
    worker = name_of(engine, person)
    oversight(engine).exclude("colours", worker, who="anna", reason=WHY)
    assert slots(engine) == [(0, 0, 1)]
    watch.passes(minutes=16)
    assert person.answer(view).stage == "stopped"
    assert statuses(engine, worker) == [("void", AFTERWARDS)]
    assert slots(engine) == [(0, 0, 1)]
    assert (enrolment_of(engine, person).answers, enrolment_of(engine, person).earned) == (0, 0)
    oversight(engine).restore("colours", worker, who="anna", reason="a mistake")
    assert slots(engine) == [(1, 0, 0)]


def paid(database: Database) -> float:
    return float(oversight(database).payments("colours").frame["total"].sum())


@pytest.mark.parametrize("role", ["main", "control"])
@pytest.mark.parametrize("stop", ["exclude", "pause"])
def test_the_answer_on_the_screen_when_a_worker_is_stopped_is_owed_once(engine: Database, role: str, stop: str) -> None:
    make_study(engine, main=8, control=8, overlap=1, page_main=1, page_controls=1, price=2)
    watch = Watch()
    service = make_service(engine, watch)
    person = arrive(service)
    view = person.look()
    while view.item is None or not view.item.fields["thing"].startswith(role):
        view = person.answer(view)
    worker, before = name_of(engine, person), enrolment_of(engine, person)
    if stop == "exclude":
        oversight(engine).exclude("colours", worker, who="anna", reason=WHY)
    else:
        with writing(engine) as session:
            pause(session, enrolment=before, cause=Cause("rule", watch(), WHY, "trap"), sitting=False)
    list(arrive(service).work())  # somebody else has answered the item by now, if it is a main one
    earned = paid(engine)
    watch.passes(minutes=14)
    assert service.state("colours", person.cookie, token=view.token).item_outcome == "interrupted"
    for _ in range(2):
        sent = person.answer(view)
        assert sent.stage == {"exclude": "stopped", "pause": "on_hold"}[stop]
    assert (sent.earnings and sent.earnings.earned) == before.earned + 2
    assert paid(engine) == earned + 2
    kept = statuses(engine, worker, role)[-1]
    if role == "control":
        assert kept == ("counted", None), "an exclusion leaves answers to controls, as the evidence"
    else:
        assert kept == (("void", EXCLUDED) if stop == "exclude" else ("surplus", None))
    assert all(filled <= 1 for filled, _, _ in slots(engine))


@pytest.mark.each_database
def test_of_what_a_worker_held_before_only_the_item_in_hand_is_owed(engine: Database) -> None:
    make_study(engine, main=8, overlap=1, page_controls=0, price=2)
    watch = Watch()
    person = arrive(make_service(engine, watch))
    old = person.look()
    watch.passes(minutes=16)
    with writing(engine) as session:  # others take it meanwhile
        settle_expired(session, study_id=1, moment=watch())
        session.execute(
            text("UPDATE item SET free = 0, held = 1 WHERE free = 1 AND id IN (SELECT item_id FROM assignment)")
        )
    held = person.look()
    assert held.token != old.token
    oversight(engine).exclude("colours", name_of(engine, person), who="anna", reason=WHY)
    assert [person.answer(view).item_outcome for view in (old, held)] == ["stopped", ""]
    assert paid(engine) == 2


def test_an_undone_item_of_a_sitting_that_is_broken_off_is_not_owed_as_one_in_hand(engine: Database) -> None:
    make_study(engine, main=3, overlap=1, sitting=True, price=2)
    watch = Watch()
    person = arrive(make_service(engine, watch))
    first = person.look()
    second = person.answer(first)
    back = person.service.act("colours", person.cookie, Act("undo", token=second.token))
    oversight(engine).exclude("colours", name_of(engine, person), who="anna", reason=WHY)
    watch.passes(seconds=1)
    assert person.answer(second).item_outcome == "stopped", "it was put back before"
    assert person.answer(back).item_outcome == ""
    assert paid(engine) == 2


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_the_answer_on_the_screen_when_a_study_is_paused_counts_and_is_paid(engine: Database, status: Any) -> None:
    make_study(engine, main=3, overlap=1, page_controls=0, price=2)
    watch = Watch()
    service = make_service(engine, watch)
    person = arrive(service)
    view, requesters = person.look(), oversight(engine)
    with writing(engine) as session:
        requesters.set_status(session, get_study(session, name="colours"), status, who="anna")
    told = service.state("colours", person.cookie, token=view.token)
    assert (told.stage, told.item_outcome) == (status, "interrupted")
    watch.passes(minutes=14)
    sent = person.answer(view)
    assert (sent.stage, sent.item_outcome) == (status, "")
    assert statuses(engine, name_of(engine, person)) == [("counted", None)]
    assert paid(engine) == 2
    assert service.state("colours", person.cookie, token=view.token).item_outcome == "elsewhere"


def test_doing_it_twice_changes_nothing_and_says_so(engine: Database) -> None:
    make_study(engine)
    worker = name_of(engine, arrive(make_service(engine, Watch())))
    watch = oversight(engine)
    assert not watch.restore("colours", worker, who="anna", reason="why not")
    assert watch.exclude("colours", worker, who="anna", reason=WHY)
    assert not watch.exclude("colours", worker, who="anna", reason=WHY)
    assert len(events(engine)) == 1


def test_a_reason_is_asked_for_and_the_worker_must_be_in_the_study(sqlite: Database) -> None:
    make_study(sqlite)
    worker = name_of(sqlite, arrive(make_service(sqlite, Watch())))
    with pytest.raises(BadSetting, match="reason"):
        oversight(sqlite).exclude("colours", worker, who="anna", reason="  ")
    with pytest.raises(UnknownName, match="did you mean"):
        oversight(sqlite).exclude("colours", worker[:-1], who="anna", reason=WHY)


@pytest.mark.each_database
def test_the_answers_of_a_sitting_come_back_whole_or_as_surplus(engine: Database) -> None:
    make_study(engine, main=2, overlap=1, sitting=True)
    service = make_service(engine, Watch())
    first = arrive(service)
    list(first.work())
    worker = name_of(engine, first)
    oversight(engine).exclude("colours", worker, who="anna", reason=WHY)
    second = arrive(service)
    second.answer(second.look())
    assert slots(engine) == [(1, 0, 0), (0, 1, 0)]
    oversight(engine).restore("colours", worker, who="anna", reason="a mistake")
    assert statuses(engine, worker) == [("surplus", None)] * 2


def test_an_item_with_more_answers_than_it_wants_has_no_free_place(engine: Database) -> None:
    make_study(engine, main=1, overlap=2)
    service = make_service(engine, Watch())
    people = [arrive(service) for _ in range(2)]
    for person in people:
        list(person.work())
    with engine.begin() as connection:
        connection.execute(text("UPDATE item SET target = 1"))
    oversight(engine).exclude("colours", name_of(engine, people[0]), who="anna", reason=WHY)
    assert slots(engine) == [(1, 0, 0)]
