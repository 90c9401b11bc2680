"""A column of the results is one row of one list: the details as text and Markdown, CSV and JSON all have it."""

import csv
import io
import json

import pytest
from sqlalchemy import Engine

from baseline.comparison import score_columns
from baseline.comparison.score_columns import COLUMNS, ScoreRow, results_dict, score_table
from data.table_files import write_table
from data.tables import LEFT_OUT, Column, Table, table_of
from tests.baseline.test_against_people import room
from tests.helpers.details import results_markdown, results_text


@pytest.fixture
def forms(sqlite: Engine, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What every form says of a study with two models, after a column was added by one row."""
    added = Column[ScoreRow]("letters", "letters of its name", "How long a name is", _letters, "{} letters".format)
    monkeypatch.setattr(score_columns, "COLUMNS", (*COLUMNS, added))
    found = room(sqlite, ["rrg", "grr"] * 9, {"same": ["r"] * 18, "worse": ["g"] * 18})
    return {
        "text": results_text(found),
        "markdown": results_markdown(found),
        "csv": write_table(score_table(found, "csv"), "csv").decode(),
        "json": json.dumps(results_dict(found)),
    }


def _letters(row: ScoreRow) -> int:
    return len(row.respondent.name)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_column_that_is_one_row_is_read_in_every_form(forms: dict[str, str], form: str) -> None:
    assert "letters of its name" in forms[form]
    assert f"{len('model:worse')} letters" in forms[form]


def test_data_hold_the_value_of_the_column_by_its_key(forms: dict[str, str]) -> None:
    lines = list(csv.DictReader(io.StringIO(forms["csv"])))
    assert {line["respondent"]: line["letters"] for line in lines}["model:worse"] == "11"
    rows = json.loads(forms["json"])["rows"]
    assert {row["respondent"]: row["letters"] for row in rows}["model:worse"] == 11


def test_a_column_stands_only_in_its_forms_and_a_value_that_is_left_out_in_no_record() -> None:
    columns = (
        Column[int]("n", "number", "", int, "no. {}".format, ("text",)),
        Column[int]("odd", "odd", "", lambda n: True if n % 2 else LEFT_OUT),
    )
    table = Table("", columns, (1, 2))
    assert table.within("csv").header == ["odd"]
    assert table.within("text").header == ["number", "odd"]
    assert table.records == [{"n": 1, "odd": True}, {"n": 2}]
    assert table.cells == [["no. 1", True], ["no. 2", "—"]]


def test_rows_of_values_are_a_table_too() -> None:
    table = table_of("votes", ("votes", "items"), [(3, 10), (2, 1)])
    assert table.cells == [[3, 10], [2, 1]]
    assert table.records[0] == {"votes": 3, "items": 10}
    assert write_table(table, "csv") == b"votes,items\r\n3,10\r\n2,1\r\n"
