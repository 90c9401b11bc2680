"""A setting of a study is declared once: forms, `--set`, documentation and events have it from its field."""

from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from annotate.accounts.signer import Signer
from annotate.pages.manage.study_drawing import draw_study
from annotate.requesters.oversight import fixed_words
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_creation import checked_settings, study_settings
from app import cli, load_command
from data.declared import change_words
from data.errors import BadSetting
from data.human_rules import TIES
from db.engine import reading, writing
from db.studies import change_settings, get_study
from db.study_settings import SETTINGS, StudySettings
from eval.workers.table import rules_of
from tests.helpers.collection import arrive, make_service, make_study

ROOT = Path(__file__).parents[2]
GENERATED = [path.name for path in (ROOT / "docs").glob("*.md") if "docs/tables.py -->" in path.read_text("utf8")]


def test_the_tables_of_the_documentation_are_current() -> None:
    current = run_path(str(ROOT / "docs" / "tables.py"))["current"]
    old = [name for name in GENERATED if (ROOT / "docs" / name).read_text("utf8") != current(name)]
    assert not old, "these do not say what the code does; run python docs/tables.py"


def test_a_switch_that_has_an_option_can_be_typed_both_ways() -> None:
    options = {name for one in load_command("create").params for name in (*one.opts, *one.secondary_opts)}
    assert {"--sitting", "--no-sitting", "--lease", "--overlap", "--set"} <= options


def test_every_setting_has_a_name_of_its_own() -> None:
    titles = [setting.title for setting in SETTINGS.values()]
    assert len(set(titles)) == len(titles)
    assert set(SETTINGS) == set(StudySettings.model_fields) - {"quality", "order_drawn"}
    for setting in SETTINGS.values():
        assert not setting.choices or setting.default in setting.choices, setting.name


def test_which_way_a_setting_may_go_is_said_and_held_by_its_own_declaration() -> None:
    said = {name: change_words(setting) for name, setting in SETTINGS.items()}
    assert said["overlap"] == "May only grow"
    assert said["price"] == "For answers from now on; may only grow once somebody has agreed"
    assert said["pay_late"] == "Stays on once somebody has agreed"
    assert said["repeat_controls"] == "Stays on once somebody has agreed and while there is a bonus"
    assert said["pay_after_exclusion"] == "May only become “paid as promised” once somebody has agreed"
    assert said["hourly_minimum"] == "Changed under Rules"
    assert (said["max_skips"], said["language"]) == ("", "")
    moved = {
        "overlap": (2, 3),
        "bonus_after": (10, 9),
        "pay_late": (False, True),
        "pay_after_exclusion": ("decide", "owed"),
    }
    for name, (before, after) in moved.items():
        assert (SETTINGS[name].allows_change(before, after), SETTINGS[name].allows_change(after, before)) == (
            True,
            False,
        ), name
    assert SETTINGS["max_skips"].allows_change(1, 2)
    assert SETTINGS["max_skips"].allows_change(2, 1)


def test_the_page_names_every_setting_that_is_fixed_and_no_other() -> None:
    words = fixed_words()
    fixed = {name for name, setting in SETTINGS.items() if setting.asked.change is None}
    assert {"page_main", "overlap_max", "currency", "ties"} <= fixed
    for name, setting in SETTINGS.items():
        assert (f"“{setting.title}”" in words) == (name in fixed), name


def test_every_rule_for_ties_can_be_set_and_no_other() -> None:
    assert set(SETTINGS["ties"].choices) == set(TIES)
    for rule in TIES:
        assert study_settings({}, named={"ties": rule}).ties == rule
    with pytest.raises(BadSetting, match=r"--set ties=banana: .*'drop' or 'wrong' or 'fractional'"):
        study_settings({}, named={"ties": "banana"})


@pytest.mark.parametrize("given", [{"price": 5, "max_pay": 3}, {"price": 5.0, "max_pay": 4.99}])
def test_pay_that_ends_before_one_answer_is_refused(given: dict[str, Any]) -> None:
    words = f"Maximum pay per worker {given['max_pay']}: it must be 5 or more, the price of one answer"
    with pytest.raises(BadSetting, match=words):
        checked_settings(given)
    with pytest.raises(BadSetting, match="--set max_pay=3: it must be 5 or more"):
        study_settings({"price": 5}, named={"max_pay": "3"})
    assert checked_settings({"price": 5, "max_pay": 5}).max_pay == 5


def test_a_price_does_not_grow_beyond_what_one_worker_may_earn(sqlite: Engine) -> None:
    make_study(sqlite, price=2.0, max_pay=4.0)
    requesters = RequesterService(sqlite, Signer("a secret for tests"), "https://etalon.example")
    with pytest.raises(BadSetting, match=r"Maximum pay per worker 4.0: it must be 4.5 or more"):
        requesters.oversight.change("colours", {"price": 4.5}, who="anna")


def test_a_study_that_was_stored_with_such_pay_can_still_be_read(sqlite: Engine) -> None:
    study = make_study(sqlite)
    with writing(sqlite) as session:
        change_settings(session, study=study, values={"price": 5.0, "max_pay": 3.0})
    with reading(sqlite) as session:
        assert get_study(session, name="colours").settings.max_pay == 3


def test_settings_of_another_version_are_left_aside_and_said(
    sqlite: Engine, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They lock nobody out: the worker goes on, the page and the command say what is not known, and it stays stored."""
    study = make_study(sqlite, main=2, price=2.0)
    old = {"pauses": 3, "quality": {"streaks": {"action": "flag"}, "control": {"action": "flag", "patience": 2}}}
    with writing(sqlite) as session:
        change_settings(session, study=study, values=old)
    requesters = RequesterService(sqlite, Signer("a secret for tests"), "https://etalon.example")
    words = "does not know: 'pauses', 'streaks', 'control.patience'. It ignores them"
    assert words in str(draw_study(requesters.study("colours"))).replace("&#39;", "'")
    assert len(list(arrive(make_service(sqlite)).work())) == 2
    requesters.oversight.change("colours", {"price": 3.0}, who="anna")
    with reading(sqlite) as session:
        found = get_study(session, name="colours")
    assert (found.settings.price, found.unknown) == (3.0, ("pauses",))
    assert rules_of(found.settings.quality).control.action == "flag"
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    said = CliRunner().invoke(cli, ["events", "colours"], catch_exceptions=False)
    assert said.exit_code == 0
    assert words in " ".join(said.stderr.split())
