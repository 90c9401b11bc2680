"""However the work ends: what is owed, a code for it, whom to write to; a place is kept while somebody practises."""

from typing import Any

import pytest
from sqlalchemy import text, update

from annotate.requesters.oversight import Oversight
from annotate.worker.screens import html
from annotate.worker.stages import Act
from annotate.worker.view import View
from data.drawing.environment import NO_BREAK
from data.wording import FALLBACK, texts
from db.engine import Database, reading, writing
from db.studies import get_study, set_status
from db.tables import STUDY
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study

PAID: dict[str, Any] = {"main": 2, "overlap": 1, "page_controls": 0, "price": 2.0, "contact": "lab@example.org"}


def act(person: Person, kind: Any, value: object = None) -> View:
    return person.service.act(person.study, person.cookie, Act(kind, value=value))


def newcomer(service: Any, study: str = "colours") -> Person:
    """Return somebody who has agreed and read the instruction."""
    person = arrive(service, study, ready=False)
    person.enter()
    return person


def practised(person: Person, *labels: str) -> View:
    """Answer practice items with these labels, and return what comes after the last explanation."""
    for label in labels:
        person.answer(person.look(), label)
        view = act(person, "next")
    return view


def earned(view: View) -> float:
    assert view.earnings is not None
    return view.earnings.earned


def places(database: Database) -> list[tuple[int, int, int]]:
    """Return (free, held, filled) of each main item."""
    with reading(database) as session:
        rows = session.execute(text("select free, held, filled from item where role = 'main' order by id"))
        return [tuple(row) for row in rows]


def test_at_any_moment_one_can_finish_with_a_code_and_go_on_where_one_was(engine: Database) -> None:
    make_study(engine, **PAID | {"main": 4, "training": 1, "partial_code": "PART", "completion_code": "WHOLE"})
    person = arrive(make_service(engine), ready=False)
    act(person, "consent")
    for stage, kind in (("instructions", "begin"), ("training", ""), ("feedback", "next"), ("work", "")):
        assert person.look().stage == stage
        ended = act(person, "finish")
        assert (ended.stage, ended.stop and ended.stop.contact) == ("finished", "lab@example.org")
        assert bool(ended.completion) is (stage == "work"), "only practice that is passed is owed"
        assert act(person, "finish") == ended
        shown = act(person, "resume")
        assert shown.stage == stage
        if stage == "training":
            person.answer(shown)
        elif kind:
            act(person, kind)
    before = person.look()
    act(person, "finish")
    done = person.answer(before)  # from another tab: what is in hand is taken and paid
    assert (done.stage, earned(done)) == ("finished", 4.0)
    assert done.completion
    assert (done.completion.code, done.completion.part) == ("PART", True)
    act(person, "appeal", {"text": "Two texts are the same."})
    (said,) = Oversight(engine, Watch()).appeals("colours")
    assert said.text == "Two texts are the same."
    assert act(person, "resume").stage == "work"


def test_what_somebody_held_who_finished_is_open_to_others_once_its_time_is_over(engine: Database) -> None:
    make_study(engine, **PAID | {"main": 1})
    watch = Watch()
    service = make_service(engine, watch)
    first = arrive(service)
    held = first.look()
    act(first, "finish")
    watch.passes(minutes=14)
    assert first.look().stage == "finished"
    watch.passes(minutes=2)  # to look at the last screen keeps nothing
    assert arrive(service).look().stage == "work"
    assert act(first, "resume").stage == "done"
    assert first.answer(held).item_outcome == "surplus_unpaid"


@pytest.mark.parametrize("language", FALLBACK)
@pytest.mark.parametrize("end", ["finish", "paused", "closed", "full", "stopped"])
def test_every_end_says_what_is_owed_gives_a_code_and_a_contact(sqlite: Database, end: Any, language: Any) -> None:
    study = make_study(sqlite, **PAID | {"completion_code": "WHOLE", "completion_url": "https://p.example/?cc={code}"})
    service, oversight = make_service(sqlite), Oversight(sqlite, Watch())
    cookie = service.join("colours", service.signer.invitation("colours"), language=language)
    person = Person(service, "colours", cookie)
    person.enter()
    view = person.answer(person.look())
    name = oversight.workers("colours")[0].work.name
    if end == "finish":
        act(person, "finish")
    elif end == "full":
        person.answer(view)
    elif end == "stopped":
        oversight.exclude("colours", name, who="anna", reason="a second account")
    else:
        with writing(sqlite) as session:
            set_status(session, study=study, status=end)
    page = html(person.look()).replace(NO_BREAK, " ")
    owed = {"ru": "{},00 ₽", "en": "₽{}.00"}[language].format(4 if end == "full" else 2)
    assert texts(language)["stopped"]["owed"].format(earned=owed) in page
    code = "WHOLE" if end in ("full", "closed") else name
    assert f">{code}</output>" in page
    assert f'href="https://p.example/?cc={code}"' in page
    assert 'href="mailto:lab@example.org"' in page
    assert "data-appeal novalidate" in page


def test_who_comes_too_late_for_anything_is_told_whom_to_ask_and_asked_nothing(sqlite: Database) -> None:
    study = make_study(sqlite, **PAID)
    service = make_service(sqlite)
    for _ in arrive(service).work():
        pass
    for status in ("open", "paused", "closed"):
        with writing(sqlite) as session:
            set_status(session, study=study, status=status)
        cookie = service.invite("colours", service.signer.invitation("colours"))
        page = html(service.state("colours", cookie))
        assert 'href="mailto:lab@example.org"' in page
        for absent in ("<output", "data-appeal novalidate", 'class="owed"'):
            assert absent not in page


def test_a_place_is_kept_from_the_first_practice_item_so_that_nobody_practises_for_nothing(engine: Database) -> None:
    make_study(engine, **PAID | {"main": 1, "training": 2, "lease_minutes": 10})
    watch = Watch()
    service = make_service(engine, watch)
    first, second = newcomer(service), newcomer(service)
    practised(first, "red")
    assert places(engine) == [(0, 1, 0)]
    late = second.look()
    assert (late.stage, earned(late), late.completion) == ("done", 0.0, None)
    watch.passes(minutes=9)
    first.look()  # a sign of life keeps the place as it keeps the item
    watch.passes(minutes=9)
    assert second.look().stage == "done"
    work = practised(first, "red")
    assert (work.stage, earned(work)) == ("work", 4.0)
    assert places(engine) == [(0, 1, 0)]
    done = first.answer(work)
    assert (done.stage, earned(done), places(engine)) == ("done", 6.0, [(0, 0, 1)])


def test_a_place_that_ran_out_goes_to_others_and_what_was_practised_is_paid(engine: Database) -> None:
    make_study(engine, **PAID | {"main": 1, "training": 2, "lease_minutes": 10})
    watch = Watch()
    service = make_service(engine, watch)
    slow, quick = newcomer(service), newcomer(service)
    practised(slow, "green")
    watch.passes(minutes=11)
    for _ in (practised(quick, "red", "red"), *quick.work()):
        pass
    slow_end = slow.look()
    assert (slow_end.stage, earned(slow_end)) == ("done", 2.0), "one practice item was answered, whatever it was worth"
    assert slow_end.completion
    assert slow_end.completion.code == slow_end.worker
    assert texts("ru")["completion"]["part"] not in html(slow_end), (
        "nobody who has done all there was is told of a part"
    )
    assert Oversight(engine, watch).payments("colours").total == 2.0 + 6.0


@pytest.mark.parametrize("failed_too", [False, True])
def test_practice_that_was_not_passed_is_paid_only_where_the_study_says_so(sqlite: Database, failed_too: bool) -> None:
    make_study(sqlite, **PAID | {"training": 2, "pay_failed_training": failed_too})
    person = newcomer(make_service(sqlite))
    assert places(sqlite) == [(0, 1, 0), (1, 0, 0)] or places(sqlite) == [(1, 0, 0), (0, 1, 0)]
    view = practised(person, "green", "green")
    assert (view.stage, earned(view)) == ("failed", 4.0 if failed_too else 0.0)
    assert bool(view.completion) is failed_too
    assert places(sqlite) == [(1, 0, 0), (1, 0, 0)], "the place is open to others"
    page = html(view)
    assert (texts("ru")["failed"]["unpaid"].split(",")[0] in page.replace(NO_BREAK, " ")) is not failed_too
    assert texts("ru")["objection"]["heading"].split()[-1] in page


def test_a_study_that_is_closed_pays_the_practice_that_it_ends(sqlite: Database) -> None:
    study = make_study(sqlite, **PAID | {"training": 2, "training_price": 0.5})
    watch = Watch()
    person = newcomer(make_service(sqlite, watch))
    practised(person, "red")
    oversight = Oversight(sqlite, watch)
    with writing(sqlite) as session:
        oversight.set_status(session, study, "closed", who="anna")
    assert oversight.payments("colours").total == 0.5
    assert (person.look().stage, earned(person.look())) == ("closed", 0.5)


def test_a_kept_place_is_used_where_the_first_item_of_a_page_is_a_control(engine: Database) -> None:
    make_study(engine, **PAID | {"main": 3, "training": 1, "control": 3, "page_main": 1, "page_controls": 1})
    watch = Watch()
    service = make_service(engine, watch)
    people = [newcomer(service) for _ in range(3)]
    for person in people:
        practised(person, "red")
    watch.passes(minutes=1)
    given = [len(list(person.work())) for person in people]
    assert places(engine) == [(0, 0, 1)] * 3
    assert sum(given) >= 3


def test_a_variant_is_kept_while_somebody_practises(engine: Database) -> None:
    make_study(engine, **PAID | {"training": 1, "sitting": True})
    service = make_service(engine)
    first, second = newcomer(service), newcomer(service)
    first.look()
    assert second.look().stage == "done"
    practised(first, "red")
    assert (len(list(first.work())), earned(first.look())) == (2, 6.0)


def test_a_study_made_before_keeps_what_it_promised_for_practice(sqlite: Database) -> None:
    """What the migration does to a stored study, tried on the settings that older versions stored."""
    from importlib import import_module

    study = make_study(sqlite, price=2.0)
    migration = import_module("db.migrations.versions.0030_practice_that_is_paid")
    with reading(sqlite) as session:
        now = session.execute(STUDY.select()).one().settings
    before = {name: value for name, value in now.items() if name != "pay_failed_training"}
    for stored, kept in (
        (before | {"training_price": 0.5}, (0.5, True)),
        (before | {"training_price": 0.0}, (0.0, False)),
        ({name: value for name, value in before.items() if name != "training_price"}, (0.0, False)),
    ):
        assert migration.kept(stored) == stored | {"training_price": kept[0], "pay_failed_training": kept[1]}
        with writing(sqlite) as session:
            session.execute(update(STUDY).values(settings=migration.kept(stored)))
            settings = get_study(session, name=study.name).settings
        assert (settings.training_price, settings.pay_failed_training) == kept
