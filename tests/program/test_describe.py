"""What only people know of a study: described from a file, kept with it, and printed in the checklist."""

import tomllib
from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from annotate.commands.study_commands import DESCRIBED
from db.study_settings import StudyDescription
from tests.helpers.importing import answer, write_table

Command = Callable[..., Result]


def test_what_is_described_is_in_the_checklist_of_the_report(command: Command, tmp_path: Path) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    assert command("import-log", "s", log).exit_code == 0
    form = command("describe", "s").stdout
    assert tomllib.loads(form) == dict.fromkeys(DESCRIBED, "")
    given = tmp_path / "s.toml"
    given.write_text(form.replace('ethics = ""', 'ethics = "Exempted by our board."'), "utf8")
    left = f"1 of {len(DESCRIBED)} are answered; missing: 0.1–0.4 publication; 0.5 kind; "
    for words in ("changed: Ethics review", "nothing is new"):
        assert command("describe", "s", "--from", given).stdout.startswith(f"{words}\n{left}")
    assert 'ethics = "Exempted by our board."' in command("describe", "s").stdout
    # The form as it was printed at first, with nothing filled in, erases nothing; a dash is no answer.
    given.write_text(form.replace('pilot = ""', 'pilot = "n/a"').replace('kind = ""', 'kind = "-"'), "utf8")
    assert f"1 of {len(DESCRIBED)} are answered" in command("describe", "s", "--from", given).stdout
    assert command("results", "s", "--report", tmp_path / "s.md").exit_code == 0
    told = (tmp_path / "s.md").read_text("utf8")
    assert "| 1.9 | Ethics review | Exempted by our board. |" in told
    assert "| 1.10 | Pre-registration | missing |" in told
    assert "| 5.1.2 | Instruction people read | missing |" in told
    assert "Ethics review | missing" not in told


def test_a_report_states_no_language_of_a_log_that_nobody_declared(command: Command, tmp_path: Path) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    for name, given, stated in (("guessed", (), "missing"), ("declared", ("--language", "en"), "English")):
        assert command("import-log", name, log, *given).exit_code == 0
        assert command("results", name, "--report", tmp_path / "s.md").exit_code == 0
        assert f"| 0.7 | Language of the items | {stated} |" in (tmp_path / "s.md").read_text("utf8")


def test_a_name_that_describes_nothing_is_refused(command: Command, tmp_path: Path) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    assert command("import-log", "s", log).exit_code == 0
    (tmp_path / "s.toml").write_text('ethic = "x"', "utf8")
    refused = command("describe", "s", "--from", tmp_path / "s.toml")
    assert (refused.exit_code, "did you mean 'ethics'" in refused.stderr) == (2, True)


def test_every_text_of_the_description_has_its_place_in_the_checklist() -> None:
    assert list(StudyDescription.model_fields) == list(DESCRIBED)


def test_a_report_asks_nothing_that_is_answered(command: Command, tmp_path: Path) -> None:
    log = write_table(tmp_path / "log.tsv", [answer("a", "yes", "w1"), answer("a", "no", "w2")])
    assert command("import-log", "s", log).exit_code == 0
    answers = tmp_path / "s.toml"
    answers.write_text("".join(f'{name} = "Said of {name}."\n' for name in DESCRIBED), "utf8")
    assert f"{len(DESCRIBED)} of {len(DESCRIBED)} are answered" in command("describe", "s", "--from", answers).stdout
    assert command("results", "s", "--report", tmp_path / "s.md").exit_code == 0
    said = (tmp_path / "s.md").read_text("utf8").replace("\\_", "_")
    assert [name for name in DESCRIBED if f"Said of {name}." not in said] == []
    assert [line for line in said.splitlines() if "To be filled in by the author" in line] == []
    assert "Licence of the items: Said of items_licence." in said
    assert "| 5.1.3 | Time | Said of time_spent. |" in said
