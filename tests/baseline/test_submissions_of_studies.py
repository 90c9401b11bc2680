"""The answers of people and models of a study as files for leaderboards, by the command and by its rules."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner, Result

from app import cli
from baseline.output.computed_exports import submission_of
from data.answers.answer_type import packed, unpacked
from data.catalogue.catalog import get_task
from data.errors import BadSetting
from data.files.item_files import read_items
from data.task import Item, Task
from db.engine import reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.leaderboards import FLAT, records_in, unzipped, written

Run = Callable[..., Result]


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty SQLite database."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def done(result: Result) -> str:
    assert result.exit_code == 0, result.stderr
    return result.stderr


def test_a_model_answers_two_studies_and_one_zip_is_written(run: Run, tmp_path: Path) -> None:
    for name in ("parus", "terra"):
        records = written(tmp_path / f"{name}.jsonl", FLAT[f"rsg/{name}"][1])
        done(run("create", name, "--task", f"rsg/{name}", "--items", records))
        done(run("run", name, "--model", "random", "--samples", 3 if name == "parus" else 1))
    to = tmp_path / "sent.zip"
    asked = ("export", "parus", "--what", "submission", "--respondent", "model:random", "--to", to)
    told = done(run(*asked, "--also", "terra"))
    assert "submission of parus, terra" in told
    assert "not in it, and wanted for a whole submission: LiDiRus.jsonl, RCB.jsonl, MuSeRC.jsonl, RUSSE.jsonl" in told
    sent = unzipped(to.read_bytes())
    assert list(sent) == ["PARus.jsonl", "TERRa.jsonl"]
    done(run("export", "terra", "--what", "predictions", "--format", "jsonl", "--to", tmp_path / "predictions.jsonl"))
    stored = [json.loads(line) for line in (tmp_path / "predictions.jsonl").read_text("utf8").splitlines()]
    assert {str(one["idx"]): one["label"] for one in map(json.loads, sent["TERRa.jsonl"].splitlines())} == {
        one["item"]: one["label"] for one in stored
    }


def test_what_cannot_be_sent_is_one_sentence_and_no_file(run: Run, tmp_path: Path) -> None:
    task, to = get_task("rsg/terra"), tmp_path / "sent.zip"
    done(run("create", "terra", "--task", task.id, "--items", written(tmp_path / "t.jsonl", FLAT[task.id][1])))
    done(run("run", "terra", "--model", "random", "--limit", 1))
    export: Callable[..., Result] = lambda study, *more: run(  # noqa: E731
        "export", study, "--what", "submission", "--to", to, *more
    )
    refused: Mapping[str, Result] = {
        "--respondent '' has no submission; choose human or model:NAME": export("terra"),
        "has no predictions of model:gpt; known are: model:random": export("terra", "--respondent", "model:gpt"),
        "1 of 2 items have no answer, first '4'": export("terra", "--respondent", "model:random"),
        "study 'none' is not known": export("terra", "--respondent", "human", "--also", "none"),
        "--what 'all' cannot be exported; use one of judgments, items, decisions, reports,": run(
            "export", "terra", "--what", "all", "--to", to
        ),
    }
    for sentence, result in refused.items():
        assert (result.exit_code, result.stdout) == (2, "")
        assert sentence in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1
    assert not to.exists()


def crowd(database: Engine, task: Task, items: Sequence[Item], *votes: Sequence[str]) -> Any:
    """A study whose n-th item got these votes, each from another worker."""
    with writing(database) as session:
        study = create_study(session, name="crowd", task=task, settings=StudySettings(overlap=3), seed=4)
        add_items(session, study=study, items=items)
        workers = [add_worker(session) for _ in range(max(map(len, votes)))]
        stored = list_items(session, study=study)
        given = [
            Judgment(entry.key, workers[place], label)
            for entry, labels in zip(stored, votes, strict=True)
            for place, label in enumerate(labels)
        ]
        add_judgments(session, study=study, judgments=given)
    return study


def test_people_answer_with_their_majority_and_a_tie_is_what_the_rules_decide(sqlite: Engine, tmp_path: Path) -> None:
    task, records = get_task("rsg/terra"), FLAT["rsg/terra"][1]
    items = read_items(written(tmp_path / "records.jsonl", records), task)
    yes, no = task.answer.labels()
    study = crowd(sqlite, task, items, [yes, yes, no], [yes, no])
    with reading(sqlite) as session:
        with pytest.raises(
            BadSetting, match=r"1 of 2 items have no answer, first '4'; .* settle ties with --ties rand"
        ):
            submission_of(session, studies=[study], respondent="human", changes={})
        sent, _ = submission_of(session, studies=[study], respondent="human", changes={"ties": "random"})
    told = records_in(sent, "TERRa.jsonl")
    assert told[1] == {"idx": 5, "label": yes}
    assert told[0]["label"] in (yes, no)


def test_people_mark_spans_and_the_units_they_agree_on_are_written(sqlite: Engine, tmp_path: Path) -> None:
    task = get_task("agrr/resolution")
    item = Item("a", {"sentence": "Мама читала журнал, папа — газету.", "genre": ""}, None)
    right, other = packed({"cV": [[5, 11]], "V": [[27, 27]]}), packed({"cV": [[5, 11]], "V": [[25, 25]]})
    study = crowd(sqlite, task, [item], [right, right, other])
    with reading(sqlite) as session:
        sent, _ = submission_of(session, studies=[study], respondent="human", changes={})
    assert sent.decode().splitlines()[1] == "Мама читала журнал, папа — газету.\t1\t5:11\t\t\t27:27\t\t"
    path = tmp_path / "sent.tsv"
    path.write_bytes(sent)
    assert unpacked(str(read_items(path, task)[0].gold)) == unpacked(right)
