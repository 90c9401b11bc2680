"""The form of a table of one's own: what may tell the answer is hidden, what the page filled itself is filled anew."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annotate.pages.manage.form_drawing import draw_file
from annotate.pages.manage.own_table_form import (
    MappingForm,
    fault_of,
    filled,
    found,
    gold_counts,
    kept_back,
    own,
    respelled,
    seen,
    sheet_of,
)
from annotate.requesters.study_plan import check
from app import cli
from data.answers.choice import Choice
from data.errors import BadFile, BadSetting
from data.files.item_files import read_items
from data.gold_leaks import named_like_gold
from data.own_table import AnswerKind, AnswerLabel, MappedColumn, TableMapping, task_of
from data.wording import FALLBACK, Wording, same
from tests.helpers.components import built
from tests.helpers.languages import added_language

LABELS = ("позитив", "негатив", "нейтрально")


@pytest.mark.parametrize(
    "name",
    [
        *("key", "Keys", "class", "CLASS", "y", "y_true", "verdict", "вердикт", "Класс", "sentiment", "output"),
        *("outputs", "решение", "target", "correct", "оценка", "ключ", "label", "gold", "answer_idx", "разметка"),
        *("тональность", "true_label", "expected", "reference", "label_id", "правильный_вариант"),
    ],
)
def test_names_of_right_answers_are_known_evenly(name: str) -> None:
    assert named_like_gold(name)


@pytest.mark.parametrize("name", ["first class seats", "x", "решение суда", "output format", "text", "вывод"])
def test_a_short_word_among_others_is_no_such_name(name: str) -> None:
    assert not named_like_gold(name)


def table(tmp_path: Path, text: str, name: str = "t.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, "utf8")
    return path


def lines(header: str, cells: list[str]) -> str:
    return "\n".join([header, *(f"{n},Текст {n},{cell}" for n, cell in enumerate(cells))]) + "\n"


def use(columns: list[dict[str, Any]]) -> dict[str, str]:
    return {one["name"]: one["use"] for one in columns}


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.csv", b"", "t.csv: the file is empty (0 bytes)"),
        ("t.csv", b"\x89PNG\r\n\x1a\n\x00\x00", "t.csv, line 1: not UTF-8 (byte 0x89); save the file as UTF-8"),
        ("t.xlsx", b"PK\x03\x04 and more", "t.xlsx: is not an XLSX workbook"),
        ("t.csv", b"a;b\n", "t.csv: there is not one record in it"),
        ("t.docx", b"PK", "t.docx: the ending '.docx' is not known; use one of .jsonl"),
    ],
)
def test_what_cannot_be_read_says_why_and_has_no_columns(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert found(str(path))[1]["visible"] is False
    assert fault_of(path).startswith(sentence)
    with pytest.raises(BadFile, match=re.escape(sentence)):
        filled(path)


@pytest.mark.parametrize(("encoding", "called"), [("cp1251", "windows-1251"), ("utf-16", "utf-16")])
def test_a_file_in_another_encoding_is_read_as_what_it_is(tmp_path: Path, encoding: str, called: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("номер;текст;итог\n1;Первый текст;да\n2;Второй текст;нет\n".encode(encoding))
    read, choice = found(str(path))
    assert (choice["visible"], choice["value"]) == (True, called)
    assert [column["name"] for column in filled(Path(read)).columns] == ["номер", "текст", "итог"]


def test_a_column_that_holds_the_typed_answers_only_is_hidden_until_a_person_says_otherwise(tmp_path: Path) -> None:
    path = table(tmp_path, lines("id,text,итог", [LABELS[n % 3] for n in range(9)]))
    begun = filled(path)
    assert use(begun.columns)["итог"] == "shown"
    assert kept_back(path, begun.columns, dict(begun.values)) is None
    typed = {**begun.values, "labels": "\n".join(LABELS)}
    found = kept_back(path, begun.columns, typed)
    assert found is not None
    assert use(found.columns) == {"id": "id", "text": "shown", "итог": "hidden"}
    assert "Looks like the right answer" in found.html
    said = [one | {"use": "shown", "said": "use"} if one["name"] == "итог" else one for one in found.columns]
    assert kept_back(path, said, typed) is None
    assert use(filled(path, said).columns)["итог"] == "shown"


@pytest.mark.parametrize("cells", ["123", "012", "ABC", "bca"])
def test_a_column_of_places_of_options_is_hidden_while_no_other_one_says_what_is_right(
    tmp_path: Path, cells: str
) -> None:
    rows = [f"Вопрос {n},а{n},б{n},в{n},{cells[n % 3]},{cells[n % 3]}" for n in range(9)]
    path = table(tmp_path, "\n".join(["вопрос,A,B,C,x7,x8", *rows]))
    assert use(filled(path).columns)["x7"] == "hidden"
    gold = table(tmp_path, "\n".join(["вопрос,A,B,C,key,x7", *(row.replace(",x", ",y") for row in rows)]))
    assert use(filled(gold).columns)["key"] == "gold"


def test_a_corrected_file_fills_anew_what_the_page_filled_and_keeps_what_was_typed(tmp_path: Path) -> None:
    broken = table(tmp_path, lines("cluster,text,label", ["да", "нет", "??", "да", "??"]), "broken.csv")
    first = filled(broken)
    put = dict(first.values)
    fixed = table(tmp_path, lines("cluster,text,label", ["да", "нет", "да", "да", "нет"]), "fixed.csv")
    again = own(filled(fixed, first.columns).values, put, put)
    answers = [one.split(" | ")[:3] for one in again["labels"].splitlines()]
    assert answers == [["да", "Да", "Yes"], ["нет", "Нет", "No"]]
    assert again["title_en"] == "fixed"
    typed = put | {"labels": "да\nнет\nнепонятно", "title_en": "Mine"}
    again = own(filled(fixed, first.columns).values, typed, put)
    assert not {"labels", "title_en"} & again.keys()
    assert again["title_ru"] == "fixed"


def test_a_table_proposes_the_language_of_what_people_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotate.consent.languages", lambda: FALLBACK)  # another one may have the same letters
    english = table(tmp_path, "id,text,label\n1,A dog barks,да\n2,It is late,нет\n3,We met,да\n", "english.csv")
    russian = table(tmp_path, "id,text,label\n1,Лает собака,yes\n2,Поздно,no\n3,Мы met,yes\n", "russian.csv")
    numbers = table(tmp_path, "id,text,label\n1,17,да\n2,18,нет\n3,19,да\n", "numbers.csv")
    assert [filled(one).values.get("language") for one in (english, russian, numbers)] == ["en", "ru", None]


def test_what_binds_items_together_is_guessed_anew_unless_somebody_said_so(tmp_path: Path) -> None:
    broken = table(tmp_path, "id,text,label\n1,а,да\n1,б,нет\n2,в,да\n", "broken.csv")
    fixed = table(tmp_path, "id,text,label\n1,а,да\n2,б,нет\n3,в,да\n", "fixed.csv")
    first = filled(broken).columns
    assert use(first)["id"] == "cluster"
    assert use(filled(fixed, first).columns)["id"] == "id"
    said = [one | {"said": "use"} for one in first]
    assert use(filled(fixed, said).columns)["id"] == "cluster"


def test_an_answer_that_no_item_has_is_named(tmp_path: Path) -> None:
    path = table(tmp_path, lines("id,text,label", ["да", "нет", "да", "нет"]))
    begun = filled(path)
    task = task_of(sheet_of(begun.columns, {**begun.values, "labels": "да\nнет\nможет быть"}, "t"))
    assert "No item in this file has the answer “<bdi>может быть</bdi>”" in draw_file(check(task, "main", path), "main")
    task = task_of(sheet_of(begun.columns, begun.values, "t"))
    assert "no item has" not in draw_file(check(task, "main", path), "main")


@pytest.fixture
def third_language(tmp_path: Path) -> Iterator[str]:
    """Give a language more than there are, by a folder."""
    with added_language(tmp_path, "xx"):
        yield "xx"


def test_every_language_there_is_has_its_texts_titles_and_words_of_answers(tmp_path: Path, third_language: str) -> None:
    path = table(tmp_path, lines("id,text,label", ["да", "нет", "да", "нет"]))
    begun = filled(path)
    inputs = built(MappingForm).inputs
    assert {f"{name}_{third_language}" for name in ("title", "question", "instruction")} < set(inputs)
    assert 'aria-label="Title of text in Third"' in begun.html
    columns = [one | {"title_xx": "Texte"} if one["name"] == "text" else one for one in begun.columns]
    typed = {**begun.values, "title_xx": "Titre", "question_xx": "Quoi ?", "labels": "да | Да | Yes | Oui\nнет"}
    task = task_of(sheet_of(columns, typed, "t"))
    assert (task.title["xx"], task.question["xx"], task.fields[0].title["xx"]) == ("Titre", "Quoi ?", "Texte")
    assert isinstance(task.answer, Choice)
    assert task.answer.choices is not None
    assert task.answer.choices["да"] == Wording(ru="Да", en="Yes", xx="Oui")
    assert {one["title_xx"] for one in filled(path, [one | {"said": "title_xx"} for one in columns]).columns} >= {
        "Texte"
    }


@pytest.mark.parametrize("label", ["поз|нег", r"a\|b", "|", "a=b", "a|b|c|d"])
def test_a_sign_within_a_label_belongs_to_the_label(tmp_path: Path, label: str) -> None:
    path = table(tmp_path, lines("id,text,label", [label, "нет", label, "нет"]))
    begun = filled(path)
    task = task_of(sheet_of(begun.columns, begun.values, "t"))
    assert {item.gold for item in read_items(path, task)} == {label, "нет"}
    assert isinstance(task.answer, Choice)
    assert task.answer.choices is not None
    assert task.answer.choices[label].within("ru") == label


def test_spellings_of_one_answer_are_proposed_as_one_and_the_file_has_no_problem(tmp_path: Path) -> None:
    spelled = ["Позитив", "позитив", "позитив", "ПОЗИТИВ ", "негатив", "Негатив ", " негатив", "a=b", "A=B", "a=b"]
    path = table(tmp_path, lines("id,text,label", spelled * 2))
    begun = filled(path)
    assert [line.split(" | ")[0] for line in begun.values["labels"].splitlines()] == ["a=b", "негатив", "позитив"]
    assert begun.values["spellings"].splitlines() == [
        "Негатив = негатив", "Позитив = позитив", r"A\=B = a\=b", "ПОЗИТИВ = позитив",
    ]  # fmt: skip
    task = task_of(sheet_of(begun.columns, begun.values, "t"))
    assert {item.gold for item in read_items(path, task)} == {"a=b", "негатив", "позитив"}
    counts = gold_counts(path, begun.columns, begun.values)
    assert counts == {"Позитив": 2, "позитив": 4, "ПОЗИТИВ": 2, "негатив": 4, "Негатив": 2, "a=b": 4, "A=B": 2}
    assert respelled("позитив | good", [("Позитив", "позитив"), ("позитив", ""), ("a=b", "a|b")]) == (
        "позитив | good\na\\|b",
        "Позитив = позитив\na\\=b = a|b",
    )


def test_sentences_say_it_in_the_words_of_the_page() -> None:
    words = same("?")
    twice = TableMapping(
        "t", (MappedColumn("text", "gold"), MappedColumn("label", "gold")), words, words, words, "choice"
    )
    with pytest.raises(BadSetting, match=r"'text' and 'label' are both 'the right answer .hidden.'; only one can be"):
        task_of(twice)
    single = TableMapping(
        "t", (MappedColumn("text", "shown"),), words, words, words, "choice", (AnswerLabel("0", same("0")),)
    )
    with pytest.raises(BadSetting, match="'0' is the only answer; write at least two, one a line"):
        task_of(single)


def test_create_names_a_setting_as_it_was_typed(tmp_path: Path) -> None:
    asked = ["create", "own", "--task", "rsg/parus", "--items", str(table(tmp_path, "text\n"))]
    done = CliRunner().invoke(cli, [*asked, "--set", "entry=foo"])
    assert "--set entry=foo: " in done.output
    done = CliRunner().invoke(cli, [*asked, "--overlap", "0"])
    assert "--overlap 0: " in done.output


@pytest.mark.parametrize(
    ("answered", "before", "after"),
    [
        ("spans", "accuracy", "symbol_f"),
        ("rating", "spearman", "spearman"),
        ("text", "symbol_f", "em"),
        ("choice", "mcc", "mcc"),
    ],
)
def test_a_metric_that_cannot_score_the_answers_gives_way_and_one_that_can_stays(
    answered: AnswerKind, before: str, after: str
) -> None:
    assert seen(answered, before, own=False, gold=True)["metric"]["value"] == after
