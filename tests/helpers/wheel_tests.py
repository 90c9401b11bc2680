"""The tests marked `wheel`, rewritten for an installed wheel: python tests/helpers/wheel_tests.py FOLDER PYTHON."""

import subprocess
import sys
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parents[2]
MARK = "pytestmark = pytest.mark.wheel"


def write_tests(folder: Path, installed: Path) -> None:
    """Write the marked tests with what they import below a folder, beside the data of the installed package."""
    rewritten = run_path(str(ROOT / "setup.py"))["rewritten"]
    tests = ROOT / "tests"
    marked = [path for path in tests.rglob("test_*.py") if MARK in path.read_text("utf8")]
    for path in (tests / "conftest.py", *tests.glob("helpers/*.py"), *marked):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(rewritten(path.read_text("utf8"), python=True), "utf8")
    for file in ("docs/api.md", "README.md"):
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text((ROOT / file).read_text("utf8"), "utf8")
    options = (ROOT / "pyproject.toml").read_text("utf8").partition("[tool.pytest.ini_options]")[2].partition("\n[")[0]
    (folder / "pyproject.toml").write_text(f"[tool.pytest.ini_options]{options}\n", "utf8")
    (folder / "data").symlink_to(installed / "data")


if __name__ == "__main__":
    where, python = Path(sys.argv[1]).resolve(), sys.argv[2]
    found = [python, "-I", "-c", "import human_baseline; print(human_baseline.__path__[0])"]
    write_tests(where, Path(subprocess.run(found, capture_output=True, text=True, check=True).stdout.strip()))
