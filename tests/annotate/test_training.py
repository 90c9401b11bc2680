"""Attempts at the training: what counts in each, when the next one opens, and how the last one ends."""

from typing import Any

import pytest

from annotate.consent import needed, passed
from annotate.pages.manage.workers_tab import draw_events
from annotate.requesters.study_plan import forecast
from annotate.worker import screens
from annotate.worker.stages import Act
from annotate.worker.view import Tried, View
from data.drawing.environment import NO_BREAK
from db import frames
from db.engine import Database, reading
from db.events import list_events
from db.studies import Study
from db.study_settings import StudySettings
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study, planned


def person_of(database: Database, clock: Watch, **settings: Any) -> tuple[Study, Person]:
    """A study with three training items, of which two must be right, and somebody who has read the instruction."""
    study = make_study(database, main=2, training=3, overlap=1, **{"training_pass": 0.6} | settings)
    person = arrive(make_service(database, clock), ready=False)
    person.enter()
    return study, person


def answers(person: Person, *labels: str) -> View:
    """Answer the training items with these labels, and return what comes after the last explanation."""
    for label in labels:
        view = person.look()
        assert view.stage == "training", view.stage
        person.answer(view, label)
        view = person.service.act(person.study, person.cookie, Act("next"))
    return view


def again(person: Person) -> View:
    return person.service.act(person.study, person.cookie, Act("again"))


def test_who_fails_begins_all_training_items_anew_and_only_the_new_answers_count(engine: Database) -> None:
    study, person = person_of(engine, Watch(), training_attempts=2)
    failed = answers(person, "red", "green", "green")
    assert (failed.stage, failed.tried) == ("again", Tried(right=1, answered=3, needed=2, attempts_left=1))
    begun = again(person)
    assert (begun.stage, begun.progress and begun.progress.place, begun.progress and begun.progress.size) == (
        "training", 1, 3,
    )  # fmt: skip
    assert begun.item is not None
    assert begun.item.fields == {"thing": "training thing 0"}
    assert again(person).token == begun.token  # a second press changes nothing
    assert answers(person, "green", "red", "red").stage == "work"
    with reading(engine) as session:
        given = frames.judgments(session, study=study)
        events = list_events(session, study=study)
    assert list(given["role"]) == ["training"] * 6
    assert [(one.kind, one.worker == one.who, one.details) for one in events] == [("retried", True, {"attempt": 2})]
    assert "<small>attempt 2</small>" in draw_events(events)


def test_a_practice_item_is_paid_once_however_often_it_is_tried(engine: Database) -> None:
    _, person = person_of(engine, Watch(), training_attempts=2, training_price=0.5)
    failed = answers(person, "green", "green", "green")
    again(person)
    passed_now = answers(person, "red", "red", "red")
    assert (failed.stage, passed_now.stage) == ("again", "work")
    assert failed.earnings
    assert passed_now.earnings
    assert (failed.earnings.earned, passed_now.earnings.earned) == (0.0, 1.5)


def test_the_next_attempt_opens_after_the_pause_and_a_restart_forgets_nothing(engine: Database) -> None:
    clock = Watch()
    _, person = person_of(engine, clock, training_attempts=2, training_pause_minutes=30)
    assert answers(person, "green", "green", "green").tried == Tried(0, 3, 2, attempts_left=1, minutes=30)
    clock.passes(minutes=12, seconds=20)
    early = again(person)
    assert (early.stage, early.tried and early.tried.minutes) == ("again", 18)
    drawn = screens.html(early)
    assert f"18{NO_BREAK}мин" in drawn
    assert 'data-act="again"' not in drawn
    clock.passes(minutes=17, seconds=39)
    assert again(person).stage == "again"  # one second is missing
    restarted = Person(make_service(engine, clock), person.study, person.cookie)
    clock.passes(seconds=1)
    opened = restarted.look()
    assert (opened.stage, opened.tried and opened.tried.minutes) == ("again", 0)
    assert 'data-act="again"' in screens.html(opened)
    assert again(restarted).stage == "training"


def test_the_last_attempt_that_fails_ends_as_the_only_one_does(engine: Database) -> None:
    study, person = person_of(engine, Watch(), training_attempts=3)
    for left in (2, 1):
        failed = answers(person, "red", "green", "green")
        assert failed.tried == Tried(right=1, answered=3, needed=2, attempts_left=left)
        again(person)
    ended = answers(person, "green", "green", "green")
    assert (ended.stage, ended.tried) == ("failed", Tried(right=0, answered=3, needed=2))
    assert "0 из 3" in screens.html(ended).replace(NO_BREAK, " ")
    assert (again(person).stage, person.look().stage) == ("failed", "failed")
    with reading(engine) as session:
        assert len(frames.excluded_workers(session, study=study)) == 1


def test_with_one_attempt_nothing_is_begun_again(sqlite: Database) -> None:
    _, person = person_of(sqlite, Watch())
    assert answers(person, "red", "green", "green").stage == "failed"
    assert again(person).stage == "failed"


def test_in_each_attempt_the_first_answer_counts_though_a_late_one_comes_after_it(engine: Database) -> None:
    clock = Watch()
    _, person = person_of(engine, clock, training_attempts=2)
    answers(person, "green", "green", "green")
    overdue = again(person)
    clock.passes(hours=1)
    person.answer(person.look(), "red")  # the lease ran out; the same item under a new one
    person.answer(overdue, "green")  # and then from another tab that was left open
    person.service.act(person.study, person.cookie, Act("next"))
    assert answers(person, "red", "green").stage == "work"  # two of three


def test_a_late_practice_answer_takes_the_place_of_the_item_in_hand(engine: Database) -> None:
    clock = Watch()
    make_study(engine, main=1, training=1, overlap=1)
    person = arrive(make_service(engine, clock), ready=False)
    overdue = person.enter()
    clock.passes(hours=1)
    anew = person.look()
    assert anew.token != overdue.token
    told = person.answer(overdue, "red")
    assert (told.stage, told.feedback and told.feedback.right) == ("feedback", True)
    view = person.service.act(person.study, person.cookie, Act("next"))
    assert (view.stage, view.item and view.item.fields) == ("work", {"thing": "main thing 0"})
    assert person.answer(anew, "green").item == view.item  # late as well, and the work stays where it is


def test_between_attempts_no_other_step_leads_on_and_the_language_may_change(sqlite: Database) -> None:
    _, person = person_of(sqlite, Watch(), training_attempts=2, training_pause_minutes=24 * 60)
    view = answers(person, "green", "green", "green")
    assert view.tried is not None
    assert view.tried.minutes == 24 * 60
    assert person.service.act(person.study, person.cookie, Act("begin")).stage == "again"
    assert person.service.act(person.study, person.cookie, Act("language", value="en")).language == "en"


def test_shares_that_binary_fractions_miss_pass_at_their_number() -> None:
    assert (needed(20, 0.55), needed(3, 0.8), needed(10, 0.7), needed(4, 0)) == (11, 3, 7, 0)
    assert passed(right=11, answered=20, mark=0.55)


@pytest.mark.parametrize(("attempts", "expected"), [(1, 6 / 32), (2, 348 / 1024), (3, 1 - (26 / 32) ** 3)])
def test_a_guesser_passes_in_one_of_the_attempts(attempts: int, expected: float) -> None:
    # At least 4 of 5 coins is 6/32 once; 1 - (26/32)^2 = 348/1024 in one of two.
    settings = StudySettings(training_attempts=attempts)
    numbers: dict[str, Any] = {
        "items": 100,
        "training": 5,
        "control": 0,
        "overlap": 3,
        "page_main": 8,
        "page_controls": 0,
    }
    asked_for = planned(**numbers, training_pass=0.8, training_attempts=settings.training_attempts, price=0)
    found = forecast(asked_for, settings, chance=0.5, seconds=9, scored=True)
    assert found.guesser_trains == pytest.approx(expected)
