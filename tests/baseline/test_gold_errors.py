"""The command `gold-errors`: the list, and what speaks against each gold."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli


def listed(*words: object) -> str:
    result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.fixture
def study(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """Make a study of 40 items with two wrong golds: three people say so of one, two of the other, a model of both."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    texts = {n: f"text {n}" for n in range(40)}
    right = {n: "yes" if n % 2 else "no" for n in texts}
    flipped = {"yes": "no", "no": "yes"}
    people = [
        {"text": text, "worker": f"w{m}", "label": flipped[right[n]] if (n, m) == (9, 2) else right[n]}
        for n, text in texts.items()
        for m in range(3)
    ]
    gold = [{"text": text, "label": flipped[right[n]] if n in (4, 9) else right[n]} for n, text in texts.items()]
    model = [{"text": text, "raw": right[n]} for n, text in texts.items()]
    for name, rows in (("people", people), ("gold", gold), ("model", model)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf8")
    columns = ("--fields", "text", "--worker", "worker", "--answer", "label")
    listed("import-log", "s", tmp_path / "people.jsonl", "--gold", tmp_path / "gold.jsonl", *columns)
    listed("import-run", "s", tmp_path / "model.jsonl", "--from", "jsonl", "--model", "m")
    return "s"


def test_the_list_says_what_speaks_against_each_gold(study: str) -> None:
    found = json.loads(listed("gold-errors", study, "--json"))
    assert len(found["items"]) == 40
    first, second, third = found["items"][:3]
    assert (first["gold"], first["instead"], first["votes"], first["models"]) == ("yes", "no", {"no": 3}, ["m"])
    assert (second["gold"], second["instead"], second["votes"]) == ("no", "yes", {"yes": 2, "no": 1})
    assert first["wrong"] > 0.99 > second["wrong"] > 0.5 > third["wrong"]


def test_the_terminal_shows_the_first_of_them(study: str) -> None:
    shown = listed("gold-errors", study, "--top", 2)
    assert shown.count("\n") < 10
    assert ">99%" in shown
    assert listed("gold-errors", study, "--markdown").startswith("**Golds that may be wrong, those above 5%**")
    items = json.loads(listed("gold-errors", study, "--json"))["items"]
    words = {line.split()[0] for line in listed("gold-errors", study).splitlines() if line}
    assert {row["item"] for row in items} & words == {row["item"] for row in items if row["wrong"] > 0.05}


def test_without_gold_nothing_is_listed(study: str, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("task,worker,label\na,w,yes\nb,w,no\n", "utf8")
    listed("import-log", "bare", tmp_path / "log.csv")
    result = CliRunner().invoke(cli, ["gold-errors", "bare"])
    assert result.exit_code == 2
    assert "no gold can be doubted" in result.stderr
