"""Files that leave a study: one table of them for the pages and the command, the same bytes on both."""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner, Result

from annotate.accounts.signer import Signer
from annotate.requesters.requester_service import RequesterService
from app import cli
from baseline.human.baseline import deidentified_judgments
from baseline.output.computed_exports import EXPORTS, FOR_VIEWERS
from baseline.pages.result_files import results_files
from data.catalogue.catalog import SAMPLES, get_task, samples
from db.engine import Database, opened, reading, writing
from db.exports import ComputedFiles, FileRequest
from db.items import add_items, list_items
from db.judgments import DUPLICATE, EXCLUDED, Judgment, add_judgments
from db.studies import create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.collection import Watch

APART = ("report", "submission", "ranking", "model-pairs")
"""Those that tell the time, or that the study of these tests does not have."""


def judged(database: Database, task_id: str, items: int = 3) -> None:
    """Store the study s of a task's first samples, each answered right by two people."""
    task = get_task(task_id)
    main = [item for item in samples(task) if item.role == "main"][:items]
    with writing(database) as session:
        study = create_study(session, name="s", task=task, settings=StudySettings())
        add_items(
            session, study=study, items=[type(item)(str(n), item.fields, item.gold) for n, item in enumerate(main)]
        )
        workers = [add_worker(session) for _ in range(2)]
        stored = list_items(session, study=study, role="main")
        given = [Judgment(entry.key, worker, str(entry.item.gold)) for entry in stored for worker in workers]
        add_judgments(session, study=study, judgments=given)


def test_the_command_writes_the_very_bytes_that_the_pages_send(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    to, compared = tmp_path / "file", []
    with opened(sqlite_url) as database:
        judged(database, "rsg/danetqa")
        run = CliRunner().invoke(cli, ["run", "s", "--model", "random"])
        assert run.exit_code == 0, run.stderr
        requesters = RequesterService(
            database, Signer("a secret for tests"), "http://etalon.example", Watch(), exports=EXPORTS
        )
        app = FastAPI()
        app.include_router(results_files(ComputedFiles(database), lambda _: "ann"))
        with TestClient(app) as client:
            for key, export in EXPORTS.items():
                for form in export.forms if key not in APART else ():
                    told = CliRunner().invoke(cli, ["export", "s", "--what", key, "--format", form, "--to", str(to)])
                    assert told.exit_code == 0, told.stderr
                    sent = client.get(f"/results-files/s/{key}.{form}")
                    assert sent.status_code == (200 if export.for_viewers else 404)
                    content = sent.content
                    if export.for_viewers:
                        assert FOR_VIEWERS[key] is requesters.exports[key], "managers get the same"
                        assert not re.search(rb"w-[0-9a-f]{8}", content), (key, form)
                    else:
                        content = FileRequest(requesters.exports, "s", key, form).made(database).content
                    assert content == to.read_bytes(), (key, form)
                    compared.append(key)
    assert {"judgments", "released-judgments", "predictions", "soft-labels", "payments", "consents"} <= set(compared)


def test_published_judgments_tell_the_day_and_no_reason_but_that_of_a_duplicate(sqlite: Database) -> None:
    judged(sqlite, "rsg/terra", items=1)
    moment = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    with writing(sqlite) as session:
        study, worker = get_study(session, name="s"), add_worker(session)
        (item,) = list_items(session, study=study, role="main")
        reasons = ("Ann says: copied", EXCLUDED, DUPLICATE)
        given = [
            Judgment(item.key, worker, str(item.item.gold), repeat, "void", reason, submitted_at=moment)
            for repeat, reason in enumerate(reasons)
        ]
        add_judgments(session, study=study, judgments=given)
    with reading(sqlite) as session:
        rows = deidentified_judgments(session, study=get_study(session, name="s")).tail(len(reasons))
    assert rows["reason"].tolist() == [None, None, DUPLICATE]
    assert rows["day"].tolist() == ["2026-03-01"] * 3
    assert re.fullmatch(r"w00\d", rows["worker"].iloc[0])


def test_the_log_for_a_crowd_platform_holds_what_counts(sqlite: Database) -> None:
    judged(sqlite, "rsg/terra", items=1)
    with writing(sqlite) as session:
        study = get_study(session, name="s")
        (item,) = list_items(session, study=study, role="main")
        void = Judgment(item.key, add_worker(session), str(item.item.gold), status="void", reason=EXCLUDED)
        add_judgments(session, study=study, judgments=[void])
    log = FileRequest(EXPORTS, "s", "judgments", "tsv").made(sqlite).content
    assert len(list(csv.DictReader(io.StringIO(log.decode()), delimiter="\t"))) == 2


def test_the_name_of_a_file_says_in_which_form_it_is_written(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    with opened(sqlite_url) as database:
        judged(database, "rsg/terra")

    def written(what: str, name: str, *more: str) -> str:
        to = tmp_path / name
        done = CliRunner().invoke(cli, ["export", "s", "--what", what, "--to", str(to), *more])
        return to.read_text("utf8") if done.exit_code == 0 else done.stderr

    assert written("items", "items.jsonl").startswith('{"')
    assert "tabular" in written("scores", "scores.tex")
    assert written("report", "report.md").startswith("# ")
    assert written("items", "items") == written("items", "items.txt") == written("items", "items.CSV")
    assert written("items", "odd.jsonl", "--format", "csv") == written("items", "items.csv")
    refused = written("settings", "settings.csv")
    assert "A file that ends in '.csv' is none of settings; use one of json" in refused
    assert "ends in '.xlsx' is none of scores; use one of csv" in written("scores", "scores.xlsx")


def test_an_item_is_called_item_in_every_table_but_that_of_crowd_libraries(sqlite: Database) -> None:
    judged(sqlite, "rsg/terra")
    requesters = RequesterService(
        sqlite, Signer("a secret for tests"), "http://etalon.example", Watch(), exports=EXPORTS
    )
    heads = {
        key: next(
            csv.reader(
                io.StringIO(FileRequest(requesters.exports, "s", key, "csv").made(requesters.database).content.decode())
            )
        )
        for key in ("judgments", "released-judgments", "soft-labels", "labelled", "decisions", "reports", "plain")
    }
    assert heads.pop("plain") == ["task", "worker", "label"]
    assert all("item" in head and "task" not in head for head in heads.values())


def test_judgments_that_left_can_come_back_from_either_table(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    with opened(sqlite_url) as database:
        judged(database, "rsg/terra")
        for what in ("judgments", "plain"):
            to = tmp_path / f"{what}.csv"
            for words in (["export", "s", "--what", what, "--to", str(to)], ["import-log", what, str(to)]):
                done = CliRunner().invoke(cli, words)
                assert done.exit_code == 0, done.stderr
        with reading(database) as session:
            first, second = (
                [entry.item.fields for entry in list_items(session, study=get_study(session, name=name))]
                for name in ("judgments", "plain")
            )
    assert first == second == [{"task": "0"}, {"task": "1"}, {"task": "2"}]


@pytest.mark.parametrize(("task", "form", "other"), [("rsg/terra", "zip", "tsv"), ("agrr/binary", "tsv", "zip")])
def test_a_page_sends_a_submission_in_the_form_that_its_leaderboard_takes(
    sqlite: Database, task: str, form: str, other: str
) -> None:
    judged(sqlite, task)
    app = FastAPI()
    app.include_router(results_files(ComputedFiles(sqlite), lambda _: "ann"))
    with TestClient(app) as client:
        sent = client.get(f"/results-files/s/submission.{form}", params={"respondent": "human"})
        refused = client.get(f"/results-files/s/submission.{other}", params={"respondent": "human"})
    assert (sent.status_code, refused.status_code) == (200, 409)
    assert zipfile.is_zipfile(io.BytesIO(sent.content)) == (form == "zip")
    assert "take the other ending" in refused.text


def test_exports_follow_the_rules_asked_for_or_say_that_they_cannot(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    log, gold = (SAMPLES / "logs" / name for name in ("parus.tsv", "parus_gold.csv"))

    def run(*words: object) -> Result:
        return CliRunner().invoke(cli, [str(word) for word in words])

    def written(what: str, *more: str) -> list[dict[str, str]]:
        to = tmp_path / f"{what}.csv"
        done = run("export", "parus", "--what", what, "--to", to, *more)
        assert done.exit_code == 0, done.stderr
        return list(csv.DictReader(io.StringIO(to.read_text("utf8"))))

    assert run("import-log", "parus", log, "--task", "rsg/parus", "--gold", gold).exit_code == 0
    human = json.loads(run("human", "parus", "--control-min", 0.5, "--json").stdout)
    everybody, kept = written("plain"), written("plain", "--control-min", "0.5")
    assert (len(everybody), len(kept)) == (200, sum(int(k) * n for k, n in human["overlap"].items()))
    assert len({row["worker"] for row in everybody} - {row["worker"] for row in kept}) == human["workers"]["excluded"]
    shares = written("soft-labels", "--control-min", "0.5")
    assert sum(int(row["votes"]) for row in shares) == len(kept) < 200
    refused = run("export", "parus", "--what", "judgments", "--control-min", "0.5", "--to", tmp_path / "x.csv")
    assert refused.exit_code == 2
    assert "--control-min changes nothing in judgments, which holds all that happened" in refused.stderr
    items, judgments = written("items"), written("judgments")
    assert {row["item"] for row in judgments} <= {row["item"] for row in items}
    assert {row["role"] for row in items if row["item"] in {one["item"] for one in judgments}} == {"main", "control"}
