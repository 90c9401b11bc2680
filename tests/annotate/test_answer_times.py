"""The time of an answer is what the server saw: no browser makes it longer, and none makes a day's work shorter."""

from typing import Any

from annotate.worker.service import Service
from annotate.worker.stages import Act
from annotate.worker.view import View
from db.engine import Database, reading
from db.frames import judgments
from db.studies import get_study
from tests.helpers.collection import Person, Watch, arrive, make_study

ONE_PAGE: dict[str, Any] = {"page_main": 40, "page_controls": 0}


def recorded(database: Database) -> list[float]:
    with reading(database) as session:
        return [float(each) for each in judgments(session, study=get_study(session, name="colours"))["seconds"]]


def worked(person: Person) -> float:
    view = person.look()
    assert view.earnings is not None
    return view.earnings.seconds


def test_tabs_side_by_side_do_not_add_up(engine: Database, service: Service, watch: Watch) -> None:
    """Each of the tabs was open for half an hour and says so; in all half an hour and six seconds have passed."""
    make_study(engine, main=40, **ONE_PAGE)
    person = arrive(service)
    others = [arrive(service) for _ in range(3)]
    held: list[View] = []
    for other in others:
        held.append(person.look())
        watch.passes(minutes=16)
        other.look()
    for view in (*held, person.look()):
        watch.passes(seconds=2)
        person.answer(view, seconds=1800)
    assert sum(recorded(engine)) == worked(person) <= 48 * 60 + 8
    assert all(seconds <= 2 for seconds in recorded(engine)[1:])


def test_no_answer_takes_longer_than_since_the_last_one(engine: Database, service: Service, watch: Watch) -> None:
    make_study(engine, main=9, overlap=1, **ONE_PAGE)
    person = arrive(service)
    late = person.look()
    watch.passes(minutes=16)
    taken = arrive(service).look()  # may be the same item
    second = person.look()
    watch.passes(seconds=40)
    third = person.answer(second, seconds=40)
    watch.passes(seconds=7)
    person.answer(late, seconds=500)
    watch.passes(seconds=5)
    person.answer(third, seconds=500)
    assert taken.item is not None
    assert recorded(engine)[-2:] in ([7.0, 5.0], [40.0, 12.0])
    assert sum(recorded(engine)) == 52.0


def test_nobody_loses_the_time_between_an_answer_and_the_next(engine: Database, service: Service, watch: Watch) -> None:
    make_study(engine, main=6, overlap=1, training=2, **ONE_PAGE)
    person = arrive(service)
    view, told = person.look(), [12.0, 70.0, 1.5, 30.0]
    for seconds in told:
        watch.passes(seconds=seconds)
        view = person.answer(view, seconds=seconds)
    watch.passes(minutes=3)
    view = service.act("colours", person.cookie, Act("skip", token=view.token))
    watch.passes(seconds=9)
    person.answer(view, seconds=9)
    assert recorded(engine)[-5:] == [*told, 9.0]


def test_hours_end_by_the_servers_clock_whatever_the_browser_says(
    engine: Database, service: Service, watch: Watch
) -> None:
    make_study(engine, main=40, max_hours=0.01, **ONE_PAGE)  # 36 seconds
    person, answers = arrive(service), 0
    view = person.look()
    while view.stage == "work" and answers < 30:
        watch.passes(seconds=5)
        view = person.answer(view, seconds=0)
        answers += 1
    assert (answers, view.capped) == (8, True)


def test_an_undone_answer_gives_no_hours_back(engine: Database, service: Service, watch: Watch) -> None:
    make_study(engine, main=40, max_hours=0.01, **ONE_PAGE)
    person, answers = arrive(service), 0
    view = person.look()
    while view.stage == "work" and answers < 30:
        watch.passes(seconds=5)
        view = person.answer(view, seconds=5)
        answers += 1
        if view.can_undo:
            view = service.act("colours", person.cookie, Act("undo", token=view.token))
    assert answers == 8


def test_a_break_counts_a_minute_at_most(engine: Database, service: Service, watch: Watch) -> None:
    make_study(engine, main=40, max_hours=0.1, **ONE_PAGE)  # six minutes
    person, answers = arrive(service), 0
    view = person.look()
    while view.stage == "work" and answers < 30:
        watch.passes(minutes=10)
        view = person.answer(view, seconds=20)
        answers += 1
    assert answers == 6
    assert worked(person) == 120
