"""From a lead's messy table to an open study and to its dataset, in a browser: clicks, seconds, and every row.

    python bench/first_study.py [--show FOLDER]

The table has 300 rows in Windows-1251 with `;`: seven spellings of three labels, rows without text, an id that comes
twice, a formula, HTML and a row with a cell too many. The same table goes in as XLSX. `--show` keeps pictures.
"""

import argparse
import asyncio
import csv
import io
import shutil
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from openpyxl import Workbook
from playwright.sync_api import Locator, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))
from bench.load_servers import Server, programs
from db.engine import opened, writing
from db.items import list_items
from db.judgments import Judgment, add_judgments
from db.studies import get_study
from db.workers import add_worker

HEADER = ["№", "id", "Текст отзыва", "Оценка", "Комментарий"]
SPELLINGS = ["позитив", "Позитив", "негатив", "НЕГАТИВ", "нейтрально", "нейтрально.", "позитив "]
NO_TEXT, TWICE, RAGGED = (30, 31, 77, 140), 50, 90
LEFT_OUT = {*NO_TEXT, TWICE, RAGGED}
PATIENCE = 60_000  # ms


def rows() -> list[list[str]]:
    """Return the 300 rows; every second has a right answer."""
    made = []
    for n in range(1, 301):
        text = f"Отзыв {n}: швы <b>расходятся</b>, пользуюсь {n % 12 + 1}-й месяц" if n not in NO_TEXT else ""
        comment = f"=СУММ(A{n})" if n % 40 == 0 else "перепроверить" if n % 5 == 0 else ""
        made.append([str(n), "r49" if n == TWICE else f"r{n}", text, SPELLINGS[n % 7] if n % 2 else "", comment])
    made[RAGGED - 1].append("лишнее")
    return made


def as_csv(path: Path) -> Path:
    """Write the table as a spreadsheet saves it on a Russian Windows."""
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\r\n").writerows([HEADER, *rows()])
    path.write_bytes(text.getvalue().encode("cp1251"))
    return path


def as_xlsx(path: Path) -> Path:
    """Write the same cells as a workbook; a formula stays the text it is."""
    book = Workbook()
    for place, row in enumerate([HEADER, *rows()], 1):
        for column, cell in enumerate(row, 1):
            book.active.cell(place, column, cell or None).data_type = "s" if cell else "n"
    book.save(path)
    return path


class Lead:
    """Somebody at a page whose acts are counted: clicks and choices, and fields that are typed into."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.typed, self.began = page, 0, 0, time.perf_counter()

    def click(self, at: Locator) -> None:
        """Press, once it can be pressed."""
        at.click(timeout=PATIENCE)
        self.clicks += 1

    def type(self, at: Locator, text: str) -> None:
        """Write into a field."""
        at.fill(text, timeout=PATIENCE)
        self.typed += 1

    def choose(self, at: Locator, value: str) -> None:
        """Choose out of a list."""
        at.select_option(value, timeout=PATIENCE)
        self.clicks += 1

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return time.perf_counter() - self.began


@contextmanager
def served(home: Path) -> Iterator[Server]:
    """Yield a server with an empty database."""
    (server,) = programs(1, home, f"sqlite:///{home / 'etalon.db'}")
    server.start()
    try:
        asyncio.run(server.ready())
        yield server
    finally:
        server.stop()


def open_study(lead: Lead, table: Path, show: Path | None) -> dict[str, float]:
    """Bring a table to an open study; return after how many seconds what was there."""
    page, after = lead.page, {}
    lead.click(page.get_by_role("button", name="New study"))
    lead.click(page.get_by_label("A table of my own"))
    page.locator(".column:visible > .block input[type=file], .block:visible input[type=file]").first.set_input_files(
        table
    )
    began = time.perf_counter()
    lead.click(page.get_by_role("button", name="Next"))
    expect(page.get_by_role("region", name="First rows")).to_be_visible(timeout=PATIENCE)
    after["first rows"] = time.perf_counter() - began
    leave_out = page.get_by_label("Leave out 6 rows that cannot be used")
    expect(leave_out).to_be_visible(timeout=PATIENCE)
    after["all problems"] = time.perf_counter() - began
    lead.click(leave_out)
    lead.click(page.get_by_role("button", name="Next"))
    lead.type(page.get_by_label("Question in Russian"), "Как автор отзыва относится к товару?")
    lead.click(page.locator('.steps [data-go="check"]'))
    lead.type(page.get_by_label("Name"), f"reviews-{table.suffix[1:]}")
    expect(page.locator(".look.check")).to_contain_text("294 items", timeout=PATIENCE)
    if show:
        page.screenshot(path=show / f"form-{table.suffix[1:]}.png", full_page=True)
    lead.click(page.get_by_role("button", name="Create the study"))
    lead.click(page.get_by_role("button", name="Open the study"))
    expect(page.get_by_role("button", name="Close the study")).to_be_visible(timeout=PATIENCE)
    after["open study"] = lead.seconds
    return after


def answer(home: Path, study_name: str) -> None:
    """Let two people answer every main item of a study."""
    with opened(f"sqlite:///{home / 'etalon.db'}") as database, writing(database) as session:
        study = get_study(session, name=study_name)
        people = add_worker(session), add_worker(session)
        items = [entry for entry in list_items(session, study=study) if entry.item.role == "main"]
        given = [Judgment(entry.key, worker, entry.item.gold or "нейтрально") for entry in items for worker in people]
        add_judgments(session, study=study, judgments=given)


def download(lead: Lead, licence: str) -> dict[str, bytes]:
    """Bring the study's page to its dataset; return the files of it."""
    lead.click(lead.page.get_by_role("tab", name="Download"))
    lead.click(lead.page.get_by_role("link", name="Dataset to publish"))
    lead.type(lead.page.get_by_label("licence"), licence)
    with lead.page.expect_download(timeout=PATIENCE) as started:
        lead.click(lead.page.get_by_role("button", name="ZIP"))
    with zipfile.ZipFile(started.value.path()) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def accounted(files: dict[str, bytes]) -> str:
    """Check that the dataset has every row of the table, in its order, with its role and label."""
    lines = list(csv.DictReader(io.StringIO(files["data.csv"].decode("utf-8-sig"))))
    assert len(lines) == 300, len(lines)
    assert [line["id"] for line in lines] == [row[1] for row in rows()]
    left = {n for n, line in enumerate(lines, 1) if line["role"] == "left out"}
    assert left == LEFT_OUT, left
    assert all(line["why"] for line in lines if line["role"] == "left out")
    assert not any("Комментарий" in line for line in lines), "comments are not published"
    assert "license: cc-by-4.0" in files["README.md"].decode()
    return ", ".join(f"{count} {role}" for role, count in Counter(line["role"] for line in lines).items())


def main() -> None:
    """Go the way with both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=Path)
    show = parser.parse_args().show
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with TemporaryDirectory() as folder, served(Path(folder)) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-US")
        page.goto(f"{server.address}/login")
        page.get_by_label("Name").fill("owner")
        page.get_by_label("Password").fill(server.environment["ETALON_OWNER_PASSWORD"])
        with page.expect_navigation():
            page.keyboard.press("Enter")
        for table in (as_csv(Path(folder) / "отзывы.csv"), as_xlsx(Path(folder) / "отзывы.xlsx")):
            page.goto(f"{server.address}/manage/")
            lead = Lead(page)
            after = open_study(lead, table, show)
            if show:
                page.screenshot(path=show / f"study-{table.suffix[1:]}.png", full_page=True)
            clicks = lead.clicks
            answer(Path(folder), f"reviews-{table.suffix[1:]}")
            roles = accounted(download(lead, "CC-BY-4.0"))
            told = "; ".join(f"{what} after {seconds:.1f} s" for what, seconds in after.items())
            print(f"{table.name}: {told}, {clicks} clicks; dataset after {lead.seconds:.1f} s, {lead.clicks} clicks")
            print(f"  {lead.typed} fields typed; 300 rows: {roles}")
        browser.close()


if __name__ == "__main__":
    main()
