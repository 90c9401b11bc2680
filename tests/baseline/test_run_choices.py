"""Runs that are there: compared in pairs, pinned, deleted, and what became of each; all of it with events."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from typer.testing import CliRunner, Result

from app import cli
from baseline.comparison.results import results
from baseline.comparison.run_pairs import compared_models, matrix, matrix_words, run_pairs
from baseline.human.baseline import HumanBaseline, stored_rules
from data.catalogue.catalog import get_task
from data.files.item_files import read_items
from db.clock import now
from db.engine import opened, reading
from db.studies import get_study
from eval.ballots import answers
from eval.comparison.paired_bootstrap import PairedCounts
from eval.estimate import Estimate, wilson
from eval.intervals.clusters import Clusters, Resampling
from tests.helpers.leaderboards import written
from tests.helpers.model_server import ModelServer, Script, always, answer_sheet, knowing, wrong
from tests.helpers.study_pages import parts, study_page

Run = Callable[..., Result]
PARUS = get_task("rsg/parus")
RECORDS = [
    {"idx": n, "premise": f"Дождь {n}.", "choice1": "Сухо.", "choice2": "Мокро.", "question": "effect", "label": n % 2}
    for n in range(40)
]


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command where there is a study of PARus."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)

    def command(*words: object, code: int = 0, typed: str = "") -> Result:
        result = CliRunner().invoke(cli, [str(word) for word in words], input=typed, catch_exceptions=False)
        assert result.exit_code == code, result.output + result.stderr
        return result

    command("create", "parus", "--task", "rsg/parus", "--items", written(tmp_path / "parus.jsonl", RECORDS))
    return command


@pytest.fixture
def server(tmp_path: Path, run: Run) -> Any:
    with ModelServer() as made:
        made.script = knows(tmp_path, 40)
        yield made


def knows(folder: Path, first: int) -> Script:
    """A model that is right on so many items, the first ones, and says the other option on the rest."""
    sheet = answer_sheet(PARUS, read_items(folder / "parus.jsonl", PARUS))
    return knowing({prompt: two if n < first else two[::-1] for n, (prompt, two) in enumerate(sheet.items())})


def asked(run: Run, server: ModelServer, *more: object, model: str = "m", code: int = 0) -> int:
    words = ("run", "parus", "--model", f"openai:{model}", "--base-url", server.base_url, "--concurrency", 1, "--json")
    return int(json.loads(run(*words, *more, code=code).stdout)["run"])


def said(result: Result) -> Any:
    return json.loads(result.stdout)


@pytest.fixture
def two(run: Run, server: ModelServer, tmp_path: Path) -> tuple[int, int]:
    """Two runs of one model: all 40 right, then 28."""
    first = asked(run, server)
    server.script = knows(tmp_path, 28)
    return first, asked(run, server, "--fresh", "--temperature", "0.5")


def row_of(run: Run) -> Any:
    return next(row for row in said(run("results", "parus", "--json"))["rows"] if row["kind"] == "model")


def test_two_runs_are_compared_item_by_item_with_mcnemars_test(run: Run, two: tuple[int, int]) -> None:
    found = said(run("compare-runs", "parus", *two, "--json"))
    (pair,) = found["pairs"]
    assert (pair["runs"], pair["items"], pair["only_first"], pair["only_second"]) == ([*two], 40, 12, 0)
    assert pair["same"]["value"] == 0.7
    counts = PairedCounts(12, 0, 40)
    assert pair["p_holm"] == pytest.approx(counts.p)
    assert pair["difference"]["ci"] == pytest.approx(list(counts.interval()))
    assert [one["item"] for one in pair["changed"]] == [str(n) for n in range(28, 40)]
    assert {tuple(one["right"]) for one in pair["changed"]} == {(True, False)}
    assert pair["settings"]["temperature"] == [0.0, 0.5]
    words = run("compare-runs", "parus", *two).stdout
    assert re.search(r"^temperature +0(\.0)? +0\.5 *$", words, re.MULTILINE), words
    assert "< 0.001" in words


def test_the_share_of_equal_answers_is_as_uncertain_as_the_passages_are_few() -> None:
    items = [f"q{n}" for n in range(40)]
    one, other = dict.fromkeys(items, "a"), dict.fromkeys(items, "a") | dict.fromkeys(items[:10], "b")
    rows = [SimpleNamespace(ballots=answers(each, items=items, labels=["a", "b"])) for each in (one, other)]

    def same(clusters: Clusters | None) -> Estimate:
        panel = SimpleNamespace(gold={}, resampling=Resampling(clusters))
        (pair,) = run_pairs(cast(HumanBaseline, SimpleNamespace(panel=panel)), cast(Any, rows))
        return pair.same

    passages = Clusters("passage", {item: f"p{n // 10}" for n, item in enumerate(items)})
    assert same(None).ci == pytest.approx(wilson(30, 40))
    # Four passages, in one of which all differ: as much as one of four answers tells, not ten of forty.
    assert (same(passages).value, same(passages).unit) == (0.75, "passage")
    assert same(passages).ci == pytest.approx(wilson(3, 4))


def test_p_values_are_adjusted_over_the_chosen_pairs(run: Run, server: ModelServer, tmp_path: Path) -> None:
    runs = []
    for known in (40, 35, 33):
        server.script = knows(tmp_path, known)
        runs.append(asked(run, server, model=f"m{known}"))
    found = said(run("compare-runs", "parus", "--json"))["pairs"]
    raw = [PairedCounts(b, 0, 40).p for b in (7, 5, 2)]
    shown = {pair["only_first"] + pair["only_second"]: pair["p_holm"] for pair in found}
    assert shown == pytest.approx({7: raw[0] * 3, 5: raw[1] * 2, 2: raw[2]})
    alone = said(run("compare-runs", "parus", "openai:m40", runs[2], "--json"))["pairs"]
    assert [pair["p_holm"] for pair in alone] == pytest.approx([raw[0]])


def test_fewer_than_two_runs_and_unknown_ones_are_refused(run: Run, two: tuple[int, int]) -> None:
    assert "name two runs or more" in run("compare-runs", "parus", two[0], code=2).stderr
    assert "run '99' is not known" in run("compare-runs", "parus", two[0], 99, code=2).stderr
    assert "the run or model 'openai:x' is not known" in run("compare-runs", "parus", two[0], "openai:x", code=2).stderr


def test_a_pinned_run_stands_for_its_model_until_it_is_unpinned(run: Run, two: tuple[int, int]) -> None:
    assert row_of(run)["run"]["id"] == two[1]
    run("pin-run", "parus", two[0], "--reason", "the paper's")
    shown = row_of(run)
    assert (shown["run"]["id"], shown["scores"]["accuracy"]["value"]) == (two[0], 1.0)
    assert shown["run"]["pinned"].endswith(": the paper's")
    assert f"run {two[0]} is shown, pinned by command line on " in run("results", "parus", "--details").stdout
    run("unpin-run", "parus", two[0], "--reason", "no more")
    assert row_of(run)["run"]["id"] == two[1]
    assert "is not pinned" in run("unpin-run", "parus", two[0], "--reason", "again", code=2).stderr
    events = said(run("events", "parus", "--json"))["events"]
    assert [(one["kind"], one["reason"]) for one in events[:2]] == [
        ("run_unpinned", "no more"), ("run_pinned", "the paper's")
    ]  # fmt: skip


def test_a_run_without_an_answer_cannot_be_pinned(run: Run, server: ModelServer) -> None:
    server.script = always(wrong(413, "no room for it"))
    failed = asked(run, server, code=1)
    assert "has no answer yet" in run("pin-run", "parus", failed, "--reason", "x", code=2).stderr


def test_a_deleted_run_is_gone_but_for_its_number_and_what_it_cost(
    run: Run, server: ModelServer, two: tuple[int, int], tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('currency = "USD"\n[models.paid]\ninput = 1000\noutput = 1000\n', "utf8")
    paid = asked(run, server, "--prices", prices, model="paid")
    before = said(run("runs", "parus", "--json"))
    cost = before["paid"]["USD"]
    assert cost > 0
    run("pin-run", "parus", two[0], "--reason", "first")
    assert "nothing is deleted" in run("delete-run", "parus", two[0], "--reason", "x", code=2, typed="n\n").stderr
    question = run("delete-run", "parus", paid, "--reason", "wrong key", typed="y\n").stderr
    assert f"40 replies of run {paid} (openai:paid) will be deleted for good" in question
    run("delete-run", "parus", two[0], "--reason", "a trial", "--yes")
    assert row_of(run)["run"]["id"] == two[1]
    assert row_of(run)["run"].get("pinned") is None
    after = said(run("runs", "parus", "--json"))
    assert after["paid"] == {"USD": cost}
    kept = {one["run"]: (one["status"], one["statuses"]) for one in after["runs"]}
    assert kept[paid] == ("deleted", {"ok": 40})
    assert "deleted by command line: wrong key" in run("runs", "parus").stdout
    assert "is not known" in run("delete-run", "parus", paid, "--reason", "x", "--yes", code=2).stderr
    for name in (paid, "openai:paid"):
        wrong_name = run("compare-runs", "parus", name, two[1], code=2).stderr
        assert f"{str(name)!r} is not known any more: on {now():%Y-%m-%d} at" in wrong_name
        assert f"run {paid} was deleted by command line: wrong key. Its replies are gone: ask or import" in wrong_name
    sent = len(server.requests)
    assert asked(run, server, "--prices", prices, model="paid") > paid
    assert len(server.requests) == sent + 40


def test_a_run_tells_when_it_went_on_and_after_what(run: Run, server: ModelServer, tmp_path: Path) -> None:
    server.script = always(wrong(413, "no room for it"))
    first = asked(run, server, code=1)
    server.script = knows(tmp_path, 40)
    assert asked(run, server) == first
    (one,) = said(run("runs", "parus", "--json"))["runs"]
    assert (one["statuses"], len(one["resumed"]), one["resumed"][0]["errors"]) == ({"ok": 40}, 1, 40)
    assert "went on once, last after: " in run("runs", "parus").stdout


def test_the_matrix_sets_models_against_each_other(
    run: Run, server: ModelServer, tmp_path: Path, sqlite_url: str
) -> None:
    for known in (40, 28):
        server.script = knows(tmp_path, known)
        asked(run, server, model=f"m{known}")
    with opened(sqlite_url) as database, reading(database) as session:
        study = get_study(session, name="parus")
        found = results(session, study=study, rules=stored_rules(study))
        table = matrix(found.models, compared_models(found))
    shown = [list(line[1:]) for line in table.cells]
    assert shown == [["", "+30.0*"], ["−30.0*", ""]]
    assert matrix_words(None) == ""


def test_the_section_of_models_names_those_that_differ(
    run: Run, server: ModelServer, tmp_path: Path, sqlite_url: str
) -> None:
    for known in (40, 28):
        server.script = knows(tmp_path, known)
        asked(run, server, model=f"m{known}")
    with opened(sqlite_url) as database:
        drawn = parts(study_page(database, "parus", tab="models"))["pairs"]
    assert "<b>+30.0*</b>" in drawn
