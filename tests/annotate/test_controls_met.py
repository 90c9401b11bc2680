"""No worker meets a control twice unless the study says so, and nobody sees when there are none left."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, text, update
from typer.testing import CliRunner

from annotate.accounts.signer import worker_cookie_name
from annotate.pages.manage.study_drawing import draw_study
from annotate.requesters.requester_service import RequesterService
from annotate.worker.service import Service
from annotate.worker.stages import Act
from app import cli
from db.engine import Database, reading, upgrade
from db.studies import get_study
from db.tables import STUDY
from tests.helpers.browsing import Browser, Reply, application
from tests.helpers.collection import SIGNER, Watch, arrive, make_service, make_study

BEFORE, AFTER = "0014", "0015"  # the databases between which controls cease to come again
PLACE = re.compile(r'<span class="figures">(\d+) / (\d+)</span>')


def thing(reply: Reply) -> str:
    return str(re.findall(r"(?:main|control) thing \d+", reply.json()["html"])[0])


def walked(service: Service) -> list[Reply]:
    """Every screen of somebody who works until nothing is left."""
    cookies = {worker_cookie_name("colours"): arrive(service).cookie}
    with TestClient(application(service), cookies=cookies) as client:
        browser = Browser(client, "colours")
        reply, screens = browser.act("language", value="en"), []
        while reply.json()["stage"] == "work":
            screens.append(reply)
            reply = browser.answer(reply)
    return screens


def figures(screens: list[Reply]) -> list[tuple[str, ...]]:
    """Where each screen says that it stands: place and size of the page."""
    return [PLACE.findall(screen.json()["html"])[0] for screen in screens]


@pytest.mark.parametrize("main", [24, 30, 29])
@pytest.mark.parametrize("controls", [2, 3])
def test_a_worker_meets_no_control_twice_and_then_main_items_only(sqlite: Database, main: int, controls: int) -> None:
    make_study(sqlite, main=main, control=controls, overlap=1, page_main=6, page_controls=2)
    things = [thing(screen) for screen in walked(make_service(sqlite))]
    met = Counter(one.split()[0] for one in things)
    assert met == {"main": main, "control": controls}
    assert len(set(things)) == len(things)


def test_nobody_sees_when_there_are_no_controls_left(sqlite: Database) -> None:
    """Pages keep their length, whether controls run out on the way or never."""
    make_study(sqlite, main=45, control=3, overlap=1, page_main=6, page_controls=2)
    seen = figures(walked(make_service(sqlite)))
    assert len(seen) == 48
    assert [(int(place), int(size)) for place, size in seen] == [(n % 8 + 1, 8) for n in range(48)]


def test_a_study_may_let_controls_come_again(sqlite: Database) -> None:
    make_study(sqlite, main=24, control=2, overlap=1, page_main=6, page_controls=2, repeat_controls=True)
    screens = walked(make_service(sqlite))
    met = Counter(thing(screen) for screen in screens if "control thing" in screen.json()["html"])
    assert sorted(met.values()) == [4, 4]
    assert {size for _, size in figures(screens)} == {"8"}


def drawn(database: Database) -> str:
    return str(draw_study(RequesterService(database, SIGNER, "http://etalon.example", Watch()).study("colours")))


def test_requesters_are_told_how_many_workers_have_met_all_controls(engine: Database) -> None:
    make_study(engine, main=12, control=3, overlap=3, page_main=2, page_controls=1, max_skips=5)
    service = make_service(engine)
    through, skipping, fresh = (arrive(service) for _ in range(3))
    assert "main items only" not in drawn(engine)
    list(through.work())
    assert "1 of 1 worker has met all 3 controls and gets main items only" in drawn(engine)
    view = skipping.look()
    while view.stage == "work":
        kind = "skip" if view.item and view.item.fields["thing"] == "control thing 1" else "answer"
        view = service.act("colours", skipping.cookie, Act(kind, token=view.token, value="red", seconds=3))  # type: ignore[arg-type]
    fresh.answer(fresh.look())
    assert "2 of 3 workers have met all 3 controls and get main items only" in drawn(engine)


def test_nothing_is_told_where_controls_come_again(sqlite: Database) -> None:
    make_study(sqlite, main=12, control=1, overlap=3, page_main=2, page_controls=1, repeat_controls=True)
    list(arrive(make_service(sqlite)).work())
    assert "main items only" not in drawn(sqlite)


def test_a_bonus_that_no_worker_could_meet_enough_controls_for_is_refused(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    rows = [{"id": str(n), "premise": f"p{n}", "hypothesis": f"h{n}", "label": "entailment"} for n in range(50)]
    (tmp_path / "items.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf8")
    words = ["create", "study", "--task", "rsg/terra", "--items", str(tmp_path / "items.jsonl"), "--draw-control", "9"]
    words += ["--set", "bonus=1", "--set", "bonus_after=10"]
    refused = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert refused.exit_code == 2
    assert "The study has 9 control items and none comes again" in refused.stderr
    words += ["--set", "repeat_controls=true", "--json"]
    capped = CliRunner().invoke(cli, [*words, "--set", "max_items=20"], catch_exceptions=False)
    assert capped.exit_code == 2
    assert "end the work after 20 answers" in capped.stderr
    made = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert json.loads(made.stdout)["settings"]["repeat_controls"] is True


def test_a_study_made_before_with_a_bonus_keeps_its_controls_coming(engine: Database) -> None:
    """Who agreed to a bonus for controls may have counted on meeting them again; elsewhere no control comes again."""
    make_study(engine, control=5, bonus=1.0, name="paid")
    make_study(engine, control=5, name="unpaid")
    with engine.begin() as connection:
        for name in ("paid", "unpaid"):
            row = connection.execute(select(STUDY.c.settings).where(STUDY.c.name == name)).scalar_one()
            before = {key: value for key, value in row.items() if key not in ("repeat_controls", "pay_late")}
            connection.execute(update(STUDY).where(STUDY.c.name == name).values(settings=before))
        connection.execute(text("UPDATE alembic_version SET version_num = :before"), {"before": BEFORE})
    upgrade(engine, AFTER)
    with reading(engine) as session:
        found = {name: get_study(session, name=name).settings for name in ("paid", "unpaid")}
    assert {name: one.repeat_controls for name, one in found.items()} == {"paid": True, "unpaid": False}
    assert not any(one.pay_late for one in found.values())
