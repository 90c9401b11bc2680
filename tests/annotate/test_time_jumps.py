"""A session whose clock jumps: forward past every lease, and back; nothing is counted too often or held for ever."""

from random import Random

import pytest
from sqlalchemy import text

from db.engine import Database
from tests.helpers.collection import Watch, arrive, make_service, make_study


def counts(database: Database) -> list[tuple[int, ...]]:
    """(target, filled, held, free, counted judgments, leases held) of each main item."""
    statement = text(
        "SELECT target, filled, held, free, "
        "(SELECT count(*) FROM judgment WHERE item_id = item.id AND status = 'counted'), "
        "(SELECT count(*) FROM assignment WHERE item_id = item.id AND status = 'held') "
        "FROM item WHERE role = 'main' ORDER BY place"
    )
    with database.connect() as connection:
        return [(*row,) for row in connection.execute(statement)]


def test_a_clock_that_jumps_leaves_every_count_true(engine: Database) -> None:
    make_study(engine, main=5, control=2, overlap=2, lease_minutes=10, page_main=3, page_controls=1)
    service = make_service(engine, watch := Watch())
    people, chance = [arrive(service) for _ in range(4)], Random(11)
    views = [person.look() for person in people]
    while any(view.stage == "work" for view in views):
        number = chance.randrange(len(people))
        deed, view = chance.random(), views[number]
        if deed < 0.25:
            watch.passes(minutes=chance.choice((-180, -9, 9, 11, 600)))
        if deed < 0.5 or view.stage != "work":
            views[number] = people[number].look()
        else:  # perhaps long after the lease ran out, perhaps before it began
            views[number] = people[number].answer(view)
        for target, filled, held, free, counted, leases in counts(engine):
            assert (filled, held) == (counted, leases)
            assert filled + held + free == target
            assert free >= 0
    watch.passes(days=1)
    for person in people:
        list(person.work())
    assert counts(engine) == [(2, 2, 0, 0, 2, 0)] * 5


@pytest.mark.parametrize(("told", "taken"), [(20.0, 20.0), (5000.0, 600.0)])
def test_an_answer_over_a_clock_that_was_set_back_took_what_the_page_says_a_lease_at_most(
    told: float, taken: float, engine: Database
) -> None:
    make_study(engine, main=1, lease_minutes=10)
    person = arrive(make_service(engine, watch := Watch()))
    view = person.look()
    watch.passes(minutes=-30)
    person.answer(view, seconds=told)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT seconds FROM judgment")).scalars().all() == [taken]
