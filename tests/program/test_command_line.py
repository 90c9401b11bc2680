"""The command line: one table of commands, of which only the one that is called is imported."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import COMMANDS, cli

ROOT = Path(__file__).parents[2]
ROUNDS = 4
HELP, COMMAND_HELP, LIST = 6, 5, 12  # times what `import typer` costs, at most
HEAVY = ("pandas", "numpy", "pyarrow", "sqlalchemy", "sqlmodel", "gradio", "fastapi", "openai", "sklearn", "scipy")


def cost(*words: str) -> float:
    """Run Python with these words; return the seconds of processor time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_what_needs_no_database_costs_a_few_times_what_typer_does() -> None:
    runs = [("-c", "import typer"), ("app.py", "--help"), ("app.py", "tasks")]
    rounds = ([cost(*words) for words in runs] for _ in range(ROUNDS))
    assert any(asked <= HELP * typer and listed <= LIST * typer for typer, asked, listed in rounds)


@pytest.mark.parametrize("name", ["results", "run"])
def test_the_help_of_a_command_costs_a_few_times_what_typer_does(name: str) -> None:
    rounds = (((cost("app.py", name, "--help"), cost("-c", "import typer"))) for _ in range(ROUNDS))
    assert any(asked_for_help <= COMMAND_HELP * typer for asked_for_help, typer in rounds)


@pytest.mark.parametrize("words", [["--help"], ["results", "--help"], ["tasks"]])
def test_it_imports_nothing_heavy(words: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-X", "importtime", "app.py", *words], cwd=ROOT, check=True, capture_output=True, text=True
    )
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in ended.stderr.splitlines()}
    assert "typer" in imported
    assert imported.isdisjoint(HEAVY)


def test_the_help_of_no_command_imports_anything_heavy() -> None:
    each = "[app.cli([name, '--help'], standalone_mode=False) for name in app.COMMANDS]"
    every = f"import sys, app; {each}; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", every], cwd=ROOT, check=True, capture_output=True, text=True)
    *shown, imported = ended.stdout.splitlines()
    assert sum(line.startswith("Usage: ") for line in shown) == len(COMMANDS)
    assert {module.partition(".")[0] for module in imported.split()}.isdisjoint(HEAVY)


def test_no_command_imports_what_only_the_server_or_one_model_needs() -> None:
    every = "import sys, app; [app.load_command(name) for name in app.COMMANDS]; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", every], cwd=ROOT, check=True, capture_output=True, text=True)
    imported = set(ended.stdout.split())
    assert "pandas" in imported
    assert imported.isdisjoint({"server", "gradio", "fastapi", "uvicorn", "openai", "sklearn"})


@pytest.mark.parametrize("width", ["80", "200"])
def test_the_help_that_is_kept_is_what_each_command_says_of_itself(width: str) -> None:
    for name in COMMANDS:
        kept, imported = (
            CliRunner().invoke(cli, [name, *words], env={"COLUMNS": width}).stdout
            for words in (["--help"], ["--help", "--help"])
        )
        assert kept == imported, "run python docs/tables.py"
        assert f" {name} " in kept


def test_the_help_lists_every_command_in_the_order_of_the_table() -> None:
    shown = CliRunner().invoke(cli, ["--help"]).stdout.partition("Commands:\n")[2]
    assert [line.split()[0] for line in shown.splitlines()] == list(COMMANDS)


def test_a_command_that_is_not_there_is_one_sentence_with_the_nearest_names() -> None:
    ended = CliRunner().invoke(cli, ["expor"])
    assert ended.exit_code == 2
    assert "Did you mean 'export'" in ended.stderr


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("export", "plain (task, worker, label)"),
        ("export", "One more study of the submission; of hb, the experts. [may be repeated]"),
        (
            "human",
            "Minimum accuracy on controls. The baseline leaves out workers below it. Empty: it includes everybody. "
            "[from 0 to 1]",
        ),
        ("plan", "Instead of the default control rule. [from 0 to 1]"),
        ("plan", "Numbers of control items. [separated by commas; default: 5, 10, 20, 30]"),
        ("run", "Concurrent requests. [from 1 to 256; default: 16]"),
        ("run", "stored with the run. [may be repeated]"),
        ("quality", "Votes an item should keep. [from 1; default: 3]"),
    ],
)
def test_an_option_says_its_bounds_its_default_and_whether_it_may_be_repeated(command: str, said: str) -> None:
    shown = CliRunner().invoke(cli, [command, "--help"], env={"COLUMNS": "300"}).stdout
    assert said in " ".join(shown.split())
