"""A study under the rules of somebody else's procedure: commands, report, page."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from app import cli
from tests.baseline.test_human import import_lcs

Run = Callable[..., Result]
THESE_PEOPLE = ("--interval", "items")
"""What rules let count does not depend on the people whom an interval holds for, and these intervals are made soon."""


@pytest.fixture
def run(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on an empty SQLite database."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    return lambda *words: CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)


def said(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_a_pool_under_mera_has_a_verdict_only_where_a_share_was_allowed(run: Run, shared: Path, tmp_path: Path) -> None:
    import_lcs(run, shared, tmp_path)
    found = said(run("human", "LCS", "--rules", "mera", "--json"))
    procedure = found["procedure"]
    assert (procedure["name"], procedure["title"]) == ("mera", "MERA's human baseline")
    below, answered = procedure["items"]["below"], procedure["items"]["answered"]
    assert procedure["items"]["share_below"] == below / answered
    assert procedure["items"]["void"] is None
    assert found["scores"]["majority"]["accuracy"]["n"] == answered - below
    people = said(run("results", "LCS", "--rules", "mera", "--json", *THESE_PEOPLE))["rows"][0]
    assert below > 0
    assert people["statuses"] == {"won": answered - below, "below": below}
    assert any("no allowed share was given, so there is no verdict" in note for note in found["notes"])
    steps = [row["step"] for row in procedure["without"]]
    assert steps == [
        None,
        "control_min",
        "min_votes",
        "then dawid-skene",
        "then weighted",
        "only weighted",
        "agreement_min",
    ]
    whole = procedure["without"][-1]
    assert whole["scored"] + whole["tied"] + whole["short"] + whole["below"] == answered
    mera = ("LCS", "--rules", "mera", "--json", *THESE_PEOPLE)
    shares = (below / answered, below / answered - 0.01)
    allowed = [said(run("human", *mera, "--allowed-share", share))["procedure"] for share in shares]
    assert [procedure["items"]["void"] for procedure in allowed] == [False, True]


def test_every_form_says_the_rules_the_verdict_and_each_step(run: Run, shared: Path, tmp_path: Path) -> None:
    import_lcs(run, shared, tmp_path)
    words = ("LCS", "--rules", "mera", "--allowed-share", 0, *THESE_PEOPLE)
    for form in ("md", "html", "tex"):
        assert run("human", *words, "--report", tmp_path / f"lcs.{form}").exit_code == 0
        assert "score is void by its own rules" in (tmp_path / f"lcs.{form}").read_text("utf8")
    for form in (run("human", *words, "--details").stdout,):
        for words_of_form in (
            "nothing: all steps",
            "the baseline is void",
            "what is left decided by",
        ):
            assert words_of_form in form
        for words_of_strip in ("under other rules", "The same votes score"):
            assert words_of_strip not in form
    results = run("results", "LCS", "--details", "--rules", "mera", *THESE_PEOPLE).stdout
    assert "are below an agreement of 60% and are not scored; no allowed share was given" in results


def test_rules_that_follow_no_procedure_say_nothing_of_one(run: Run, shared: Path, tmp_path: Path) -> None:
    import_lcs(run, shared, tmp_path)
    assert "procedure" not in said(run("human", "LCS", "--json", *THESE_PEOPLE))
    plain = run("human", "LCS", "--details", *THESE_PEOPLE).stdout
    assert all(words in plain for words in ("under other rules", "The same votes score"))
    changed = said(run("human", "LCS", "--rules", "mera", "--min-votes", 2, "--json", *THESE_PEOPLE))
    assert "procedure" not in changed
    assert changed["rules"]["then"] == ["weighted", "dawid-skene"]
    refused = run("human", "LCS", "--allowed-share", 0.1)
    assert refused.exit_code == 2
    assert "these rules have none" in refused.stderr
    assert "did you mean 'mera'?" in run("human", "LCS", "--rules", "mero").stderr
