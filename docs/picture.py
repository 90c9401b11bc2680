"""Takes the picture of README.md: the published PARus log and the naive baselines on /results, as the page draws them.

    python docs/picture.py PARUS_LOG_FOLDER [--to docs/results.png]

The folder holds `assign_PARus.tsv` and `gold.csv`. Needs what `requirements-dev.txt` installs and a Chromium.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

PORT, PASSWORD = 7991, "only for this picture"
ROOT = Path(__file__).parents[1]
TRAIN = ROOT / "data" / "samples" / "rsg" / "parus" / "train.jsonl"


def main() -> None:
    """Fill an installation of its own, serve it, take the picture, end it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=Path)
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "results.png")
    options = parser.parse_args()
    log, gold = (str(options.logs.resolve() / name) for name in ("assign_PARus.tsv", "gold.csv"))
    with TemporaryDirectory() as home:
        settings = {
            "ETALON_HOME": home,
            "ETALON_PORT": str(PORT),
            "ETALON_OWNER_PASSWORD": PASSWORD,
            "ETALON_DEMO": "0",
        }
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | settings
        etalon(environment, "import-log", "parus", log, "--task", "rsg/parus", "--gold", gold)
        for model in ("random", "majority", "tfidf"):
            etalon(environment, "run", "parus", "--model", model, "--train", str(TRAIN))
        server = subprocess.Popen([sys.executable, "app.py"], cwd=ROOT, env=environment)
        try:
            photograph(options.to)
        finally:
            server.terminate()
            server.wait()


def etalon(environment: dict[str, str], *words: str) -> None:
    """Run one of the program's commands."""
    subprocess.run([sys.executable, "app.py", *words], cwd=ROOT, env=environment, check=True)


def photograph(target: Path) -> None:
    """Sign in, open the results and keep the part from the heading to the end of the table."""
    address = f"http://127.0.0.1:{PORT}"
    wait_for(f"{address}/login")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=2, color_scheme="light")
        page.goto(f"{address}/results/?study=parus")
        page.fill("input[name=name]", "owner")
        page.fill("input[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        heading, table = page.locator("h1").first, page.locator("table").first
        table.wait_for()
        top, bottom = heading.bounding_box(), table.bounding_box()
        if top and bottom:
            height = bottom["y"] + bottom["height"] - top["y"] + 68
            page.screenshot(
                path=target, full_page=True, clip={"x": 0, "y": top["y"] - 44, "width": 1200, "height": height}
            )
        browser.close()


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
