"""Commands and reports are short: words of what is printed, words and A4 pages of reports, all with the verdict."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from typer.testing import Result

MODELS = 5
TEXT = "The kettle on the stove began to whistle, so the cook who had just come in from the garden took it off."


def words(text: str) -> int:
    """Return how many runs of characters between spaces have a letter."""
    return sum(bool(re.search(r"[^\W\d_]", part)) for part in text.split())


@pytest.fixture
def study(command: Callable[..., Result], tmp_path: Path) -> str:
    """Sixty items that seven people answered, with gold, and five models from good to bad."""
    log = tmp_path / "log.csv"
    rows = [
        f"q{n},w{who},{'no' if (n + who) % (6 + who) == 0 else 'yes'},yes,{n}: {TEXT.replace(',', ';')}\n"
        for n in range(60)
        for who in range(7)
    ]
    log.write_text("item_id,worker,label,gold,text\n" + "".join(rows), "utf8")
    assert command("import-log", "many", log, "--gold-column", "gold").exit_code == 0
    for model in range(MODELS + 1):
        run = tmp_path / f"{model}.jsonl"
        said = ("no" if n % (12 - 2 * model) == 0 else "yes" for n in range(60))
        run.write_text("".join(json.dumps({"id": f"q{n}", "answer": a}) + "\n" for n, a in enumerate(said)), "utf8")
        assert command("import-run", "many", run, "--from", "jsonl", "--model", f"model-{model}").exit_code == 0
    return "many"


@pytest.mark.parametrize("name", ["results", "human"])
def test_a_command_prints_the_verdict_and_at_most_250_words(
    command: Callable[..., Result], study: str, name: str
) -> None:
    shown = command(name, study).stdout
    assert words(shown) <= 250
    assert "People: 98.3%" in shown
    assert all(words(line) <= 26 for line in shown.splitlines() if line.startswith("note: "))
    assert words(command(name, study, "--details").stdout) > words(shown)


@pytest.mark.parametrize(
    ("asked", "pages", "most"), [(("results",), 5, 1800), (("human",), 5, 1800), (("compare-runs",), 3, 1800)]
)
def test_a_report_is_a_few_pages_with_words_of_items(
    command: Callable[..., Result], study: str, tmp_path: Path, asked: tuple[str, ...], pages: int, most: int
) -> None:
    report = tmp_path / "report.html"
    assert command(*asked, study, "--report", report).exit_code == 0
    with sync_playwright() as playwright:
        found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(report.as_uri())
        assert words(page.inner_text("body")) <= most
        assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) <= pages
        browser.close()
    if asked == ("compare-runs",):
        assert "The kettle on the stove" in report.read_text("utf8")
