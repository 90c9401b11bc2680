"""A stored study that shows people what is right says so on its page, with how many of them have answered."""

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from annotate.pages.manage.study_drawing import draw_leaks
from annotate.requesters.study_card import leaks_of
from data.task import Field, Item
from data.wording import same
from db.engine import writing
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import create_study
from db.study_settings import StudySettings
from db.workers import add_worker
from tests.helpers.collection import TASK


def stored(database: Engine, column: str, values: list[str], gold: list[str | None], people: int = 2) -> str:
    """Store a study whose items show a second column, with answers of so many people to the first item."""
    task = replace(TASK, fields=(*TASK.fields, Field(column, same(column))))
    items = [
        Item(f"i{n}", {"thing": f"т{n}", column: value}, right)
        for n, (value, right) in enumerate(zip(values, gold, strict=True))
    ]
    with writing(database) as session:
        study = create_study(session, name="own", task=task, settings=StudySettings())
        add_items(session, study=study, items=items)
        first = list_items(session, study=study)[0]
        given = [Judgment(first.key, add_worker(session), "red") for _ in range(people)]
        add_judgments(session, study=study, judgments=given)
    return "own"


@pytest.mark.parametrize(
    ("column", "values", "gold", "why"),
    [
        ("verdict", ["red", "Зеленый"] * 3, ["red", "green"] * 3, "holds the right answer of 6 of 6 items"),
        ("Метка эксперта / gold", ["?", "!"] * 3, [None] * 6, "is called like a right answer"),
        ("verdict", ["red", "green"] * 3, [None] * 6, "holds one of the answers to choose from in 6 of 6 items"),
    ],
)
def test_a_shown_field_that_tells_is_named_with_how_many_saw_it(
    sqlite: Engine, column: str, values: list[str], gold: list[str | None], why: str
) -> None:
    page = draw_leaks(leaks_of(sqlite, stored(sqlite, column, values, gold))).unescape()
    assert f"'{column}' is shown to people and {why}." in page
    assert "2 people have seen it and answered" in page


def test_a_study_that_tells_nothing_has_no_warning(sqlite: Engine) -> None:
    name = stored(sqlite, "size", ["big", "small"] * 3, ["red", "green"] * 3)
    assert not draw_leaks(leaks_of(sqlite, name)).strip()
