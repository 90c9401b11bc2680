"""The documentation keeps its promises: commands, settings and files are there, and examples give what is shown."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli, load_command
from db.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
README = (ROOT / "README.md").read_text("utf8")
CONSOLE = re.search(r"^```\n(\$ python app\.py .*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_and_option_it_shows_exists(page: Path) -> None:
    for name, words in commands(page.read_text("utf8")):
        known = {option for parameter in load_command(name).params for option in parameter.opts}
        assert set(re.findall(r"(--[a-z-]+)", words)) <= known | {"--help"}, name


def test_the_table_of_options_for_logs_names_each_of_them() -> None:
    page = (ROOT / "docs" / "human-baselines.md").read_text("utf8")
    table = "".join(re.findall(r"^\| `--.*", page.partition("| option | what it says |")[2].partition("\n\n")[0], re.M))
    options = {option for parameter in load_command("import-log").params for option in parameter.opts}
    named = set(re.findall(r"`(--[a-z-]+)", table))
    assert {option for option in options if option.startswith("--")} - {"--json", "--help"} - named == set()
    human = {option for parameter in load_command("human").params for option in parameter.opts}
    assert named - options <= human


def test_the_commands_that_everybody_needs_are_explained() -> None:
    explained = {name for page in PAGES for name, _ in commands(page.read_text("utf8"))}
    assert {"create", "check", "import-log", "human", "run", "results", "score", "export"} <= explained


def test_the_example_of_the_readme_gives_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")
    monkeypatch.setenv("COLUMNS", "200")
    assert CONSOLE is not None
    given = list(steps(CONSOLE[1]))
    assert len(given) == 5
    for words, shown in given:
        printed = CliRunner().invoke(cli, [placed(word, tmp_path) for word in words], catch_exceptions=False)
        assert printed.exit_code == 0, printed.output
        lines = (printed.stderr + printed.stdout).replace(f"{tmp_path}/", "").rstrip()
        assert re.fullmatch(shown, lines), f"{shown}\nis not\n{lines}"


def test_every_make_target_it_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf8")
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_setting_of_an_installation_is_explained_and_read() -> None:
    names = {f"ETALON_{name.upper()}" for name in Settings.model_fields}
    named = set(re.findall(r"`(ETALON_\w+)`", (ROOT / "docs" / "deploy.md").read_text("utf8") + README))
    assert named <= names
    assert {"ETALON_HOST", "ETALON_PORT", "ETALON_HOME", "ETALON_OWNER_PASSWORD", "ETALON_DEMO"} <= named


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_picture_and_file_it_points_at_is_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def commands(text: str) -> list[tuple[str, str]]:
    """Every command of the program that a text shows, with the words behind its name."""
    return re.findall(r"python app\.py ([a-z][a-z-]*)((?:[^\n`#]|\n(?!python )(?=[a-z]))*)", text)


def steps(console: str) -> Iterator[tuple[list[str], str]]:
    """The words of each command of a console, and what it prints as a pattern: … stands for the rest of a line, alone
    in its line for lines that are left out.
    """
    for step in console.removeprefix("$ ").split("\n$ "):
        command, *shown = step.strip("\n").split("\n")
        lines = ["(?s:.+)" if line == "…" else re.escape(line).replace("…", ".*") for line in shown]
        yield command.split()[2:], "\n".join(lines)


def placed(word: str, folder: Path) -> str:
    """A word of a command for a test: the program's own files wherever it is run, what is written in a folder."""
    if (ROOT / word).is_file():
        return str(ROOT / word)
    return str(folder / word) if word.endswith(".html") else word
