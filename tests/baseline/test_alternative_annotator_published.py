"""The alternative-annotator test as its authors print it, for 24 models beside people, by the documented commands."""

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

DOCUMENTED = Path(__file__).parents[2] / "docs" / "statistics.md"
SETS = ("mtbench", "cebab_aspects", "summeval", "10k_prompts")


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf8"))


def documented(command: str, *words: str) -> list[str]:
    """The words of the documented command that begins so and has these words, without the program's own."""
    section = DOCUMENTED.read_text("utf8").split("## The alternative-annotator test")[1].split("\n## ")[0]
    lines = [line.strip() for line in section.splitlines() if line.startswith("    python ")]
    (said,) = [split for line in lines if (split := shlex.split(line)[1:])[: len(words) + 1] == [command, *words]]
    return said[1:]


@pytest.mark.parametrize("name", SETS)
def test_winning_rate_and_advantage_are_those_that_are_printed(
    name: str, shared: Path, tmp_path: Path, command: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, published = shared / "alttest" / name, read(shared / "alttest" / "expected.json")[name]
    for file in ("human_annotations.json", "llm_annotations.json"):
        (tmp_path / file).write_bytes((folder / file).read_bytes())
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-c", *documented("-c")], check=True)
    assert command(*documented("app.py", "import-log", name)).exit_code == 0
    for model in read(folder / "llm_annotations.json"):
        words = [
            word.replace("STUDY", name).replace("MODEL", model) for word in documented("app.py", "import-run", "STUDY")
        ]
        assert command(*words).exit_code == 0
    shown = json.loads(command(*documented("app.py", "results", name)).stdout)
    tests = {row["respondent"]: row["alternative"] for row in shown["rows"] if "alternative" in row}
    found = {model: tests[f"model:{model}"] for model in published["models"]}
    assert {model: [round(test["winning_rate"], 2), round(test["advantage"], 2)] for model, test in found.items()} == (
        published["models"]
    )
    assert {test["scoring"] for test in found.values()} == {published["scoring"]}
    assert {test["epsilon"] for test in found.values()} == {published["epsilon"]}
