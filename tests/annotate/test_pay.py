"""Pay beyond the price of an answer: practice, the bonus for careful work, and what a plan reckons of both."""

from typing import Any

import pytest

from annotate.requesters.oversight import Oversight
from annotate.worker.stages import Act
from data.errors import BadSetting
from db.engine import Database, reading
from db.payments import bonuses_of
from db.studies import get_study
from db.study_settings import StudySettings
from db.worker_summaries import WorkerSummary
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study, planned


def works_to_the_end(person: Person, watch: Watch, label: str = "red") -> None:
    view = person.look()
    while view.stage == "work":
        watch.passes(seconds=60)
        view = person.answer(view, label, seconds=60)


def test_the_first_answer_to_each_practice_item_is_paid_and_counts_in_every_sum(engine: Database) -> None:
    make_study(engine, main=2, training=2, overlap=1, page_controls=0, price=2, training_price=0.5)
    watch = Watch()
    person = arrive(make_service(engine, watch), ready=False)
    practice = person.enter()
    assert practice.earnings is not None
    assert (practice.earnings.earned, practice.earnings.settings.training_price) == (0, 0.5)
    while practice.stage in ("training", "feedback"):
        watch.passes(seconds=60)
        if practice.stage == "training":
            practice = person.answer(practice, seconds=60)
            person.answer(practice, seconds=60)  # sent twice: paid once
        else:
            practice = person.service.act("colours", person.cookie, Act("next"))
    assert practice.earnings is not None
    assert (practice.earnings.earned, practice.earnings.answers) == (1.0, 0)
    works_to_the_end(person, watch)
    owed = Oversight(engine, watch).payments("colours")
    (line,) = owed.frame.to_dict("records")
    # Two practice items at 0.5 and two answers at 2 are 5, for four minutes: 75 an hour.
    assert (line["pay"], line["bonus"], line["total"], line["hourly_pay"]) == (5.0, 0.0, 5.0, 75.0)
    assert owed.total == 5.0


def test_who_fails_the_practice_is_paid_for_it_where_the_study_says_so(sqlite: Database) -> None:
    make_study(sqlite, training=2, training_price=0.5, pay_failed_training=True)
    person = arrive(make_service(sqlite), ready=False)
    person.enter()
    view = person.train("green")
    assert view.stage == "failed"
    assert view.earnings is not None
    assert view.earnings.earned == 1.0
    (line,) = Oversight(sqlite, Watch()).payments("colours").frame.to_dict("records")
    assert (line["status"], line["total"]) == ("failed", 1.0)


def test_paid_practice_leaves_less_of_the_most_that_one_may_earn(sqlite: Database) -> None:
    make_study(sqlite, main=6, training=2, overlap=1, page_controls=0, price=1, training_price=0.5, max_pay=3)
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    works_to_the_end(person, watch)
    view = person.look()
    assert view.earnings is not None
    # 1 of 3 went into practice: two answers more.
    assert (view.stage, view.capped, view.earnings.answers, view.earnings.earned) == ("done", True, 2, 3.0)


def test_a_bonus_is_for_counted_main_answers_of_who_got_the_controls_right(engine: Database) -> None:
    pays = {"price": 1, "bonus": 0.25, "bonus_accuracy": 0.9, "bonus_after": 2, "hourly_minimum": 66}
    make_study(engine, main=9, control=4, page_main=2, page_controls=1, max_items=6, **pays)  # type: ignore[arg-type]
    watch = Watch()
    service = make_service(engine, watch)
    careful, careless = arrive(service), arrive(service)
    works_to_the_end(careful, watch)
    works_to_the_end(careless, watch, "green")
    oversight = Oversight(engine, watch)
    right, wrong = oversight.payments("colours").frame.to_dict("records")
    # Six answers at 1, four of them to main items at 0.25 more, in six minutes: 70 an hour.
    assert (right["pay"], right["bonus"], right["total"], right["hourly_pay"]) == (6.0, 1.0, 7.0, 70.0)
    assert (wrong["pay"], wrong["bonus"], wrong["total"], wrong["hourly_pay"]) == (6.0, 0.0, 6.0, 60.0)
    owed = oversight.payments("colours")
    assert (owed.total, owed.bonuses, owed.median_hourly, owed.below) == (13.0, 1.0, 65.0, 1)
    assert "13.00 RUB in all (1.00 of it bonuses), 65.00 per hour" in str(owed)
    lines = {line.work.name: (line.bonus, line.hourly) for line in oversight.workers("colours")}
    assert lines == {right["worker"]: (1.0, 70.0), wrong["worker"]: (0.0, 60.0)}
    oversight.exclude("colours", right["worker"], who="anna", reason="a second account")
    out = oversight.payments("colours").frame.to_dict("records")[0]
    # Answers to main items are void then, and no longer bring a bonus; what was promised for each is paid as ever.
    assert (out["pay"], out["bonus"], out["total"], out["void_pay"]) == (6.0, 0.0, 6.0, 0.0)


@pytest.mark.parametrize(
    ("answered", "right", "bonus"), [(9, 9, 0), (10, 8, 0), (10, 9, 3.5), (20, 18, 3.5), (20, 17, 0), (0, 0, 0)]
)
def test_the_bounds_of_a_bonus_belong_to_it(answered: int, right: int, bonus: float) -> None:
    settings = StudySettings(bonus=0.5, bonus_accuracy=0.9, bonus_after=10)
    work = WorkerSummary(1, "w1", False, "active", answers=answered + 8, main=8, counted=7)
    assert bonuses_of([work], settings, {1: (answered, right)}).get(1, 0) == bonus


def test_a_plan_reckons_the_practice_of_the_fewest_workers_and_the_bonus_of_all() -> None:
    numbers: dict[str, Any] = {
        "items": 100,
        "training": 5,
        "control": 10,
        "overlap": 3,
        "page_main": 8,
        "page_controls": 2,
    }
    found = planned(**numbers, training_pass=0.8, price=2.0, training_price=0.5, bonus=0.1, max_items=20)
    # 300 judgments with a quarter more of controls at 2 are 750; 19 workers practise on five items at 0.5 each.
    assert (found.workers, found.practice_cost, found.cost) == (19, 47.5, 797.5)
    assert (found.most_bonus, found.most_cost) == (30.0, 827.5)


def test_a_bonus_needs_controls_and_never_becomes_less_than_was_promised(sqlite: Database) -> None:
    make_study(sqlite, bonus=0.5, bonus_accuracy=0.9, bonus_after=10)
    make_study(sqlite, name="bare", page_controls=0)
    changing = Oversight(sqlite, Watch())
    for given in ({"bonus": 0.4}, {"bonus_accuracy": 0.95}, {"bonus_after": 12}, {"bonus": 0}):
        with pytest.raises(BadSetting, match=r"0\.5 for 0\.9 of 10 controls or more was promised"):
            changing.change("colours", given, who="anna")
    changing.change("colours", {"bonus": 1, "bonus_accuracy": 0.8, "bonus_after": 5}, who="anna")
    with reading(sqlite) as session:
        settings = get_study(session, name="colours").settings
    assert (settings.bonus, settings.bonus_accuracy, settings.bonus_after) == (1, 0.8, 5)
    with pytest.raises(BadSetting, match="the bonus needs controls"):
        changing.change("bare", {"bonus": 0.5}, who="anna")
