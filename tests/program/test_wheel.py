"""The wheel: packages under `human_baseline.`, nothing of ours at the top level, the command without the repository."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from runpy import run_path

import pytest

from tests.program.test_layers import MAY_IMPORT, imports
from tests.program.test_requirements import IMPORT, canonical

ROOT = Path(__file__).parents[2]
OURS = set(MAY_IMPORT) - {"human_baseline"}
WITHOUT = {"krippendorff", "pydantic-core"}
"""What requirements.txt pins and the wheel does without, or has by another package."""
COMMANDS = """
import sys
from human_baseline.command import main
for words in sys.argv[1:]:
    sys.argv = ["human-baseline", *words.split()]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run_path(str(ROOT / "setup.py"))["write_package"](folder)
    return folder


def run(wheel: Path, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run Python on the wheel in a folder that knows nothing of the repository."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(wheel)}
    done = [sys.executable, *words]
    return subprocess.run(done, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def of_ours(imported: Iterable[str]) -> set[str]:
    return {name.split(".")[0] for name in imported} & OURS


def test_every_import_is_of_the_package_and_stands_in_its_line(wheel: Path) -> None:
    files = list((wheel / "human_baseline").rglob("*.py"))
    assert [path.name for path in wheel.iterdir()] == ["human_baseline"]
    texts = {path: path.read_text("utf8") for path in files}
    suspects = {path for path, text in texts.items() if of_ours(map("".join, IMPORT.findall(text)))}
    assert [path for path in suspects if of_ours(imports(ast.parse(texts[path])))] == [], "within a text it may stand"
    of_repository = {path.relative_to(ROOT) for name in OURS for path in (ROOT / name).rglob("*.py")}
    for path in of_repository:
        assert len((wheel / "human_baseline" / path).read_text("utf8").splitlines()) == len(
            (ROOT / path).read_text("utf8").splitlines()
        )


def test_every_module_that_a_text_names_is_there(wheel: Path) -> None:
    named = set()
    for path in (wheel / "human_baseline").rglob("*.py"):
        named |= set(re.findall(r'"human_baseline\.([\w.]+)(?::\w+)?"', path.read_text("utf8")))
    assert {"server", "db.migrating", "baseline.commands.baselines", "data.files.xlsx_rows"} <= named
    places = [wheel / "human_baseline" / name.replace(".", "/") for name in named]
    assert [str(place) for place in places if not (place.with_suffix(".py").exists() or place.is_dir())] == []


def test_a_log_becomes_a_human_baseline_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    logs = wheel / "human_baseline/data/samples/logs"
    imported = f"import-log parus {logs}/parus.tsv --task rsg/parus --gold {logs}/parus_gold.csv"
    human = run(wheel, tmp_path, "-c", COMMANDS, imported, "human parus --control-min 0.5")
    assert "People: 95.0% (79.4–100.0)" in human.stdout, human.stderr
    assert (tmp_path / "var" / "etalon.db").exists()


def test_a_traceback_names_files_and_lines_that_exist(wheel: Path, tmp_path: Path) -> None:
    failed = run(wheel, tmp_path, "-c", "from human_baseline.eval.votes import code; code({'item': ['a']})")
    places = re.findall(r'File "(/.+?)", line (\d+), in \w+\n +(.+)', failed.stderr)
    assert places
    for file, line, shown in places:
        assert Path(file).read_text("utf8").splitlines()[int(line) - 1].strip() == shown


def test_the_readme_of_the_wheel_has_no_address_within_the_repository() -> None:
    description = run_path(str(ROOT / "setup.py"))["description"]
    text = "![a](docs/a.png) [*b*](docs/b.md#c) [d](https://d) [e](#e)"
    here = {"version": "1.2.0", "urls": {"Repository": "https://code.example/etalon/"}}
    at = "https://code.example/etalon"
    assert (
        description(text, here)
        == f"![a]({at}/raw/v1.2.0/docs/a.png) [*b*]({at}/blob/v1.2.0/docs/b.md#c) [d](https://d) [e](#e)"
    )
    assert description(text, {"version": "1.2.0"}) == " *b* [d](https://d) [e](#e)"
    readme = description((ROOT / "README.md").read_text("utf8"), here)
    assert re.findall(r"\]\((?!https?:|#)", readme) == []


def test_it_needs_what_the_program_pins_in_ranges_that_hold_these_versions() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(each for name in extras for each in extras[name])]
    least: dict[str, str] = {}
    for each in needed:
        if found := re.match(r"([\w.-]+)(?:\[\w+\])?>=([\d.]+)", each):
            least[canonical(found[1])] = found[2]
    locked = re.findall(r"^([\w.-]+)(?:\[\w+\])?==([\d.]+)", (ROOT / "requirements.txt").read_text("utf8"), re.M)
    pinned = {canonical(name): version for name, version in locked}
    assert set(pinned) - WITHOUT == set(least)
    assert [name for name, version in least.items() if parts(version) > parts(pinned[name])] == []
    assert not any("==" in each for each in needed)


def parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]
