"""The gold of a file, given back as predictions in its own coding, is wholly right: for every task, in every way in."""

import csv
import json
import re
import string
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from typer.testing import CliRunner, Result

from app import cli
from data.answers.answer_type import unpacked
from data.catalogue.catalog import get_task
from data.files.item_files import read_items
from data.task import Item, Task
from db.engine import writing
from db.items import add_items
from db.studies import create_study
from db.study_settings import StudySettings
from tests.helpers.answer_kinds import kinds
from tests.helpers.gold_files import WITHOUT_GOLD, authors_file, given_back, has_authors_file, samples_of, with_gold
from tests.helpers.leaderboards import written

MODES = ((), ("--as-published",))
KINDS = frozenset(kinds())
every_task = pytest.mark.parametrize("task", [pytest.param(task, id=task.id) for task in with_gold()])


def command(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def said(*words: object) -> Any:
    result = command(*words)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def bigrams(items: Sequence[Item], without: str = "") -> float:
    """The share of golds that have two words, some signs taken out before: one word has no pair of words to find."""
    firsts = [unpacked(str(item.gold))[0].translate(str.maketrans("", "", without)) for item in items]
    return sum(len(re.findall(r"[^\W_]+", first)) > 1 for first in firsts) / len(firsts)


def exam_points(items: Sequence[Item]) -> dict[str, float]:
    """What MERA's script gives to gold that is given back.

    It takes hyphens, digits and spaces out of typed replies but not out of their gold, which cannot be met then.
    """
    right: defaultdict[str, float] = defaultdict(float)
    most: defaultdict[str, float] = defaultdict(float)
    for item in items:
        golds = [str(one) for one in unpacked(str(item.gold))]
        worth = {"16": 2, "26": 4}.get(item.fields["id_task"], 1)
        points = worth if item.fields["type"] != "text" else int(re.sub(r"[\d\W+]+", "", golds[0]).lower() in golds)
        right[item.fields["variant"]] += points
        most[item.fields["variant"]] += worth
    grades = [right[variant] / most[variant] for variant in most]
    return {
        "grade_norm_code": sum(grades) / len(grades),
        "use_points_code": sum(right.values()) / sum(most.values()),
    }


def expected(task: Task, items: Sequence[Item]) -> Mapping[str, float | None]:
    """The metrics that do not give 1 to gold, and what they give instead."""
    if task.id == "ruscontext/coref_nps":
        # The script compares an object with a text, so that whatever is said counts as False; gold and answers swapped.
        false = sum(item.gold == "false" for item in items) / len(items)
        return {"accuracy_code_false": false, "macro_f1_code_false": false / (1 + false),
                "macro_precision_code_false": 0.5, "macro_recall_code_false": false / 2}  # fmt: skip
    if task.id == "ruscontext/ellipsis":
        bare = bigrams(items, string.punctuation)
        return {"rouge_2": bigrams(items), **{f"rouge_2_{part}_code": bare for part in ("precision", "recall", "f1")}}
    if task.id == "ruscontext/ellipsis_whole":
        words = [replace(item, gold=unpacked(str(item.gold))["ellipsis"]) for item in items]
        bare = bigrams(words, string.punctuation)
        codes = {f"rouge_2_{part}_code": bare for part in ("precision", "recall", "f1")}
        return {"ellipsis_rouge_2": bigrams(words), **codes}
    if task.id == "use":
        whole = len(items) == 30
        return exam_points(items) | ({} if whole else {"grade_norm": None})  # a grade is of a whole variant
    return {}


def check(task: Task, items: Sequence[Item], found: Mapping[str, Any]) -> None:
    assert found
    for name, one in found.items():
        wanted = expected(task, items).get(name, 1)
        assert one["value"] == (wanted if wanted is None else pytest.approx(wanted, abs=1e-6)), (task.id, name)


def check_scores(task: Task, gold: Path, asked: Iterable[tuple[Path, Sequence[str]]]) -> None:
    items = [item for item in read_items(gold, task) if item.gold is not None]
    for file, mode in asked:
        scored = said("score", task.id, "--gold", gold, "--predictions", file, "--json", *mode)
        assert scored["statuses"] == {"ok": len(items)}, (file.name, mode)
        check(task, items, scored["metrics"])


def check_runs(task: Task, gold: Path, files: Mapping[str, Path]) -> None:
    items = [item for item in read_items(gold, task) if item.gold is not None]
    assert command("create", "s", "--task", task.id, "--items", gold).exit_code == 0
    for name, file in files.items():
        told = said("import-run", "s", file, "--from", "jsonl", "--model", name, "--json")
        assert told["statuses"] == {"ok": len(items)}, (name, told)
        assert (told["records"]["dropped"], told["items"]["missing"], told["read_differently"]) == (0, 0, 0)
    for mode in MODES:
        rows = {row["respondent"]: row for row in said("results", "s", "--json", *mode)["rows"]}
        for name in files:
            check(task, items, rows[f"model:{name}"]["scores"])


@every_task
def test_the_gold_of_the_samples_is_wholly_right(
    task: Task, tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    gold = samples_of(task)
    back = given_back(gold, task)
    files = {"file": gold} | ({"answers": written(tmp_path / "answers.jsonl", back)} if back else {})
    check_scores(task, gold, product(files.values(), MODES))
    if task.id in KINDS:
        check_runs(task, gold, files)


@pytest.mark.parametrize("task", [pytest.param(task, id=task.id) for task in with_gold() if has_authors_file(task)])
def test_the_gold_of_the_authors_file_is_wholly_right(
    task: Task, tmp_path: Path, request: pytest.FixtureRequest, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LIBRA's samples are in the authors' format themselves, and tasks of our own have no other.

    The samples are scored both ways from both files; of what is long each file is scored one way.
    """
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    gold = authors_file(task.id, request, tmp_path)
    if gold.name == "dev.csv":  # 4,142 sentences, one a line; these have every kind of gapping
        few = gold.read_text("utf8").splitlines(keepends=True)[:500]
        gold = tmp_path / "dev.csv"
        gold.write_text("".join(few), "utf8")
    files = {"file": gold, "answers": written(tmp_path / "answers.jsonl", given_back(gold, task))}
    check_scores(task, gold, zip(files.values(), MODES, strict=True))
    if task.id in KINDS:
        check_runs(task, gold, files)


@pytest.mark.parametrize("name", ["agrr/binary", "agrr/resolution", "agrr/full", "agrr/validate"])
def test_gold_of_gapping_is_wholly_right_as_marked_texts_and_in_quoted_tables(
    name: str, tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text without brackets says that there is no gapping, as class 0 does in the authors' files with brackets."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    task = get_task(name)
    gold = samples_of(task)
    column = {"agrr/binary": "class", "agrr/validate": "assessment"}.get(name, "marked")
    records = [json.loads(line) for line in gold.read_text("utf8").splitlines()]
    back = [{"id": one["id"], "answer": one[column]} for one in records]
    table = tmp_path / "table.csv"
    with table.open("w", encoding="utf8", newline="") as file:
        cells = [{"id": one["id"], "answer": in_a_cell(one["answer"])} for one in back]
        sheet = csv.DictWriter(file, ["id", "answer"])
        sheet.writeheader()
        sheet.writerows(cells)
    files = {"answers": written(tmp_path / "answers.jsonl", back), "table": table}
    check_scores(task, gold, product(files.values(), MODES))
    check_runs(task, gold, files)


def in_a_cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("name", WITHOUT_GOLD)
def test_where_nothing_is_right_a_score_is_refused(name: str, tmp_path: Path) -> None:
    told = written(tmp_path / "p.jsonl", [{"id": "a", "answer": "x"}])
    sample = samples_of(get_task(name))
    result = command("score", name, "--gold", sample, "--predictions", told)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no item has gold" in result.stderr


def inspect_log(path: Path, replies: Mapping[str, str]) -> Path:
    def sample(name: str, text: str) -> dict[str, Any]:
        choice = {"message": {"content": text}, "stop_reason": "stop"}
        return {"id": name, "epoch": 1, "input": "", "output": {"choices": [choice]}}

    log = {"eval": {"model": "m"}, "status": "success", "samples": [sample(*one) for one in replies.items()]}
    path.write_text(json.dumps(log), "utf8")
    return path


def lm_eval_log(path: Path, items: Sequence[Item], replies: Mapping[str, str]) -> Path:
    docs = [{"doc_id": n, "doc": {"id": one.id, **one.fields}} for n, one in enumerate(items)]
    return written(path, [doc | {"resps": [[replies[one.id]]]} for one, doc in zip(items, docs, strict=True)])


def libra_log(path: Path, task: Task) -> Path:
    """What LIBRA's script saves of a model that says the first accepted output."""
    records = [json.loads(line) for line in samples_of(task).read_text("utf8").splitlines()]
    kept = ("length", "positive_outputs", "negative_outputs")
    told = [{name: one.get(name) for name in kept} | {"model_answer": one["positive_outputs"][0]} for one in records]
    path.write_text(json.dumps({task.id.split("/")[1]: told}, ensure_ascii=False), "utf8")
    return path


@pytest.mark.parametrize("task", [pytest.param(task, id=task.id) for task in with_gold() if task.id in KINDS])
def test_right_replies_in_the_logs_of_harnesses_are_wholly_right(
    task: Task, tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    gold = samples_of(task)
    items = [item for item in read_items(gold, task) if item.gold is not None]
    types = {item.id: task.answer_for(item.fields) for item in items}
    replies = {i.id: types[i.id].show(types[i.id].best(str(i.gold), i.fields), i.fields) for i in items}
    assert command("create", "s", "--task", task.id, "--items", gold).exit_code == 0
    logs = {"inspect": inspect_log(tmp_path / "i.json", replies)}
    logs["lm-eval"] = lm_eval_log(tmp_path / "l.jsonl", items, replies)
    if task.id.startswith("libra/"):
        logs["libra"] = libra_log(tmp_path / "libra.json", task)
    for form, log in logs.items():
        told = said("import-run", "s", log, "--from", form, "--model", form, "--json")
        assert (told["statuses"], told["items"]["missing"]) == ({"ok": len(replies)}, 0), (form, told)
    rows = {row["respondent"]: row["scores"] for row in said("results", "s", "--json")["rows"]}
    for form in logs:
        check(task, items, rows[f"model:{form}"])
    if task.id.startswith("libra/"):
        published = {row["respondent"]: row for row in said("results", "s", "--json", "--as-published")["rows"]}
        check(task, items, published["model:libra"]["scores"])


def test_answers_to_a_study_made_before_the_task_stated_its_codes_are_read_by_them(
    tmp_path: Path, sqlite: Engine, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    parus = get_task("rsg/parus")
    older = replace(parus, aliases=replace(parus.aliases, answers={}))
    items = read_items(samples_of(parus), parus)
    with writing(sqlite) as session:
        add_items(session, study=create_study(session, name="s", task=older, settings=StudySettings()), items=items)
    back = written(tmp_path / "p.jsonl", given_back(samples_of(parus), parus))
    assert said("import-run", "s", back, "--from", "jsonl", "--model", "m", "--json")["statuses"] == {"ok": len(items)}
    (row,) = (row for row in said("results", "s", "--json")["rows"] if row["kind"] == "model")
    assert row["scores"]["accuracy"]["value"] == 1
