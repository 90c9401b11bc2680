"""Numbers in order and sets of numbers: one canonical list, replies in the spellings of exams, units by position."""

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers.answer_type import packed
from data.answers.sequence import Sequence
from data.errors import BadTask
from tests.helpers.answering import HOSTILE, is_described, keeps_its_promises, refuses, takes_or_refuses

FIELDS = {"left": packed(["ошибка", "норма", "повтор", "сдвиг"]), "right": packed([f"пример {n}" for n in range(1, 6)])}
MATCHING = Sequence(choices_field="right", positions_field="left")
LETTERS = Sequence(choices_field="right", positions=("А", "Б", "В", "Г"))
ONCE = Sequence(choices_field="right", positions_field="left", repeat=False)
SEVERAL = Sequence(choices_field="right", ordered=False)
BARE = Sequence(ordered=False)
LONG = Sequence(ordered=False, numbers=25)
ANY = [MATCHING, LETTERS, ONCE, SEVERAL, BARE, LONG]

IN_ORDER = [
    "2514",
    "2, 5, 1, 4",
    "2 5 1 4",
    "2,5,1,4.",
    "2; 5; 1; 4",
    "[2, 5, 1, 4]",
    '["2", "5", "1", "4"]',
    "Ответ: 2514",
    "**Ответ:** 2514",
    "Ответ: 2, 5, 1, 4",
    "А-2, Б-5, В-1, Г-4",
    "А – 2; Б – 5; В – 1; Г – 4",
    "А) 2\nБ) 5\nВ) 1\nГ) 4",
    "А: 2, Б: 5, В: 1, Г: 4",
    "А2 Б5 В1 Г4",
    "А2Б5В1Г4",
    "а-2, б-5, в-1, г-4",
    "Г-4, В-1, Б-5, А-2",
    "A-2, B-5, C-1, D-4",
    "A-2, Б-5, В-1, Г-4",
    '{"А": 2, "Б": 5, "В": 1, "Г": 4}',
    '{"answer": "2514"}',
    '{"answer": [2, 5, 1, 4]}',
    '{"answer": {"А": 2, "Б": 5, "В": 1, "Г": 4}}',
    "```\n2514\n```",
    "<think>2511?</think>2514",
    "Разберём по порядку.\nОтвет: 2514",
    "Ошибке А соответствует 2, ошибке Б — 5, ошибке В — 1, ошибке Г — 4.\nОтвет: 2514",
]
NOT_IN_ORDER = [
    "",
    "не знаю",
    "251",
    "25147",
    "2516",
    "2, 5, 1",
    "А-2, Б-5, В-1",
    "А-2, Б-5, В-1, Г-7",
    "2514 или 2541",
    "2-5-1-4",
    "А-2, А-3, Б-5, В-1, Г-4",
    "Ответ: 2514\nОтвет: 2541",
    '{"А": 2}',
    "[2, 5]",
    "2.5.1.4",
    "<think>2514",
]
A_SET = [
    "134",
    "1, 3, 4",
    "1 3 4",
    "431",
    "1,3,4.",
    "1, 3 и 4",
    "[1, 3, 4]",
    "Ответ: 134",
    "Ответ: 1, 3, 4",
    "**134**",
    "(1), (3), (4)",
    "Верные утверждения: 1, 3, 4.",
    "Запятые нужны на месте цифр 1, 3 и 4.",
    "1) пример 1\n3) пример 3\n4) пример 4",
    '{"answer": "134"}',
    '{"ответ": [1, 3, 4]}',
    "1; 3; 4",
    "1\n3\n4",
    "<think>2</think>134",
    "Ответ: 134. Остальные неверны.",
]
NOT_A_SET = [
    "",
    "нет",
    "136",
    "6",
    "0",
    "1, 3 или 4",
    "1-4",
    "Ответ: 13\nОтвет: 14",
    "В 1 и ещё в 4 предложении",
    "1.3",
]


@pytest.mark.parametrize("reply", IN_ORDER)
def test_an_order_is_found_however_it_is_written(reply: str) -> None:
    assert MATCHING.parse(reply, FIELDS) == LETTERS.parse(reply, FIELDS) == '["2","5","1","4"]'


@pytest.mark.parametrize("reply", NOT_IN_ORDER)
def test_an_order_that_is_not_clear_is_not_guessed_at(reply: str) -> None:
    assert MATCHING.parse(reply, FIELDS) is None


@pytest.mark.parametrize("reply", A_SET)
def test_a_set_is_found_however_it_is_written(reply: str) -> None:
    assert SEVERAL.parse(reply, FIELDS) == '["1","3","4"]'


@pytest.mark.parametrize("reply", NOT_A_SET)
def test_a_set_that_is_not_clear_is_not_guessed_at(reply: str) -> None:
    assert SEVERAL.parse(reply, FIELDS) is None


def test_more_than_nine_numbers_stand_apart() -> None:
    assert LONG.parse("1, 12, 25", {}) == '["1","12","25"]'
    assert LONG.parse("12", {}) == '["12"]'
    assert LONG.validate("1 12", {}) == '["1","12"]'
    assert LONG.parse("1, 26", {}) is None


def test_a_number_that_serves_once_is_not_taken_twice() -> None:
    assert MATCHING.parse("2211", FIELDS) == '["2","2","1","1"]'
    assert ONCE.parse("2211", FIELDS) is None
    refuses(ONCE, FIELDS, "2211", "number_repeated")


@given(st.data())
def test_every_answer_keeps_its_promises(data: st.DataObject) -> None:
    asked = data.draw(st.sampled_from(ANY))
    answer = asked.draw(FIELDS, Random(data.draw(st.integers())))
    keeps_its_promises(asked, FIELDS, answer)


@pytest.mark.parametrize("asked", ANY, ids=repr)
def test_plain_data_gives_the_same_type_back(asked: Sequence) -> None:
    is_described(asked)


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:30])
def test_hostile_values_are_answers_or_mistakes(value: object) -> None:
    for asked in ANY:
        takes_or_refuses(asked, FIELDS, value)


@given(st.text() | st.lists(st.sampled_from([*IN_ORDER, *NOT_IN_ORDER, *A_SET, *NOT_A_SET, "\n", "А"])).map(" ".join))
def test_any_reply_is_an_answer_or_none(reply: str) -> None:
    for asked in ANY:
        answer = asked.parse(reply, FIELDS)
        assert answer is None or asked.validate(answer, FIELDS) == answer


@pytest.mark.parametrize(
    "value", ["2514", 2514, "2, 5, 1, 4", [2, 5, 1, 4], ["2", "5", "1", "4"], '["2","5","1","4"]', " 2514 "], ids=repr
)
def test_pages_and_files_give_the_same_answer(value: object) -> None:
    assert MATCHING.validate(value, FIELDS) == '["2","5","1","4"]'
    assert SEVERAL.validate(value, FIELDS) == '["1","2","4","5"]'


def test_every_mistake_has_its_code_and_names_the_position() -> None:
    refuses(MATCHING, FIELDS, ["", "", "", ""], "nothing_matched")
    refuses(MATCHING, FIELDS, ["2", "", "1", "4"], "position_empty")
    refuses(MATCHING, FIELDS, "251", "position_empty")
    refuses(MATCHING, FIELDS, "25143", "too_many_numbers")
    refuses(MATCHING, FIELDS, "2519", "not_an_option")
    refuses(SEVERAL, FIELDS, [], "nothing_ticked")
    refuses(SEVERAL, FIELDS, ["6"], "not_an_option")
    refuses(BARE, {}, "0", "not_an_option")


def test_units_are_positions_or_options_and_make_an_answer_or_none() -> None:
    assert MATCHING.units('["2","5","1","4"]', FIELDS) == (("А", "2"), ("Б", "5"), ("В", "1"), ("Г", "4"))
    assert MATCHING.join({"А": "2", "Б": "5", "В": "1"}, FIELDS) is None
    assert ONCE.join({"А": "2", "Б": "2", "В": "1", "Г": "3"}, FIELDS) is None
    assert SEVERAL.units('["1","4"]', FIELDS) == (("1", "1"), ("2", "0"), ("3", "0"), ("4", "1"), ("5", "0"))
    assert SEVERAL.join(dict.fromkeys("12345", "0"), FIELDS) is None
    assert MATCHING.content('["2","5","1","4"]') == ("2", "5", "1", "4")
    assert SEVERAL.content('["4","1"]') == frozenset("14")


def test_answers_are_drawn_uniformly() -> None:
    random = Random(1)
    pair = Sequence(positions=("А", "Б"), numbers=3)
    drawn = [pair.draw({}, random) for _ in range(9000)]
    every = {packed(list(two)) for two in itertools.product("123", repeat=2)}
    assert set(drawn) == every
    assert all(850 < drawn.count(answer) < 1150 for answer in every)
    three = Sequence(ordered=False, numbers=3)
    assert {three.draw({}, random) for _ in range(200)} == {
        packed(list(some)) for size in (1, 2, 3) for some in itertools.combinations("123", size)
    }
    assert all(len({*ONCE.content(ONCE.draw(FIELDS, random))}) == 4 for _ in range(50))


def test_words_and_listings_name_letters_and_numbers() -> None:
    assert MATCHING.words('["2","5","1","4"]', FIELDS).within("ru") == "А–2, Б–5, В–1, Г–4"
    assert SEVERAL.words('["1","4"]', FIELDS).within("ru") == "1, 4"
    assert MATCHING.listing(FIELDS).splitlines()[:6] == [
        "А. ошибка",
        "Б. норма",
        "В. повтор",
        "Г. сдвиг",
        "",
        "1. пример 1",
    ]
    assert LETTERS.listing(FIELDS).splitlines()[0] == "1. пример 1"
    assert BARE.listing({}) == ""


def test_a_type_that_contradicts_itself_is_refused() -> None:
    for wrong in ({}, {"ordered": False, "positions": ("А",)}, {"ordered": False, "numbers": 1}):
        with pytest.raises(BadTask):
            Sequence(**wrong)
    with pytest.raises(BadTask):
        MATCHING.check_fields("t", ["left"])
