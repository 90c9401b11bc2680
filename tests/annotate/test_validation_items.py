"""What people wrote in one study becomes the items of the next, in which others validate it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.requesters.study_creation import validation_items
from annotate.worker.service import Service
from app import cli
from data.catalogue.catalog import get_task, sample_file, samples
from data.errors import BadSetting
from data.files.item_files import read_items
from db import frames
from db.engine import Database, open_database, reading, writing
from db.items import add_items
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from tests.helpers.collection import Watch, make_study

VALIDATE = get_task("writing/validate")
PEOPLE = [Simulated(ability=1.0), Simulated(ability=1.0)]


def written_study(database: Database, task_id: str = "writing/history") -> Study:
    """A study in which two simulated people wrote about every sample text."""
    task = get_task(task_id)
    settings = StudySettings(overlap=2, page_controls=0)
    with writing(database) as session:
        study = create_study(session, name="written", task=task, settings=settings, seed=3)
        add_items(session, study=study, items=samples(task))
    simulate(Service(database, Signer("a secret for tests")), study, PEOPLE, start=Watch().moment)
    return study


def test_every_entry_of_every_writer_becomes_one_item_of_the_validating_task(sqlite: Database) -> None:
    study = written_study(sqlite)
    with reading(sqlite) as session:
        records = validation_items(session, study=study, task=VALIDATE)
        judged = frames.judgments(session, study=study)
    texts = {item.id: item.fields["text"] for item in samples(study.task)}
    assert len(judged) == 2 * len(texts)
    assert len(records) == len({record["id"] for record in records}) == 4 * len(judged)
    assert {name for record in records for name in record} == {"id", "text", "question", "answer", "models_may_read"}
    assert {record["models_may_read"] for record in records} == {"yes"}, "programs wrote them"
    kept = [json.loads(label) for label in judged["label"]]
    assert sorted((r["question"], r["answer"]) for r in records) == sorted(
        (entry["question"], entry["answer"]) for entries in kept for entry in entries
    )
    assert all(record["text"] == texts[record["id"].split("-w-")[0]] for record in records)


def test_a_void_judgment_is_not_validated(sqlite: Database) -> None:
    study = written_study(sqlite)
    with writing(sqlite) as session:
        session.connection().exec_driver_sql("UPDATE judgment SET status = 'void' WHERE id % 2 = 0")
    with reading(sqlite) as session:
        assert len(validation_items(session, study=study, task=VALIDATE)) == 4 * len(samples(study.task))


def test_a_study_in_which_nothing_is_written_is_refused(sqlite: Database) -> None:
    study = make_study(sqlite)
    with reading(sqlite) as session, pytest.raises(BadSetting, match="nothing is written"):
        validation_items(session, study=study, task=VALIDATE)


def test_a_task_that_shows_what_was_not_written_is_refused(sqlite: Database) -> None:
    study = written_study(sqlite, "writing/abstract")
    with reading(sqlite) as session, pytest.raises(BadSetting, match="'question'"):
        validation_items(session, study=study, task=VALIDATE)


def test_by_commands_a_writing_study_leads_to_the_study_that_validates_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path / 'etalon.db'}"
    database = open_database(address)
    written_study(database)
    monkeypatch.setenv("DATABASE_URL", address)
    items, runner = tmp_path / "written.jsonl", CliRunner()

    done = runner.invoke(cli, ["written", "written", "--task", VALIDATE.id, "--to", str(items)])
    assert (done.exit_code, done.stdout) == (0, "written.jsonl: 48 items for a study of writing/validate\n")
    training, control = (str(sample_file(VALIDATE, role)) for role in ("training", "control"))
    asked = ["create", "validated", "--task", VALIDATE.id, "--items", str(items), "--training", training]
    made = runner.invoke(cli, [*asked, "--control", control, "--overlap", "3", "--json"])
    assert made.exit_code == 0, made.stderr
    assert json.loads(made.stdout)["items"] == {"main": 48, "training": 3, "control": 3}
    database.dispose()


def test_yes_or_no_questions_are_written_then_validated_by_answers_and_exported_as_danetqa_has_them(
    tmp_path: Path, command: Callable[..., Result], sqlite: Database
) -> None:
    written_study(sqlite, "writing/yes_no")
    questions, labelled = tmp_path / "questions.jsonl", tmp_path / "labelled.jsonl"
    assert command("written", "written", "--task", "rsg/danetqa", "--to", questions).exit_code == 0
    made = ("create", "danetqa", "--task", "rsg/danetqa", "--items", questions, "--overlap", 3, "--page-controls", 0)
    assert command(*made).exit_code == 0
    with reading(sqlite) as session:
        study = get_study(session, name="danetqa")
    simulate(Service(sqlite, Signer("a secret for tests")), study, [*PEOPLE, Simulated(1.0)], start=Watch().moment)
    assert command("export", "danetqa", "--what", "labelled", "--to", labelled).exit_code == 0
    rows = [json.loads(line) for line in labelled.read_text("utf8").splitlines()]
    asked = [json.loads(line) for line in questions.read_text("utf8").splitlines()]
    assert [(row["passage"], row["question"]) for row in rows] == [(row["passage"], row["question"]) for row in asked]
    assert len(rows) == 2 * 2 * len(samples(get_task("writing/yes_no")))
    assert {row["label"] for row in rows} <= {"true", "false"}
    again = tmp_path / "again.jsonl"
    again.write_text("\n".join(json.dumps({**row, "models_may_read": "yes"}) for row in rows), "utf8")
    assert {item.gold for item in read_items(again, get_task("rsg/danetqa"))} == {row["label"] for row in rows}
