"""Written texts: every rule refuses with its own sentence, what is kept reads back, the page judges alike."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers import answer_values
from data.answers.write import Rules, Write, WrittenPiece, sentence_count, starts_with, word_count
from data.catalogue.catalog import get_task
from data.errors import BadAnswer, BadTask
from data.wording import same
from tests.helpers.answering import answer_of

CASES = json.loads((Path(__file__).parents[1] / "js" / "rules_cases.json").read_text("utf8"))
FIELDS = {"text": "Рыжий кот Тимоша проспал всё утро на подоконнике, а серый кот Филя ловил мух."}
GOOD = [
    {"question": "Где спал кот Тимоша?", "answer": "На подоконнике"},
    {"question": "Кого ловил Филя?", "answer": "Мух"},
    {"question": "Какого цвета Тимоша?", "answer": "Рыжего"},
    {"question": "Когда спал Тимоша?", "answer": "Утром"},
]
HISTORY, ABSTRACT = get_task("writing/history"), get_task("writing/abstract")
QUESTIONS, SUMMARY = HISTORY.answer, ABSTRACT.answer


@pytest.mark.parametrize("case", CASES, ids=[case["text"] for case in CASES])
def test_words_and_sentences_are_counted_as_a_reader_counts_them(case: dict[str, Any]) -> None:
    assert word_count(case["text"]) == case["words"]
    assert sentence_count(case["text"]) == case["sentences"]
    assert {start: starts_with(case["text"], start) for start in case.get("starts", {})} == case.get("starts", {})


def test_what_was_written_is_kept_without_the_white_space_around_it() -> None:
    padded = [{name: f"  {text}\n" for name, text in entry.items()} for entry in GOOD]
    answer = QUESTIONS.validate(padded, FIELDS)
    assert json.loads(answer) == GOOD
    assert QUESTIONS.validate(answer, FIELDS) == answer
    assert QUESTIONS.parse(QUESTIONS.show(answer, FIELDS), FIELDS) == answer


@pytest.mark.parametrize(
    ("text", "broken"), [("_____ спал.", []), ("Он спал.", ["piece_holds"]), ("_____ и _____.", ["piece_holds"])]
)
def test_a_text_holds_the_sign_of_a_gap_once(text: str, broken: list[str]) -> None:
    assert [mistake.code for mistake in Rules(holds="_____").broken(text)] == broken


def changed(**change: str) -> list[dict[str, str]]:
    return [*GOOD[:1], GOOD[1] | change, *GOOD[2:]]


@pytest.mark.parametrize(
    ("value", "code", "number"),
    [
        (changed(answer="  "), "piece_missing", 2),
        (changed(question="Кого ловил Филя"), "piece_ends", 2),
        (changed(question="Филя ловил. Кого?"), "piece_sentences", 2),
        (changed(answer="слово " * 13), "piece_words", 2),
        (changed(question="а" * 300 + "?"), "piece_characters", 2),
        (changed(question="Где спал кот  Тимоша?"), "written_twice", 2),
    ],
)
def test_each_rule_refuses_and_says_where(value: object, code: str, number: int) -> None:
    with pytest.raises(BadAnswer) as refused:
        QUESTIONS.validate(value, FIELDS)
    assert (refused.value.code, refused.value.parameters["number"]) == (code, number)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Рассказывает о лягушках.", "piece_starts"),
        ("Описывает лягушек. Описывает дороги.", "piece_sentences"),
        ("Описывает " + "слово " * 30, "piece_words"),
    ],
)
def test_a_description_keeps_to_the_published_rules(text: str, code: str) -> None:
    with pytest.raises(BadAnswer, match=code):
        SUMMARY.validate([{"summary": text}], FIELDS)
    assert SUMMARY.validate([{"summary": "описывает, как шум меняет крики лягушек"}], FIELDS)


@pytest.mark.parametrize("value", [None, "", "не JSON", 7, [], GOOD[:3], ["a"] * 4, [{"question": 1}] * 4, "[" * 5000])
def test_what_is_nothing_written_is_refused_in_a_sentence(value: object) -> None:
    with pytest.raises(BadAnswer):
        QUESTIONS.validate(value, FIELDS)


@pytest.mark.parametrize("reply", ["", "Не знаю.", "[1, 2", '[{"question": "Кто?"}]', "Вот: [] и всё"])
def test_a_reply_without_the_entries_names_no_answer(reply: str) -> None:
    assert QUESTIONS.parse(reply, FIELDS) is None


def test_a_reply_may_wrap_its_list_in_prose_thinking_and_a_fence() -> None:
    answer = QUESTIONS.validate(GOOD, FIELDS)
    shown = QUESTIONS.show(answer, FIELDS)
    assert QUESTIONS.parse(f"<think>[1]</think>Вот вопросы:\n```json\n{shown}\n```\nГотово.", FIELDS) == answer


@given(st.integers(0, 10_000))
def test_what_chance_writes_keeps_the_rules(seed: int) -> None:
    for answer in (QUESTIONS, SUMMARY):
        drawn = answer.draw(FIELDS, Random(seed))
        assert answer.validate(drawn, FIELDS) == drawn


@pytest.mark.parametrize("answer", [QUESTIONS, SUMMARY], ids=["history", "abstract"])
def test_a_snapshot_gives_the_type_back(answer: Write) -> None:
    assert answer_of(json.loads(json.dumps(answer_values(answer)))) == answer


def test_a_type_that_asks_for_nothing_is_refused() -> None:
    piece = WrittenPiece("a", same("A"))
    with pytest.raises(BadTask, match="names"):
        Write((piece, piece), "text")
    with pytest.raises(BadTask, match="entries"):
        Write((piece,), "text", 0)
    with pytest.raises(BadTask, match="less than 1"):
        Rules(words=0)
    with pytest.raises(BadTask, match="no field"):
        Write((piece,), "text").check_fields("t", ("other",))
