"""Takes the pictures of README.md and docs/: MT-bench's people and six models, a study, a worker's page.

    python docs/pictures.py MTBENCH_FOLDER [--to docs]

The folder holds `human_annotations.json` and `llm_annotations.json`, answers by item. Needs what `requirements-dev.txt`
installs and a Chromium.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

PORT, PASSWORD = 7991, "only for these pictures"
ADDRESS = f"http://127.0.0.1:{PORT}"
ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "data" / "samples" / "rsg" / "parus"
WIDTH = 1200
LOOK = {"device_scale_factor": 2, "color_scheme": "light"}


def main() -> None:
    """Fill an installation of its own, serve it, take the pictures, end it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--to", type=Path, default=ROOT / "docs")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        home = Path(folder)
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
            "ETALON_HOME": folder,
            "ETALON_PORT": str(PORT),
            "ETALON_OWNER_PASSWORD": PASSWORD,
            "ETALON_DEMO": "0",
        }
        link = filled(environment, options.logs.resolve(), home)
        server = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment)
        try:
            wait_for(f"{ADDRESS}/login")
            with sync_playwright() as play:
                flags = ["--no-sandbox", "--disable-gpu"]
                browser = play.chromium.launch(
                    executable_path=shutil.which("chromium") or shutil.which("chromium-headless-shell"), args=flags
                )
                photograph_results(browser, options.to / "results.png")
                photograph_study(browser, "trial", options.to / "study.png")
                photograph_form(browser, table_of_reviews(home / "reviews.csv"), options.to / "form.png")
                photograph_report(browser, home / "mt-bench.html", options.to / "report.png")
                photograph_worker(browser, link, options.to / "worker.png")
                browser.close()
        finally:
            server.terminate()
            server.wait()


def filled(environment: dict[str, str], logs: Path, home: Path) -> str:
    """Make the studies of the pictures and the report; returns the invitation link of a worker."""
    report = home / "mt-bench.html"
    etalon(environment, "import-log", "mt-bench", logs / "human_annotations.json")
    for model, answers in json.loads((logs / "llm_annotations.json").read_text("utf8")).items():
        file = home / f"{model}.jsonl"
        file.write_text("\n".join(json.dumps({"id": item, "answer": said}) for item, said in answers.items()), "utf8")
        etalon(environment, "import-run", "mt-bench", file, "--from", "jsonl", "--model", model)
    etalon(environment, "results", "mt-bench", "--report", report)
    etalon(
        environment, "create", "trial", "--task", "rsg/parus", "--items", SAMPLES / "main.jsonl", "--set", "language=en"
    )
    people, links = home / "people.txt", home / "links.csv"
    people.write_text("somebody\n", "utf8")
    etalon(environment, "links", "trial", "--people", people, "--to", links)
    with links.open(encoding="utf-8-sig", newline="") as lines:
        return next(value for value in next(csv.DictReader(lines)).values() if "/join/" in value)


def table_of_reviews(path: Path) -> Path:
    """Write a table of one's own: reviews, and what experts say of some of them."""
    said = ["The seams come apart.;negative", "Fits well, warm.;positive", "As in the picture.;neutral"]
    path.write_text("\n".join(["id;review;label", *(f"r{n};{said[n % 3]}" for n in range(60))]), "utf8")
    return path


def etalon(environment: dict[str, str], *words: object) -> None:
    """Run one of the program's commands."""
    subprocess.run([sys.executable, "app.py", *map(str, words)], cwd=ROOT, env=environment, check=True)


def photograph_results(browser: Browser, target: Path) -> None:
    """Sign in, open the results and keep the part from the heading to the end of the table."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 1000}, **LOOK)
    page.goto(f"{ADDRESS}/results/?study=mt-bench")
    page.fill("input[name=name]", "owner")
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    heading, table = page.locator("h1").first, page.locator("table").first
    table.wait_for()
    top, bottom = heading.bounding_box(), table.bounding_box()
    if top is None or bottom is None:
        raise SystemExit("the page of results draws no table")
    height = bottom["y"] + bottom["height"] - top["y"] + 68
    page.screenshot(path=target, full_page=True, clip={"x": 0, "y": top["y"] - 44, "width": WIDTH, "height": height})


def photograph_study(browser: Browser, study: str, target: Path) -> None:
    """Sign in and keep the head of a study's page with what waits there."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 860}, **LOOK)
    page.goto(f"{ADDRESS}/login?next=/manage/?study={study}")
    page.fill("input[name=name]", "owner")
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.locator(".live .fact").first.wait_for()
    page.screenshot(path=target)


def photograph_form(browser: Browser, table: Path, target: Path) -> None:
    """Sign in, give a table to a new study, and keep what its columns are with the page of a worker beside them."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 860}, **LOOK)
    page.goto(f"{ADDRESS}/login?next=/manage/")
    page.fill("input[name=name]", "owner")
    page.fill("input[name=password]", PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="New study").click()
    page.get_by_label("A table of my own").click()
    page.locator(".block:visible input[type=file]").first.set_input_files(table)
    page.get_by_text("items").first.wait_for()
    page.get_by_role("button", name="Next").click()
    page.frame_locator(".preview iframe").locator(".option").first.wait_for()
    page.screenshot(path=target)


def photograph_report(browser: Browser, report: Path, target: Path) -> None:
    """Keep the beginning of a report as a reader opens it, from its file."""
    page = browser.new_page(viewport={"width": 900, "height": 760}, **LOOK)
    page.goto(report.as_uri())
    page.screenshot(path=target)


def photograph_worker(browser: Browser, link: str, target: Path) -> None:
    """Come by an invitation, agree, and keep the page with the first item."""
    page = browser.new_page(viewport={"width": 900, "height": 760}, locale="en", **LOOK)
    page.goto(link)
    english = page.get_by_role("button", name="EN")
    english.or_(page.get_by_role("button", name="RU")).wait_for()
    if english.is_visible():
        english.click()
        page.get_by_role("button", name="RU").wait_for()
    for button in ("Yes, I’ll take part", "Start"):
        page.wait_for_timeout(1000)  # a click right after a screen has changed is taken for a slip of the finger
        page.get_by_role("button", name=button).click()
    page.get_by_role("button", name="Start").wait_for(state="detached")
    page.screenshot(path=target)


def wait_for(address: str) -> None:
    """Wait until the server answers."""
    for _ in range(120):
        try:
            with urlopen(address):
                return
        except URLError:
            time.sleep(0.5)
    raise SystemExit(f"{address} does not answer")


if __name__ == "__main__":
    main()
