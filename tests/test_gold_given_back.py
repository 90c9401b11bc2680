"""The gold of a file, given back as predictions in its own coding, is wholly right: for every task, in every way in."""

import json
import re
import string
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.answers.composite import unpacked
from data.reading import read_items
from data.task import Item, Task
from tests.gold_files import WITHOUT_GOLD, authors_file, given_back, has_authors_file, samples_of, with_gold
from tests.leaderboards import written

MODES = ((), ("--as-published",))
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
    if task.id == "use":
        whole = len(items) == 30
        return exam_points(items) | ({} if whole else {"grade_norm": None})  # a grade is of a whole variant
    return {}


def check(task: Task, items: Sequence[Item], found: Mapping[str, Any]) -> None:
    assert found
    for name, one in found.items():
        wanted = expected(task, items).get(name, 1)
        assert one["value"] == (wanted if wanted is None else pytest.approx(wanted, abs=1e-6)), (task.id, name)


def check_scores(task: Task, gold: Path, files: Mapping[str, Path]) -> None:
    items = [item for item in read_items(gold, task) if item.gold is not None]
    for name, file in files.items():
        for mode in MODES:
            scored = said("score", task.id, "--gold", gold, "--predictions", file, "--json", *mode)
            assert scored["statuses"] == {"ok": len(items)}, (name, mode)
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
    check_scores(task, gold, files)
    check_runs(task, gold, files)


@pytest.mark.parametrize("task", [pytest.param(task, id=task.id) for task in with_gold() if has_authors_file(task)])
def test_the_gold_of_the_authors_file_is_wholly_right(
    task: Task, tmp_path: Path, request: pytest.FixtureRequest, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LIBRA's samples are in the authors' format themselves, and tasks of our own have no other."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    gold = authors_file(task.id, request, tmp_path)
    files = {"file": gold, "answers": written(tmp_path / "answers.jsonl", given_back(gold, task))}
    check_scores(task, gold, files)
    if task.id not in ("agrr/binary", "agrr/resolution", "agrr/full"):  # 4,142 items: the samples show the same
        check_runs(task, gold, files)


@pytest.mark.parametrize("name", WITHOUT_GOLD)
def test_where_nothing_is_right_a_score_is_refused(name: str, tmp_path: Path) -> None:
    told = written(tmp_path / "p.jsonl", [{"id": "a", "answer": "x"}])
    sample = Path("data/samples") / name / "main.jsonl"
    result = command("score", name, "--gold", sample, "--predictions", told)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no item has gold" in result.stderr
