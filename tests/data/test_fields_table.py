"""Headings and tables as they are drawn: real heads of rows and columns, texts escaped."""

from data.answers.answer_type import packed
from data.answers.choice import Choice
from data.drawing.answer_form import draw_form
from data.task import Field, PublicItem, Task
from data.wording import Wording

WORDS = Wording(ru="Слова", en="Words")
TASK = Task(
    id="tables/sum",
    title=WORDS,
    fields=(Field("name", WORDS, kind="title"), Field("cells", Wording(ru="Таблица", en="Table"), kind="table")),
    question=WORDS,
    instruction=WORDS,
    answer=Choice(choices={"a": Wording(ru="а", en="a"), "b": Wording(ru="б", en="b")}),
    metrics=("accuracy",),
)
ITEM = PublicItem(
    {"name": "Урожай <2024>", "cells": packed([["Сад", "Яблоки"], ["Захар", "<b>12</b>"], ["Нона", "7"]])}
)


def test_the_first_row_heads_the_columns_and_the_first_cell_heads_its_row() -> None:
    drawn = str(draw_form(TASK, ITEM, "ru"))
    assert drawn.count('<th scope="col"') == 2
    assert drawn.count('<th scope="row"') == 2
    assert drawn.count("<td ") == 2
    assert "&lt;b&gt;12&lt;/b&gt;" in drawn


def test_a_table_can_be_scrolled_with_the_keyboard_and_is_told_by_its_name() -> None:
    assert 'role="region" aria-label="Table" tabindex="0"' in draw_form(TASK, ITEM, "en")


def test_a_title_is_a_heading_of_the_item() -> None:
    assert '<p class="heading" dir="auto" lang="ru">Урожай &lt;2024&gt;</p>' in draw_form(TASK, ITEM, "en")
