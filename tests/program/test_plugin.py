"""Plugins: the example package, installed and used through the program of the wheel; what is wrong with one is said."""

import json
import os
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from runpy import run_path
from shutil import copytree
from typing import Any

import pytest

from data.errors import BadSetting
from data.extensions import _any_installed, extended

ROOT = Path(__file__).parents[2]
USED = """
import json, sys
import human_baseline_refunds.rule, human_baseline_refunds.metric, human_baseline_refunds.provider
from pathlib import Path
from typer.testing import CliRunner
from human_baseline.app import cli

def told(*words):
    done = CliRunner().invoke(cli, [*map(str, words), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)

items = Path(human_baseline_refunds.__file__).parent / "samples/refunds/review/main.jsonl"
rows = [json.loads(line) for line in items.read_text("utf8").splitlines()]
log = Path("log.csv")
lines = ["review,worker,label,seconds"]
lines += [f'"{row["review"]}",{who},{row["label"]},{5 + n * pace}'
          for who, pace in (("even", 0), ("human", 1)) for n, row in enumerate(rows)]
log.write_text("\\n".join(lines), "utf8")
found = {"tasks": [task["id"] for task in told("tasks")["tasks"]], "checked": told("check", "refunds/review", items)}
found["imported"] = told("import-log", "desk", log, "--task", "refunds/review", "--gold", items)
found["run"] = told("run", "desk", "--model", "keywords", "--keywords", "refund,money,owe")
found["results"] = told("results", "desk")
found["quality"] = told("quality", "desk", "--rule", "even_pace", "--set", "even_pace.minimum=5")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What is seen by who uses the example with the program as the wheel has it."""
    pytest.importorskip("setuptools", reason="builds the example")
    folder = tmp_path_factory.mktemp("plugin")
    wheel, plugin = folder / "wheel", folder / "plugin"
    run_path(str(ROOT / "setup.py"))["write_package"](wheel)
    offline = "--no-index", "--no-build-isolation", "--no-deps"
    source = copytree(ROOT / "docs" / "examples" / "plugin", folder / "source")  # pip builds where it finds the source
    pip = sys.executable, "-m", "pip", "install", "-q", *offline, "--target", str(plugin), str(source)
    built = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{wheel}:{plugin}", "PYTHONDONTWRITEBYTECODE": "1"}
    words = sys.executable, "-c", USED
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_package_adds_a_task_with_its_samples(used: dict[str, Any]) -> None:
    assert "refunds/review" in used["tasks"]
    assert "rsg/parus" in used["tasks"]
    assert used["checked"]["gold"] == 8


def test_a_package_adds_a_metric_and_a_provider_of_models(used: dict[str, Any]) -> None:
    model = next(row for row in used["results"]["rows"] if row["respondent"] == "model:keywords")
    # Of four requests the words find three, and one is found where there is none.
    assert model["scores"]["youden"]["value"] == pytest.approx(3 / 4 - 1 / 4)
    assert used["run"]["statuses"] == {"ok": 8}


def test_a_package_adds_a_rule_on_workers(used: dict[str, Any]) -> None:
    (checked,) = used["quality"]["checks"]
    assert [(found["worker"], found["value"], found["n"]) for found in checked["found"]] == [("even", 0.0, 5)]


@pytest.fixture
def declares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Install a package that declares a metric as this object of the module `added`, with this source."""

    def install(value: str, source: str) -> None:
        (tmp_path / "added.py").write_text(source, "utf8")
        (folder := tmp_path / "added-1.dist-info").mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1\n", "utf8")
        (folder / "entry_points.txt").write_text(f"[human_baseline.metrics]\nnew = added:{value}\n", "utf8")
        monkeypatch.syspath_prepend(tmp_path)
        _any_installed.cache_clear()

    yield install
    _any_installed.cache_clear()
    sys.modules.pop("added", None)


@pytest.mark.parametrize(
    ("value", "source", "told"),
    [
        ("METRIC", "import nothere", "which fails: ModuleNotFoundError: No module named 'nothere'"),
        ("LOST", "METRIC = 1", "which fails: AttributeError: module 'added' has no attribute 'LOST'"),
        ("METRIC", "METRIC = 1", "which fails: AttributeError: 'int' object has no attribute 'name'"),
        ("METRIC", "class METRIC:\n    name = 'accuracy'", "and there is a 'accuracy' already"),
    ],
)
def test_what_is_wrong_with_a_package_is_said_with_its_name(declares: Any, value: str, source: str, told: str) -> None:
    declares(value, source)
    own = Path(), Path("accuracy")
    with pytest.raises(BadSetting) as refused:
        extended("metrics", own, attrgetter("name"))
    assert str(refused.value) == (
        f"added adds 'added:{value}' to human_baseline.metrics, {told}; "
        "mend that package or uninstall it: pip uninstall added"
    )
    assert extended("rules", own, attrgetter("name")) == {"": own[0], "accuracy": own[1]}
