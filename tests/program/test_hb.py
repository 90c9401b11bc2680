"""MERA's folder `hb/`: its notebook makes the aggregated answers of the raw ones under any rules; its card."""

import ast
import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app import cli
from data.catalogue.catalog import SAMPLES, get_task, samples
from db.engine import opened, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import create_study
from db.study_settings import StudySettings
from db.workers import add_worker


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def parus(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder beside a database with an imported crowd."""
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    log, gold = (SAMPLES / "logs" / name for name in ("parus.tsv", "parus_gold.csv"))
    assert run("import-log", "parus", log, "--task", "rsg/parus", "--gold", gold).exit_code == 0
    return tmp_path


def unpacked(folder: Path, *words: str) -> Path:
    """Export the folder hb of a study and unpack it."""
    done = run("export", *words, "--what", "hb", "--to", to := folder / "hb.zip")
    assert done.exit_code == 0, done.output
    zipfile.ZipFile(to).extractall(folder)
    return folder / "hb"


def executed(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Run the cells of a notebook where it lies; return what each shows."""
    monkeypatch.chdir(notebook.parent)
    names: dict[str, object] = {}
    shown = []
    for cell in json.loads(notebook.read_text("utf8"))["cells"]:
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), notebook.name, "exec"), names)
            assert isinstance(last, ast.Expr)
            shown.append(eval(compile(ast.Expression(last.value), notebook.name, "eval"), names))
    return shown


@pytest.mark.parametrize(
    "rules",
    ["--ties drop", "--rules mera", "--consensus dawid-skene", "--consensus weighted --ties skill", "--ties random"],
)
def test_the_notebook_aggregates_as_the_program_does(parus: Path, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = *rules.split(), "--control-min", "0.6"
    hb = unpacked(parus, "parus", *chosen)
    human = json.loads(run("human", "parus", *chosen, "--json").stdout)
    counts, _, equal, scored = executed(hb / "parus" / "aggregation.ipynb", monkeypatch)
    assert (counts, equal) == ("261 of 261 answers count", "the 40 answers of aggregated.csv")
    rows = list(csv.DictReader(io.StringIO((hb / "parus" / "aggregated.csv").read_text("utf8"))))
    assert sum(row["status"] == "won" for row in rows) == human["items"]["with_consensus"]
    scores = human["scores"]["majority"]["accuracy"]
    assert scored["majority, accuracy"].value == pytest.approx(scores["value"])  # type: ignore[index]


def test_answers_in_free_text_are_counted_as_the_spelling_of_the_answer(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    task = get_task("libra/ru_babilong_qa5")
    main = [item for item in samples(task) if item.role == "main"][:3]
    with opened(sqlite_url) as database, writing(database) as session:
        study = create_study(session, name="keys", task=task, settings=StudySettings())
        add_items(session, study=study, items=main)
        people = [add_worker(session) for _ in range(3)]
        for entry in list_items(session, study=study, role="main"):
            name = json.loads(str(entry.item.gold))[0]
            said = (name, name.lower(), "7")
            given = [Judgment(entry.key, who, text) for who, text in zip(people, said, strict=True)]
            add_judgments(session, study=study, judgments=given)
    hb = unpacked(tmp_path, "keys")
    assert executed(hb / "keys" / "aggregation.ipynb", monkeypatch)[2] == "the 3 answers of aggregated.csv"
    with (hb / "keys" / "aggregated.csv").open(encoding="utf8") as file:
        assert [row["votes"] for row in csv.DictReader(file)] == ["2", "2", "2"]


def test_crowd_and_experts_stand_apart_with_cost_and_pay_in_both_languages(parus: Path) -> None:
    heading, *rows = (SAMPLES / "logs" / "parus.tsv").read_text("utf8").splitlines()
    paid = "ASSIGNMENT:reward\tASSIGNMENT:started\tASSIGNMENT:submitted"
    # Each page has one answer, which takes 30 s and is paid 0.02: 2.40 an hour.
    took = "0.02\t2026-03-01T10:00:00\t2026-03-01T10:00:30"
    log = parus / "log.tsv"
    log.write_text("\n".join([f"{heading}\t{paid}", *(f"{row}\t{took}" for row in rows)]), "utf8")
    gold = SAMPLES / "logs" / "parus_gold.csv"
    made = run("import-log", "experts", log, "--task", "rsg/parus", "--gold", gold)
    assert made.exit_code == 0, made.output
    hb = unpacked(parus, "parus", "--also", "experts", "--rules", "mera")
    assert {path.name for path in hb.iterdir()} == {"README.md", "parus", "experts"}
    assert {path.name for path in (hb / "experts").iterdir()} == {
        "raw.csv", "aggregated.csv", "gold.csv", "aggregation.ipynb",
    }  # fmt: skip
    text = (hb / "README.md").read_text("utf8")
    assert text.count("- **Cost**: no prices are stored") == text.count("- **Стоимость**: цены не сохранены") == 1
    assert f"- **Cost**: {261 * 0.02:.2f} USD in all, 2.40 USD an hour" in text
    assert "- **Стоимость**: всего 5,22 USD, в час 2,40 USD" in text
    assert "then votes weighted by accuracy on control items" in text
    assert "затем голоса с весом по точности на контрольных заданиях" in text
