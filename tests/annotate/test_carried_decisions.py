"""Decisions that may have been carried on from the item before are listed by the command."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from db.engine import opened, writing
from db.items import list_items
from db.records import Decision, add_decision
from tests.helpers.collection import Watch, make_study

RUNNER = CliRunner()
# Who decided which item after how many seconds, with which note; the last says whether it is suspect.
MADE = [
    ("olga", 0, 0.0, "typed once", False),
    ("olga", 1, 0.9, "typed once", True),
    ("ivan", 2, 0.1, "typed once", False),
    ("olga", 2, 0.9, "typed once", True),  # one second after her own, though another's came between
    ("olga", 2, 0.2, "typed once", False),  # the same item, confirmed
    ("olga", 3, 1.1, "typed once", False),  # later than a second
    ("olga", 4, 0.5, "a note of its own", False),
    ("ivan", 3, 0.0, "", False),
    ("ivan", 5, 0.4, "", True),
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_url: str) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    clock = Watch()
    with opened(sqlite_url) as database:
        study = make_study(database, main=6)
        with writing(database) as session:
            items = list_items(session, study=study, role="main")
            for who, place, after, note, _ in MADE:
                clock.passes(seconds=after)
                entry = items[place]
                made = Decision(entry.item.id, "red", who, note, True, clock(), entry.key)
                add_decision(session, made, study=study)
    return sqlite_url


def listed(*options: str) -> list[tuple[str, str]]:
    done = RUNNER.invoke(cli, ["decisions", "colours", "--json", *options])
    assert done.exit_code == 0, done.output
    return [(one["who"], one["item"]) for one in json.loads(done.stdout)["decisions"]]


def test_the_command_lists_all_decisions_or_those_within_a_second_with_the_same_note(home: str) -> None:
    assert listed() == [(who, f"main-{place}") for who, place, *_ in MADE]
    assert listed("--suspect") == [(who, f"main-{place}") for who, place, _, _, suspect in MADE if suspect]
    done = RUNNER.invoke(cli, ["decisions", "colours", "--suspect"])
    assert "typed once" in done.stdout
    assert done.stdout.count("olga") == 2


def test_a_study_that_nobody_decided_in_says_so(home: str) -> None:
    with opened(home) as database:
        make_study(database, name="calm", main=2)
    assert "no decision was made yet" in RUNNER.invoke(cli, ["decisions", "calm"]).stdout
    assert "no decision is suspect" in RUNNER.invoke(cli, ["decisions", "calm", "--suspect"]).stdout
