"""The commands `create` and `import-log`: what they store, what they print, what they refuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.catalogue.catalog import get_task, sample_file
from db.engine import Database, open_database, reading
from db.items import coverage, list_items
from db.studies import Study, get_study
from tests.helpers.importing import answer, studies, write_table

PARUS = "rsg/parus"
Command = Callable[..., Result]


@pytest.fixture
def command(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command on an empty database of either kind."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    return lambda *arguments: CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def command_on_sqlite(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command on an empty SQLite database, for what does not depend on the kind."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *arguments: CliRunner().invoke(cli, [str(argument) for argument in arguments])


def refused(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    return result.stderr.removesuffix("\n")


def printed(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def samples(*parts: str) -> list[object]:
    options = {"main": "--items", "training": "--training", "control": "--control"}
    return [word for part in parts for word in (options[part], sample_file(get_task(PARUS), part))]


def study_with_items(database: Database, name: str) -> tuple[Study, list[tuple[str, str]]]:
    with reading(database) as session:
        study = get_study(session, name=name)
        return study, [(stored.item.role, stored.item.id) for stored in list_items(session, study=study)]


def test_create_stores_an_open_study_and_says_what_it_needs(command: Command, database_url: str) -> None:
    files = samples("main", "training", "control")
    said = printed(command("create", "demo", "--task", PARUS, *files, "--overlap", 3, "--price", "1.5", "--json"))
    assert said["study"] == "demo"
    assert said["task"] == PARUS
    assert said["judgments"]["wanted"] == said["items"]["main"] * 3
    database = open_database(database_url)
    study, items = study_with_items(database, "demo")
    assert (study.status, study.origin, study.settings.overlap, study.settings.price) == ("open", "collected", 3, 1.5)
    assert study.settings.page_controls == 2
    assert {role: sum(role == of for of, _ in items) for role in said["items"]} == said["items"]
    with reading(database) as session:
        assert coverage(session, study=study).target == said["judgments"]["wanted"]
    database.dispose()


def test_create_says_the_same_in_words(command_on_sqlite: Command, tmp_path: Path) -> None:
    result = command_on_sqlite("create", "demo", "--task", PARUS, *samples("main", "control"), "--sample", 10)
    assert result.stdout.splitlines()[:2] == [
        "study 'demo' (rsg/parus) is open",
        "  main        10 items, 5 judgments each: 50 wanted",
    ]
    assert "2 to 8 main ones on a page" in result.stdout
    assert "training    0 items" in result.stdout


def test_a_sample_follows_from_its_seed_and_keeps_the_order_of_the_file(
    command_on_sqlite: Command, sqlite: Database
) -> None:
    for name, seed in [("one", 7), ("same", 7), ("other", 8)]:
        printed(
            command_on_sqlite(
                "create", name, "--task", PARUS, *samples("main"), "--sample", 6, "--seed", seed, "--json"
            )
        )
    database = sqlite
    drawn = {name: study_with_items(database, name)[1] for name in ("one", "same", "other")}
    assert drawn["one"] == drawn["same"] != drawn["other"]
    printed(command_on_sqlite("create", "all", "--task", PARUS, *samples("main"), "--json"))
    whole = study_with_items(database, "all")[1]
    assert [item for item in whole if item in drawn["one"]] == drawn["one"]
    assert len(drawn["one"]) == 6


def test_a_sample_has_the_shares_of_the_whole_in_each_stratum_and_the_study_says_so(
    command_on_sqlite: Command, sqlite: Database, tmp_path: Path
) -> None:
    # 40 items: law 1 / law 0 / press 1 / press 0 are 20, 10, 7, 3; of 13 that is 6.5, 3.25, 2.275, 0.975.
    strata = {("law", "1"): 20, ("law", "0"): 10, ("press", "1"): 7, ("press", "0"): 3}
    kinds = [kind for kind, number in strata.items() for _ in range(number)]
    rows = [
        {"idx": str(n), "premise": f"p{n}", "question": "cause", "choice1": "a", "choice2": "b", "label": label}
        | {"domain": domain}
        for n, (domain, label) in enumerate(kinds)
    ]
    write_table(tmp_path / "many.csv", rows, delimiter=",")
    given = ("--task", PARUS, "--items", tmp_path / "many.csv", "--seed", 4, "--json")
    balanced = ("--stratify", "domain, label")
    printed(command_on_sqlite("create", "s", *given, *balanced, "--sample", 13))
    drawn = [kinds[int(item)] for _, item in study_with_items(sqlite, "s")[1]]
    assert [drawn.count(kind) for kind in strata] == [7, 3, 2, 1]
    said = command_on_sqlite("describe", "s").stdout
    assert 'sampling = "13 of 40 items of many.csv, drawn by the shares of domain and label with the seed 4"' in said
    assert "say with --sample how many" in refused(command_on_sqlite("create", "t", *given, *balanced))
    unknown = refused(command_on_sqlite("create", "t", *given, "--stratify", "domains", "--sample", 5))
    assert "the column 'domains'" in unknown
    assert "domain" in unknown.partition("did you mean")[2]


def test_files_that_number_their_items_alike_make_one_study(
    command_on_sqlite: Command, sqlite: Database, tmp_path: Path
) -> None:
    item = {"idx": "0", "premise": "p", "question": "cause", "choice1": "a", "choice2": "b", "label": "0"}
    for part in ("main", "training", "control"):
        write_table(tmp_path / f"{part}.csv", [item | {"premise": part}], delimiter=",")
    files = {"--items": "main", "--training": "training", "--control": "control"}
    options = [word for option, part in files.items() for word in (option, tmp_path / f"{part}.csv")]
    printed(command_on_sqlite("create", "s", "--task", PARUS, *options, "--json"))
    assert study_with_items(sqlite, "s")[1] == [("main", "0"), ("training", "0"), ("control", "0")]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--overlap", "0"], "--overlap 0: input should be greater than or equal to 1"),
        (["--training-pass", "80"], "--training-pass 80.0: input should be less than or equal to 1"),
        (["--page-controls", "1"], "--page-controls 1: the study has no control items; give them with --control FILE"),
        (["--sample", "1000"], "--sample 1000: the file has "),
        (["--sample", "0"], "--sample 0: the file has "),
    ],
)
def test_create_refuses_settings_that_cannot_be(
    command_on_sqlite: Command, sqlite: Database, options: list[str], sentence: str
) -> None:
    result = command_on_sqlite("create", "s", "--task", PARUS, *samples("main"), *options)
    assert refused(result).startswith(sentence)
    assert studies(sqlite) == []


def test_create_refuses_an_unknown_task_and_a_taken_name(command_on_sqlite: Command, sqlite: Database) -> None:
    assert "did you mean 'rsg/parus'" in refused(command_on_sqlite("create", "s", "--task", "parus", *samples("main")))
    printed(command_on_sqlite("create", "s", "--task", PARUS, *samples("main"), "--json"))
    again = command_on_sqlite("create", "s", "--task", PARUS, *samples("main"))
    assert refused(again) == "study 's' exists already; choose another name"
    assert studies(sqlite) == ["s"]


def test_import_log_takes_every_option(command: Command, tmp_path: Path, database_url: str) -> None:
    rows = [
        {"text": "a", "who": "w1", "said": "yes6"},
        {"text": "a", "who": "w1", "said": "no"},
        {"text": "b", "who": "w2", "said": "yes"},
    ]
    log = write_table(tmp_path / "log.csv", rows, delimiter=",")
    gold = write_table(tmp_path / "gold.csv", [{"text": "a", "said": "yes"}], delimiter=",")
    columns = ["--fields", "text", "--worker", "who", "--answer", "said"]
    how = ["--duplicates", "last", "--map", "yes6=yes", "--gold", gold]
    said = printed(command("import-log", "s", log, *columns, *how, "--json"))
    assert (said["task"], said["items"], said["workers"]) == ("log/s", {"main": 2, "control": 0}, 2)
    assert said["duplicates"]["dropped"] == 1
    assert said["mapped"] == [{"written": "yes6", "stored": "yes", "answers": 1}]
    assert said["gold"]["matched"] == 1
    database = open_database(database_url)
    assert study_with_items(database, "s")[0].status == "closed"
    database.dispose()


def test_import_log_takes_several_files_and_prints_what_it_did(command_on_sqlite: Command, tmp_path: Path) -> None:
    one = write_table(tmp_path / "one.tsv", [answer("a", "yes", "w1")])
    two = write_table(tmp_path / "two.tsv", [answer("a", "no", "w2"), answer("b", "", "w2")])
    result = command_on_sqlite("import-log", "s", one, two)
    assert result.stdout.splitlines() == [
        "study 's' (log/s) from one.tsv, two.tsv",
        "  rows        3 read, 1 dropped (1 with an empty answer)",
        "  items       1 main, 0 control",
        "  workers     2",
        "  judgments   2 main, 0 control",
        "  labels      no (1), yes (1)",
        "  language    English, guessed from its letters or its task",
        "  shown       text",
    ]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--duplicates", "frist"], "--duplicates 'frist': input should be 'first', 'last', 'keep' or 'error'"),
        (["--map", "yes"], "--map 'yes': write the value in the file, '=' and its label"),
        (["--map", "a=b", "--map", "a=c"], "--map 'a=c': 'a' is mapped to 'b' already"),
        (["--map", "maybe=yes"], "--map: no answer is 'maybe'; there are 'no', 'yes'"),
        (["--answer", "reply"], "log.tsv: --answer names 'reply', but there is no such column; the file has "),
    ],
)
def test_import_log_refuses_options_that_fit_nothing(
    command_on_sqlite: Command, sqlite: Database, tmp_path: Path, options: list[str], sentence: str
) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    assert refused(command_on_sqlite("import-log", "s", log, *options)).startswith(sentence)
    assert studies(sqlite) == []
