"""What a worker is told of the work: place, pages ahead, earnings; none of it tells a check from an ordinary item."""

from sqlalchemy import Engine

from annotate.formatting import duration, money
from annotate.worker.stages import Act
from annotate.worker.view import View
from data.catalogue.catalog import samples, tasks
from data.drawing.environment import NO_BREAK
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study


def shown(person: Person) -> list[tuple[int, int, int]]:
    """Work to the end; return page, place and pages left as every item showed them."""
    return [(p.page, p.place, p.left) for view in person.work() if (p := view.progress)]


def earned(view: View) -> tuple[int, float, float]:
    assert view.earnings is not None
    return view.earnings.answers, view.earnings.seconds, view.earnings.earned


def test_pages_ahead_are_counted_from_the_beginning_of_a_page_so_that_no_item_tells_what_it_is(engine: Engine) -> None:
    make_study(engine, main=7, control=4, overlap=1, page_main=3, page_controls=1)
    pages = shown(arrive(make_service(engine)))
    assert [left for _, _, left in pages[:8]] == [10, 9, 8, 7, 6, 5, 4, 3]
    assert [place for page, place, _ in pages if page < 3] == [1, 2, 3, 4, 1, 2, 3, 4]


def test_a_short_last_page_says_how_short_it_is(sqlite: Engine) -> None:
    make_study(sqlite, main=7, control=4, overlap=1, page_main=3, page_controls=1)
    told = [(p.page, p.place, p.size) for view in arrive(make_service(sqlite)).work() if (p := view.progress)]
    assert {(page, size) for page, _, size in told} == {(1, 4), (2, 4), (3, 2)}
    assert all(place <= size for _, place, size in told)


def test_others_who_take_items_leave_fewer_pages_when_the_next_one_begins(sqlite: Engine) -> None:
    make_study(sqlite, main=8, overlap=1, page_main=2, page_controls=0)
    service = make_service(sqlite)
    one, other = arrive(service), arrive(service)
    first = one.look().progress
    assert first is not None
    assert (first.left, first.or_more) == (8, False)
    view = other.look()
    for _ in range(3):
        view = other.answer(view)
    again = one.look()
    assert again.progress == first, "within a page the number stands still: it must not tell checks from other items"
    later = one.answer(one.answer(again)).progress
    assert later is not None
    assert (later.page, later.left) == (2, 2)


def test_earnings_count_main_and_control_answers_alike_and_no_practice(sqlite: Engine) -> None:
    make_study(
        sqlite, main=2, training=2, control=2, page_main=1, page_controls=1, overlap=1, price=0.5, training_price=0
    )
    watch = Watch()
    person = arrive(make_service(sqlite, watch), ready=False)
    assert person.enter().earnings is None, "practice is not paid, nothing is told of pay there"
    view = person.train()
    told = []
    while view.stage == "work":
        told.append(earned(view))
        watch.passes(seconds=60)
        view = person.answer(view, seconds=10)
    done = earned(view)
    assert [answers for answers, _, _ in told] == list(range(len(told)))
    assert [pay for *_, pay in told] == [0.5 * number for number in range(len(told))]
    assert done == (len(told), 10.0 * len(told), 0.5 * len(told))


def test_the_page_learns_what_became_of_the_item_it_shows(sqlite: Engine) -> None:
    make_study(sqlite, main=5, overlap=1, page_controls=0, lease_minutes=10)
    watch = Watch()
    service = make_service(sqlite, watch)
    person = arrive(service)
    held = person.look()
    assert service.state("colours", person.cookie, token=held.token).item_outcome == ""
    watch.passes(minutes=11)
    late = service.state("colours", person.cookie, token=held.token)
    assert (late.item_outcome, late.item == held.item) == ("", True), "it is in hand again"
    watch.passes(minutes=16)
    other = arrive(service)
    list(other.work())
    assert service.state("colours", person.cookie, token=held.token).item_outcome == "expired"
    view = service.act("colours", person.cookie, Act("answer", token=held.token, value="red", seconds=1))
    assert view.item_outcome == "surplus", "others have answered it; the late answer is kept"
    assert earned(view)[0] == 1
    assert service.state("colours", person.cookie, token=held.token).item_outcome == "elsewhere"
    assert service.state("colours", person.cookie, token="nonsense").item_outcome == ""


def test_a_late_answer_that_is_still_wanted_is_an_ordinary_one(sqlite: Engine) -> None:
    make_study(sqlite, main=2, overlap=2, page_controls=0, lease_minutes=10)
    watch = Watch()
    service = make_service(sqlite, watch)
    person = arrive(service)
    held = person.look()
    watch.passes(minutes=11)
    arrive(service).look()  # what ran out is given back when somebody comes
    view = person.answer(held)
    assert view.item_outcome == ""
    assert earned(view)[0] == 1


def test_money_and_time_are_written_as_people_read_them() -> None:
    assert money(12.5, "RUB", "ru") == f"12,50{NO_BREAK}₽"
    assert money(1234567.891, "RUB", "ru") == f"1{NO_BREAK}234{NO_BREAK}567,89{NO_BREAK}₽"
    assert money(1250.5, "usd", "en") == "$1,250.50"
    assert money(3, "XYZ", "en") == f"3.00{NO_BREAK}XYZ"
    assert [duration(seconds, "ru").replace(NO_BREAK, " ") for seconds in (0.2, 59.4, 60, 89, 3600, 3900)] == [
        "1 с", "59 с", "1 мин", "1 мин", "1 ч", "1 ч 5 мин",
    ]  # fmt: skip
    assert duration(7260, "en").replace(NO_BREAK, " ") == "2 h 1 min"


def test_no_worked_example_is_an_item_that_may_be_asked() -> None:
    for task in tasks().values():
        names = [field.name for field in task.fields if field.above_question]
        asked = {item.fields[name] for item in samples(task) for name in names if len(item.fields[name]) > 10}
        assert [text for example in task.examples for name, text in example.fields.items() if text in asked] == []


def test_the_first_tasks_work_examples_through() -> None:
    assert all(len(tasks()[name].examples) >= 2 for name in ("rsg/parus", "rsg/terra"))
