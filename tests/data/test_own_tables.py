"""A table of one's own becomes a task: what is guessed of it, and what the columns become."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data.answers.form import Form
from data.answers.pairwise import Pairwise
from data.answers.rating import Rating
from data.answers.sequence import Sequence
from data.answers.spans import Spans
from data.errors import BadSetting, EtalonError
from data.files.item_files import check_items, items_of, read_items
from data.files.rows import Row, read_rows
from data.own_table import (
    AnswerKind,
    AnswerLabel,
    MappedColumn,
    TableMapping,
    Use,
    spelled_alike,
    suggested_mapping,
    task_of,
)
from data.task import Task
from data.wording import Wording, own_wording, same

PLAIN = "id,text,label\n7,хлеб,yes\n8,снег,no\n9,кот,yes\n10,пёс,no\n"
LETTERS = "question\tA\tB\tC\tanswer\nЧто?\tx\ty\tz\tB\nКто?\tx\ty\tz\tA\n"
LISTS = "вопрос;варианты;ответ;пояснение\nГде?;дом|лес;дом;потому\nКто?;кот|пёс;пёс;так\n"
SEVERAL = "text,options,answer\nа,x|y|z,x|z\nб,x|y|z,y|z\nв,x|y|z,x\n"
SCORES = "text,score\nа,1\nб,5\nв,3\nг,3\nд,5\nе,1\n"
NUMBERS = "text,answer\nа,12\nб,500\nв,31\n"
OPEN = "text,answer,note\nа,Париж,\nб,Рим,да\nв,Берн,\nг,Рига,\n"


def sheet_of(tmp_path: Path, text: str, name: str = "table.csv") -> tuple[TableMapping, Path]:
    path = tmp_path / name
    path.write_text(text, "utf8")
    rows, _ = read_rows(path)
    return replace(suggested_mapping(path.stem, rows), instruction=same("Ответьте.")), path


def made(tmp_path: Path, text: str, name: str = "table.csv") -> tuple[Task, Path]:
    sheet, path = sheet_of(tmp_path, text, name)
    return task_of(sheet), path


@pytest.mark.parametrize(
    ("text", "name", "uses", "answered"),
    [
        (PLAIN, "a.csv", "id shown gold", "choice"),
        (LETTERS, "a.tsv", "question option option option gold", "choice"),
        (LISTS, "a.csv", "question options gold explanation", "choice"),
        (SEVERAL, "a.csv", "shown options gold", "choices"),
        (SCORES, "a.csv", "shown gold", "rating"),
        (NUMBERS, "a.csv", "shown gold", "number"),
        (OPEN, "a.csv", "shown gold optional", "text"),
    ],
)
def test_what_columns_are_is_guessed_from_names_and_values(
    tmp_path: Path, text: str, name: str, uses: str, answered: str
) -> None:
    sheet, _ = sheet_of(tmp_path, text, name)
    assert " ".join(column.use for column in sheet.columns) == uses
    assert sheet.answered == answered


def test_a_name_of_several_words_is_known_and_a_title_keeps_its_capitals(tmp_path: Path) -> None:
    table = "Абзац из СМИ (рус.);Вариант А;Вариант Б;Верный ответ\nГде?;дом;лес;дом\nКто?;кот;пёс;пёс\n"
    task, path = made(tmp_path, table)
    assert [item.gold for item in read_items(path, task)] == ["0", "1"]
    assert [field.title.within("ru") for field in task.fields] == ["Абзац из СМИ (рус.)", "Вариант А", "Вариант Б"]


@pytest.mark.parametrize(
    ("text", "name", "golds"),
    [
        (PLAIN, "a.csv", ["yes", "no", "yes", "no"]),
        (LETTERS, "a.tsv", ["1", "0"]),
        (LISTS, "a.csv", ["0", "1"]),
        (SEVERAL, "a.csv", ['["0","2"]', '["1","2"]', '["0"]']),
        (SCORES, "a.csv", ["1", "5", "3", "3", "5", "1"]),
        (NUMBERS, "a.csv", ['["12"]', '["500"]', '["31"]']),
        (OPEN, "a.csv", ['["Париж"]', '["Рим"]', '["Берн"]', '["Рига"]']),
    ],
)
def test_the_guessed_task_reads_its_table(tmp_path: Path, text: str, name: str, golds: list[str]) -> None:
    task, path = made(tmp_path, text, name)
    assert [item.gold for item in read_items(path, task)] == golds


def test_ids_and_explanations_come_from_the_columns_that_are_said_to_hold_them(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("id,number,text,explanation,label\nx,1,а,лишнее,yes\nx,2,б,лишнее,no\n", "utf8")
    uses: dict[str, Use] = {"number": "id", "text": "shown", "explanation": "shown", "label": "gold"}
    columns = tuple(
        MappedColumn(name, uses.get(name, "ignored")) for name in ("id", "number", "text", "explanation", "label")
    )
    labels = (AnswerLabel("yes", Wording(ru="Да", en="Yes")), AnswerLabel("no", Wording(ru="Нет", en="No")))
    task = task_of(TableMapping("items", columns, same("т"), same("?"), same("и"), "choice", labels))
    items = read_items(path, task)
    assert [(item.id, item.explanation) for item in items] == [("1", ""), ("2", "")]
    assert items[0].fields == {"text": "а", "explanation (shown)": "лишнее"}


def test_a_right_answer_may_be_the_number_of_an_option(tmp_path: Path) -> None:
    task, path = made(tmp_path, "text,option1,option2,answer\nа,x,y,1\nб,x,y,2\n")
    assert [item.gold for item in read_items(path, task)] == ["0", "1"]


def test_problems_name_the_line_of_the_table(tmp_path: Path) -> None:
    task, path = made(tmp_path, PLAIN)
    path.write_text(PLAIN + "11,,yes\n12,мяч,perhaps\n", "utf8")
    _, problems = check_items(path, task)
    assert [problem.line for problem in problems] == [6, 7]
    assert "'perhaps' is not an answer; use one of no, yes" in str(problems[1])


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ((MappedColumn("a", "gold"), MappedColumn("b", "gold")), "only one can be"),
        ((MappedColumn("a", "gold"),), "no column is shown"),
        ((MappedColumn("a", "shown"), MappedColumn("b", "option"), MappedColumn("c", "options")), "not both"),
        ((MappedColumn("a", "shown"),), "nothing to choose from"),
    ],
)
def test_what_is_missing_is_one_sentence(columns: tuple[MappedColumn, ...], words: str) -> None:
    with pytest.raises(EtalonError, match=words):
        task_of(TableMapping("t", columns, same("т"), same("?"), same("и"), "choice"))


def test_a_question_and_an_instruction_are_needed(tmp_path: Path) -> None:
    sheet, _ = sheet_of(tmp_path, PLAIN)
    with pytest.raises(BadSetting, match="no question yet"):
        task_of(replace(sheet, question=Wording(ru=" ", en="")))
    with pytest.raises(BadSetting, match="the instruction is empty"):
        task_of(replace(sheet, instruction=same("")))


def test_spellings_are_proposed_as_one_but_never_numbers_or_signs() -> None:
    labels = ["Да", "да", " ДА. ", "да!", "нет", "C", "C++", "1", "-1", "1.", "+", "…"]
    assert spelled_alike(labels) == {"да": "Да", " ДА. ": "Да", "да!": "Да"}


@pytest.mark.parametrize(
    ("header", "uses"),
    [
        (["№", "id", "Текст", "Комментарий"], ["hidden", "id", "shown", "ignored"]),
        (["№", "Текст", "comment"], ["id", "shown", "ignored"]),
        (["comment", "author"], ["shown", "shown"]),
    ],
)
def test_numbers_and_comments_are_not_shown_to_people(tmp_path: Path, header: list[str], uses: list[str]) -> None:
    long = {"Текст", header[0] if header[0] == "comment" else ""}
    rows = [[f"{name} {n}" + " слово" * 9 * (name in long) for name in header] for n in range(9)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(map(",".join, [header, *rows])) + "\n", "utf8")
    assert [column.use for column in suggested_mapping("t", read_rows(path)[0]).columns] == uses


def mapped(answered: AnswerKind, uses: dict[str, Use], **said: Any) -> Task:
    """The task of a table whose columns are for these."""
    columns = tuple(MappedColumn(name, use, separator="|") for name, use in uses.items())
    return task_of(TableMapping("t", columns, same("T"), same("Q?"), same("Do."), answered, **said))


LABELS = tuple(AnswerLabel(label, same(label.title())) for label in ("who", "where", "when"))


def test_pairs_have_a_tie_and_competitors_that_columns_name_or_are() -> None:
    uses: dict[str, Use] = {"q": "shown", "a": "option", "b": "option", "gold": "gold"}
    task = mapped("pairwise", uses, named="letter")
    assert task.answer == Pairwise(
        option_fields=("a", "b"), tie=own_wording("proposals", "tie"), competitors=("a", "b")
    )
    read = {"A": "0", "Б": "1", "tie": "tie", "Одинаково хороши": "tie"}
    rows = [Row(n, {"q": "?", "a": f"x{n}", "b": f"y{n}", "gold": gold}) for n, gold in enumerate(read)]
    items, problems = items_of(rows, task)
    assert ([item.gold for item in items], problems) == ([*read.values()], [])
    named = mapped("pairwise", {**uses, "m1": "competitor", "m2": "competitor"}, tie=False)
    assert isinstance(named.answer, Pairwise)
    assert (named.answer.tie, named.answer.competitors) == (None, ("m1", "m2"))
    with pytest.raises(BadSetting, match="two texts are compared, and 1 columns are 'one of the options'"):
        mapped("pairwise", {"q": "shown", "a": "option"})


def test_spans_sequences_and_criteria_are_made_of_lines() -> None:
    spans = mapped("spans", {"text": "shown", "note": "hidden"}, labels=LABELS).answer
    assert isinstance(spans, Spans)
    assert (spans.text_field, [(one.name, one.key) for one in spans.elements]) == (
        "text", [("who", "1"), ("where", "2"), ("when", "3")]
    )  # fmt: skip
    sequence = mapped("sequence", {"q": "question", "parts": "options"}, labels=LABELS).answer
    assert isinstance(sequence, Sequence)
    assert (sequence.choices_field, sequence.positions, sequence.repeat) == ("parts", ("who", "where", "when"), False)
    places = mapped("sequence", {"q": "question", "parts": "options", "at": "places"}).answer
    assert isinstance(places, Sequence)
    assert (places.positions_field, places.positions) == ("at", ())
    form = mapped("form", {"text": "shown"}, labels=(*LABELS, AnswerLabel("Стиль", same("Стиль"))), high=3).answer
    assert isinstance(form, Form)
    assert [(part.name, part.answer) for part in form.parts][2:] == [("when", Rating(1, 3)), ("c4", Rating(1, 3))]
    with pytest.raises(BadSetting, match="there are no labels to mark; write 1 to 17, one a line"):
        mapped("spans", {"text": "shown"})
    with pytest.raises(BadSetting, match="nothing to put in order"):
        mapped("sequence", {"text": "shown"}, labels=LABELS)


def test_a_rating_has_words_of_its_own_at_both_ends() -> None:
    ends = (same("never"), same("always"))
    task = mapped("rating", {"text": "shown"}, low=0, high=6, ends=ends)
    assert task.answer == Rating(0, 6, ends)
    assert task.metrics == ("accuracy", "weighted_kappa", "spearman")


def test_two_outputs_without_a_right_answer_are_proposed_as_a_pair() -> None:
    rows = [Row(n, {"prompt": f"p{n}", "response_a": f"x{n}", "response_b": f"y{n}"}) for n in range(4)]
    assert suggested_mapping("t", rows).answered == "pairwise"
    rows = [Row(n, {**row.values, "model_1": "m", "model_2": "n"}) for n, row in enumerate(rows)]
    assert [column.use for column in suggested_mapping("t", rows).columns][3:] == ["competitor", "competitor"]


def test_who_won_a_pair_is_no_text_to_read_and_may_be_named_by_a_column_or_be_neither() -> None:
    won = ["output A", "output B", "tie", "Одинаково хороши"]
    rows = [
        Row(n, {"prompt": f"p{n}", "output A": f"x{n}", "output B": f"y{n}", "better": better})
        for n, better in enumerate(won)
    ]
    mapping = replace(suggested_mapping("t", rows), question=same("?"), instruction=same("."))
    assert [column.use for column in mapping.columns] == ["shown", "option", "option", "gold"]
    assert (mapping.answered, mapping.named) == ("pairwise", "column")
    items, problems = items_of(rows, task_of(mapping))
    assert ([item.gold for item in items], problems) == (["0", "1", "tie", "tie"], [])
