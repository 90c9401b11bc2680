"""Gold files joined to logs: by exact fields, then with white space folded, and never by a guess."""

from pathlib import Path

import pytest

from annotate.imports.log_import import GoldRow, join
from data.errors import BadFile
from db.engine import Database
from tests.helpers.importing import Imported, answer, imported, studies, write_table

LOG = [answer("a b", "yes", "w1"), answer("c", "no", "w1"), answer("d", "no", "w1", golden="yes")]


def with_gold(database: Database, folder: Path, *rows: dict[str, str], log: list[dict[str, str]] = LOG) -> Imported:
    gold = write_table(folder / "gold.csv", rows, delimiter=",")
    return imported(database, write_table(folder / "log.tsv", log), gold=gold)


@pytest.mark.parametrize("field", ["text", "INPUT:text"])
@pytest.mark.parametrize("column", ["result", "OUTPUT:result", "GOLDEN:result", "label", "gold", "Correct answer"])
def test_columns_may_have_their_prefix_or_not(sqlite: Database, tmp_path: Path, field: str, column: str) -> None:
    done = with_gold(sqlite, tmp_path, {field: "a b", column: "no"}, {field: "c", column: "no"})
    assert [item.gold for item in done.items] == ["no", "no", "yes"]


def test_the_option_names_the_answer_here_too(sqlite: Database, tmp_path: Path) -> None:
    log = write_table(tmp_path / "log.tsv", [row | {"OUTPUT:sure": "7"} for row in LOG])
    gold = write_table(tmp_path / "gold.csv", [{"text": "c", "label": "8", "sure": "9"}], delimiter=",")
    done = imported(sqlite, log, gold=gold, answer="sure")
    assert done.study.task.answer.labels() == ("7", "9")


def test_white_space_is_folded_where_nothing_fits_exactly(sqlite: Database, tmp_path: Path) -> None:
    done = with_gold(sqlite, tmp_path, {"text": " a\u00a0 b\n", "label": "yes"}, {"text": "c", "label": "no"})
    assert [item.gold for item in done.items] == ["yes", "no", "yes"]
    found = done.said["gold"]
    assert (found["rows"], found["matched"], found["folded"], found["missing"]) == (2, 1, 1, 0)


def test_an_exact_row_wins_over_a_folded_one(sqlite: Database, tmp_path: Path) -> None:
    done = with_gold(sqlite, tmp_path, {"text": "a  b", "label": "no"}, {"text": "a b", "label": "yes"})
    assert done.items[0].gold == "yes"
    assert done.said["gold"]["unmatched"] == [2]


def test_rows_that_fit_nothing_and_items_without_gold_are_listed(sqlite: Database, tmp_path: Path) -> None:
    done = with_gold(sqlite, tmp_path, {"text": "zzz", "label": "yes"}, {"text": "c", "label": ""})
    found = done.said["gold"]
    assert (found["unmatched"], found["empty"], found["missing"]) == ([2], [3], 2)
    assert "1 rows: line 2" in str(done.report)


def test_rows_that_contradict_each_other_give_nothing(sqlite: Database, tmp_path: Path) -> None:
    rows = [{"text": "c", "label": "yes"}, {"text": "c", "label": "no"}, {"text": "a b", "label": "no"}]
    done = with_gold(sqlite, tmp_path, *rows)
    assert [item.gold for item in done.items] == ["no", None, "yes"]
    assert done.said["gold"]["ambiguous"] == [2, 3]


def test_a_folded_row_that_fits_two_items_gives_nothing() -> None:
    found = join([GoldRow(2, ("a   b",), "yes")], [("a b",), ("a  b",)], file="gold.csv")
    assert (found.labels, found.ambiguous, found.unmatched) == ({}, (2,), ())


def test_repeated_rows_that_agree_are_one(sqlite: Database, tmp_path: Path) -> None:
    done = with_gold(sqlite, tmp_path, *[{"text": "c", "label": "yes"}] * 3)
    assert done.said["gold"]["matched"] == 1
    assert done.items[1].gold == "yes"


def test_gold_adds_its_labels_to_a_task_made_from_the_log(sqlite: Database, tmp_path: Path) -> None:
    done = with_gold(sqlite, tmp_path, {"text": "c", "label": "maybe"})
    assert done.study.task.answer.labels() == ("maybe", "no", "yes")
    assert done.said["labels"]["maybe"] == 0


def test_gold_saves_a_log_in_which_everybody_said_the_same(sqlite: Database, tmp_path: Path) -> None:
    done = with_gold(sqlite, tmp_path, {"text": "c", "label": "no"}, log=[answer("c", "yes", "w1")])
    assert done.study.task.answer.labels() == ("no", "yes")


def test_gold_that_contradicts_a_golden_cell_is_refused(sqlite: Database, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"gold.csv: says 'no' where the log's GOLDEN says 'yes' \(item 'd'\)"):
        with_gold(sqlite, tmp_path, {"text": "d", "label": "no"})
    assert studies(sqlite) == []


def test_gold_that_is_no_answer_of_the_task_is_refused(sqlite: Database, tmp_path: Path) -> None:
    row = {"INPUT:premise": "p", "INPUT:hypothesis": "h", "OUTPUT:result": "entailment", "ASSIGNMENT:worker_id": "w1"}
    gold = write_table(tmp_path / "gold.csv", [{"premise": "p", "hypothesis": "h", "label": "neutral"}], delimiter=",")
    with pytest.raises(BadFile, match=r"gold.csv: these are no answers of task 'rsg/terra' .*'neutral' \(1 times\)"):
        imported(sqlite, write_table(tmp_path / "log.tsv", [row]), task="rsg/terra", gold=gold)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ({"body": "c", "label": "no"}, "gold.csv: has no column for 'text' of the items; it has 'body', 'label'"),
        ({"text": "c", "right": "no"}, "gold.csv: has no column of right answers; call it one of 'result', 'label'"),
    ],
)
def test_a_gold_file_without_a_column_it_needs_is_refused(
    sqlite: Database, tmp_path: Path, row: dict[str, str], sentence: str
) -> None:
    with pytest.raises(BadFile, match=sentence):
        with_gold(sqlite, tmp_path, row)
