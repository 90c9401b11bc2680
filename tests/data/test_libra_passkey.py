"""LIBRA's passkey: records as the authors write them, what a model is asked, what an answer is worth."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baseline.models.prompts import messages
from data.answers.choice import Choice
from data.answers.text import Text
from data.catalogue.catalog import get_task, samples
from data.drawing.answer_form import draw_form, draw_review
from data.drawing.environment import LONG, pieces
from data.files.item_files import check_items
from data.task import Item
from data.wording import same
from eval.metrics.table import METRICS

TASK = get_task("libra/passkey")
RECORD: dict[str, object] = {
    "context": "Дождь шёл с утра. Ключ доступа — 23581. Запомните его.",
    "input": "Какой ключ доступа в тексте?",
    "positive_outputs": ["23581"],
    "negative_outputs": [],
    "length": "4k",
}


def read(tmp_path: Path, *found: dict[str, object]) -> tuple[list[Item], list[str]]:
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in found), "utf8")
    items, problems = check_items(file, TASK)
    return items, [str(problem) for problem in problems]


def test_a_record_of_the_authors_becomes_an_item(tmp_path: Path) -> None:
    (item,), problems = read(tmp_path, RECORD)
    assert problems == []
    assert item.gold == '["23581"]'
    assert item.fields["context"] == RECORD["context"]
    assert (item.fields["length"], item.fields["depth"], item.fields["negative_outputs"]) == ("4k", "", "")
    assert TASK.legend(item.fields).within("ru") == RECORD["input"]


def test_an_item_of_ours_is_read_again_as_it_was(tmp_path: Path) -> None:
    once, _ = read(tmp_path, RECORD | {"negative_outputs": ["23518", "1"], "depth": 0.5, "id": "a"})
    fields = dict(once[0].fields)
    again, problems = read(tmp_path, fields | {"positive_outputs": once[0].gold, "id": "a"})
    assert problems == []
    assert again == once
    assert fields["negative_outputs"] == '["23518","1"]'


def test_a_question_at_several_lengths_is_one_family(tmp_path: Path) -> None:
    others: list[dict[str, object]] = [{"input": "Назовите ключ."}, {"positive_outputs": ["1"]}]
    found: list[dict[str, object]] = [
        RECORD,
        RECORD | {"length": "8k", "context": "Ключ — 23581."},
        *(RECORD | other for other in others),
    ]
    items, _ = read(tmp_path, *found)
    families = [item.fields["family"] for item in items]
    assert families[0] == families[1]
    assert len(set(families)) == 3


def test_several_answers_may_be_right(tmp_path: Path) -> None:
    (item,), _ = read(tmp_path, RECORD | {"positive_outputs": ["23581", 7]})
    assert [TASK.answer.right(given, item.gold or "", item.fields) for given in ("23581", "7", "8")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"context": None}, "line 2: has no text 'context'; a record of LIBRA holds"),
        ({"input": 5}, "line 2: has no text 'input'"),
        ({"positive_outputs": ["не число"]}, "positive_outputs"),
    ],
)
def test_a_broken_record_is_told_with_its_line(change: dict[str, object], sentence: str, tmp_path: Path) -> None:
    items, problems = read(tmp_path, RECORD, RECORD | change)
    assert len(items) == 1
    assert len(problems) == 1
    assert sentence in problems[0]


def test_a_model_reads_the_text_the_question_and_how_to_answer_and_nothing_hidden() -> None:
    item = samples(TASK)[0]
    (message,) = messages(TASK, item.public())
    text = message["content"]
    assert item.fields["context"] in text
    question, form = text.splitlines()[-2:]
    assert question == "Вопрос: Какой ключ доступа указан в тексте?"
    assert form == "Ответь только числом: одно целое число от 0, цифрами, без пояснений."
    assert all(item.fields[name] not in text for name in ("family", "depth"))


def test_a_reply_in_words_is_read_as_the_number() -> None:
    fields = samples(TASK)[0].fields
    assert TASK.answer.parse("Ключ доступа — 23581.", fields) == "23581"
    assert TASK.answer.parse("23581 или 23518", fields) is None


@pytest.mark.parametrize(("answer", "em", "em_code"), [("23581", 1, 1), ("123581", 0, 1), ("2358", 0, 0), (None, 0, 0)])
def test_exact_match_is_equality_and_the_published_script_is_containment(
    answer: str | None, em: float, em_code: float
) -> None:
    fields = samples(TASK)[0].fields
    worth = {name: METRICS[name].of_answer for name in ("em", "em_words", "em_code")}
    credits = {name: credit(TASK.answer, fields, '["23581"]', answer) for name, credit in worth.items() if credit}
    assert credits == {"em": (em, 1.0), "em_words": (em, 1.0), "em_code": (em_code, 1.0)}


@pytest.mark.parametrize(
    ("reply", "em_words", "em_code"),
    [
        ("Да", 1, 1),
        ("да, конечно", 1, 0),
        ("Данные об этом есть", 0, 1),
        ("Да или нет", 0, 1),
        ("Да? Нет. Неизвестно.", 0, 0.5),
        ("Нет", 0, 0),
    ],
)
def test_containment_whole_words_or_letters_less_the_wrong_answers_named(
    reply: str, em_words: float, em_code: float
) -> None:
    # Of n negatives k take away k/n: "Нет" is one of one for whole words in either case, one of two by letters.
    letters = {"negative_outputs": '["Нет","нет."]'}
    words = {"negative_outputs": '["Нет"]'}
    by_words, by_letters = METRICS["em_words"].of_answer, METRICS["em_code"].of_answer
    assert by_words
    assert by_letters
    assert by_words(Text(), words, '["Да"]', reply)[0] == em_words
    assert by_letters(Text(), letters, '["Да"]', reply)[0] == em_code


def test_containment_reads_the_gold_of_a_closed_list_too() -> None:
    answer = Choice(choices={"Да": same("да"), "Нет": same("нет")})
    credit = METRICS["em_words"].of_answer
    assert credit
    assert [credit(answer, {}, "Да", given)[0] for given in ("Да", "Нет", None)] == [1.0, 0.0, 0.0]


def test_what_is_hidden_is_drawn_for_nobody(tmp_path: Path) -> None:
    (item,), _ = read(tmp_path, RECORD | {"negative_outputs": ["80808"], "depth": 0.123, "id": "a"})
    for html in (draw_form(TASK, item.public(), "ru"), draw_review(TASK, item, "ru")):
        assert "23581" in html
        assert not any(secret in html for secret in ("80808", "0.123", item.fields["family"], "4k"))


@given(text=st.text("аб .!\n\r", max_size=400).map(lambda text: text * 50))
def test_a_long_line_is_cut_and_nothing_is_lost(text: str) -> None:
    parts = pieces(text)
    assert "".join(parts) == text
    assert all(len(part) <= LONG for part in parts)


def test_a_long_line_is_cut_behind_a_sentence_else_at_a_space_else_anywhere() -> None:
    assert {part[-7:] for part in pieces("Слово. «Да?» " * 900)[:-1]} == {". «Да?» "[-7:]} | {"Слово. "}
    assert all(part.endswith("слово ") for part in pieces("слово " * 2000))
    assert [len(part) for part in pieces("ы" * 9000)] == [LONG, LONG, 1000]


def test_a_key_is_a_name_and_a_count_is_not() -> None:
    levels = {
        name: get_task(f"libra/{name}").answer.level for name in ("passkey", "passkey_with_librusec", "ru_gsm100")
    }
    assert levels == {"passkey": "nominal", "passkey_with_librusec": "nominal", "ru_gsm100": "interval"}
