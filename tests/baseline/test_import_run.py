"""Runs of other harnesses: what is read in their logs, which items the replies are joined to, what is refused.

`tests/logs` holds what Inspect AI 0.3.285 and lm-evaluation-harness 0.4.13 really wrote about the first five sample
items of TERRa against a scripted server; of the JSON log the events were taken out.
"""

import json
import zipfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner

from app import cli
from baseline.comparison.results import results
from baseline.imports.import_run import READERS, ImportedRun, import_run
from baseline.models.prompts import messages
from baseline.output.overview_page import draw_overview
from baseline.runs.dispatcher import rescore
from baseline.runs.run_state import LOG_FORMS, imported_from
from data.catalogue.catalog import get_task, sample_file, samples
from data.errors import BadFile, BadSetting, UnknownName
from data.task import Item, Task
from db import frames
from db.engine import reading, writing
from db.items import add_items
from db.runs import list_runs
from db.studies import Study, create_study
from db.study_settings import StudySettings
from eval.panel import PanelRules
from tests.baseline.test_overview import overview
from tests.helpers.study_pages import by_name, study_page

LOGS = Path(__file__).parent / "logs"
TERRA = get_task("rsg/terra")
FIRST = ("Не могу сказать", "Ответ: 1. Следует", "Ответ: 1. Следует")
"""What the scripted server replied about the first three items."""


def study_of(database: Engine, task: Task, items: Iterable[Item] | None = None) -> Study:
    with writing(database) as session:
        made = create_study(session, name="study", task=task, settings=StudySettings(), seed=1)
        add_items(session, study=made, items=list(items or samples(task)))
    return made


def brought(database: Engine, study: Study, path: Path, form: str, model: str | None = "m") -> ImportedRun:
    with writing(database) as session:
        return import_run(session, study=study, path=path, form=form, model=model)


def kept(database: Engine, found: ImportedRun) -> pd.DataFrame:
    with reading(database) as session:
        return frames.predictions(session, run_id=found.run.id).sort_values(["item", "sample"])


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf8")
    return path


def mains(task: Task) -> list[Item]:
    return [item for item in samples(task) if item.role == "main"]


def test_a_log_of_inspect_is_read_as_it_was_written(sqlite: Engine) -> None:
    study = study_of(sqlite, TERRA)
    found = brought(sqlite, study, LOGS / "inspect.json", "inspect", None)
    assert found.as_dict() | {"run": 0, "examples": []} == {
        "study": "study",
        "run": 0,
        "model": "openai/test",
        "status": "complete",
        "from": "inspect",
        "file": "inspect.json",
        "records": {"read": 10, "kept": 10, "repeated": 0, "dropped": 0},
        "joined": {"id": 10},
        "dropped": [],
        "items": {"total": len(mains(TERRA)), "answered": 5, "missing": len(mains(TERRA)) - 5},
        "samples": 2,
        "statuses": {"unparsable": 2, "ok": 8},
        "read_differently": 0,
        "examples": [],
        "notes": [],
    }
    table = kept(sqlite, found)
    assert tuple(table[table["sample"] == 0]["raw"][:3]) == FIRST
    assert tuple(table["label"][:4].where(table["label"][:4].notna(), None)) == (None, None, "entailment", "entailment")
    with reading(sqlite) as session:
        (run,) = list_runs(session, study=study)
    assert imported_from(run) == "inspect"
    assert (run.settings["task"], run.settings["samples"]) == ("terra", 2)
    assert "5 of 16 answered; 11 have no answer" in found.text()


def test_an_imported_run_is_marked_wherever_its_score_stands(sqlite: Engine) -> None:
    study = study_of(sqlite, TERRA)
    brought(sqlite, study, LOGS / "inspect.json", "inspect")
    with reading(sqlite) as session:
        glance = overview(session)
    page = study_page(sqlite, study.name)
    assert "m" in by_name(page, "respondent")
    assert "Imported from Inspect AI: m" in page
    html = str(draw_overview(glance))
    assert html.count('title="from Inspect AI">imported<') == 1, "the mark is of the column"


def test_an_archive_packed_with_zstandard_is_joined_by_its_texts_where_samples_are_only_numbered(
    sqlite: Engine,
) -> None:
    study = study_of(sqlite, TERRA)
    found = brought(sqlite, study, LOGS / "inspect.eval", "inspect")
    assert (found.ways, found.run.model) == ({"text": 5}, "m")
    assert dict(zip(kept(sqlite, found)["item"], kept(sqlite, found)["raw"], strict=True))["terra-main-01"] == FIRST[0]


def test_every_filter_of_lm_eval_writes_the_reply_again_and_it_is_taken_once(sqlite: Engine) -> None:
    study = study_of(sqlite, TERRA)
    found = brought(sqlite, study, LOGS / "lm_eval.jsonl", "lm-eval")
    assert len((LOGS / "lm_eval.jsonl").read_text("utf8").splitlines()) == 10
    assert (len(found.joined), found.repeated, found.ways) == (5, 0, {"id": 5})
    assert tuple(kept(sqlite, found)["raw"][:3]) == FIRST
    with pytest.raises(BadSetting, match="does not say which model replied; name the model"):
        brought(sqlite, study, LOGS / "lm_eval.jsonl", "lm-eval", None)


def test_both_harnesses_give_one_score_to_the_same_replies(sqlite: Engine) -> None:
    study = study_of(sqlite, TERRA)
    brought(sqlite, study, LOGS / "inspect.eval", "inspect", "inspect")
    brought(sqlite, study, LOGS / "lm_eval.jsonl", "lm-eval", "lm-eval")
    with reading(sqlite) as session:
        rows = {row.name: row for row in results(session, study=study, rules=PanelRules()).models}
    one, other = (rows[f"model:{name}"].scores["accuracy"].value for name in ("inspect", "lm-eval"))
    assert one == other


def test_the_likeliest_continuation_is_the_reply_and_a_tie_is_none(sqlite: Engine, tmp_path: Path) -> None:
    study = study_of(sqlite, TERRA)
    first, second = mains(TERRA)[:2]

    def asked(item: Item, place: int, *likelihoods: float) -> dict[str, Any]:
        calls = {
            f"gen_args_{n}": {"arg_0": "…", "arg_1": f" {word}"} for n, word in enumerate(("Следует", "Не следует"))
        }
        resps = [[[str(value), "False"]] for value in likelihoods]
        return {"doc_id": place, "doc": dict(item.fields), "arguments": calls, "resps": resps, "filter": "none"}

    path = lines(tmp_path / "s.jsonl", asked(first, 7, -3.5, -1.25), asked(second, 8, -2, -2))
    found = brought(sqlite, study, path, "lm-eval")
    assert [(row.item, row.raw, row.label) for row in kept(sqlite, found).itertuples()] == [
        (first.id, "Не следует", "not_entailment")
    ]
    assert [str(one) for one in found.dropped] == ["line 2: two continuations are equally likely, which is no choice"]
    assert (found.ways, len(found.log.notes)) == ({"fields": 1}, 1)


def test_an_id_counts_only_where_the_texts_fit(sqlite: Engine, tmp_path: Path) -> None:
    """Harnesses number samples themselves: number 1 of theirs is not item 1 of ours."""
    items = [replace(item, id=str(place)) for place, item in enumerate(mains(TERRA)[:3], 1)]
    study = study_of(sqlite, TERRA, items)

    def sample(name: Any, text: str, reply: Any = "1", **more: Any) -> dict[str, Any]:
        output = {"choices": [{"message": {"role": "assistant", "content": reply}, "stop_reason": "stop"}]}
        return {"id": name, "epoch": 1, "input": [{"role": "user", "content": text}], "output": output, **more}

    prompts = [messages(TERRA, item.public())[0]["content"] for item in items]
    failed: dict[str, Any] = {"error": {"message": "connection lost"}, "output": {"choices": []}}
    given = [
        sample(1, prompts[1]),
        sample(2, "Nothing of ours"),
        sample("x", prompts[0] + prompts[1]),
        sample("y", prompts[2], **failed),
        sample("z", prompts[0], [{"type": "reasoning", "reasoning": "1"}, {"type": "text", "text": "2"}]),
        {"no": "sample"},
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {"model": "a/b"}, "status": "error", "samples": given}), "utf8")
    found = brought(sqlite, study, path, "inspect", None)
    table = kept(sqlite, found)
    assert [(row.item, row.status, row.raw) for row in table.itertuples()] == [
        ("1", "ok", "2"),
        ("2", "ok", "1"),
        ("3", "error", "connection lost"),
    ]
    assert found.run.status == "incomplete"
    assert [one.reason for one in found.dropped] == [
        "is no sample: it has no id",
        "its id is that of item '2', its text is not",
        "2 items have its text: '1', '2'",
    ]
    assert "ended as 'error'" in found.log.notes[0]


def test_plain_answers_are_labels_or_replies_and_replies_keep_their_words(sqlite: Engine, tmp_path: Path) -> None:
    parus = get_task("rsg/parus")
    study = study_of(sqlite, parus)
    ids = [item.id for item in mains(parus)[:6]]
    path = lines(
        tmp_path / "a.jsonl",
        {"item": ids[0], "answer": "1"},
        {"item": ids[1], "answer": "0", "raw": "Ответ: 1."},
        {"item": ids[2], "answer": "0", "raw": "Ответ: 2."},
        {"item": ids[3], "answer": "кто знает"},
        {"item": ids[4], "answer": "0", "sample": 1},
        {"item": ids[4], "answer": "0", "sample": 1},
        {"item": ids[5], "answer": "0"},
        {"item": ids[5], "answer": "1"},
        {"item": "nobody", "answer": "1"},
        {"item": ids[0], "sample": -1, "answer": "1"},
    )
    found = brought(sqlite, study, path, "jsonl")
    rows = [(row.item, row.sample, row.label, row.raw) for row in kept(sqlite, found).itertuples()]
    assert rows[:3] == [(ids[0], 0, "1", "2"), (ids[1], 0, "0", "Ответ: 1."), (ids[2], 0, "1", "Ответ: 2.")]
    assert [example.raw for example in found.examples[:2]] == ["1", "Ответ: 1."], "as the file says it"
    assert (rows[3][3], found.statuses) == ("кто знает", {"ok": 4, "unparsable": 1})
    assert (found.repeated, found.differently, len(found.dropped)) == (1, 1, 4)
    assert Counter(one.reason for one in found.dropped)["its sample is no number from 0 on"] == 1
    with writing(sqlite) as session:
        assert [one.changed for one in rescore(session, study=study)] == [0]
    with pytest.raises(BadSetting, match=f"was imported already, as run {found.run.id} of 'm'"):
        brought(sqlite, study, path, "jsonl")


@pytest.mark.parametrize("task", ["libra/passkey", "libra/ru_tpo", "libra/librusec_mhqa", "libra/ru_trec"])
def test_predictions_of_libra_name_no_item_and_are_joined_by_what_they_accept(
    sqlite: Engine, tmp_path: Path, task: str
) -> None:
    libra = get_task(task)
    study = study_of(sqlite, libra)
    records = [json.loads(line) for line in sample_file(libra, "main").read_text("utf8").splitlines()]
    given = [
        {name: record.get(name) for name in ("length", "positive_outputs", "negative_outputs")}
        | {"model_answer": f"reply {place}"}
        for place, record in enumerate(records)
    ]
    path = tmp_path / "p.json"
    path.write_text(json.dumps({libra.id.split("/")[1]: given, "other": []}), "utf8")
    found = brought(sqlite, study, path, "libra")
    raws = dict(zip(kept(sqlite, found)["item"], kept(sqlite, found)["raw"], strict=True))
    assert [raws[item.id] for item in mains(libra)] == [f"reply {place}" for place in range(len(records))]
    assert not found.dropped


def test_predictions_of_libra_that_nothing_tells_apart_are_not_guessed(sqlite: Engine, tmp_path: Path) -> None:
    libra = get_task("libra/passkey")
    first, second, *_ = mains(libra)
    twins = [replace(one, id=name, gold='["7"]', fields={**first.fields, "length": "4k"}) for name, one in
             (("a", first), ("b", second))]  # fmt: skip
    study = study_of(
        sqlite, libra, [*twins, replace(first, id="c", gold='["8"]', fields={**first.fields, "length": "8k"})]
    )
    one = {"length": "4k", "positive_outputs": ["7"], "negative_outputs": [], "model_answer": "7"}
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"passkey": [one, one | {"length": "8k", "positive_outputs": ["8"]}]}), "utf8")
    found = brought(sqlite, study, path, "libra")
    assert list(kept(sqlite, found)["item"]) == ["c"]
    assert "accept the same answers" in found.dropped[0].reason
    path.write_text(json.dumps({"passkey": [one, one | {"model_answer": "9"}]}), "utf8")
    assert brought(sqlite, study, path, "libra").ways == {"order": 2}


BROKEN = {
    "nothing.json": (b"", "0 bytes"),
    "deep.json": (b"[" * 200_000, "is not JSON"),
    "lines.json": (b'{"item": 1}\n{"item": 2}\n', "or written by another program"),
    "cut.json": (b'{"eval": {"model": "m"}, "samples": [', "is not JSON"),
    "list.json": (b"[1, 2]", "is no log of Inspect AI"),
    "head.json": (b'{"eval": {"model": "m"}}', "has no samples"),
    "nul.json": (b'{"eval": "\0"}', "NUL"),
    "not.eval": (b"PK but no archive", "cannot be read as an archive"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_log_is_one_sentence_and_stores_nothing(sqlite: Engine, tmp_path: Path, name: str) -> None:
    study = study_of(sqlite, TERRA)
    content, sentence = BROKEN[name]
    (path := tmp_path / name).write_bytes(content)
    with pytest.raises(BadFile, match=sentence):
        brought(sqlite, study, path, "inspect")
    with reading(sqlite) as session:
        assert list_runs(session, study=study) == []


def test_what_answers_no_item_or_has_no_answers_is_refused(sqlite: Engine, tmp_path: Path) -> None:
    study = study_of(sqlite, TERRA)
    with pytest.raises(BadFile, match="none of its 1 records answers an item of 'study'; line 1: no item"):
        brought(sqlite, study, lines(tmp_path / "a.jsonl", {"item": "z", "answer": "1"}), "jsonl")
    with pytest.raises(BadFile, match="has no column of answers"):
        brought(sqlite, study, lines(tmp_path / "b.jsonl", {"item": "z", "text": "1"}), "jsonl")
    for form in ("jsonl", "lm-eval"):
        nul = lines(tmp_path / "nul.jsonl", *[{"item": "z", "answer": "1\0", "doc_id": 1, "doc": {}, "resps": []}] * 2)
        with pytest.raises(BadFile, match="line 1: has a NUL character"):
            brought(sqlite, study, nul, form)
    with pytest.raises(BadFile, match="are no samples of lm-evaluation-harness"):
        brought(sqlite, study, lines(tmp_path / "c.jsonl", {"item": "z"}), "lm-eval")
    (tmp_path / "d.json").write_text('{"passkey": []}', "utf8")
    with pytest.raises(BadFile, match="has no predictions for 'terra'; the datasets it has are: 'passkey'"):
        brought(sqlite, study, tmp_path / "d.json", "libra")
    assert list(READERS) == list(LOG_FORMS)
    with pytest.raises(UnknownName, match="inspect, jsonl, libra, lm-eval"):
        brought(sqlite, study, tmp_path / "d.json", "helm")
    with zipfile.ZipFile(tmp_path / "e.eval", "w") as archive:
        archive.writestr("header.json", "{")
    with pytest.raises(BadFile, match="cannot be read as an archive"):
        brought(sqlite, study, tmp_path / "e.eval", "inspect")


def test_the_command_tells_what_it_read(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)

    def command(*words: object) -> Any:
        return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)

    command("create", "terra", "--task", "rsg/terra", "--items", sample_file(TERRA, "main"))
    said = command("import-run", "terra", LOGS / "inspect.json", "--from", "inspect")
    assert said.exit_code == 0, said.stderr
    assert "10 read, 10 kept, 0 dropped" in said.stdout
    assert "'Не могу сказать' is read as no answer" in said.stdout
    found = json.loads(
        command("import-run", "terra", LOGS / "lm_eval.jsonl", "--from", "lm-eval", "--model", "x", "--json").stdout
    )
    assert (found["model"], found["records"]["kept"]) == ("x", 5)
    again = command("import-run", "terra", LOGS / "inspect.json", "--from", "inspect")
    assert (again.exit_code, again.stdout) == (2, "")
    assert "was imported already" in again.stderr
