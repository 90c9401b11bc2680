"""Ten changes, each in as few files and rows as CONTRIBUTING.md says, made in a copy of the program and used there."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tests.helpers.changed_program import ROOT, add_language, add_row, copied_program, printed_by

ADDED = Path(__file__).parent / "ten_changes"
PACKAGES = ("annotate", "baseline", "data", "db", "eval")
CODE, MARK = "kk", "¤"
NAMED = {"name": "Қазақша", "short": "KK", "english": "Kazakh"}
ROWS = {
    "eval/agreement/coefficients.py": (
        '    AgreementCoefficient("ac1"',
        '    AgreementCoefficient("bennett", "Bennett\'s S", bennett, bennett_of),\n',
    ),
    "eval/metrics/table.py": (
        '        Metric("macro_f1"',
        '        Metric("beyond_guessing", "Beyond guessing", of_confusion=beyond_guessing, low=-1, scores=LISTED),\n',
    ),
    "eval/consensus/rules.py": (
        '    "weighted": ConsensusMethod',
        '    "unanimous": ConsensusMethod(unanimous, "what all of them answered"),\n',
    ),
    "eval/workers/__init__.py": ("    trap: TrapRule", "    many: ManyRule = ManyRule()\n"),
    "baseline/models/providers.py": (
        '        Provider("random"',
        '        Provider("echo", "An echo", "echo.Echo", EchoSettings, named=True),\n',
    ),
    "baseline/comparison/score_columns.py": (
        '    Column("metric", "metric"',
        '    Column("replies", "replies", "Of all kinds", lambda row: sum(row.respondent.statuses.values())),\n',
    ),
    "db/exports.py": (
        '    Export("items"',
        '    Export("voters", "Voters", "Who", as_table(lambda one: judgment_rows(one)[["worker"]]), True),\n',
    ),
}
"""Where each row goes: the file, before what, and the row itself; what it names is imported from the file beside it."""
IMPORTED = {
    "eval/agreement/coefficients.py": "from eval.agreement.bennett import bennett, bennett_of",
    "eval/metrics/table.py": "from eval.metrics.beyond_guessing import beyond_guessing",
    "eval/consensus/rules.py": "from eval.consensus.unanimous import unanimous",
    "eval/workers/__init__.py": "from eval.workers.many import ManyRule",
    "baseline/models/providers.py": "from baseline.models.echo import EchoSettings",
}
READ = """
import { page } from "./tests/js/dom.mjs";
import * as answers from "./annotate/static/answers/index.js";
const document = page(process.argv[1]);
const ask = document.querySelector("[data-answer]");
await answers.bring(document);
ask.querySelector("input").value = " 80 ";
console.log(answers.read(ask));
"""


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with all ten changes."""
    folder = copied_program(tmp_path_factory.mktemp("changed"), *PACKAGES)
    for name in PACKAGES:
        if (ADDED / name).exists():
            copytree(ADDED / name, folder / name, dirs_exist_ok=True)
    for file, (before, row) in ROWS.items():
        add_row(folder, file, before, row)
    for file, line in IMPORTED.items():
        add_row(folder, file, "\nfrom ", f"\n{line}")
    add_language(folder, CODE, NAMED, MARK)
    return folder


@pytest.fixture(scope="module")
def seen(changed: Path) -> dict[str, Any]:
    """What was seen by who used them all."""
    found: dict[str, Any] = printed_by(changed, ("-m", "tests.program.ten_changes.use_all"))
    return found


@pytest.fixture(scope="module")
def dinner(seen: dict[str, Any]) -> Any:
    return seen["dinner"]


def scores(results: dict[str, Any]) -> dict[str, dict[str, float]]:
    return {row["respondent"]: {name: one["value"] for name, one in row["scores"].items()} for row in results["rows"]}


def test_a_coefficient_of_agreement_is_a_file_and_a_row(dinner: Any) -> None:
    # Five of seven items have equal answers of two labels: (5/7 - 1/2) / (1 - 1/2).
    agreed = dinner["human"]["agreement"]
    assert agreed["bennett"] == pytest.approx(3 / 7)
    assert agreed["bennett_ci"][0] < 3 / 7 < agreed["bennett_ci"][1]
    assert "Bennett's S" in dinner["human_text"]


def test_a_metric_is_a_file_and_a_row(dinner: Any) -> None:
    # "morning" for all seven: four are right, (4/7 - 1/2) / (1 - 1/2).
    assert scores(dinner["results"])["model:echo:loud"]["beyond_guessing"] == pytest.approx(1 / 7)
    assert dinner["scored"]["metrics"]["beyond_guessing"]["value"] == pytest.approx(1 / 7)


def test_a_consensus_rule_is_a_file_and_a_row(dinner: Any) -> None:
    row = dinner["unanimous"]["rows"][0]
    assert (row["respondent"], row["statuses"]["won"], row["statuses"]["tied"]) == ("human:unanimous", 5, 2)
    assert "what all of them answered" in dinner["unanimous_page"]


def test_a_rule_on_workers_is_a_file_and_a_row(dinner: Any) -> None:
    live = [one for one in dinner["live"]["events"] if one["rule"] == "many"]
    # Each of two workers gives seven; after an event the rule begins to count anew.
    assert [one["reason"] for one in live] == ["3 answers, more than 2"] * 4
    assert [(one["rule"], [each["value"] for each in one["found"]]) for one in dinner["afterwards"]["checks"]] == [
        ("many", [7, 7])
    ]


def test_a_provider_of_models_is_a_file_and_a_row(dinner: Any) -> None:
    assert (dinner["run"]["model"], dinner["run"]["statuses"]) == ("echo:loud", {"ok": 7})


def test_a_column_of_the_results_is_a_row(dinner: Any) -> None:
    assert [row["replies"] for row in dinner["results"]["rows"]] == [7, 14, 7]
    assert all("replies" in shown for shown in dinner["shown"].values())
    assert "replies" in dinner["scores"].splitlines()[0].split(",")


def test_an_export_is_a_row(dinner: Any) -> None:
    found = dinner["export"]
    assert found["linked"]
    assert found["sent"] == found["written"]
    assert len(found["written"].split()) == 1 + 14


def test_a_task_is_a_file_and_its_samples(dinner: Any) -> None:
    assert "kitchen/dishes" in dinner["tasks"]
    assert "Когда это едят?" in dinner["screens"][0]
    assert scores(dinner["results"])["human:individual"]["accuracy"] == pytest.approx(6 / 7)


def test_the_tests_of_samples_accept_those_of_the_guide(changed: Path) -> None:
    tests = [f"tests/data/test_{name}.py" for name in ("data_samples", "hostile_texts")]
    command = [sys.executable, "-m", "pytest", "-q", "-k", "kitchen", "-p", "no:cacheprovider", *tests]
    ran = subprocess.run(command, cwd=changed, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_a_language_of_the_interface_is_a_folder(dinner: Any) -> None:
    assert [f'lang="{CODE}"' in screen and MARK in screen for screen in dinner["screens"]] == [False] * 7 + [True] * 7


def test_an_answer_type_is_a_file_a_template_and_a_script(seen: dict[str, Any], changed: Path) -> None:
    # One worker is right about all six; the model's "1%" is read as 1, which is right for three of them.
    assert scores(seen["sure"]["results"])["human:individual"]["em"] == 1
    assert scores(seen["sure"]["results"])["model:echo:loud"]["em"] == 0.5
    screen = seen["sure"]["screens"][0]
    node = ["node", "--input-type=module", "-e", READ, screen]
    ran = subprocess.run(node, cwd=changed, capture_output=True, text=True, check=False)
    assert ran.stdout.strip() == "80%", ran.stderr


def test_the_contributors_guide_names_every_file_that_has_a_row() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf8")
    assert [file for file in ROWS if f"`{file}`" not in guide] == []
