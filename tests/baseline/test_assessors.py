"""Two assessors for each item: the tables of AGRR-2019, the corpus they admit, and its files."""

import csv
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine

from baseline.human.assessor_pairs import Assessors, admit, assessors, compared
from baseline.output.terminal import assessors_text
from data.catalogue.catalog import get_task
from data.errors import BadSetting
from data.files.rows import read_rows
from data.formats.agrr import unfold
from data.submissions.agrr import Sentence, brackets, columns
from data.task import Item
from db.engine import open_database, reading, writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import Study, create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.baseline.test_analysis import Run, said, study_of
from tests.baseline.test_analysis import run as run
from tests.eval.test_distances import BOOKS, SOCIAL

SENTENCE = "cR1[Маша cR1] cV[купила cV] cR2[яблоки cR2], а R1[Петя R1] — V[] R2[груши R2]."
PLAIN = "Маша купила яблоки, а Петя — груши."


@pytest.fixture(scope="module")
def assessed() -> Assessors:
    """What assessors gave with the counts of tables 2 and 3 of the paper, and an item that one has judged."""
    pairs = [
        (genre, [f'{{"class":"{row}"}}', f'{{"class":"{column}"}}'])
        for genre, counts in (("books", BOOKS), ("vk", SOCIAL))
        for row in range(4)
        for column in range(4)
        for _ in range(counts[row][column])
    ]
    given = {f"s{number}": marks for number, (_, marks) in enumerate(pairs)} | {"alone": ['{"class":"3"}']}
    genres = {f"s{number}": genre for number, (genre, _) in enumerate(pairs)} | {"alone": "vk"}
    task, moment = get_task("agrr/validate"), datetime(2026, 3, 1, tzinfo=UTC)
    study = Study(1, "gaps", task, StudySettings(), "closed", "collected", 0, moment)
    return compared(study, given, {item: {"marked": SENTENCE, "genre": genre} for item, genre in genres.items()})


def test_a_stored_study_of_two_assessors_is_read_in_the_order_of_their_answers(run: Run, tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'etalon.db'}")
    with writing(database) as session:
        study = create_study(session, name="gaps", task=get_task("agrr/validate"), settings=StudySettings(overlap=2))
        fields = [{"marked": SENTENCE, "genre": genre} for genre in ("books", "books", "")]
        add_items(session, study=study, items=[Item(f"s{place}", one) for place, one in enumerate(fields)])
        keys = [entry.key for entry in list_items(session, study=study)]
        one, two = add_worker(session), add_worker(session)
        marks = [
            (keys[0], two, "1"),
            (keys[1], one, "3"),
            (keys[0], one, "1"),
            (keys[1], two, "2"),
            (keys[2], two, "0"),
        ]
        given = [Judgment(key, worker, f'{{"class":"{mark}"}}') for key, worker, mark in [*marks, (keys[2], one, "0")]]
        add_judgments(session, study=study, judgments=given)
    database.dispose()
    shown = said(run("assessors", "gaps", "--json"))
    assert shown["all"]["matrix"] == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert (shown["by"], list(shown["groups"])) == ("genre", ["", "books"])
    assert "genre not stated: 1" in run("assessors", "gaps").stdout
    assert run("assessors", "gaps", "--admit", tmp_path / "corpus.txt").exit_code == 0
    assert (tmp_path / "corpus.txt").read_text("utf8") == f"class\tmark_up\n1\t{SENTENCE}\n0\t{PLAIN}\n"


def test_two_assessors_have_the_tables_of_agrr(assessed: Assessors) -> None:
    assert {name: each.matrix.tolist() for name, each in assessed.groups.items()} == {"books": BOOKS, "vk": SOCIAL}
    shown = assessed.as_dict()
    assert shown["admission"] == {"positive": 7201, "negative": 3350, "rest": 6860}
    assert {label: len(items) for label, items in shown["both"].items()} == {"2": 1960, "3": 133}
    assert shown["left_out"] == {"1": 1}
    text = assessors_text(assessed)
    assert "genre books: 11989" in text
    assert "13% both 0, 44% both 1, 13% both 2, 1% both 3" in text
    assert "34% both 0, 35% both 1, 7% both 2, 0% both 3" in text
    assert re.search(r"^2 \(Incorrect\) +213 +451 +1600 +281$", text, re.MULTILINE)
    assert "7201 positive (both 1), 3350 negative (both 0); 6860 stay out" in text
    assert "1 items have 1 judgments, not two" in text


def test_the_admitted_corpus_is_written_in_columns_and_in_brackets(assessed: Assessors, tmp_path: Path) -> None:
    admit(assessed, tmp_path / "corpus.tsv")
    header, *lines = (tmp_path / "corpus.tsv").read_text("utf8").splitlines()
    assert header.split("\t") == ["text", "class", "cV", "cR1", "cR2", "V", "R1", "R2"]
    assert len(lines) == 7201 + 3350
    assert set(lines) == {f"{PLAIN}\t1\t5:11\t0:4\t12:18\t29:29\t22:26\t29:34", f"{PLAIN}\t0" + "\t" * 6}
    admit(assessed, tmp_path / "corpus.txt")
    header, *lines = (tmp_path / "corpus.txt").read_text("utf8").splitlines()
    assert header == "class\tmark_up"
    assert set(lines) == {f"1\t{SENTENCE}", f"0\t{PLAIN}"}
    with pytest.raises(BadSetting, match=r"ends in \.tsv .* or \.txt"):
        admit(assessed, tmp_path / "corpus.csv")


def test_both_forms_of_the_real_corpus_are_written_as_they_were_read(shared: Path) -> None:
    read, _ = read_rows(shared / "agrr" / "dev_brackets.txt", quoted=False)
    rows = [row for line in read for row in unfold(line.values)]
    sentences = [Sentence.of_brackets(row["marked"], row["class"]) for row in rows]
    assert brackets(sentences) == (shared / "agrr" / "dev_brackets.txt").read_text("utf8")
    written = [line.split("\t") for line in columns(sentences).splitlines()]
    with (shared / "agrr" / "dev.csv").open(encoding="utf8", newline="") as lines:
        published = list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    # One published span ends past its text, and no-break spaces are spaces in the file with brackets.
    apart = [place for place, row in enumerate(published) if row[1:] != written[place][1:]]
    assert len(apart) <= 1
    assert [row[0].replace("\xa0", " ") for row in published] == [row[0] for row in written]


def test_a_text_that_would_break_its_line_is_refused() -> None:
    for form in (columns, brackets):
        with pytest.raises(ValueError, match="tab or a line break"):
            form([Sentence("one\ttwo", "0", {})])


def test_assessors_need_two_judgments_and_a_field_that_is_there(sqlite: Engine) -> None:
    study = study_of(sqlite, ["rg", "rr", "gg"])
    with reading(sqlite) as session:
        with pytest.raises(BadSetting, match=r"no item has exactly two judgments \(2 have 3\)"):
            assessors(session, study=study)
        with pytest.raises(BadSetting, match="has no field 'genre'; it has thing"):
            assessors(session, study=study, by="genre")


def test_labels_without_a_rule_have_tables_and_no_corpus(sqlite: Engine, tmp_path: Path) -> None:
    study = study_of(sqlite, ["rgr", "rrr"])
    with reading(sqlite) as session:
        found = assessors(session, study=study)
    assert found.as_dict()["all"]["matrix"] == [[2, 0], [1, 0]]
    assert found.as_dict()["admission"] is None
    assert "red (Red)" in assessors_text(found)
    with pytest.raises(BadSetting, match="admitted from marked sentences"):
        admit(found, tmp_path / "corpus.tsv")
