"""Reports that are upheld: the item counts for nothing any more, and what is owed for it stays owed."""

import pytest

from annotate.pages.manage.items_tab import draw_reports
from annotate.pages.manage.workers_tab import draw_appeals
from annotate.requesters.oversight import Oversight
from annotate.worker.service import PAID_REPORTS
from annotate.worker.stages import Act
from annotate.worker.view import View
from baseline.human.baseline import human_baseline
from baseline.human.soft_labels import labelled_rows
from data.errors import BadSetting
from db import frames, scoring_frames
from db.engine import Database, reading
from db.events import list_events
from db.items import list_items
from db.records import list_reports
from db.studies import Study
from db.worker_summaries import control_answers, worker_summaries
from eval.panel import PanelRules
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study

BROKEN = {"reason": "mistake"}


def act(person: Person, kind: str, view: View | None = None, value: object = None) -> View:
    return person.service.act(person.study, person.cookie, Act(kind, token=view.token if view else "", value=value))  # type: ignore[arg-type]


def key_of(database: Database, study: Study, name: str) -> int:
    with reading(database) as session:
        return next(each.key for each in list_items(session, study=study) if each.item.id == name)


def owed(database: Database, study: Study) -> list[float]:
    with reading(database) as session:
        return [work.pay for work in worker_summaries(session, study=study)]


def shown(view: View) -> str:
    return view.item.fields["thing"].replace(" thing ", "-") if view.item else ""


@pytest.mark.each_database
def test_a_further_report_is_paid_once_it_is_upheld_and_paid_once(engine: Database) -> None:
    study = make_study(engine, main=8, overlap=2, page_main=8, page_controls=0, price=2.0)
    person, oversight = arrive(make_service(engine)), Oversight(engine, Watch())
    view = person.look()
    for _ in range(PAID_REPORTS + 1):
        last, view = shown(view), act(person, "report", view, BROKEN)
    assert owed(engine, study) == [6.0]
    key = key_of(engine, study, last)
    assert oversight.uphold("colours", key, who="anna")
    assert not oversight.uphold("colours", key, who="boris"), "it was upheld already"
    after = person.look()
    assert after.earnings is not None
    assert (owed(engine, study), after.earnings.earned) == ([8.0], 8.0)
    with reading(engine) as session:
        reports = list_reports(session, study=study)
        (event,) = list_events(session, study=study)
    assert [(report.price, report.upheld) for report in reports] == [(2.0, False)] * 3 + [(2.0, True)]
    assert (event.kind, event.who, event.details) == ("upheld", "anna", {"item": last})
    with pytest.raises(BadSetting, match="No worker has reported"):
        oversight.uphold("colours", key_of(engine, study, shown(view)), who="anna")


@pytest.mark.each_database
def test_an_upheld_item_enters_no_label_and_no_score_and_its_answers_stay_owed(engine: Database) -> None:
    study = make_study(engine, main=3, overlap=2, page_main=3, page_controls=0, price=2.0)
    service, oversight = make_service(engine), Oversight(engine, Watch())
    first = arrive(service)
    given = [shown(view) for view in first.work("green")]
    second = arrive(service)
    view = second.look()
    while shown(view) != given[0]:
        view = second.answer(view)
    after = act(second, "report", view, BROKEN | {"instead": False})
    oversight.uphold("colours", key_of(engine, study, given[0]), who="anna")
    assert second.answer(after).stage in ("work", "done"), "what is in hand is taken, and owed"
    list(second.work())
    assert owed(engine, study) == [6.0, 6.0]
    with reading(engine) as session:
        people = human_baseline(session, study=study, rules=PanelRules())
        rows = labelled_rows(session, study=study, rules=PanelRules()).set_index("item")
        both = [module.items(session, study=study)["role"].tolist() for module in (frames, scoring_frames)]
    assert sorted(people.panel.votes.items) == sorted(given[1:])
    assert set(rows.loc[given[0], ["role", "why"]]) == {"left out", "found to be broken"}
    assert both[0] == both[1]
    assert sorted(both[0]) == ["broken main", "main", "main"]
    assert arrive(service).look().stage == "done", "nobody else is asked it"
    drawn = draw_reports(oversight.reports("colours"))
    assert "Count again" in drawn
    oversight.uphold("colours", key_of(engine, study, given[0]), who="anna", broken=False)
    with reading(engine) as session:
        assert len(human_baseline(session, study=study, rules=PanelRules()).panel.votes.items) == 3
    assert arrive(service).look().stage == "done", "it has the answers that it wants"


def test_an_upheld_item_that_counts_again_waits_for_the_answers_it_lacks(sqlite: Database) -> None:
    study = make_study(sqlite, main=2, overlap=1, page_main=2, page_controls=0)
    service, oversight = make_service(sqlite), Oversight(sqlite, Watch())
    person = arrive(service)
    first = person.look()
    act(person, "report", first, BROKEN)
    key = key_of(sqlite, study, shown(first))
    oversight.uphold("colours", key, who="anna")
    list(person.work())
    other = arrive(service)
    assert other.look().stage == "done"
    oversight.uphold("colours", key, who="anna", broken=False)
    assert shown(other.look()) == shown(first)


def test_a_control_that_is_upheld_is_held_against_nobody(sqlite: Database) -> None:
    study = make_study(sqlite, main=4, control=1, overlap=1, page_main=1, page_controls=1)
    person, oversight = arrive(make_service(sqlite)), Oversight(sqlite, Watch())
    view = person.look()
    while shown(view) != "control-0":
        view = person.answer(view)
    act(person, "report", view, BROKEN | {"instead": False})
    person.answer(view, "green")
    with reading(sqlite) as session:
        assert len(control_answers(session, study=study)) == 1
    oversight.uphold("colours", key_of(sqlite, study, "control-0"), who="anna")
    with reading(sqlite) as session:
        assert control_answers(session, study=study) == []
    assert [line.controls for line in oversight.workers("colours")] == [0]


def failed(database: Database) -> tuple[Study, Person]:
    """Somebody who reported a practice item, answered it otherwise than its gold, and failed by it."""
    study = make_study(database, main=2, training=2, overlap=1, price=2.0, training_pass=1.0)
    person = arrive(make_service(database), ready=False)
    view = person.enter()
    act(person, "report", view, BROKEN)
    for label in ("green", "red"):
        person.answer(person.look(), label)
        view = act(person, "next")
    assert view.stage == "failed"
    return study, person


def test_who_failed_by_a_practice_item_that_is_upheld_has_passed_and_is_paid_for_it(sqlite: Database) -> None:
    study, person = failed(sqlite)
    Oversight(sqlite, Watch()).uphold("colours", key_of(sqlite, study, "training-0"), who="anna")
    assert person.look().stage == "work"
    assert owed(sqlite, study) == [4.0], "both practice answers"


def test_an_objection_after_failed_training_stands_beside_the_gold_and_may_be_right(sqlite: Database) -> None:
    study, person = failed(sqlite)
    act(person, "appeal", value={"text": "The thing is green."})
    oversight = Oversight(sqlite, Watch())
    (line,) = oversight.workers("colours")
    missed = oversight.missed("colours", [line])
    drawn = draw_appeals(oversight.appeals("colours"), [line], [], "RUB", missed)
    assert "The thing is green." in drawn
    assert "training-0: <bdi>Зелёный</bdi>, right answer <bdi>Красный</bdi>" in drawn
    assert "training-1" not in drawn, "what was right is not in question"
    assert oversight.answer_appeal("colours", line.work.name, "You are right.", who="anna", restore=True)
    assert person.look().stage == "work"
    assert owed(sqlite, study) == [4.0]
