"""Sixteen changes, each in as few files as CONTRIBUTING.md says, made in a copy of the program and used there."""

import csv
import subprocess
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tests.helpers.changed_program import ROOT, add_language, add_row, copied_program, printed_by

ADDED = Path(__file__).parent / "ten_changes"
PACKAGES = ("annotate", "baseline", "data", "db", "eval")
CODE, MARK = "kk", "¤"
NAMED = {"name": "Қазақша", "short": "KK", "english": "Kazakh"}
LENGTHS = '''

def mean_lengths(session: Session, *, runs: Sequence[Run]) -> dict[int, float]:
    """Return how many characters a reply of each of these runs has in the mean."""
    of_runs = PREDICTION.c.run_id.in_([run.id for run in runs])
    length = func.avg(func.length(PREDICTION.c.raw))
    rows = read(session, select(PREDICTION.c.run_id, length).where(of_runs).group_by(PREDICTION.c.run_id))
    return {int(run): float(mean) for run, mean in rows}
'''
WORKER_ROWS = '''

def worker_rows(asked: ExportRequest) -> pd.DataFrame:
    """Return what each worker did."""
    done = worker_summaries(asked.session, study=asked.study)
    rows = [(work.name, work.status, work.answers, work.seconds) for work in done]
    return pd.DataFrame(rows, columns=["worker", "status", "answers", "seconds"], dtype=object)
'''
SETTING = '    rest: float | None = asked("rest", None, le=60)\n'
WORDS = """[Pay.rest]
title = "Minutes of rest"
help = "After each page; empty: none"
change.words = "For who comes from now on"

"""
ROWS = {
    "eval/agreement/coefficients.py": (
        '    AgreementCoefficient("ac1"',
        '    AgreementCoefficient("bennett", "Bennett\'s S", bennett_of),\n',
    ),
    "eval/metrics/table.py": (
        '        Metric("macro_f1"',
        '        Metric("beyond_guessing", "Beyond guessing", of_confusion=beyond_guessing, low=-1, scores=LISTED),\n',
    ),
    "eval/consensus/rules.py": (
        '    "weighted": ConsensusMethod',
        '    "unanimous": ConsensusMethod(unanimous, "what all of them answered"),\n',
    ),
    "eval/workers/table.py": (
        "    trap: TrapRule",
        "    many: ManyRule = ManyRule()\n    burst: BurstRule = BurstRule()\n",
    ),
    "baseline/models/providers.py": (
        '        Provider("random"',
        '        Provider("echo", "An echo", "baseline.models.echo:Echo", EchoSettings, named=True),\n'
        '        server("ollama", "Ollama", OllamaSettings, "", ""),\n',
    ),
    "baseline/comparison/score_columns.py": (
        '    Column("metric", "metric"',
        '    Column("replies", "replies", "Of all kinds", lambda row: sum(row.respondent.statuses.values())),\n'
        '    Column("characters", "characters", "Of a reply", lambda row: row.respondent.characters, number),\n',
    ),
    "db/exports.py": (
        '    Export("items"',
        '    Export("voters", "Voters", "Who", as_table(lambda one: judgment_rows(one)[["worker"]]), True),\n'
        '    Export("workers", "Workers", "What each of them did", as_table(worker_rows)),\n',
    ),
}
"""Where each row goes: the file, before what, and the row itself; what it names is imported from the file beside it."""
WRITTEN = (
    ("db/runs.py", "\n\ndef wordless(", LENGTHS),
    ("baseline/comparison/results.py", "thinking, wordless\n", "mean_lengths, "),
    (
        "baseline/comparison/results.py",
        "    vs_person: Difference | None = None\n",
        "    characters: float | None = None\n",
    ),
    ("baseline/comparison/results.py", "    silent = ", "    long = mean_lengths(session, runs=asked)\n"),
    ("baseline/comparison/results.py", "wordless=silent.get", "characters=long.get(row.run.id), "),
    ("db/exports.py", "\n\n_HAPPENED: ", WORKER_ROWS),
    ("db/study_settings.py", "    contact: str", SETTING),
    ("db/study_settings.toml", "[Consent.contact]", WORDS),
)
"""What else is written: for a value that results do not have yet, for an export, and for a setting of a study; the
file, before what, the text."""
IMPORTED = {
    "eval/agreement/coefficients.py": "from eval.agreement.bennett import bennett_of",
    "eval/metrics/table.py": "from eval.metrics.beyond_guessing import beyond_guessing",
    "eval/consensus/rules.py": "from eval.consensus.unanimous import unanimous",
    "eval/workers/table.py": "from eval.workers.burst import BurstRule\nfrom eval.workers.many import ManyRule",
    "baseline/models/providers.py": "from baseline.models.echo import EchoSettings\n"
    "from baseline.models.ollama import OllamaSettings",
}
READ = """
import { page } from "./tests/js/dom.mjs";
import * as answers from "./annotate/static/answers/index.js";
const document = page(process.argv[1]);
const ask = document.querySelector("[data-answer]");
await answers.bring(document);
ask.querySelectorAll("input").forEach((input, place) => (input.value = process.argv[2 + place]));
console.log(JSON.stringify(answers.read(ask)));
"""


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program with all sixteen changes."""
    folder = copied_program(tmp_path_factory.mktemp("changed"), *PACKAGES)
    for name in PACKAGES:
        if (ADDED / name).exists():
            copytree(ADDED / name, folder / name, dirs_exist_ok=True)
    for file, (before, row) in ROWS.items():
        add_row(folder, file, before, row)
    for file, before, text in WRITTEN:
        add_row(folder, file, before, text)
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


def typed_in(changed: Path, screen: str, *texts: str) -> str:
    """Return the answer, as JSON, that the page's script reads when these are typed on a screen."""
    node = ["node", "--input-type=module", "-e", READ, screen, *texts]
    ran = subprocess.run(node, cwd=changed, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


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


def test_the_tests_of_samples_accept_those_of_the_guide(seen: dict[str, Any]) -> None:
    assert seen["samples"]["code"] == 0, seen["samples"]["told"]


def test_a_language_of_the_interface_is_a_folder(dinner: Any) -> None:
    assert [f'lang="{CODE}"' in screen and MARK in screen for screen in dinner["screens"]] == [False] * 7 + [True] * 7


def test_an_answer_type_is_a_file_a_template_and_a_script(seen: dict[str, Any], changed: Path) -> None:
    # One worker is right about all six; the model's "1%" is read as 1, which is right for three of them.
    assert scores(seen["sure"]["results"])["human:individual"]["em"] == 1
    assert scores(seen["sure"]["results"])["model:echo:loud"]["em"] == 0.5
    assert typed_in(changed, seen["sure"]["screens"][0], " 80 ") == '"80%"'


def test_a_column_of_a_value_that_results_lack_is_a_query_a_field_and_a_row(seen: dict[str, Any]) -> None:
    # The one says "1" to everything, the other "I think 9-12."; people have no replies.
    dinner, hours = seen["dinner"], seen["hours"]
    assert [row["characters"] for row in dinner["results"]["rows"]] == [None, None, 1]
    assert [row["characters"] for row in hours["results"]["rows"]] == [None, None, 13]
    assert all("characters" in shown for shown in dinner["shown"].values())
    *_, echo = csv.DictReader(dinner["scores"].splitlines())
    assert float(echo["characters"]) == 1


def test_a_rule_on_workers_reads_when_answers_were_sent(dinner: Any) -> None:
    # One worker waits 30 seconds before each answer, the other's seven come at one moment.
    slow, quick = (line.split(",")[0] for line in dinner["workers"].splitlines()[1:3])
    live = [event for event in dinner["live"]["events"] if event["rule"] == "burst"]
    assert [(event["worker"], event["reason"]) for event in live] == [(quick, "5 answers within 0 s")]
    (afterwards,) = dinner["bursts"]["checks"]
    assert [(each["worker"], each["value"], each["n"]) for each in afterwards["found"]] == [(quick, 0, 7)]
    assert slow != quick


def test_an_answer_with_two_parts_is_agreed_on_part_by_part(seen: dict[str, Any], changed: Path) -> None:
    hours = seen["hours"]
    # Of 9-11, 8-12 and 9-12 two have each end of the last; 18-13 is 13-18.
    assert (hours["results"]["rows"][0]["statuses"], scores(hours["results"])["human:majority"]["em"]) == (
        {"won": 6},
        1,
    )
    # In each part people differ on two items of six, where one of three pairs is equal.
    each_part = {part["name"]: part["pairwise"] for part in hours["human"]["agreement_by"]}
    assert each_part == pytest.approx({"from": (4 + 2 / 3) / 6, "to": (4 + 2 / 3) / 6})
    assert hours["soft"].splitlines()[1].startswith("main-1,")
    assert typed_in(changed, hours["screen"], "9", "11") == '["9","11"]'


def test_a_provider_with_another_wire_format_is_a_file_and_a_row(seen: dict[str, Any]) -> None:
    ran, sent = seen["hours"]["run"], seen["hours"]["sent"]
    assert (ran["model"], ran["statuses"], ran["prompt_tokens"], ran["completion_tokens"]) == (
        "ollama:tiny",
        {"ok": 6},
        6 * 30,
        6 * 4,
    )
    assert sent["body"]["options"] == {"temperature": 0.5, "num_predict": 2048}
    assert (sent["body"]["model"], sent["body"]["stream"]) == ("tiny", False)
    assert "Authorization" not in sent["headers"]
    # It says 9-12 to everything, which is right for one of six.
    assert scores(seen["hours"]["results"])["model:ollama:tiny"]["em"] == pytest.approx(1 / 6)


def test_an_export_with_a_row_for_each_worker_is_a_function_and_a_row(dinner: Any) -> None:
    head, *rows = (line.split(",") for line in dinner["workers"].splitlines())
    assert head == ["worker", "status", "answers", "seconds"]
    # The server's clock says how long an answer took at most: 9 seconds were sent with each, and the second had none.
    assert [row[1:] for row in rows] == [["active", "7", "63.0"], ["active", "7", "0.0"]]
    assert len({row[0] for row in rows}) == 2


def test_a_setting_of_a_study_is_a_field_and_its_words(seen: dict[str, Any]) -> None:
    rested, words = seen["rested"], "After each page; empty: none"
    assert rested["minimum"]
    assert rested["new"] == ["Textbox", "Minutes of rest", words]
    assert rested["running"] == ["Textbox", "Minutes of rest", f"{words}. For who comes from now on"]
    assert rested["counted"][:2] == ["Paper · 0 of 4 answered", "Design · 1 of 11 answered"]
    assert "1 of 35 questions of the report answered" in rested["questions"]
    assert rested["of_imported"] == [
        "consensus", "counts", "epsilon", "gold", "margin", "model_language", "public_gold"
    ]  # fmt: skip
    assert rested["folds_of_imported"] == ["People", "Results"]
    assert (rested["changed"], rested["event"]) == ({"rest": [2.5, None]}, True)
    assert rested["documented"] == [
        f"| `rest` | Minutes of rest. {words}. | nothing | number to 60, or nothing | For who comes from now on |"
    ]


def test_the_contributors_guide_names_every_file_that_has_a_row() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf8")
    assert [file for file in (*ROWS, *(file for file, *_ in WRITTEN)) if f"`{file}`" not in guide] == []
