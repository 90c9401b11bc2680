"""Tutorials and notebooks are true: their files are written, their commands run, and show what comes out."""

import ast
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import cli
from data.catalogue.catalog import get_task
from data.files.item_files import read_items
from data.sources import sources
from tests.helpers.model_server import ModelServer, answer_sheet, knowing
from tests.program.test_readme import ROOT, placed, steps

TUTORIALS = sorted(ROOT.glob("docs/tutorials/*.md"))
FILE = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```\n(\$ python app\.py .*?)^```", re.MULTILINE | re.DOTALL)
SERVED = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_shows_what_its_commands_print(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'etalon.db'}")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.chdir(tmp_path)
    text = page.read_text("utf8")
    for name, content in FILE.findall(text):
        (tmp_path / name).write_text(content, "utf8")
    parus = get_task("rsg/parus")
    gold = read_items(ROOT / "data" / "samples" / "logs" / "parus_gold.csv", parus)
    with ModelServer(knowing(answer_sheet(parus, gold), accuracy=0.8)) as server:
        for console in CONSOLE.findall(text):
            for words, shown in steps(console):
                given = [server.base_url if word == SERVED else placed(word, tmp_path) for word in words]
                printed = CliRunner().invoke(cli, given, catch_exceptions=False)
                assert printed.exit_code == 0, printed.output
                lines = (printed.stderr + printed.stdout).replace(f"{tmp_path}/", "").rstrip()
                assert re.fullmatch(shown, lines), f"{shown}\nis not\n{lines}"


def test_the_notebook_of_the_functions_shows_what_its_cells_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    run_cells(ROOT / "docs" / "notebooks" / "api.ipynb")


@pytest.mark.real_data
def test_the_notebook_of_printed_scores_shows_what_its_cells_give(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources").mkdir()
    for source in (sources()[name] for name in ("bps", "lcs")):
        (log,) = shared.glob(f"toloka_pools/*/{source.address.rpartition('/')[2]}")
        source.file(tmp_path / "sources").write_bytes(log.read_bytes())
    run_cells(ROOT / "docs" / "notebooks" / "reproduce.ipynb")


def run_cells(notebook: Path) -> None:
    """Run the cells of code one after the other, and compare what each shows."""
    names: dict[str, object] = {}
    for cell in json.loads(notebook.read_text("utf8"))["cells"]:
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), notebook.name, "exec"), names)
            assert isinstance(last, ast.Expr)
            given = eval(compile(ast.Expression(last.value), notebook.name, "eval"), names)
            shown = "".join(cell["outputs"][0]["data"]["text/plain"])
            assert repr(given) == shown, f"write into {notebook.name}, under {cell['source'][-1]!r}:\n{given!r}"
