"""Several of the options: one canonical list, replies read without guessing, gold in the forms files have it in."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers.answer_type import packed
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.errors import BadAnswer, BadTask
from data.wording import Wording
from tests.helpers.answering import HOSTILE, is_described, keeps_its_promises, refuses, takes_or_refuses

ANIMALS = ["Кошка спит на печи", "Собака лает", "Птица, которая поёт"]
FIELDS = {"options": packed(ANIMALS), "a": "Кошка", "b": "Собака"}
OWN = Choices(option_list="options", least=0)
SOME = Choices(option_list="options")
TOWNS = {"options": packed(["Москва", "Тула", "Нижний Новгород", "Рим", "МИД России", "Анна Петрова"])}
ANY = [
    OWN,
    SOME,
    Choices(option_fields=("a", "b"), least=1, most=1, drawn_one=True),
    Choices(
        choices={"x": Wording(ru="Икс", en="X"), "y": Wording(ru="Игрек", en="Y"), "z": Wording(ru="Зет", en="Z")},
        most=2,
    ),
]

FIRST_AND_THIRD = [
    "1, 3",
    "1 и 3",
    "13",
    "1 3",
    "3, 1",
    "1,3.",
    "1; 3",
    "[1, 3]",
    '["1", "3"]',
    "А, В",
    "а и в",
    "A, C",
    "**1, 3**",
    "Ответ: 1, 3",
    "Ответ: 1 и 3.",
    "**Ответ:** варианты 1 и 3",
    "Верные варианты: 1, 3",
    "Правильные ответы: 1 и 3",
    "Подходят варианты 1 и 3.",
    "Варианты 1 и 3 подходят, потому что о них сказано в тексте.",
    '{"answer": [1, 3]}',
    '{"ответ": "1, 3"}',
    "```json\n[1, 3]\n```",
    "<think>1, 2?</think>1, 3",
    "1\n3",
    "1.\n3.",
    "- 1\n- 3",
    "1. Кошка спит на печи\n3. Птица, которая поёт",
    "Ответ:\n1. Кошка спит на печи\n3. Птица, которая поёт",
    "Кошка спит на печи\nПтица, которая поёт",
    '["Кошка спит на печи", "Птица, которая поёт"]',
    "1 — да, 2 — нет, 3 — да",
    "1: верно\n2: неверно\n3: верно",
    "1. Да\n2. Нет\n3. Да.",
    "Кошка спит на печи, птица, которая поёт",
    "В тексте сказано и о том, что кошка спит на печи, и о птице. Ответ: 1, 3",
    "Ответ: 1, 3\n\nПотому что собака молчит.",
]
NOTHING = [
    "Ни один",
    "ни один.",
    "Ни один из вариантов не подходит",
    "Ответ: ни один",
    "[]",
    '{"answer": []}',
    "None",
    "Нет верных вариантов",
    "Правильных ответов нет.",
    "none of the above",
]
UNCLEAR = [
    "",
    "Не знаю",
    "4",
    "1, 4",
    "14",
    "1 или 3",
    "Вариант 1 или вариант 3",
    "Вариант 1 не подходит",
    "1-3",
    "0",
    "1.5",
    "Подходят не все варианты",
    "Кошка не спит, собака лает",
    "1. Потому что так\n2. И так",
    "Ответ: 1. Ответ: 2",
    '{"answer": [1, 7]}',
    '{"answer": null}',
    '{"verdict": 1}',
    "2013",
    "1, 3 или только 3",
    "Это текст о кошках и собаках.",
    "1. Кошка\n2. Собака\n3. Птица",
]


@pytest.mark.parametrize("reply", FIRST_AND_THIRD)
def test_a_set_is_found_however_it_is_written(reply: str) -> None:
    assert OWN.parse(reply, FIELDS) == '["0","2"]'


@pytest.mark.parametrize("reply", NOTHING)
def test_nothing_at_all_is_an_answer_only_where_it_may_be(reply: str) -> None:
    assert OWN.parse(reply, FIELDS) == "[]"
    assert SOME.parse(reply, FIELDS) is None


@pytest.mark.parametrize("reply", UNCLEAR)
def test_what_is_not_clear_is_not_guessed_at(reply: str) -> None:
    assert OWN.parse(reply, FIELDS) is None


@pytest.mark.parametrize(
    ("reply", "towns"),
    [
        ("Москва", ["0"]),
        ("Москва, Рим", ["0", "3"]),
        ("Москва и Нижний Новгород.", ["0", "2"]),
        ("Ответ: МИД России", ["4"]),
        ("Пропущено имя «Анна Петрова».", ["5"]),
        ("Пропущено не «Тула»", None),
        ("Варшава", None),
    ],
)
def test_names_are_read_as_names(reply: str, towns: list[str] | None) -> None:
    assert SOME.parse(reply, TOWNS) == (packed(towns) if towns else None)


def test_more_options_than_digits_have_their_numbers_apart() -> None:
    fields = {"options": packed([f"имя {letter}" for letter in "абвгдежзиклм"])}
    assert SOME.parse("11", fields) == '["10"]'
    assert SOME.parse("1, 12", fields) == '["0","11"]'
    assert SOME.parse("13", fields) is None


@given(st.data())
def test_every_answer_keeps_its_promises(data: st.DataObject) -> None:
    asked = data.draw(st.sampled_from(ANY))
    offered = asked.offered(FIELDS)
    chosen = data.draw(st.sets(st.sampled_from(offered), min_size=asked.least, max_size=asked.most))
    answer = asked.validate(list(chosen), FIELDS)
    assert json.loads(answer) == [label for label in offered if label in chosen]
    assert asked.content(answer) == chosen
    keeps_its_promises(asked, FIELDS, answer)


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=12, unique=True), st.data())
def test_options_of_any_text_are_read_back_by_their_keys(texts: list[str], data: st.DataObject) -> None:
    fields = {"options": packed(texts)}
    chosen = data.draw(st.sets(st.sampled_from(OWN.offered(fields))))
    answer = OWN.validate(list(chosen), fields)
    assert OWN.parse(OWN.show(answer, fields), fields) == answer


@pytest.mark.parametrize("asked", ANY, ids=repr)
def test_plain_data_gives_the_same_type_back(asked: Choices) -> None:
    is_described(asked)
    is_described(Choice(option_list="options"))


@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:30])
def test_hostile_values_are_answers_or_mistakes(value: object) -> None:
    for asked in (*ANY, Choice(option_list="options")):
        takes_or_refuses(asked, FIELDS, value)


@given(st.text() | st.lists(st.sampled_from([*FIRST_AND_THIRD, *NOTHING, *UNCLEAR, "не", "\n"])).map(" ".join))
def test_any_reply_is_an_answer_or_none(reply: str) -> None:
    answer = OWN.parse(reply, FIELDS)
    assert answer is None or OWN.validate(answer, FIELDS) == answer


def test_every_mistake_has_its_code() -> None:
    refuses(SOME, FIELDS, [], "nothing_ticked")
    refuses(SOME, FIELDS, None, "nothing_ticked")
    refuses(SOME, FIELDS, ["3"], "not_an_option")
    refuses(Choices(option_list="options", least=2), FIELDS, ["0"], "too_few_chosen")
    refuses(Choices(option_list="options", most=2), FIELDS, ["0", "1", "2"], "too_many_chosen")
    assert OWN.validate([], FIELDS) == "[]"
    assert SOME.validate(["2", "0", "2"], FIELDS) == '["0","2"]'


@pytest.mark.parametrize(
    "cell",
    [["0", "2"], '["0","2"]', [1, 0, 1], [True, False, True], [ANIMALS[2], ANIMALS[0]], ["кошка спит на печи.", "2"]],
    ids=str,
)
def test_gold_may_be_labels_texts_or_a_flag_for_each_option(cell: object) -> None:
    assert SOME.gold(cell, FIELDS) == '["0","2"]'


def test_a_gold_that_names_no_option_is_refused() -> None:
    with pytest.raises(BadAnswer):
        SOME.gold(["Корова"], FIELDS)
    with pytest.raises(BadAnswer):
        SOME.gold([0, 0, 0], FIELDS)
    assert OWN.gold([0, 0, 0], FIELDS) == "[]"


def test_units_are_decided_one_by_one_and_make_an_answer_or_none() -> None:
    assert SOME.units('["0","2"]', FIELDS) == (("0", "1"), ("1", "0"), ("2", "1"))
    assert SOME.join({"0": "0", "1": "0", "2": "0"}, FIELDS) is None
    assert OWN.join({"0": "0", "1": "0", "2": "0"}, FIELDS) == "[]"
    assert OWN.join({"0": "1", "1": "0"}, FIELDS) is None, "the third one is undecided"


def test_every_allowed_set_is_drawn_as_often() -> None:
    random = Random(1)
    drawn = [SOME.draw(FIELDS, random) for _ in range(7000)]
    counts = {answer: drawn.count(answer) for answer in set(drawn)}
    assert len(counts) == 7, "2 ** 3 sets without the empty one"
    assert all(850 < count < 1150 for count in counts.values())
    one = Choices(option_list="options", drawn_one=True)
    assert {one.draw(FIELDS, random) for _ in range(100)} == {'["0"]', '["1"]', '["2"]'}


def test_a_type_that_leaves_nothing_to_choose_is_refused() -> None:
    with pytest.raises(BadTask):
        Choices()
    with pytest.raises(BadTask):
        Choices(option_fields=("a",))
    with pytest.raises(BadTask):
        Choices(option_list="options", least=2, most=1)
    with pytest.raises(BadTask):
        Choices(option_list="options").check_fields("t", ["text"])


def test_one_of_a_list_is_coded_by_its_place_and_its_gold_may_be_the_text() -> None:
    one = Choice(option_list="options")
    assert one.labels() == ()
    assert one.validate("2", FIELDS) == "2"
    assert one.parse("Собака лает", FIELDS) == "1"
    assert one.gold("Собака лает", FIELDS) == "1"
    assert one.words("2", FIELDS).within("ru") == ANIMALS[2]
    keeps_its_promises(one, FIELDS, "1")
