"""Skipping, reporting and taking back the last answer: slots, repeats, pay and what is offered next."""

import re
from dataclasses import replace
from typing import Any

import pytest

from annotate.pages.manage.items_tab import draw_reports
from annotate.requesters.oversight import Oversight
from annotate.worker.screens import html
from annotate.worker.service import MOST_REPORTS
from annotate.worker.stages import Act
from annotate.worker.view import View
from data.errors import BadAnswer
from data.limits import LONGEST_MESSAGE
from data.task import Field, Item
from data.wording import same
from db import frames
from db.engine import Database, reading, writing
from db.items import add_items, coverage
from db.records import list_reports
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.worker_summaries import worker_summaries
from tests.helpers.collection import TASK, Person, Watch, arrive, make_service, make_study

ONE_PAGE: dict[str, Any] = {"page_main": 20, "page_controls": 0}


def do(person: Person, kind: str, view: View, value: object = None) -> View:
    return person.service.act(person.study, person.cookie, Act(kind, token=view.token, value=value))  # type: ignore[arg-type]


def thing(view: View) -> str:
    return view.item.fields["thing"] if view.item else ""


def counts(database: Database, study: Study) -> tuple[int, int]:
    with reading(database) as session:
        covered = coverage(session, study=study)
    return covered.filled, covered.held


def rows(database: Database, study: Study) -> list[tuple[str, int, str, str]]:
    with reading(database) as session:
        frame = frames.judgments(session, study=study)
    return list(frame[["item", "repeat", "label", "status"]].itertuples(index=False, name=None))


@pytest.mark.each_database
def test_a_skipped_item_goes_to_others_and_never_comes_back_to_who_skipped_it(engine: Database) -> None:
    study = make_study(engine, main=3, overlap=1, **ONE_PAGE)
    service = make_service(engine)
    person = arrive(service)
    first = person.look()
    after = do(person, "skip", first)
    assert (after.stage, after.skips_left, counts(engine, study)) == ("work", 9, (0, 1))
    assert thing(first) not in [thing(view) for view in person.work()]
    assert counts(engine, study) == (2, 0)
    assert [thing(view) for view in arrive(service).work()] == [thing(first)]


def test_a_skipped_control_is_not_offered_again_either(sqlite: Database) -> None:
    make_study(sqlite, main=4, control=1, overlap=1, page_main=1, page_controls=1)
    person = arrive(make_service(sqlite))
    view, met = person.look(), []
    while view.stage == "work":
        met.append(thing(view))
        view = do(person, "skip", view) if thing(view).startswith("control") else person.answer(view)
    assert [name for name in met if name.startswith("control")] == ["control thing 0"]
    assert len(met) == 5


@pytest.mark.parametrize("role", ["main", "control"])
def test_an_answer_to_an_item_is_taken_back_twenty_times_and_no_more(engine: Database, role: str) -> None:
    study = make_study(engine, main=6, control=6, overlap=1, page_main=10, page_controls=10, repeat_controls=True)
    person = arrive(make_service(engine))
    view = person.look()
    while not thing(view).startswith(role):
        view = person.answer(view)
    after = person.answer(view)
    for number in range(20):
        assert after.can_undo, number
        back = do(person, "undo", after)
        assert (thing(back), back.can_undo) == (thing(view), False)
        after = person.answer(back)
    assert not after.can_undo
    assert do(person, "undo", after) == after
    assert [row[3] for row in rows(engine, study) if row[0].startswith(role)].count("void") == 20
    assert person.answer(after).can_undo, "the next item is another one"


def test_skips_end_where_the_study_says(sqlite: Database) -> None:
    study = make_study(sqlite, main=6, overlap=1, max_skips=2, **ONE_PAGE)
    person = arrive(make_service(sqlite))
    view = person.look()
    for left in (1, 0):
        view = do(person, "skip", view)
        assert view.skips_left == left
    assert do(person, "skip", view) == view
    after = do(person, "report", view, {"reason": "unclear"})
    assert (after.stage, thing(after) != thing(view), after.skips_left) == ("work", True, 0), "a report is no skip"
    with reading(sqlite) as session:
        assert len(list_reports(session, study=study)) == 1


def test_skipping_twice_by_one_press_skips_once(sqlite: Database) -> None:
    make_study(sqlite, main=4, **ONE_PAGE)
    person = arrive(make_service(sqlite))
    first = person.look()
    assert do(person, "skip", first) == do(person, "skip", first)
    assert person.look().skips_left == 9


def test_an_answer_to_a_skipped_item_is_not_lost(sqlite: Database) -> None:
    study = make_study(sqlite, main=4, overlap=1, **ONE_PAGE)
    person = arrive(make_service(sqlite))
    first = person.look()
    do(person, "skip", first)
    person.answer(first)
    assert [status for *_, status in rows(sqlite, study)] == ["counted"]
    assert counts(sqlite, study) == (1, 1)


@pytest.mark.each_database
def test_a_report_is_kept_with_its_reason_and_uses_up_no_skip(engine: Database) -> None:
    study = make_study(engine, main=3, overlap=1, **ONE_PAGE)
    person = arrive(make_service(engine))
    first = person.look()
    after = do(person, "report", first, {"reason": "mistake", "text": "  лишняя запятая "})
    assert (after.skips_left, thing(after) != thing(first)) == (10, True)
    with reading(engine) as session:
        (report,) = list_reports(session, study=study)
    assert (report.item, report.reason, report.text) == (
        re.sub(r"(\w+) thing (\d)", r"\1-\2", thing(first)), "mistake", "лишняя запятая",
    )  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [None, "mistake", {"reason": "boring"}, {"reason": ["mistake"]}, {"reason": "other"},
     {"reason": "other", "text": " \n"}, {"reason": "mistake", "text": 5}, {"reason": "mistake", "text": "a\0b"},
     {"reason": "mistake", "text": "x" * (LONGEST_MESSAGE + 1)}],
)  # fmt: skip
def test_a_report_that_says_nothing_or_too_much_is_refused(sqlite: Database, value: object) -> None:
    study = make_study(sqlite, **ONE_PAGE)
    person = arrive(make_service(sqlite))
    view = person.look()
    with pytest.raises(BadAnswer):
        do(person, "report", view, value)
    assert person.look() == view
    with reading(sqlite) as session:
        assert list_reports(session, study=study) == []


@pytest.mark.each_database
def test_an_answer_that_is_taken_back_is_void_and_its_slot_stays_with_the_worker(engine: Database) -> None:
    study, watch = make_study(engine, main=3, overlap=1, price=0.5, **ONE_PAGE), Watch()
    person = arrive(make_service(engine, watch))
    first = person.look()
    assert not first.can_undo
    watch.passes(seconds=9)
    second = person.answer(first)
    assert second.can_undo
    again = do(person, "undo", second)
    assert (thing(again), again.progress, again.can_undo) == (thing(first), first.progress, False)
    assert again.token not in (first.token, second.token)
    assert again.earnings is not None
    assert (again.earnings.answers, again.earnings.seconds, again.earnings.earned) == (0, 0, 0)
    assert counts(engine, study) == (0, 1)
    assert [(repeat, label, status) for _, repeat, label, status in rows(engine, study)] == [(0, "red", "void")]
    after = person.answer(again, "green")
    assert (thing(after), after.progress) == (thing(second), second.progress)
    assert [row[1:] for row in rows(engine, study)] == [(0, "red", "void"), (1, "green", "counted")]
    list(person.work())
    assert counts(engine, study) == (3, 0)
    end = person.look().earnings
    assert end is not None
    assert (end.answers, end.earned) == (3, 1.5)


def test_only_one_answer_can_be_taken_back_and_only_from_the_item_after_it(sqlite: Database) -> None:
    study = make_study(sqlite, main=5, overlap=1, **ONE_PAGE)
    person = arrive(make_service(sqlite))
    second = person.answer(person.look())
    third = person.answer(second)
    assert do(person, "undo", second) == third, "the page was behind"
    again = do(person, "undo", third)
    assert (thing(again), do(person, "undo", third), do(person, "undo", again)) == (thing(second), again, again)
    assert [status for *_, status in rows(sqlite, study)] == ["counted", "void"]


def test_the_answers_of_an_earlier_page_stay(sqlite: Database) -> None:
    make_study(sqlite, main=6, overlap=1, page_main=2, page_controls=0)
    person = arrive(make_service(sqlite))
    second = person.answer(person.look())
    next_page = person.answer(second)
    assert (second.can_undo, next_page.can_undo, person.look().can_undo) == (True, False, False)
    assert do(person, "undo", next_page) == next_page


def test_nothing_but_the_last_answer_is_taken_back_after_a_skip_in_training_or_at_the_end(sqlite: Database) -> None:
    study = make_study(sqlite, main=3, training=1, overlap=1, training_pass=0, **ONE_PAGE)
    person = arrive(make_service(sqlite), ready=False)
    told = person.answer(person.enter())
    assert do(person, "undo", told) == told
    first = person.service.act("colours", person.cookie, Act("next"))
    assert not first.can_undo
    skipped = do(person, "skip", person.answer(first))
    assert (skipped.can_undo, do(person, "undo", skipped)) == (False, skipped)
    end = person.answer(skipped)
    assert (end.stage, end.can_undo, do(person, "undo", end)) == ("done", False, end)
    assert {status for *_, status in rows(sqlite, study)} == {"counted"}


def test_a_lease_taken_up_again_runs_out_like_any_other(engine: Database) -> None:
    study, watch = make_study(engine, main=2, overlap=1, **ONE_PAGE), Watch()
    service = make_service(engine, watch)
    person = arrive(service)
    again = do(person, "undo", person.answer(person.look()))
    watch.passes(minutes=16)
    other = arrive(service)
    list(other.work())
    assert counts(engine, study) == (2, 0)
    person.answer(again)
    assert [status for *_, status in rows(engine, study)] == ["void", "counted", "counted", "surplus"]
    assert counts(engine, study) == (2, 0)


@pytest.mark.each_database
def test_a_check_answered_again_is_the_same_check_and_the_next_item_too(engine: Database) -> None:
    """Whether the item in hand is a check or not, after the one before it is answered anew the same one comes."""
    study = make_study(engine, main=12, control=6, overlap=1, page_main=12, page_controls=6)
    person = arrive(make_service(engine))
    view, kinds = person.look(), set()
    while view.stage == "work":
        after = person.answer(view)
        if after.can_undo:
            again = do(person, "undo", after)
            assert thing(again) == thing(view)
            back = person.answer(again)
            assert (thing(back), back.progress) == (thing(after), after.progress)
            kinds.add((thing(view).split()[0], thing(after).split()[0]))
            after = back
        view = after
    assert len(kinds) == 4, "main and check, each before each"
    assert counts(engine, study) == (12, 0)
    with reading(engine) as session:
        frame = frames.judgments(session, study=study)
    assert (frame[frame["status"] == "counted"].groupby("item").size() == 1).all()


def test_in_a_sitting_the_last_answer_may_be_given_anew_and_nothing_be_skipped(engine: Database) -> None:
    task = replace(TASK, fields=(*TASK.fields, Field("variant", same("Вариант"))), cluster="variant")
    with writing(engine) as session:
        study = create_study(session, name="exam", task=task, settings=StudySettings(overlap=1, sitting=True), seed=1)
        items = [Item(f"m-{n}", {"thing": f"thing {n}", "variant": "1"}, "red", "main", "") for n in range(3)]
        add_items(session, study=study, items=items)
    person = arrive(make_service(engine), "exam")
    first = person.look()
    second = person.answer(first)
    assert (second.skips_left, second.can_undo, do(person, "skip", second)) == (0, True, second)
    again = do(person, "undo", second)
    assert (thing(again), again.progress) == (thing(first), first.progress)
    after = person.answer(again)
    assert (thing(after), after.progress) == (thing(second), second.progress)
    list(person.work())
    assert (person.look().stage, counts(engine, study)) == ("done", (3, 0))


def test_nobody_gives_more_answers_than_the_study_takes_from_one(sqlite: Database) -> None:
    study = make_study(sqlite, main=6, overlap=2, max_items=4, **ONE_PAGE)
    person = arrive(make_service(sqlite))
    shown = list(person.work())
    end = person.look()
    assert (len(shown), end.stage, end.capped, counts(sqlite, study)) == (4, "done", True, (4, 0))
    assert shown[0].progress is not None


@pytest.mark.each_database
def test_one_can_report_and_answer_or_report_instead_and_the_first_three_of_these_are_paid(engine: Database) -> None:
    study = make_study(engine, main=30, overlap=1, page_main=30, page_controls=0, price=2.0)
    person = arrive(make_service(engine))
    view = person.look()
    for _ in range(2):
        kept = do(person, "report", view, {"reason": "mistake", "instead": False})
        assert (thing(kept), kept.token, earned(kept)) == (thing(view), view.token, 0.0)
    view = person.answer(view)
    assert earned(view) == 2.0
    for paid in (4.0, 6.0, 8.0, 8.0, 8.0):
        before, view = view, do(person, "report", view, {"reason": "mistake"})
        assert (earned(view), thing(view) != thing(before)) == (paid, True)
        assert view.progress == before.progress, "another item takes its place on the page"
    with reading(engine) as session:
        reports = [(report.instead, report.price) for report in list_reports(session, study=study)]
        (work,) = worker_summaries(session, study=study)
    assert reports == [(False, 0.0), *[(True, 2.0)] * 3, *[(True, 0.0)] * 2]
    assert (work.answers, work.pay) == (1, 8.0)
    for _ in range(MOST_REPORTS - 5):
        view = do(person, "report", view, {"reason": "mistake"})
    with pytest.raises(BadAnswer, match="too_many_reports"):
        do(person, "report", view, {"reason": "mistake"})
    assert do(person, "report", view, {"reason": "mistake", "instead": False}).token == view.token
    assert person.answer(view).stage == "work"


def test_a_reported_control_is_replaced_by_another_and_a_main_item_by_a_main_item(sqlite: Database) -> None:
    make_study(sqlite, main=12, control=8, overlap=1, page_main=2, page_controls=2)
    person = arrive(make_service(sqlite))
    view, seen = person.look(), list[str]()
    while view.stage == "work" and len(seen) < 8:
        kind = thing(view).split()[0]
        after = do(person, "report", view, {"reason": "unclear"}) if len(seen) % 2 else view
        assert thing(after).split()[0] == kind
        seen.append(kind)
        view = person.answer(after)
    assert [seen[at : at + 4].count("control") for at in (0, 4)] == [2, 2], "the page has as many controls as ever"


def test_a_practice_item_can_be_reported_before_and_after_it_is_answered_and_stays(sqlite: Database) -> None:
    study = make_study(sqlite, training=2, price=2.0)
    person = arrive(make_service(sqlite), ready=False)
    view = person.enter()
    assert 'data-open="skip"' in html(view)
    assert do(person, "report", view, {"reason": "mistake"}).token == view.token
    told = do(person, "report", person.answer(view), {"reason": "mistake", "text": "once more"})
    assert (told.stage, told.token) == ("feedback", view.token)
    with reading(sqlite) as session:
        (report,) = list_reports(session, study=study)
    assert (report.role, report.gold, report.instead, report.price) == ("training", "red", False, 0.0)
    drawn = draw_reports(Oversight(sqlite, Watch()).reports("colours"))
    assert "training-0" in drawn
    assert ">red<" in drawn
    assert "data-item" not in drawn, "nothing is decided about practice"


def earned(view: View) -> float:
    assert view.earnings is not None
    return view.earnings.earned


@pytest.mark.each_database
def test_any_answer_of_the_open_page_is_changed_and_the_overlap_kept(engine: Database) -> None:
    study = make_study(engine, main=5, overlap=1, page_main=4, page_controls=0, price=2)
    service = make_service(engine)
    person = arrive(service)
    first = view = person.look()
    for _ in range(2):
        view = person.answer(view)
    behind = service.sheet(person.study, person.cookie).answers
    assert (behind[0].item.fields["thing"], behind[0].answer) == (thing(first), "red")
    changed = do(person, "undo", view, behind[0].token)
    assert (thing(changed), changed.given, counts(engine, study)) == (thing(first), "red", (1, 1))
    assert person.look().given == "red", "a reload shows what was given"
    other = service.sheet(person.study, person.cookie).answers
    assert thing(do(person, "undo", changed, other[0].token)) == thing(first), "one after the other"
    assert thing(do(person, "undo", changed, "9.forged")) == thing(first)
    after = person.answer(changed, "green")
    assert [one.answer for one in service.sheet(person.study, person.cookie).answers] == ["red", "green"]
    assert (after.given, after.earnings and after.earnings.earned) == ("", 4)
    list(person.work())
    assert counts(engine, study) == (5, 0)
    standing = [label for _, _, label, status in rows(engine, study) if status == "counted"]
    assert sorted(standing) == ["green", *["red"] * 4]


def test_what_was_answered_on_an_earlier_page_and_in_training_stays(sqlite: Database) -> None:
    make_study(sqlite, main=4, training=1, overlap=1, page_main=2, page_controls=0)
    service = make_service(sqlite)
    person = arrive(service, ready=False)
    view = person.enter()
    assert service.sheet(person.study, person.cookie).answers == ()
    view = person.train()
    first = view
    view = person.answer(view)
    (token,) = [one.token for one in service.sheet(person.study, person.cookie).answers]
    later = person.answer(view)
    assert service.sheet(person.study, person.cookie).answers == ()
    assert thing(do(person, "undo", later, token)) == thing(later) != thing(first)


def test_who_passes_the_training_is_told_so_once(sqlite: Database) -> None:
    make_study(sqlite, main=2, training=2, overlap=1, page_controls=0, price=1, training_pass=0.5)
    person = arrive(make_service(sqlite), ready=False)
    person.enter()
    assert person.train().note == "Обучение пройдено: 2 из 2 верно. Дальше — оплачиваемые задания."
    assert person.look().note == ""
