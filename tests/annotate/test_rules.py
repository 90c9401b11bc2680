"""The rules on workers at work: whom they find when, what they do, what they cost; and how often they stop whom."""

from collections.abc import Iterator

import pytest
from sqlalchemy import event, func, select, text, update

from annotate.pages.manage.rules_tab import draw_control_power, draw_power
from annotate.pages.manage.settings_form import HINTS
from annotate.requesters.oversight import Oversight
from annotate.worker.stages import Act
from app import load_command
from data.errors import BadSetting, UnknownName
from db.engine import Database, reading, upgrade, writing
from db.events import Cause, Event, add_event, list_events
from db.evidence import times
from db.frames import excluded_workers, judgments
from db.studies import get_study
from db.tables import ITEM, STUDY
from eval.workers.control import ControlRule, Posterior, ever_stopped
from eval.workers.rule import Chances
from eval.workers.table import RULES, QualityRules, checked_rules, rules_of
from tests.helpers.collection import Person, Watch, arrive, make_service, make_study


def rules(**chosen: object) -> dict[str, object]:
    """All rules off but these."""
    off: dict[str, object] = {name: {"action": "none"} for name in RULES}
    return off | chosen


def events(database: Database) -> list[Event]:
    with reading(database) as session:
        return list_events(session, study=get_study(session, name="colours"))


def work(person: Person, watch: Watch, labels: Iterator[str] | str, number: int, seconds: float = 8) -> str:
    """Answer so many items; return the stage after them."""
    for _ in range(number):
        view = person.look()
        if view.stage != "work":
            break
        watch.passes(seconds=30)
        person.answer(view, labels if isinstance(labels, str) else next(labels), seconds)
    return person.look().stage


def skip(person: Person, times: int = 1) -> None:
    for _ in range(times):
        person.service.act(person.study, person.cookie, Act("skip", token=person.look().token))


def test_who_guesses_on_controls_is_excluded_by_default_and_who_is_good_is_not(engine: Database) -> None:
    make_study(engine, main=30, control=10, overlap=3, page_main=1, page_controls=1)
    watch = Watch()
    service = make_service(engine, watch)
    good, bad = arrive(service), arrive(service)
    assert work(good, watch, "red", 20) == "work"
    # 0 of 10 right: P(accuracy > 0.7 | Beta(1, 11)) = 0.3^11, far below 0.10; with 9 the rule does not look yet.
    assert work(bad, watch, "green", 18) == "work"
    assert work(bad, watch, "green", 20) == "stopped"
    excluded, fired = events(engine)
    assert (fired.kind, fired.rule, fired.who, fired.reason) == (
        "rule",
        "control",
        "rule",
        "0 of 10 controls right, held against 0.70",
    )
    assert len(fired.details["judgments"]) == 10
    assert (excluded.kind, excluded.rule, excluded.worker) == ("excluded", "control", fired.worker)
    lines = {line.work.name: line for line in Oversight(engine, watch).workers("colours")}
    assert (lines[fired.worker].controls, lines[fired.worker].right, lines[fired.worker].fired) == (
        10,
        0,
        {"control": 1},
    )


def test_who_is_restored_is_judged_by_what_comes_after(sqlite: Database) -> None:
    make_study(sqlite, main=60, control=60, overlap=3, page_main=1, page_controls=1)
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    assert work(person, watch, "green", 20) == "stopped"
    oversight = Oversight(sqlite, watch)
    worker = events(sqlite)[0].worker
    oversight.restore("colours", worker, who="anna", reason="asked for another chance")
    assert work(person, watch, "red", 30) == "work"
    assert work(person, watch, "green", 60) == "stopped"
    assert [event.kind for event in events(sqlite)] == ["excluded", "rule", "restored", "excluded", "rule"]


def test_a_rule_that_warns_says_so_once_for_the_same_answers(sqlite: Database) -> None:
    make_study(
        sqlite,
        main=20,
        control=5,
        page_main=1,
        page_controls=1,
        quality=rules(control={"action": "warn", "test": "threshold", "share": 0.5, "minimum": 3}),
    )
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    assert work(person, watch, "green", 10) == "work"
    assert [(event.kind, event.reason) for event in events(sqlite)] == [
        ("rule", "0 of 3 controls right, held against 0.50")
    ]


def test_a_window_forgets_what_lies_before_it(sqlite: Database) -> None:
    rule = {"action": "exclude", "test": "threshold", "share": 0.5, "minimum": 3, "window": 3}
    make_study(sqlite, main=40, control=40, page_main=1, page_controls=1, quality=rules(control=rule))
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    assert work(person, watch, "red", 12) == "work"
    assert work(person, watch, "green", 6) == "stopped"
    assert events(sqlite)[1].reason == "1 of 3 controls right, held against 0.50"


def test_who_is_too_fast_too_often_is_found(engine: Database) -> None:
    rule = {"action": "exclude", "seconds": 3, "at_least": 3, "window": 5}
    make_study(engine, main=12, page_controls=0, quality=rules(fast=rule))
    watch = Watch()
    person = arrive(make_service(engine, watch))
    assert work(person, watch, "red", 2, seconds=1) == "work"
    assert work(person, watch, "red", 4, seconds=8) == "work"
    assert work(person, watch, "red", 2, seconds=1) == "work"
    assert work(person, watch, "red", 1, seconds=1) == "stopped"
    assert events(engine)[1].reason == "the median of the last 5 answers is 1 s, below 3 s"


def test_who_is_too_fast_by_the_median_of_the_study_is_found(engine: Database) -> None:
    rule = {"action": "exclude", "of_median": 0.3, "at_least": 3, "window": 5}
    study = make_study(engine, main=30, training=2, page_controls=0, quality=rules(fast=rule))
    make_study(engine, main=3, name="others", page_controls=0, quality=rules())
    watch = Watch()
    service = make_service(engine, watch)
    slow, slower, hasty = (arrive(service) for _ in range(3))
    work(slow, watch, "red", 30, seconds=10)
    work(arrive(service, "others"), watch, "red", 3, seconds=1)
    # 30 times of 10 s and 15 of 1 s: fewer than 50 measure nobody.
    assert work(hasty, watch, "red", 15, seconds=1) == "work"
    work(slower, watch, "red", 30, seconds=12)
    assert work(hasty, watch, "red", 2, seconds=1) == "work"
    assert events(engine) == []
    # In the middle of 18 times of 1 s, 30 of 10 s and 30 of 12 s, sorted, are the 39th and the 40th: both 10 s.
    assert work(hasty, watch, "red", 1, seconds=1) == "stopped"
    _, fired = events(engine)
    source = "3 s, which is 0.3 of 10 s, the median of the study's last 78 answers"
    told = f"the median of the last 5 answers is 1 s, below {source}"
    assert (fired.reason, fired.rule, len(fired.details["judgments"])) == (told, "fast", 5)
    with reading(engine) as session:
        assert times(session, study_id=study.id) == [10.0] * 30 + [12.0] * 30  # nor training, nor what is void
        assert times(session, study_id=study.id, last=2) == [12.0, 12.0]


def test_a_limit_is_seconds_or_a_share_of_the_median() -> None:
    with pytest.raises(BadSetting, match=r"^Too fast: fill in the seconds or the share of the median, not both; leave"):
        checked_rules({"fast": {"seconds": 2, "of_median": 0.3}})
    with pytest.raises(BadSetting, match=r"Too fast, of_median 1: input should be less than 1"):
        checked_rules({"fast": {"of_median": 1}})


def test_a_rule_does_not_see_what_was_taken_back(sqlite: Database) -> None:
    rule = {"action": "exclude", "seconds": 3, "at_least": 3, "window": 5}
    make_study(sqlite, main=8, page_controls=0, quality=rules(fast=rule))
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    assert work(person, watch, "red", 1, seconds=1) == "work"
    person.service.act("colours", person.cookie, Act("undo", token=person.look().token))
    assert work(person, watch, "red", 1, seconds=8) == "work"
    assert work(person, watch, "red", 1, seconds=1) == "work"
    assert work(person, watch, "red", 1, seconds=1) == "stopped"


def test_who_gives_one_answer_all_along_is_found_where_others_do_not(sqlite: Database) -> None:
    make_study(sqlite, main=20, overlap=3, page_controls=0, quality=rules(constant={"action": "exclude"}))
    watch = Watch()
    service = make_service(sqlite, watch)
    alone = arrive(service)
    assert work(alone, watch, "red", 10) == "work"
    mixed = arrive(service)
    assert work(mixed, watch, iter(["red", "green"] * 10), 20) == "done"
    make_study(sqlite, main=20, overlap=3, page_controls=0, name="others")
    for _ in range(3):
        assert work(arrive(service, "others"), watch, "red", 20) == "done"
    # Now there is a crowd to be held against, which says "red" for one half; another study is none of it.
    assert work(alone, watch, "red", 10) == "stopped"
    assert events(sqlite)[1].reason == "one answer in 100% of 20 items, where others give it less than 80%"


def test_no_rule_asks_the_database_anything_where_none_is_concerned(sqlite: Database) -> None:
    asked: list[str] = []
    event.listen(sqlite, "checkout", lambda driver, *_: driver.set_trace_callback(asked.append))
    counts = []
    for name, chosen in (("off", rules()), ("on", {})):
        make_study(sqlite, main=12, name=name, quality=chosen, page_controls=0)
        person = arrive(make_service(sqlite, watch := Watch()), name)
        view = person.look()
        watch.passes(seconds=3)
        asked.clear()
        person.answer(view)
        counts.append(len(asked))
    assert counts[0] == counts[1] > 5


def test_the_power_of_the_rule_on_controls_is_that_of_its_test() -> None:
    rule = ControlRule()
    rows, test = rule.power(Chances(chance=0.5, controls_met=26)), rule.test_at(0.5)
    assert [row.answers for row in rows] == [10, 20, 26, 40]
    assert test is not None
    assert (test.limit, any(row.simulated for row in rows)) == (0.7, False)
    ten = rows[0]
    assert ten.guesser_passes == pytest.approx(1 - ever_stopped(Posterior(0.5, minimum=10), 0.5, 10))
    assert ten.good_found == pytest.approx(ever_stopped(Posterior(0.5, minimum=10), 0.9, 10))
    assert rows[-1].guesser_passes < ten.guesser_passes < 0.5


def test_a_window_is_simulated_and_as_long_as_all_controls_it_is_the_exact_number() -> None:
    exact = ControlRule(minimum=5).power(Chances())
    assert ControlRule(minimum=5, window=40).power(Chances()) == exact
    windowed = ControlRule(minimum=5, window=5).power(Chances())
    assert any(row.simulated for row in windowed)
    assert windowed[0] == exact[0]
    assert windowed[-1].guesser_passes < exact[-1].guesser_passes


def test_a_rule_that_can_tell_nobody_apart_has_no_numbers() -> None:
    assert ControlRule().power(Chances(chance=0.95)) == ()


def test_rules_of_a_running_study_are_changed_and_the_change_is_an_event(engine: Database) -> None:
    make_study(engine, control=3)
    oversight = Oversight(engine, Watch())
    changed = rules(control={"action": "warn", "minimum": 8})
    oversight.set_rules("colours", changed, 900.0, who="anna")
    oversight.set_rules("colours", changed, 900.0, who="anna")
    settings = oversight.study("colours").settings
    assert (rules_of(settings.quality), settings.hourly_minimum) == (checked_rules(changed), 900.0)
    assert [(event.kind, event.who) for event in events(engine)] == [("rules", "anna")]
    chances = oversight.control_chances("colours")
    assert chances is not None
    assert (chances.chance, checked_rules(changed).control.power(chances)[0].answers) == (0.5, 8)


def test_two_managers_change_two_fields_of_the_rules_and_both_changes_hold(sqlite: Database) -> None:
    make_study(sqlite, control=3)
    oversight = Oversight(sqlite, Watch())
    shown = oversight.study("colours").settings
    opened = rules_of(shown.quality).model_dump(mode="json")
    oversight.set_rules("colours", opened | {"skips": opened["skips"] | {"window": 7}}, None, who="anna", shown=shown)
    oversight.set_rules("colours", opened, 900.0, who="boris", shown=shown)
    settings = oversight.study("colours").settings
    assert (rules_of(settings.quality).skips.window, settings.hourly_minimum) == (7, 900.0)


def test_a_bad_rule_is_one_sentence(sqlite: Database) -> None:
    with pytest.raises(BadSetting, match="Control items, doubt 2: input should be less"):
        checked_rules({"control": {"doubt": 2}})
    with pytest.raises(BadSetting, match="Too fast, seconds 'soon'"):
        checked_rules({"fast": {"seconds": "soon"}})


def test_who_is_paused_waits_keeps_the_answers_and_goes_on_when_somebody_has_looked(engine: Database) -> None:
    rule = {"action": "pause", "seconds": 3, "at_least": 3, "window": 5}
    make_study(engine, main=8, page_controls=0, quality=rules(fast=rule))
    watch = Watch()
    person = arrive(make_service(engine, watch))
    assert work(person, watch, "red", 3, seconds=1) == "on_hold"
    paused, fired = events(engine)
    assert (paused.kind, paused.rule, fired.rule, fired.details["action"]) == (
        "on_hold",
        "fast",
        "fast",
        "pause",
    )
    oversight = Oversight(engine, watch)
    (line,) = oversight.workers("colours")
    assert (line.work.status, line.work.answers, line.work.void) == ("paused", 3, 0)
    with reading(engine) as session:
        assert excluded_workers(session, study=get_study(session, name="colours")) == set()
        assert session.execute(select(func.sum(ITEM.c.held))).scalar() == 0
    assert oversight.restore("colours", fired.worker, who="anna", reason="talked to")
    assert not oversight.restore("colours", fired.worker, who="anna", reason="again")
    assert work(person, watch, "red", 2, seconds=1) == "work"
    assert oversight.exclude("colours", fired.worker, who="anna", reason="enough")
    assert person.look().stage == "stopped"


def test_a_late_answer_of_a_paused_worker_counts(sqlite: Database) -> None:
    make_study(sqlite, main=8, page_controls=0, quality=rules(skips={"action": "pause", "in_a_row": 2}))
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    view = person.answer(person.look())
    skip(person)
    held = person.look()
    skip(person)
    assert person.look().stage == "on_hold"
    assert person.answer(held).stage == "on_hold"
    (line,) = Oversight(sqlite, watch).workers("colours")
    assert (view.stage, line.work.answers, line.work.status) == ("work", 2, "paused")


def test_who_skips_too_many_in_a_row_is_found_once_and_reports_are_no_skips(engine: Database) -> None:
    make_study(engine, main=20, page_controls=0, quality=rules(skips={"action": "flag", "in_a_row": 3}))
    watch = Watch()
    person = arrive(make_service(engine, watch))
    skip(person, 2)
    report = {"reason": "mistake", "text": ""}
    person.service.act("colours", person.cookie, Act("report", token=person.look().token, value=report))
    assert events(engine) == []
    watch.passes(seconds=5)
    skip(person)
    (fired,) = events(engine)
    assert (fired.rule, fired.reason, len(fired.details["items"])) == ("skips", "3 items skipped in a row", 3)
    watch.passes(seconds=5)
    skip(person, 2)
    assert len(events(engine)) == 1


def test_a_large_share_of_skips_is_found(sqlite: Database) -> None:
    rule = {"action": "flag", "in_a_row": 9, "share": 0.5, "window": 6, "minimum": 5}
    make_study(sqlite, main=20, page_controls=0, quality=rules(skips=rule))
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    for _ in range(2):
        person.answer(person.look())
        skip(person)
    assert events(sqlite) == []
    skip(person)
    assert events(sqlite)[0].reason == "3 of the last 5 skipped"


def test_answers_that_repeat_are_found_with_the_controls_between_them(sqlite: Database) -> None:
    rule = {"action": "flag", "minimum": 12, "longest": 3}
    make_study(sqlite, main=12, control=6, page_main=1, page_controls=1, quality=rules(pattern=rule))
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    work(person, watch, iter(["red", "red", "green"] * 4), 12)
    (fired,) = events(sqlite)
    assert (fired.reason, len(fired.details["judgments"])) == ("12 answers repeat every 3 items", 12)


def test_who_disagrees_with_everybody_is_found(engine: Database) -> None:
    make_study(engine, main=6, overlap=5, page_controls=0, quality=rules(disagreement={"minimum": 6}))
    watch = Watch()
    service = make_service(engine, watch)
    for _ in range(4):
        assert work(arrive(service), watch, "red", 6) == "done"
    assert events(engine) == []
    work(arrive(service), watch, "green", 6)
    (fired,) = events(engine)
    assert fired.reason == "agrees with the others' majority in 0% of 6 items, where the others do in 100%"
    assert (fired.kind, fired.rule, len(fired.details["judgments"])) == ("rule", "disagreement", 6)


def test_two_who_depart_from_everybody_alike_are_found_and_two_who_are_right_alike_are_not(sqlite: Database) -> None:
    make_study(sqlite, main=30, overlap=5, page_controls=0, quality=rules(copying={"action": "flag"}))
    watch = Watch()
    service = make_service(sqlite, watch)
    for label in ("red", "red", "red", "green"):
        assert work(arrive(service), watch, label, 30) == "done"
    assert events(sqlite) == []
    work(arrive(service), watch, "green", 30)
    (fired,) = events(sqlite)
    assert fired.reason.startswith("30 of 30 departures from the others' majority are the same as those of w-")
    assert len(fired.details["judgments"]) == 60


def test_answers_pasted_or_given_in_the_dark_are_stored_and_only_ever_flag(engine: Database) -> None:
    make_study(engine, main=8, page_controls=0, quality=rules(attention={"minimum": 3, "window": 4}))
    person = arrive(make_service(engine))
    for signs in ({}, {"pasted": True}, {"away": True}, {"pasted": True, "away": True}):
        person.service.act("colours", person.cookie, Act("answer", token=person.look().token, value="red", **signs))
    (fired, *_) = events(engine)
    assert fired.reason == "of the last 3 answers 1 had text pasted in and 1 came after the page was hidden"
    with reading(engine) as session:
        stored = judgments(session, study=get_study(session, name="colours"))
    assert list(zip(stored["pasted"], stored["away"], strict=True)) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    with pytest.raises(BadSetting, match="Paste and hidden page, action 'exclude'"):
        checked_rules({"attention": {"action": "exclude"}})


def test_one_wrong_answer_to_a_trap_pauses(sqlite: Database) -> None:
    make_study(sqlite, main=12, control=3, page_main=1, page_controls=1, quality=rules(trap={"items": ["control-1"]}))
    watch = Watch()
    person = arrive(make_service(sqlite, watch))
    while (view := person.look()).stage == "work" and view.item is not None:
        watch.passes(seconds=9)
        person.answer(view, "green" if view.item.fields["thing"].startswith("control") else "red")
    assert view.stage == "on_hold"
    assert events(sqlite)[1].reason == "1 of 1 items that say what to answer were answered otherwise"
    with pytest.raises(UnknownName, match="control item under “Trap items” 'control-9'"):
        Oversight(sqlite, watch).set_rules("colours", rules(trap={"items": ["control-9"]}), None, who="anna")


def test_ids_of_traps_are_typed_with_commas_or_spaces_between_them() -> None:
    assert checked_rules({"trap": {"items": " control-1, control-2;control-3 "}}).trap.items == tuple(
        f"control-{number}" for number in (1, 2, 3)
    )
    assert checked_rules({"trap": {"items": ""}}).trap.items == ()


def test_rules_stored_under_the_earlier_name_of_an_action_are_read() -> None:
    assert checked_rules({"control": {"action": "warn"}}).control.action == "flag"


def test_the_power_of_the_other_rules_is_that_of_binomials() -> None:
    rules = checked_rules({"trap": {"items": ["a", "b"]}})
    found = {rule.key: power for rule in rules.each() for power in rule.power(Chances(labels=2))}
    # All ten answers the same one of two: 2 / 1024.
    assert found["constant"].guesser_passes == pytest.approx(1 - 2 / 1024)
    # A guesser gets one trap of two wrong in 3 of 4 cases, who reads 99% of them in 1 - 0.99^2.
    assert (found["trap"].guesser_passes, found["trap"].good_found) == pytest.approx((0.25, 0.0199))
    # 20 items, 90% agree: P(14 or fewer) = 0.0113, P(13 or fewer) = 0.0024; a guesser has 13 or fewer in 94.2%.
    assert found["disagreement"].good_found == pytest.approx(0.0024, abs=5e-5)
    assert found["disagreement"].guesser_passes == pytest.approx(0.0577, abs=5e-5)
    assert found["pattern"].good_found < 0.001


def test_what_the_rules_do_is_drawn_for_every_kind_of_study() -> None:
    rules = checked_rules({"trap": {"items": ["a", "b"]}})
    drawn = str(draw_control_power(rules, Chances(chance=0.5, controls_met=26)))
    assert "The rule checks after every control and requires 70%. A guesser is right in 50%.</p>" in drawn
    assert "simulated" in str(draw_control_power(checked_rules({"control": {"window": 5}}), Chances()))
    assert "no control items with a right answer" in str(draw_control_power(rules, None))
    assert "controls cannot find guessers" in str(draw_control_power(rules, Chances(chance=0.95)))
    assert "The rule is off" in str(draw_control_power(checked_rules({"control": {"action": "none"}}), Chances()))
    assert "<td>2</td><td>25.0%</td><td>1.99%</td>" in str(draw_power(rules, 2))
    assert "Answers are open" in str(draw_power(rules, 0))
    assert "No figures can be computed" in str(draw_power(checked_rules({key: {"action": "none"} for key in RULES}), 2))


def test_a_rule_that_came_after_a_study_was_made_does_nothing_there(sqlite: Database) -> None:
    stored = {key: numbers for key, numbers in rules().items() if key != "skips"}
    make_study(sqlite, main=20, page_controls=0, quality=stored)
    skip(arrive(make_service(sqlite)), 6)
    with reading(sqlite) as session:
        found = rules_of(get_study(session, name="colours").settings.quality)
    assert events(sqlite) == []
    assert (found.skips.action, checked_rules({}).skips.action) == ("none", "flag")


def test_a_database_of_before_has_the_same_rules_in_force_and_knows_them_by_one_name(engine: Database) -> None:
    study = make_study(engine, control=3)
    stored = {"fast": {"action": "warn", "seconds": 2.0, "at_least": 5, "window": 20}}
    with engine.begin() as connection:
        settings = connection.execute(select(STUDY.c.settings)).scalar_one()
        connection.execute(update(STUDY).values(settings=settings | {"quality": stored}))
        connection.execute(text("UPDATE alembic_version SET version_num = '0015'"))
    earlier = ("control_accuracy", "too_fast", "constant_answers", "repeating_pattern", "skips", "inattention", "")
    with writing(engine) as session:
        for rule in earlier:
            add_event(session, study_id=study.id, kind="rule", cause=Cause("rule", Watch()(), rule=rule))
    upgrade(engine, "0016")
    with engine.begin() as connection:
        kept = connection.execute(select(STUDY.c.settings)).scalar_one()["quality"]
    # All numbers are there now, and what was not stored is what was in force.
    in_force = checked_rules({"fast": {"seconds": 2.0}}).model_dump(mode="json")
    assert kept.keys() == {
        "control",
        "trap",
        "fast",
        "constant",
        "pattern",
        "disagreement",
        "copying",
        "skips",
        "attention",
    }
    assert kept == {rule: in_force[rule] for rule in kept}
    assert [one.rule for one in reversed(events(engine))] == [
        "control",
        "fast",
        "constant",
        "pattern",
        "skips",
        "attention",
        "",
    ]


def test_numbers_beside_rules_are_those_of_their_declarations(monkeypatch: pytest.MonkeyPatch) -> None:
    control = ControlRule()
    assert f"from {control.minimum} controls on" in HINTS["Quality"]
    assert f"{control.good:.0%} is stopped" in HINTS["Quality"]
    monkeypatch.setattr("eval.workers.disagreement.GOOD", 0.85)
    monkeypatch.setattr("eval.workers.trap.ATTENTIVE", 0.97)
    drawn = str(draw_power(QualityRules(), 4))
    assert "who agree in 85%" in drawn
    assert "who reads 97% of them" in drawn


@pytest.mark.parametrize("name", ["control", "constant", "pattern", "disagreement"])
def test_a_rule_has_its_declared_title_among_the_options_of_quality(name: str) -> None:
    (option,) = (one for one in load_command("quality").params if "--rule" in one.opts)
    assert f"{name} ({RULES[name].title})" in str(getattr(option, "help", ""))
