"""A messy table of one's own becomes a study and comes back, labelled and as a dataset: each row, in their order."""

import io
import json
import zipfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlcroissant
import pandas as pd
import pytest
import yaml  # type: ignore[import-untyped]
from openpyxl import load_workbook
from typer.testing import CliRunner

from annotate.pages.manage.own_table_form import read_table
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_creation import Draft, Sources
from annotate.requesters.study_plan import checks_of
from app import cli
from baseline.human.baseline import stored_rules
from baseline.human.soft_labels import labelled_rows
from baseline.output.computed_exports import FOR_VIEWERS
from baseline.output.dataset import splits
from data.answers.answer_type import AnswerType
from data.answers.pairwise import Pairwise
from data.answers.rating import Rating
from data.answers.text import Text
from data.catalogue.task_files import task_text
from data.errors import BadFile, BadSetting
from data.files.text_files import converted
from data.own_table import Use, task_of
from data.table_files import DATASET_TABLES
from data.task import Field, Item, Task
from data.wording import same
from db.engine import Database, opened, reading, writing
from db.exports import FileRequest
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import change_settings, create_study, get_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.collection import SIGNER, Watch

HEADER = ["№", "id", "Текст отзыва", "Метка", "Комментарий"]
SPELLED = ["позитив", "Позитив", "негатив", "НЕГАТИВ", "нейтрально", "негатив ", "позитив"]
NO_TEXT, BLANK, TWICE, RAGGED = (30, 31, 77), 140, 50, 90
LEFT_OUT = sorted([*NO_TEXT, BLANK, TWICE, RAGGED])
"""The numbers of the rows that cannot be used; each stands a line further down, below the header."""
MIXED = 1


def given() -> list[list[str]]:
    """300 rows: every second has gold, four have no text, one has the id of the row before, one a cell too many."""
    rows = [
        [str(n), f"r{n}", f"Отзыв {n}, «швы»", SPELLED[n % 7] if n % 2 else "", f"=проверить {n}" if n % 5 == 0 else ""]
        for n in range(1, 301)
    ]
    for n in NO_TEXT:
        rows[n - 1][2] = ""
    rows[BLANK - 1][2] = "  "
    rows[TWICE - 1][1] = "r49"
    rows[RAGGED - 1].append("лишнее")
    return rows


@pytest.fixture
def table(tmp_path: Path) -> Path:
    text = "\n".join(";".join(row) for row in [HEADER, *given()]) + "\n"
    (tmp_path / "отзывы.csv").write_bytes(text.encode("cp1251"))
    return converted(tmp_path / "отзывы.csv", "windows-1251", tmp_path / "отзывы-utf8.csv")


def task_for(table: Path) -> Task:
    """The task as the form proposes it, where the ids are said to be ids and comments are left out."""
    proposed, _ = read_table(table)
    assert {column.name: column.use for column in proposed.columns}["Текст отзыва"] == "shown", "no item lacks it"
    uses: dict[str, Use] = {"№": "hidden", "id": "id", "Комментарий": "ignored"}
    columns = tuple(replace(column, use=uses.get(column.name, column.use)) for column in proposed.columns)
    return task_of(replace(proposed, columns=columns, instruction=same("Читайте.")))


def draft_of(table: Path, **changes: Any) -> Draft:
    settings = StudySettings(overlap=2).model_dump()
    sources = Sources(main=table, **{"draw_training": 3, "draw_control": 20} | changes)
    return Draft("reviews", "", settings, sources=sources, described=task_for(table))


def answered(database: Database) -> str:
    """Let two people answer everything alike but one main item, which an expert decides; returns its id."""
    with writing(database) as session:
        study = get_study(session, name="reviews")
        first, second = add_worker(session), add_worker(session)
        items = list_items(session, study=study)
        mixed = next(entry for entry in items if entry.item.role == "main")
        votes = [(entry.key, entry.item.gold or "нейтрально") for entry in items if entry.item.role != "training"]
        given = [Judgment(key, worker, label) for key, label in votes for worker in (first, second)]
        given = [one if one.item_id != mixed.key else replace(one, label="позитив") for one in given]
        other = next(n for n, one in enumerate(given) if one.item_id == mixed.key)
        given[other] = replace(given[other], label="негатив")
        add_judgments(session, study=study, judgments=given)
    Oversight(database, Watch()).decide("reviews", mixed.key, who="ann", value="нейтрально")
    return mixed.item.id


def test_rows_without_what_is_asked_about_are_listed_by_their_lines_and_left_out(sqlite: Database, table: Path) -> None:
    requesters, draft = RequesterService(sqlite, SIGNER, "http://etalon.example", Watch()), draft_of(table)
    refused = checks_of(draft)["main"]
    assert sorted({problem.line or 0 for problem in refused.first_problems}) == [n + 1 for n in LEFT_OUT]
    assert (refused.unusable, "line" in refused.problem) == (6, True)
    with pytest.raises(BadFile, match=r"line 31, .*: is empty; .*and 5 more; .*\(--leave-out\)"):
        requesters.create(draft)
    without = draft_of(table, leave_out=True)
    assert (checks_of(without)["main"].problem, checks_of(without)["main"].items) == ("", 294)
    card = requesters.create(without)
    assert (card.coverage.items, card.training, card.control) == (271, 3, 20)
    with reading(sqlite) as session:
        stored = list_items(session, study=get_study(session, name="reviews"))
    assert all(entry.item.fields["Текст отзыва"].strip() for entry in stored)


def test_every_row_of_the_file_is_in_the_labelled_items(
    sqlite_url: str, table: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    to, task = tmp_path / "labelled.jsonl", tmp_path / "task.toml"
    task.write_text(task_text(task_for(table)), "utf8")
    words = ["create", "reviews", "--task", task, "--items", table, "--draw-training", 3, "--draw-control", 20]
    run = CliRunner().invoke(cli, [*map(str, words), "--leave-out", "--json"])
    assert run.exit_code == 0, run.stderr
    assert json.loads(run.stdout)["left_out"] == [n + 1 for n in LEFT_OUT]
    with opened(sqlite_url) as database:
        decided = answered(database)
    assert CliRunner().invoke(cli, ["export", "reviews", "--what", "labelled", "--to", str(to)]).exit_code == 0
    rows = [json.loads(line) for line in to.read_text("utf8").splitlines()]

    assert [[row[name] for name in HEADER] for row in rows] == [row[:5] for row in given()], "its columns, in its order"
    assert Counter(row["role"] for row in rows) == {"main": 271, "control": 20, "training": 3, "left out": 6}
    left = {int(row["№"]): row["why"] for row in rows if row["role"] == "left out"}
    assert sorted(left) == LEFT_OUT
    assert all(f", line {n + 1}" in why for n, why in left.items())
    assert "id 'r49' is already on line 50" in left[TWICE]
    assert "has 6 cells where the header has 5" in left[RAGGED]
    assert [row[name] for row in rows if row["role"] == "left out" for name in ("label", "votes", "source")] == [
        None
    ] * 18
    for row in rows:
        if row["role"] in ("training", "control"):
            assert (row["label"], row["source"]) == (row["Метка"].strip().casefold(), "gold")
            assert (row["votes"], row["share"]) == ((2, 1.0) if row["role"] == "control" else (0, None))
        elif row["item"] == decided:
            assert [row[name] for name in ("label", "votes", "share", "source")] == ["нейтрально", 2, 0, "expert"]
        elif row["role"] == "main":
            assert [row[name] for name in ("why", "votes", "share", "source")] == ["", 2, 1.0, "votes"]


def test_rows_that_a_sample_leaves_out_say_so(sqlite: Database, table: Path) -> None:
    requesters = RequesterService(sqlite, SIGNER, "http://etalon.example", Watch())
    requesters.create(draft_of(table, leave_out=True, sample=100))
    with reading(sqlite) as session:
        study = get_study(session, name="reviews")
        rows = labelled_rows(session, study=study, rules=stored_rules(study))
    assert rows["№"].tolist() == [str(n) for n in range(1, 301)]
    assert sum("was not drawn" in why for why in rows["why"].fillna("")) == 294 - 123


@pytest.fixture
def answered_study(sqlite: Database, table: Path) -> Database:
    requesters = RequesterService(sqlite, SIGNER, "http://etalon.example", Watch())
    requesters.create(draft_of(table, leave_out=True))
    answered(sqlite)
    return sqlite


def dataset_of(database: Database, study: str = "reviews", **choices: Any) -> dict[str, bytes]:
    """The files of the dataset."""
    made = FileRequest(FOR_VIEWERS, study, "dataset", "zip", choices).made(database)
    with zipfile.ZipFile(io.BytesIO(made.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_a_dataset_has_every_row_but_no_column_that_was_left_out(answered_study: Database) -> None:
    rows = pd.read_json(io.BytesIO(dataset_of(answered_study, table="jsonl")["data.jsonl"]), lines=True)
    own = ["id", "Текст отзыва", "Метка"]
    assert list(rows.columns) == ["item", *own, "role", "why", "label", "votes", "share", "source"]
    assert len(rows) == 300
    shown = pd.read_json(io.BytesIO(dataset_of(answered_study, table="jsonl", hidden=True)["data.jsonl"]), lines=True)
    assert list(shown.columns)[1:5] == ["№", *own], "a comment stays out, what is kept but not shown may go in"


def test_each_form_of_a_dataset_has_the_same_rows(answered_study: Database) -> None:
    readers: dict[str, Any] = {
        "csv": lambda content: pd.read_csv(io.BytesIO(content), dtype=str),
        "csv-excel": lambda content: pd.read_csv(io.StringIO(content.decode("utf-8-sig")), sep=";", dtype=str),
        "xlsx": lambda content: pd.read_excel(io.BytesIO(content), dtype=str),
        "parquet": lambda content: pd.read_parquet(io.BytesIO(content)).astype(str),
    }
    for form, read in readers.items():
        files = dataset_of(answered_study, table=form)
        rows = read(next(content for name, content in files.items() if name.startswith("data.")))
        assert rows["Текст отзыва"].tolist()[:2] == ["Отзыв 1, «швы»", "Отзыв 2, «швы»"]
        assert (len(rows), rows["label"].iloc[0]) == (300, "позитив")
        assert {name.partition(".")[0] for name in files} == {"README", "croissant", "data", "soft-labels", "votes"}


@pytest.mark.parametrize(
    ("answer", "votes", "said", "labels"),
    [
        (
            Pairwise(option_fields=("text", "other"), tie=same("level")),
            ("0", "0", "tie"),
            "| label | the label: 0 is text, 1 is other |",
            "\nLabels: 0 1.\n",
        ),
        (Rating(), ("3", "3", "5"), "| median | the median of the votes |\n| mean | the mean of the votes |", "3 1."),
        (Text(), ("oak", "oak", "ash"), "| label | the label |", "Rows by role: main 1.\n\n"),
    ],
)
def test_the_card_of_a_dataset_says_what_each_answer_means(
    sqlite: Database, answer: AnswerType, votes: tuple[str, ...], said: str, labels: str
) -> None:
    fields = tuple(Field(name, same(name)) for name in ("text", "other"))
    said_once = same(".")
    task = Task(
        id="test/cards",
        title=said_once,
        description=said_once,
        fields=fields,
        question=said_once,
        instruction=said_once,
        answer=answer,
        metrics=("accuracy",),
    )
    with writing(sqlite) as session:
        study = create_study(session, name="cards", task=task, settings=StudySettings(), seed=1)
        add_items(session, study=study, items=[Item("a", {"text": "oak or ash?", "other": "-"})])
        (entry,) = list_items(session, study=study)
        given = [Judgment(entry.key, add_worker(session), vote) for vote in votes]
        add_judgments(session, study=study, judgments=given)
    card = dataset_of(sqlite, "cards")["README.md"].decode()
    assert said in card
    assert labels in card
    assert ("Labels:" in card) == bool(answer.labels())


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
def test_the_cards_of_a_dataset_say_what_is_in_it(answered_study: Database, tmp_path: Path) -> None:
    with writing(answered_study) as session:
        change_settings(session, study=get_study(session, name="reviews"), values={"items_licence": "CC-BY-4.0"})
    for name, content in dataset_of(answered_study, split=True).items():
        (tmp_path / name).write_bytes(content)
    card = (tmp_path / "README.md").read_text("utf8")
    front = yaml.safe_load(card.split("---")[1])
    assert (front["license"], front["size_categories"]) == ("cc-by-4.0", "n<1K")
    assert front["language"] == "ru"
    assert "\n| column | meaning |\n|---|---|\n| item | the item's id |\n| id |" in card, "an empty line ends a table"
    assert {each["config_name"]: each["data_files"] for each in front["configs"]}["data"] == "data.csv"
    assert "main 271, control 20, left out 6, training 3" in card
    assert "Labels: нейтрально 167, негатив 64, позитив 63.\n" in card
    dataset = mlcroissant.Dataset(tmp_path / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    rows = pd.DataFrame(dataset.records("data"))
    parts = rows[f"data/{rows.shape[1] - 1}"].str.decode("utf8").value_counts()
    assert parts["train"] == round(0.8 * 294)
    assert (parts["validation"], parts["test"]) == (30, 29)
    votes = pd.read_csv(tmp_path / "votes.csv")
    assert len(votes) == 2 * 291
    assert set(votes["worker"]) == {"w001", "w002"}
    with writing(answered_study) as session:
        change_settings(
            session, study=get_study(session, name="reviews"), values={"consent": "Ответы никому не отдадим."}
        )
    assert "votes.csv" not in dataset_of(answered_study), "this consent does not announce them"


def test_a_cluster_is_in_one_split() -> None:
    rows = pd.DataFrame({"item": [f"i{n}" for n in range(40)] + [None], "role": ["main"] * 40 + ["left out"]})
    parts = splits(rows, {f"i{n}": f"passage {n // 4}" for n in range(40)}, seed=1)
    assert parts[-1] is None
    assert all(len(set(parts[first : first + 4])) == 1 for first in range(0, 40, 4))
    assert Counter(parts[:-1]) == {"train": 32, "validation": 4, "test": 4}


def test_a_workbook_has_texts_and_no_formulas() -> None:
    frame = pd.DataFrame({"text": ["=1+1", "a\x00b"], "n": [1, None]})
    cells = [[cell.value for cell in row] for row in load_workbook(io.BytesIO(DATASET_TABLES["xlsx"][2](frame))).active]
    assert cells == [["text", "n"], ["=1+1", 1], ["a\ufffdb", None]]
    with pytest.raises(BadSetting, match="40000 characters"):
        DATASET_TABLES["xlsx"][2](pd.DataFrame({"text": ["a" * 40_000]}))
