"""What people wrote in one study becomes the items of the next, in which others validate it."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from annotate.accounts.signer import Signer
from annotate.demo_studies import Simulated, simulate
from annotate.requesters.study_creation import validation_items
from annotate.worker.service import Service
from app import cli
from baseline.output.study_address import StudyAddress
from baseline.pages.results_page import StudyCache
from data.catalogue.catalog import get_task, sample_file, samples
from data.errors import BadSetting
from data.files.item_files import read_items
from data.task import Item
from db import frames
from db.engine import Database, open_database, reading, writing
from db.items import add_items
from db.studies import Study, create_study, get_study
from db.study_settings import StudySettings
from tests.helpers.collection import Watch, make_study

VALIDATE = get_task("writing/validate")
CERTAIN = 1000.0
"""The ability of somebody who is never wrong."""
PEOPLE = [Simulated(CERTAIN), Simulated(CERTAIN)]


def written_study(
    database: Database, task_id: str = "writing/history", entries: Mapping[str, Mapping[str, str]] | None = None
) -> Study:
    """A study in which two simulated people wrote about every sample text: an entry by its id, else drawn words."""
    task = get_task(task_id)
    settings = StudySettings(overlap=2, page_controls=0)
    with writing(database) as session:
        study = create_study(session, name="written", task=task, settings=settings, seed=3)
        add_items(session, study=study, items=samples(task))
    golds = {tuple(sorted(item.fields.items())): json.dumps([entries[item.id]]) for item in samples(task) if entries}
    simulate(Service(database, Signer("a secret for tests")), study, PEOPLE, start=Watch().moment, golds=golds)
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
        session.exec_driver_sql("UPDATE judgment SET status = 'void' WHERE id % 2 = 0")
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


def collected(
    command: Callable[..., Result], database: Database, folder: Path, task_id: str, rights: Callable[[Item], Any]
) -> tuple[list[Item], list[dict[str, Any]]]:
    """What people wrote as items of the task that validates it, and what comes of them in the benchmark's own form.

    `rights` is what everybody who validates takes for right.
    """
    task, items, published = get_task(task_id), folder / "items.jsonl", folder / "published.jsonl"
    assert command("written", "written", "--task", task_id, "--to", items).exit_code == 0
    made = ("create", "validated", "--task", task_id, "--items", items, "--overlap", 3, "--page-controls", 0)
    assert command(*made).exit_code == 0
    asked = read_items(items, task)
    golds = {tuple(sorted(item.fields.items())): task.answer.validate(rights(item), item.fields) for item in asked}
    with reading(database) as session:
        study = get_study(session, name="validated")
    service = Service(database, Signer("a secret for tests"))
    simulate(service, study, [Simulated(CERTAIN)] * 3, start=Watch().moment, golds=golds)
    assert command("export", "validated", "--what", "benchmark", "--to", published).exit_code == 0
    return asked, [json.loads(line) for line in published.read_text("utf8").splitlines()]


def read_back(records: list[dict[str, Any]], folder: Path, task_id: str) -> list[Item]:
    """The items that the reader of the authors' files makes of records."""
    path = folder / "again.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf8")
    return read_items(path, get_task(task_id))


def test_yes_or_no_questions_are_written_then_validated_by_answers_and_exported_as_danetqa_has_them(
    tmp_path: Path, command: Callable[..., Result], sqlite: Database
) -> None:
    written_study(sqlite, "writing/yes_no")
    asked, records = collected(command, sqlite, tmp_path, "rsg/danetqa", lambda item: told(item.fields["question"]))
    assert [(record["passage"], record["question"]) for record in records] == [
        (item.fields["passage"], item.fields["question"]) for item in asked
    ]
    assert len(records) == 2 * 2 * len(samples(get_task("writing/yes_no")))
    assert [record["idx"] for record in records] == list(range(len(records)))
    assert [record["label"] for record in records] == [told(item.fields["question"]) == "true" for item in asked]
    again = read_back(records, tmp_path, "rsg/danetqa")
    assert [item.gold for item in again] == [told(item.fields["question"]) for item in asked]


def told(question: str) -> str:
    """What everybody says to a question: yes to those of an even length."""
    return "true" if len(question) % 2 == 0 else "false"


def test_questions_to_several_sentences_are_written_then_validated_and_exported_as_muserc_has_them(
    tmp_path: Path, command: Callable[..., Result], sqlite: Database
) -> None:
    task = get_task("writing/several_sentences")
    sleeper = {"question": "Кто спал?", "right": " Кот\nРыжий кот\n", "wrong": "Пёс\n\nКлоун"}
    easy = {"question": "Кто не спал?", "right": "Пёс", "wrong": "Кот"}
    texts = samples(task)
    written_study(sqlite, task.id, {item.id: sleeper if n % 2 == 0 else easy for n, item in enumerate(texts)})
    asked, records = collected(
        command,
        sqlite,
        tmp_path,
        "rsg/muserc_extended",
        lambda item: [
            # People disagree with the writer about the dog, and need one sentence for the easy question.
            {"answers": ["1", "2"], "answerable": "yes", "sentences": "several"}
            if "Кто спал?" in item.fields["questions"]
            else {"answers": ["1"], "answerable": "yes", "sentences": "one"}
        ],
    )
    assert len(asked) == 2 * len(texts)
    assert json.loads(asked[0].fields["questions"])[0]["options"] == ["Клоун", "Кот", "Пёс", "Рыжий кот"]
    assert json.loads(str(asked[0].gold)) == [{"answers": '["1","3"]'}], "the writer said which are right"
    assert [record["passage"]["text"] for record in records] == [item.fields["passage"] for item in texts[::2]]
    assert records[1] == {
        "idx": 1,
        "passage": {
            "text": texts[2].fields["passage"],
            "questions": [
                {
                    "idx": number,
                    "question": "Кто спал?",
                    "answers": [
                        {"idx": 4 * number + place, "text": text, "label": label}
                        for place, (text, label) in enumerate([("Клоун", 0), ("Кот", 1), ("Пёс", 1), ("Рыжий кот", 0)])
                    ],
                }
                for number in (2, 3)
            ],
        },
    }
    again = read_back(records, tmp_path, "rsg/muserc")
    assert [json.loads(str(item.gold)) for item in again] == [[{"answers": '["1","2"]'}] * 2] * 3


def test_sentences_with_a_gap_are_written_then_validated_and_exported_as_rucos_has_them(
    tmp_path: Path, command: Callable[..., Result], sqlite: Database
) -> None:
    task = get_task("writing/news")
    written_study(sqlite, task.id, {item.id: {"query": "В тот день _____ ещё спал."} for item in samples(task)})
    asked, records = collected(command, sqlite, tmp_path, "rsg/rucos", lambda _: ["1"])
    news = samples(task)[0].fields
    assert len(asked) == 2 * len(records) == 2 * len(samples(task))
    assert records[0]["passage"]["text"] == news["passage"]
    assert [(each["start"], each["end"]) for each in records[0]["passage"]["entities"]] == [
        tuple(mark) for mark in json.loads(news["marks"])
    ]
    begin, end = json.loads(news["marks"])[1]
    answer = {"start": begin, "end": end, "text": news["passage"][begin:end]}
    assert records[0]["qas"] == [
        {"idx": number, "query": "В тот день @placeholder ещё спал.", "answers": [answer]} for number in (0, 1)
    ]
    again = read_back(records, tmp_path, "rsg/rucos")
    assert [(item.fields, item.gold) for item in again] == [(item.fields, '["1"]') for item in asked]


@pytest.mark.parametrize(
    ("written", "judging"),
    [
        ("yes_no", "rsg/danetqa"),
        ("several_sentences", "rsg/muserc_extended"),
        ("news", "rsg/rucos"),
        ("history", "writing/validate"),
    ],
)
def test_the_results_of_a_study_in_which_is_written_name_the_task_that_validates_it(
    sqlite: Database, written: str, judging: str
) -> None:
    written_study(sqlite, f"writing/{written}")
    assert f"python app.py written written --task {judging} --to written.jsonl" in StudyCache(sqlite).draw(
        StudyAddress("written")
    )


def test_items_that_no_benchmark_publishes_in_such_a_form_are_refused(
    tmp_path: Path, command: Callable[..., Result], sqlite: Database
) -> None:
    make_study(sqlite)
    refused = command("export", "colours", "--what", "benchmark", "--to", tmp_path / "items.jsonl")
    assert refused.exit_code == 2
    assert "export `labelled` instead" in refused.stderr
