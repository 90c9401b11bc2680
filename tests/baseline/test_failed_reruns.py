"""A rerun that fails hides no complete run: the complete one is shown everywhere, the other is listed beside it."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.catalogue.catalog import get_task
from data.files.item_files import read_items
from db.engine import opened, reading
from tests.baseline.test_overview import overview
from tests.helpers.leaderboards import written
from tests.helpers.model_server import ModelServer, Say, Script, always, answer_sheet, knowing, wrong
from tests.helpers.study_pages import by_name, study_page, words

Run = Callable[..., Result]
PARUS = get_task("rsg/parus")
RECORDS = [
    {"idx": n, "premise": f"Дождь {n}.", "choice1": "Сухо.", "choice2": "Мокро.", "question": "effect", "label": n % 2}
    for n in range(8)
]
FAILING = always(wrong(400, "no room for it"))
MODEL = "model:openai:m"


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command where there is a study of PARus in the ids of its leaderboard."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)

    def command(*words: object) -> Result:
        result = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
        assert result.exit_code == expected(words, result), result.stderr
        return result

    command("create", "parus", "--task", "rsg/parus", "--items", written(tmp_path / "parus.jsonl", RECORDS))
    return command


@pytest.fixture
def server(tmp_path: Path, run: Run) -> Any:
    with ModelServer() as made:
        made.script = right(tmp_path)
        yield made


def expected(words: tuple[object, ...], result: Result) -> int:
    """The code with which a command ends: 1 for a run in which nothing was answered."""
    return int(words[0] == "run" and list(json.loads(result.stdout)["statuses"]) == ["error"])


def right(folder: Path) -> Script:
    return knowing(answer_sheet(PARUS, read_items(folder / "parus.jsonl", PARUS)))


def asked(run: Run, server: ModelServer, *more: object) -> Any:
    words = ("run", "parus", "--model", "openai:m", "--base-url", server.base_url, "--concurrency", 1, "--json")
    return json.loads(run(*words, *more).stdout)


def row_of(run: Run) -> Any:
    return next(row for row in json.loads(run("results", "parus", "--json").stdout)["rows"] if row["kind"] == "model")


@pytest.fixture
def failed(run: Run, server: ModelServer) -> tuple[int, int]:
    """A run that is complete and all right, then the same once more where every request fails; their numbers."""
    good = asked(run, server)
    server.script = FAILING
    bad = asked(run, server, "--fresh")
    assert (good["status"], bad["status"], list(bad["statuses"])) == ("complete", "incomplete", ["error"])
    return good["run"], bad["run"]


def test_results_show_the_complete_run_in_every_form_and_list_the_other(run: Run, failed: tuple[int, int]) -> None:
    good, bad = failed
    row = row_of(run)
    assert (row["scores"]["accuracy"]["value"], row["statuses"]) == (1.0, {"ok": row["n"]})
    assert (row["run"]["id"], row["run"]["status"]) == (good, "complete")
    assert [(one["id"], one["status"], one["statuses"]) for one in row["run"]["others"]] == [
        (bad, "incomplete", {"error": row["n"]})
    ]
    listed = f"run {good} is shown; not shown: run {bad} (incomplete, {row['n']} error"
    for form in ((), ("--markdown",)):
        told = run("results", "parus", "--details", *form).stdout
        assert "1.000" in told
        assert listed in told.replace("\n", " ").replace("\\allowbreak{}", "")


def test_the_page_and_the_overview_show_the_complete_run_and_name_the_other(
    run: Run, failed: tuple[int, int], sqlite_url: str
) -> None:
    good, bad = failed
    with opened(sqlite_url) as database, reading(database) as session:
        page, models = (study_page(database, "parus", tab=tab) for tab in ("scores", "models"))
        (cell,) = [row.scores[MODEL] for row in overview(session).rows if row.study == "parus"]
    assert next(row["Accuracy"] for name, row in by_name(page, "Accuracy").items() if MODEL.endswith(name)).startswith(
        "1.000"
    )
    assert f"run {bad} (incomplete" in words(models)
    assert cell.value == 1.0
    assert f"run {good} is shown" in cell.note


def test_totals_exports_and_submissions_take_the_complete_run(
    run: Run, failed: tuple[int, int], tmp_path: Path
) -> None:
    (total,) = [row for row in json.loads(run("total", "rsg", "--json").stdout)["rows"] if row["respondent"] == MODEL]
    assert total["tasks"]["rsg/parus"]["value"] == 1.0
    to = tmp_path / "predictions.csv"
    run("export", "parus", "--what", "predictions", "--respondent", MODEL, "--to", to)
    rows = list(csv.DictReader(to.read_text("utf-8-sig").splitlines()))
    assert {(row["status"], row["run"]) for row in rows} == {("ok", str(failed[0]))}
    run("export", "parus", "--what", "submission", "--respondent", MODEL, "--to", tmp_path / "sent.zip")
    assert (tmp_path / "sent.zip").stat().st_size > 0


def test_a_rerun_elsewhere_that_fails_hides_nothing_either(run: Run, server: ModelServer) -> None:
    good = asked(run, server)
    with ModelServer(FAILING) as other:
        bad = asked(run, other)
    assert bad["run"] != good["run"]
    assert row_of(run)["run"]["id"] == good["run"]


def test_a_rerun_that_is_half_done_is_not_shown_until_it_is_complete(run: Run, server: ModelServer) -> None:
    good = asked(run, server)
    sent = len(server.requests)
    answers = server.script
    server.script = lambda messages: answers(messages) if len(server.requests) < sent + 3 else wrong(400, "no")
    half = asked(run, server, "--fresh")
    assert half["statuses"]["ok"] == 2
    assert row_of(run)["run"]["id"] == good["run"]
    server.script = answers
    whole = asked(run, server, "--fresh")
    assert row_of(run)["run"]["id"] == whole["run"]


def test_a_run_asked_otherwise_is_shown_as_soon_as_it_is_complete(run: Run, server: ModelServer) -> None:
    first = asked(run, server)
    server.script = FAILING
    nothing = asked(run, server, "--prompt-variant", 1)
    assert row_of(run)["run"]["id"] == first["run"], "nothing was answered: there is nothing to show"
    count = len(server.requests)
    server.script = lambda messages: wrong(400, "no") if len(server.requests) > count + 2 else Say("1")
    part = asked(run, server, "--prompt-variant", 1)
    assert part["run"] == nothing["run"]
    row = row_of(run)
    assert (row["run"]["id"], row["run"]["status"]) == (first["run"], "complete")
    assert [(one["id"], one["status"]) for one in row["run"]["others"]] == [(part["run"], "incomplete")]
    server.script = always(Say("1"))
    assert asked(run, server, "--prompt-variant", 1)["run"] == part["run"]
    assert row_of(run)["run"]["id"] == part["run"]


def test_a_trial_of_a_few_items_does_not_stand_for_a_whole_run_that_lacks_one(run: Run, server: ModelServer) -> None:
    trial = asked(run, server, "--limit", 2)
    answers = server.script
    last = len(server.requests) + 5
    server.script = lambda messages: wrong(400, "no") if len(server.requests) == last else answers(messages)
    whole = asked(run, server)
    assert whole["statuses"]["error"] == 1
    assert row_of(run)["run"]["id"] == whole["run"]
    server.script = FAILING
    asked(run, server, "--limit", 2, "--fresh")
    row = row_of(run)
    assert row["run"]["id"] == whole["run"]
    assert trial["run"] in [one["id"] for one in row["run"]["others"]]
