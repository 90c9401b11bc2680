"""Dynamic overlap: an item gets another answer while its leading one is in doubt, and never more than the most."""

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import text

from annotate.overlap import posterior_of_leader
from annotate.requesters.oversight import Oversight
from annotate.worker.stages import Act
from db.engine import Database, reading, writing
from db.items import list_items
from db.judgments import Judgment, add_judgments, counts
from db.studies import Study, get_study
from db.study_settings import StudySettings
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study

RED, GREEN = "red", "green"
NO_RULES = {"control": {"action": "none"}, "constant": {"action": "none"}}
DYNAMIC: dict[str, Any] = {"control": 1, "page_controls": 0, "overlap_max": 5, "confidence": 0.85, "quality": NO_RULES}


def crowd(database: Database, number: int, *, right: int = 1) -> list[Person]:
    """People with so many controls behind them, all right: with one, each vote is worth odds of 3."""
    service = make_service(database, Watch())
    people = [arrive(service) for _ in range(number)]
    with writing(database) as session:
        study = get_study(session, name="colours")
        control = list_items(session, study=study, role="control")[0].key
        add_judgments(
            session,
            study=study,
            judgments=[
                Judgment(control, worker_of(database, person), RED, repeat=n) for person in people for n in range(right)
            ],
        )
    return people


def worker_of(database: Database, person: Person) -> int:
    with reading(database) as session:
        statement = text("SELECT worker_id FROM enrolment WHERE id = :key")
        key = person.service.signer.enrolment(person.cookie)
        return int(session.execute(statement, {"key": key.id if key else 0}).scalar_one())


def name_of(database: Database, person: Person) -> str:
    with reading(database) as session:
        statement = text("SELECT name FROM worker WHERE id = :key")
        return str(session.execute(statement, {"key": worker_of(database, person)}).scalar_one())


def standing(database: Database) -> list[tuple[int, int, int, int]]:
    """(target, filled, held, free) of the main items, in their order."""
    with reading(database) as session:
        rows = session.execute(text("SELECT target, filled, held, free FROM item WHERE role = 'main' ORDER BY place"))
        return [(*row,) for row in rows]


def answers(people: list[Person], labels: str) -> None:
    """Let one person after the other answer the item in hand: r or g."""
    for person, label in zip(people, labels, strict=True):
        person.answer(person.look(), {"r": RED, "g": GREEN}[label])


@pytest.mark.parametrize(
    ("labels", "target", "free"),
    [("rr", 3, 1), ("rrr", 3, 0), ("rrg", 4, 1), ("rrgr", 4, 0), ("rrgg", 5, 1), ("rrggr", 5, 0)],
)
def test_an_item_in_doubt_gets_another_answer(sqlite: Database, labels: str, target: int, free: int) -> None:
    """3 of 3 have the posterior 27/28, 2 of 3 have 3/4, 3 of 4 have 9/10; at the most nothing more is asked for."""
    make_study(sqlite, main=1, overlap=3, **DYNAMIC)
    answers(crowd(sqlite, len(labels)), labels)
    assert standing(sqlite) == [(target, len(labels), 0, free)]


def test_people_without_controls_leave_two_options_in_doubt_to_the_end(sqlite: Database) -> None:
    make_study(sqlite, main=1, overlap=2, **DYNAMIC)
    people = crowd(sqlite, 6, right=0)
    answers(people[:5], "rrrrr")
    assert standing(sqlite) == [(5, 5, 0, 0)]
    assert people[5].look().stage == "done"


def test_a_fixed_overlap_stays(sqlite: Database) -> None:
    make_study(sqlite, main=1, overlap=3, **{**DYNAMIC, "overlap_max": None})
    answers(crowd(sqlite, 3), "rrg")
    assert standing(sqlite) == [(3, 3, 0, 0)]


def test_an_answer_taken_back_takes_the_place_back_that_it_made(engine: Database) -> None:
    make_study(engine, main=2, overlap=3, **DYNAMIC, page_main=10)
    people = crowd(engine, 3)
    for person in people[:2]:
        list(person.work())
    last = people[2]
    view = last.look()
    after = last.answer(view, GREEN)
    assert sorted(standing(engine)) == [(3, 2, 1, 0), (4, 3, 0, 1)]
    last.service.act("colours", last.cookie, Act("undo", token=after.token))
    assert sorted(standing(engine)) == [(3, 2, 0, 1), (3, 2, 1, 0)]
    last.answer(last.look(), RED)
    assert sorted(standing(engine)) == [(3, 2, 1, 0), (3, 3, 0, 0)]


def test_excluding_and_restoring_settle_the_targets_anew(engine: Database) -> None:
    make_study(engine, main=1, overlap=3, **DYNAMIC)
    people = crowd(engine, 4)
    answers(people, "rrgr")
    watch = Oversight(engine, Watch())
    red, green = name_of(engine, people[0]), name_of(engine, people[2])
    watch.exclude("colours", green, who="anna", reason="guesses")
    assert standing(engine) == [(3, 3, 0, 0)]  # 3 of 3
    watch.restore("colours", green, who="anna", reason="a mistake")
    assert standing(engine) == [(3, 3, 0, 0)]  # no room: kept as surplus
    watch.exclude("colours", red, who="anna", reason="guesses")
    assert standing(engine) == [(3, 2, 0, 1)]
    watch.restore("colours", red, who="anna", reason="a mistake")
    assert standing(engine) == [(3, 3, 0, 0)]


def test_an_answer_that_leaves_doubt_behind_by_going_asks_for_another(engine: Database) -> None:
    make_study(engine, main=1, overlap=3, **DYNAMIC)
    people = crowd(engine, 5)
    answers(people[:4], "rrgr")
    Oversight(engine, Watch()).exclude("colours", name_of(engine, people[0]), who="anna", reason="guesses")
    assert standing(engine) == [(4, 3, 0, 1)]  # 2 of 3
    people[4].answer(people[4].look(), RED)
    assert standing(engine) == [(4, 4, 0, 0)]


def test_a_late_answer_to_an_item_that_is_sure_is_surplus_and_decides_nothing(engine: Database) -> None:
    make_study(engine, main=1, overlap=2, lease_minutes=10, **{**DYNAMIC, "overlap_max": 3})
    people = crowd(engine, 3)
    view = people[0].look()
    watch = people[0].service.clock
    assert isinstance(watch, Watch)
    watch.passes(minutes=20)
    answers(people[1:], "rr")
    assert standing(engine) == [(2, 2, 0, 0)]  # 9 to 1
    assert people[0].answer(view, GREEN).item_outcome == "surplus"
    assert standing(engine) == [(2, 2, 0, 0)]


def test_people_at_once_leave_every_item_sure_or_at_its_most_and_none_above(engine: Database) -> None:
    study = make_study(engine, main=10, overlap=2, page_main=50, **{**DYNAMIC, "overlap_max": 4})
    people = crowd(engine, 8)

    def works(number: int) -> None:
        person, chance = people[number], Random(number)
        view = person.look()
        while view.stage == "work":
            if view.can_undo and chance.random() < 0.1:
                view = person.service.act("colours", person.cookie, Act("undo", token=view.token))
            view = person.answer(view, RED if chance.random() < 0.75 else GREEN)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(works, range(8)))
    for person in people:  # who was done early may be wanted again: an item was found in doubt since
        list(person.work(GREEN))
    targets = [item[0] for item in standing(engine)]
    assert standing(engine) == [(target, target, 0, 0) for target in targets]
    assert set(targets) <= {2, 3, 4}
    assert all(target == 4 or sure(engine, study, place) >= 0.85 for place, target in enumerate(targets))
    assert len(set(targets)) > 1


def sure(database: Database, study: Study, place: int) -> float:
    with writing(database) as session:
        key = list_items(session, study=study, role="main")[place].key
        fields = counts(session, item_key=key).fields
        return posterior_of_leader(session, study=study, item_key=key, fields=fields)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"overlap": 5, "overlap_max": 3}, "must be 5 or more"),
        ({"overlap_max": 51}, "less than or equal to 50"),
        ({"sitting": True, "overlap_max": 6}, "counts whole variants"),
        ({"page_controls": 1, "page_controls_proven": 2}, "must be 1 or less"),
        ({"confidence": 1}, "less than 1"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(given: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        StudySettings.model_validate(given)
