"""Sitting an exam: all items of a variant claimed at once, in order, given back whole, and a grade at the end."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from typer.testing import CliRunner

from annotate.requesters.oversight import Oversight
from annotate.worker.screens import html, sheet
from annotate.worker.stages import Act
from annotate.worker.view import View
from app import cli
from baseline.human.baseline import human_baseline
from data.catalogue.catalog import get_task, sample_file, samples
from data.drawing.environment import NO_BREAK
from data.task import Item
from data.wording import texts
from db import frames
from db.engine import Database, reading, writing
from db.items import add_items, coverage
from db.statuses import StudyStatus
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from eval.panel import PanelRules
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study

USE = get_task("use")
VARIANT = [item for item in samples(USE) if item.role == "main"]
OTHERS = [item for item in samples(USE) if item.role != "main"]


def exam(database: Database, *, items: list[Item] | None = None, name: str = "colours", **settings: object) -> Study:
    """Store a study of the sample variant that is sat as an exam."""
    chosen = StudySettings.model_validate({"overlap": 1, "sitting": True, "page_controls": 2} | settings)
    with writing(database) as session:
        study = create_study(session, name=name, task=USE, settings=chosen, seed=7)
        add_items(session, study=study, items=VARIANT if items is None else items)
    return study


def short(variant: str, number: int = 3) -> list[Item]:
    """The first items of a variant, with its name in the field and in the ids."""
    return [
        Item(f"{variant}-{item.id}", {**item.fields, "variant": variant}, item.gold, "main")
        for item in VARIANT[:number]
    ]


def best(view: View) -> str:
    """The right answer to what a view shows."""
    assert view.item is not None
    asked = next(item for item in VARIANT if {**view.item.fields, "variant": "1"} == item.fields)
    return USE.answer.best(asked.gold or "", asked.fields)


def sit(person: Person, number: int = 99) -> View:
    """Answer the next items rightly, `number` of them or all, and return the last view."""
    view = person.look()
    while view.stage == "work" and number:
        view, number = person.answer(view, best(view)), number - 1
    return view


def counts(database: Database, study: Study) -> tuple[int, int]:
    with reading(database) as session:
        covered = coverage(session, study=study)
    return covered.filled, covered.held


def statuses(database: Database, study: Study) -> list[tuple[str, object]]:
    with reading(database) as session:
        frame = frames.judgments(session, study=study)
    return sorted(frame[["status", "reason"]].itertuples(index=False, name=None))


def test_the_items_of_a_sitting_come_in_the_order_of_the_file_without_controls(engine: Database) -> None:
    study = exam(engine, items=[*VARIANT, *OTHERS], training_pass=0)
    person = arrive(make_service(engine), ready=False)
    person.enter()
    view = person.look()
    while view.stage in ("training", "feedback"):
        assert view.item is not None
        asked = next(item for item in OTHERS if item.fields == view.item.fields)
        answer = USE.answer.best(asked.gold or "", asked.fields)
        view = (
            person.answer(view, answer)
            if view.stage == "training"
            else person.service.act("colours", person.cookie, Act("next"))
        )
    shown: list[dict[str, str]] = []
    while view.stage == "work":
        assert view.item is not None
        assert view.progress is not None
        assert (view.progress.place, view.progress.size, view.progress.page) == (len(shown) + 1, 30, 1)
        shown.append(dict(view.item.fields))
        view = person.answer(view, best(view))
    assert shown == [item.fields for item in VARIANT]
    assert counts(engine, study) == (30, 0)


def test_a_sitting_takes_every_item_at_its_beginning(engine: Database) -> None:
    study = exam(engine, overlap=2)
    service = make_service(engine)
    arrive(service).look()
    assert counts(engine, study) == (0, 30)
    arrive(service).look()
    assert counts(engine, study) == (0, 60)
    assert arrive(service).look().stage == "done", "there is room for two sittings only"
    assert counts(engine, study) == (0, 60)


def test_two_sittings_at_once_never_break_each_other(engine: Database) -> None:
    study = exam(engine, overlap=2)
    service = make_service(engine)
    people = [arrive(service) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        ends = list(pool.map(sit, people))
    grades_seen = [view.grade.total.reached for view in ends if view.grade]
    assert grades_seen == [34, 34]
    assert counts(engine, study) == (60, 0)
    with reading(engine) as session:
        frame = frames.judgments(session, study=study)
    assert frame.groupby("worker")["item"].nunique().tolist() == [30, 30]
    assert set(frame["status"]) == {"counted"}


def test_a_sitting_that_ran_out_is_given_back_whole_and_somebody_else_sits_it(engine: Database) -> None:
    study = exam(engine, lease_minutes=60, exam_points="tasks")
    clock = Watch()
    service = make_service(engine, clock)
    gone = arrive(service)
    sit(gone, 4)
    clock.passes(minutes=61)
    other = arrive(service)
    end = sit(other)
    assert end.grade is not None
    assert end.grade.total.complete
    assert counts(engine, study) == (30, 0)
    assert statuses(engine, study) == [("counted", None)] * 30 + [("void", "sitting broken off")] * 4
    late = gone.look()
    assert late.stage == "done", "the only place was taken meanwhile"
    assert late.grade is not None
    assert (late.grade.total.reached, late.grade.total.complete) == (4, False)


def test_who_comes_back_while_there_is_room_goes_on_where_the_sitting_stopped(engine: Database) -> None:
    study = exam(engine, overlap=2, lease_minutes=60)
    clock = Watch()
    service = make_service(engine, clock)
    gone = arrive(service)
    before = sit(gone, 4)
    clock.passes(minutes=61)
    arrive(service).look()
    assert counts(engine, study) == (0, 30)
    again = gone.look()
    assert again.item == before.item
    assert again.progress is not None
    assert (again.progress.place, again.progress.size) == (5, 30)
    assert counts(engine, study) == (4, 56)
    end = sit(gone)
    assert end.grade is not None
    assert end.grade.total.reached == 34
    assert statuses(engine, study) == [("counted", None)] * 30


def test_a_late_answer_goes_on_with_the_sitting_or_is_kept_without_counting(engine: Database) -> None:
    study = exam(engine, overlap=2, items=short("1"), lease_minutes=60)
    clock = Watch()
    service = make_service(engine, clock)
    gone, held = arrive(service), arrive(service)
    view = sit(gone, 1)
    sit(held, 1)
    clock.passes(minutes=61)
    assert counts(engine, study) == (2, 4)
    assert sit(arrive(service)).stage == "done", "a third one gets the place of the two that ran out"
    assert gone.answer(view, best(view)).stage == "work"
    assert counts(engine, study) == (5, 1)
    sit(gone)
    assert held.look().stage == "done"
    assert counts(engine, study) == (6, 0)
    assert [status for status, _ in statuses(engine, study)] == ["counted"] * 6 + ["void"]


def test_any_request_makes_the_whole_sitting_last(engine: Database) -> None:
    study = exam(engine, items=short("1"), lease_minutes=60)
    clock = Watch()
    service = make_service(engine, clock)
    person = arrive(service)
    person.look()
    for _ in range(3):
        clock.passes(minutes=50)
        view = person.look()
        arrive(service).look()
        assert counts(engine, study)[1] > 0
        person.answer(view, best(view))
    assert counts(engine, study) == (3, 0)


def test_each_worker_sits_one_variant_and_the_variants_fill_up_evenly(engine: Database) -> None:
    study = exam(engine, items=[*short("1"), *short("2")], overlap=2)
    service = make_service(engine)
    met = []
    for _ in range(5):
        view = arrive(service).look()
        met.append(view.item.fields["variant"] if view.item else None)
    assert met == ["1", "2", "1", "2", None]
    assert counts(engine, study) == (0, 12)


def test_the_same_answer_sent_twice_is_one_judgment_of_the_sitting(engine: Database) -> None:
    study = exam(engine, items=short("1"))
    person = arrive(make_service(engine))
    view = person.look()
    assert person.answer(view, best(view)) == person.answer(view, best(view))
    assert counts(engine, study) == (1, 2)


def test_a_task_without_clusters_is_one_sitting(engine: Database) -> None:
    study = make_study(engine, main=4, control=2, overlap=1, sitting=True)
    shown = [view.item.fields["thing"] for view in arrive(make_service(engine)).work() if view.item]
    assert shown == [f"main thing {number}" for number in range(4)]
    assert counts(engine, study) == (4, 0)


def test_points_are_told_in_all_unless_the_study_tells_them_by_task(sqlite: Database) -> None:
    exam(sqlite)
    person = arrive(make_service(sqlite))
    view = sit(person)
    assert view.grade is not None
    assert (view.grade.total.reached, view.grade.tasks) == (34, ())
    page = html(view)
    assert "34 из 34" in page
    assert "Задание 1:" not in page
    assert texts("ru")["grade"]["below"].split()[0] not in page
    Oversight(sqlite, Watch()).change("colours", {"exam_points": "tasks"}, who="anna")
    assert "Задание 1:" in html(person.look())


def test_points_in_all_of_a_few_answers_would_tell_which_are_right(sqlite: Database) -> None:
    exam(sqlite, items=VARIANT[:9])
    assert sit(arrive(make_service(sqlite))).grade is None
    exam(sqlite, items=VARIANT[:10], name="longer")
    view = sit(arrive(make_service(sqlite), "longer"))
    assert view.grade is not None


def test_the_grade_tells_points_by_exam_task_and_never_the_gold(sqlite: Database) -> None:
    exam(sqlite, exam_points="tasks")
    person = arrive(make_service(sqlite))
    view = person.look()
    wrong = {"16": '["1","3"]', "26": '["6","3","1","9"]', "8_2": '["1"]', "24": "фразеологизм"}
    while view.stage == "work":
        assert view.item is not None
        view = person.answer(view, wrong.get(view.item.fields["id_task"]) or best(view))
    assert view.grade is not None
    told = {number: (points.reached, points.most) for number, points in view.grade.tasks}
    assert list(told) == [str(number) for number in range(1, 27)]
    assert (told["8"], told["16"], told["24"], told["26"], told["1"]) == ((4, 5), (1, 2), (0, 1), (3, 4), (1, 1))
    assert (view.grade.total.reached, view.grade.total.most, view.grade.total.complete) == (30, 34, True)
    page = html(view)
    assert "30 из 34" in page
    assert "Задание 26: 3 из 4" in page
    assert "эффективное" not in page


def test_an_exam_without_gold_ends_without_a_grade(sqlite: Database) -> None:
    exam(sqlite, items=[Item(item.id, item.fields) for item in VARIANT[:3]])
    view = sit(arrive(make_service(sqlite)))
    assert (view.stage, view.grade) == ("done", None)
    assert "grade-heading" not in html(view)


def test_a_sitting_is_made_on_the_command_line(sqlite: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", str(sqlite.url))
    items = str(sample_file(USE, "main"))
    made = CliRunner().invoke(
        cli, ["create", "exam", "--task", "use", "--items", items, "--sitting", "--lease", "180", "--overlap", "3"]
    )
    assert made.exit_code == 0, made.output
    with reading(sqlite) as session:
        settings = get_study(session, name="exam").settings
    assert (settings.sitting, settings.lease_minutes, settings.overlap) == (True, 180, 3)


def do(person: Person, kind: str, view: View, value: object = None) -> View:
    return person.service.act(person.study, person.cookie, Act(kind, token=view.token, value=value))  # type: ignore[arg-type]


def tasks(person: Person) -> list[tuple[str, str]]:
    return list(person.service.sheet(person.study, person.cookie).tasks)


def stands(person: Person) -> list[str]:
    return [stands for _, stands in tasks(person)]


@pytest.mark.each_database
def test_tasks_of_a_sitting_are_answered_in_any_order_and_changed_until_it_is_handed_in(engine: Database) -> None:
    study = exam(engine, items=VARIANT[:4], price=1.0)
    person = arrive(make_service(engine))
    first = person.look()
    assert stands(person) == ["now", "open", "open", "open"]
    third = do(person, "go", first, tasks(person)[2][0])
    assert (third.progress and third.progress.place, stands(person)) == (3, ["open", "open", "now", "open"])
    fourth = person.answer(third, best(third))
    assert (fourth.progress and fourth.progress.place, stands(person)) == (4, ["open", "open", "answered", "now"])
    later = do(person, "go", fourth)
    assert stands(person) == ["now", "open", "answered", "open"], "after the last one comes the first open one"
    again = do(person, "go", later, tasks(person)[2][0])
    assert (again.given, stands(person)) == (label_of(third), ["open", "open", "now", "open"])
    assert again.earnings is not None
    assert again.earnings.earned == 0.0
    left = do(person, "go", again, tasks(person)[1][0])
    assert (stands(person), left.earnings and left.earnings.earned) == (["open", "now", "answered", "open"], 1.0)
    assert counts(engine, study) == (1, 3)
    assert statuses(engine, study) == [("counted", None)]
    assert do(person, "go", left, "nothing of the kind").token == left.token
    assert do(person, "skip", left).token == left.token


def label_of(view: View) -> str:
    """The stored form of the right answer to what a view shows."""
    assert view.item is not None
    return USE.answer_for(view.item.fields).accept(best(view), view.item.fields)


def test_what_is_blank_when_a_sitting_is_handed_in_is_worth_nothing_and_is_not_paid(engine: Database) -> None:
    study = exam(engine, price=1.0)
    person = arrive(make_service(engine))
    view = sit(person, 28)
    back = do(person, "undo", view)  # an answer that was to be changed counts as it was
    done = do(person, "hand_in", back)
    assert done.stage == "done"
    assert done.grade is not None
    assert (done.grade.total.reached, done.grade.total.most) == (29.0, 34.0)
    assert done.earnings is not None
    assert (done.earnings.answers, done.earnings.earned) == (28, 28.0)
    assert counts(engine, study) == (30, 0)
    assert arrive(make_service(engine)).look().stage == "done", "the variant was sat"
    with reading(engine) as session:
        frame = frames.judgments(session, study=study)
    assert list(frame["label"]).count("") == 2
    assert person.look().stage == "done"
    with reading(engine) as session:
        baseline = human_baseline(session, study=study, rules=PanelRules())
    assert baseline.majority["grade_norm"].value == pytest.approx(29 / 34)


def test_a_sitting_is_handed_in_when_its_time_is_over_with_what_is_there(engine: Database) -> None:
    study, watch = exam(engine, items=VARIANT[:3], sitting_minutes=30, lease_minutes=5), Watch()
    person = arrive(make_service(engine, watch), ready=False)
    view = person.enter()
    assert view.lease_time is not None
    assert (view.lease_time.seconds, view.lease_time.ends) == (1800, True)
    watch.passes(minutes=20)  # longer than a lease without a limit would last
    second = person.answer(view, best(view))
    assert second.lease_time is not None
    assert (second.stage, second.lease_time.seconds) == ("work", 600)
    watch.passes(minutes=10, seconds=5)
    assert arrive(person.service).look().stage == "done", "what another worker asks for takes nothing away"
    third = person.answer(second, best(second))
    assert third.stage == "done", "an answer that the page sends at the end is taken"
    assert [status for status, _ in statuses(engine, study)] == ["counted"] * 3
    with reading(engine) as session:
        assert list(frames.judgments(session, study=study)["label"]).count("") == 1


@pytest.mark.each_database
def test_the_clock_of_a_sitting_stops_while_its_study_is_paused(engine: Database) -> None:
    study, watch = exam(engine, items=VARIANT[:3], sitting_minutes=30), Watch()
    service, requesters = make_service(engine, watch), Oversight(engine, watch)
    person = arrive(service)
    view = person.answer(person.look(), best(person.look()))

    def becomes(status: StudyStatus) -> None:
        with writing(engine) as session:
            requesters.set_status(session, get_study(session, name=study.name), status, who="anna")

    watch.passes(minutes=20)
    becomes("paused")
    watch.passes(hours=5)
    assert arrive(service).look().stage == "paused", "who looks in meanwhile hands nothing in"
    paused = person.look()
    assert texts(paused.language)["paused"]["again_timed"] in html(paused).replace(NO_BREAK, " ")
    sent = person.answer(view, best(view))
    assert (sent.stage, sent.item_outcome) == ("paused", "")
    becomes("open")
    third = person.look()
    assert third.lease_time is not None
    assert (third.stage, third.lease_time.seconds) == ("work", 600)
    watch.passes(minutes=9)
    done = person.answer(third, best(third))
    assert done.stage == "done"
    assert texts(done.language)["done"]["again"] not in html(done).replace(NO_BREAK, " "), "an exam is sat once"
    with reading(engine) as session:
        assert "" not in list(frames.judgments(session, study=study)["label"]), "all three are answers"


def test_an_answer_that_comes_long_after_the_time_of_a_sitting_counts_no_more(sqlite: Database) -> None:
    study, watch = exam(sqlite, items=VARIANT[:2], sitting_minutes=30), Watch()
    service = make_service(sqlite, watch)
    person = arrive(service)
    view = person.look()
    watch.passes(minutes=32)
    after = person.answer(view, best(view))
    assert (after.stage, after.item_outcome) == ("done", "exam_over")
    assert service.state(person.study, person.cookie, token=view.token).item_outcome == "exam_over"
    with reading(sqlite) as session:
        assert list(frames.judgments(session, study=study)["label"]) == ["", ""]


@pytest.mark.each_database
def test_a_timed_sitting_whose_worker_is_gone_is_handed_in_and_not_thrown_away(engine: Database) -> None:
    study, watch = exam(engine, items=VARIANT[:2], sitting_minutes=30), Watch()
    service = make_service(engine, watch)
    person = arrive(service)
    person.answer(person.look(), best(person.look()))
    watch.passes(minutes=40)
    assert arrive(service).look().stage == "done"
    assert statuses(engine, study) == [("counted", None)] * 2


def test_a_task_of_a_sitting_is_reported_and_stays(sqlite: Database) -> None:
    exam(sqlite, items=VARIANT[:3])
    person = arrive(make_service(sqlite))
    view = person.look()
    page = html(view)
    assert 'data-open="skip"' in page
    assert "data-instead" not in page, "nothing is given back in its place"
    assert do(person, "report", view, {"reason": "mistake"}).token == view.token


def test_the_map_tells_how_each_task_stands_and_what_a_blank_one_is_worth(sqlite: Database) -> None:
    exam(sqlite, items=VARIANT[:3])
    person = arrive(make_service(sqlite))
    person.answer(person.look(), best(person.look()))
    drawn = sheet(person.service.sheet(person.study, person.cookie))
    words = texts(person.look().language)["exam"]
    drawn = drawn.replace(NO_BREAK, " ")
    assert [word in drawn for word in (words["note"], words["answered"], words["open"], words["now"])] == [True] * 4
    assert "2 задания" in drawn
    assert words["last"] not in html(person.look())
    last = person.answer(person.look(), best(person.look()))
    assert words["last"] in html(last), "the answer that ends the exam says so"
