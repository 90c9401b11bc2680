"""Forms: parts asked once or for each question, parts that depend on others, replies, units and what is not scored."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers.answer_type import packed, unpacked
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.form import Form, Part
from data.answers.number import Number
from data.answers.text import Text
from data.errors import BadAnswer, BadTask
from data.task import Field, Task
from data.wording import Wording, same
from tests.helpers.answering import HOSTILE, is_described, keeps_its_promises, refuses, takes_or_refuses

YES_NO = Choice(choices={"yes": Wording(ru="Да", en="Yes"), "no": Wording(ru="Нет", en="No")})
ANSWERS = Part("answers", Wording(ru="Верные варианты", en="Right options"), Choices(option_list="options", least=0))
CLEAR = Part("clear", Wording(ru="Понятен ли вопрос?", en="Is it clear?"), YES_NO, scored=False)
WHY = Part(
    "why",
    Wording(ru="Что мешает?", en="What is wrong?"),
    Choices(option_list="options"),
    scored=False,
    when=("clear", "no"),
)
QUESTIONS = [
    {"question": "Кто пришёл?", "options": ["Анна", "Пётр", "Кот"]},
    {"question": "Куда?", "options": ["В сад", "Домой"]},
]
FIELDS = {"passage": "(1) Анна пришла домой.", "questions": packed(QUESTIONS)}
PLAIN = Form(parts=(ANSWERS,), over="questions")
RICH = Form(parts=(ANSWERS, CLEAR, WHY), over="questions")
ONCE = Form(
    parts=(
        Part("fits", Wording(ru="Подходит ли?", en="Does it fit?"), YES_NO),
        Part("amount", Wording(ru="Сколько?", en="How many?"), Number(), when=("fits", "yes")),
        Part("note", Wording(ru="Заметка", en="Note"), Text(), scored=False, optional=True),
    )
)
ANY = [(PLAIN, FIELDS), (RICH, FIELDS), (ONCE, {"passage": "Пять яблок."})]


def test_an_answer_is_a_mapping_of_canonical_part_answers_for_each_question() -> None:
    answer = PLAIN.validate([{"answers": ["2", "0"]}, {"answers": []}], FIELDS)
    assert answer == '[{"answers":"[\\"0\\",\\"2\\"]"},{"answers":"[]"}]'
    assert ONCE.validate({"fits": "yes", "amount": "5"}, {}) == '{"fits":"yes","amount":"5"}'


def test_an_optional_part_with_points_may_be_missing_from_people_replies_and_consensus() -> None:
    parts = (Part("fits", same("Fits"), YES_NO), Part("amount", same("Amount"), Number(), optional=True))
    asked, answer = Form(parts=parts), '{"fits":"yes"}'
    assert asked.validate({"fits": "yes"}, {}) == answer
    assert asked.parse('{"fits": "yes"}', {}) == answer
    assert asked.join(dict(asked.units(answer, {})), {}) == answer
    assert asked.parse('{"amount": 5}', {}) is None


@given(st.sampled_from(ANY), st.integers())
def test_whatever_may_be_drawn_keeps_what_every_type_promises(form: tuple[Form, dict[str, str]], seed: int) -> None:
    asked, fields = form
    keeps_its_promises(asked, fields, asked.draw(fields, Random(seed)))


@pytest.mark.parametrize(("asked", "fields"), ANY)
def test_a_form_is_described_with_all_its_parts(asked: Form, fields: dict[str, str]) -> None:
    is_described(asked)
    for value in HOSTILE:
        takes_or_refuses(asked, fields, value)
        takes_or_refuses(asked, fields, [{"answers": value}, {"answers": ["0"]}])


@given(st.text(alphabet='01234:;.,[]{}" \nанswer', max_size=40))
def test_no_reply_breaks_the_reading_of_replies(reply: str) -> None:
    for asked, fields in ANY:
        found = asked.parse(reply, fields)
        assert found is None or asked.validate(found, fields) == found


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, 1),
        ([{"answers": ["0"]}, {}], 2),
        ([{}, {"answers": ["0"]}], 1),
        ([{"answers": ["0"]}, {"answers": None}], 2),
    ],
)
def test_the_mistake_names_the_question_without_an_answer(value: object, number: int) -> None:
    with pytest.raises(BadAnswer) as mistake:
        PLAIN.validate(value, FIELDS)
    assert (mistake.value.code, mistake.value.parameters) == ("question_unanswered", {"number": number})


def test_where_a_question_has_several_parts_the_mistake_names_the_part_too() -> None:
    with pytest.raises(BadAnswer) as mistake:
        RICH.validate([{"answers": ["0"], "clear": "yes"}, {"answers": ["0"], "clear": "no"}], FIELDS)
    assert (mistake.value.code, mistake.value.parameters) == ("part_unanswered", {"number": 2, "part": WHY.title})


def test_where_parts_are_asked_once_they_are_the_questions() -> None:
    with pytest.raises(BadAnswer) as mistake:
        ONCE.validate({"fits": "yes"}, {})
    assert mistake.value.parameters == {"number": 2}


def test_a_wrong_answer_to_a_part_is_the_mistake_of_its_own_type() -> None:
    refuses(PLAIN, FIELDS, [{"answers": ["7"]}, {"answers": ["0"]}], "not_an_option")
    refuses(PLAIN, FIELDS, [{"answers": ["0"]}], "not_a_form")
    refuses(ONCE, {}, "text", "not_a_form")


def test_a_part_that_does_not_apply_is_left_out_even_where_it_was_sent() -> None:
    assert ONCE.validate({"fits": "no", "amount": "5"}, {}) == '{"fits":"no"}'
    sent = [{"answers": ["0"], "clear": "yes", "why": ["1"]}, {"answers": ["1"], "clear": "no", "why": ["0"]}]
    given = [unpacked(RICH.validate(sent, FIELDS))[place].keys() for place in (0, 1)]
    assert given == [{"answers", "clear"}, {"answers", "clear", "why"}]


def test_a_part_sees_the_item_and_its_own_question() -> None:
    assert PLAIN.question_fields(FIELDS)[1] == FIELDS | {"question": "Куда?", "options": '["В сад","Домой"]'}


def test_units_are_those_of_the_parts_under_their_path() -> None:
    answer = PLAIN.validate([["0"], ["1"]], FIELDS)
    assert PLAIN.units(answer, FIELDS) == (
        ("0/answers/0", "1"), ("0/answers/1", "0"), ("0/answers/2", "0"), ("1/answers/0", "0"), ("1/answers/1", "1"),
    )  # fmt: skip
    assert ONCE.units('{"fits":"yes","amount":"5"}', {}) == (("fits", "yes"), ("amount", "5"))


def test_an_undecided_scored_part_makes_no_answer_and_an_undecided_extra_is_left_out() -> None:
    answer = RICH.validate([{"answers": ["0"], "clear": "yes"}, {"answers": ["1"], "clear": "yes"}], FIELDS)
    units = dict(RICH.units(answer, FIELDS))
    without_extra = {unit: label for unit, label in units.items() if unit != "1/clear"}
    assert RICH.join(without_extra, FIELDS) == packed([unpacked(answer)[0], {"answers": '["1"]'}])
    assert RICH.join({unit: label for unit, label in units.items() if unit != "1/answers/0"}, FIELDS) is None


def test_what_is_not_scored_counts_neither_as_right_nor_in_what_is_compared() -> None:
    gold = RICH.gold([[1, 0, 0], [0, 1]], FIELDS)
    assert gold == '[{"answers":"[\\"0\\"]"},{"answers":"[\\"1\\"]"}]'
    answer = RICH.validate(
        [{"answers": ["0"], "clear": "no", "why": ["0"]}, {"answers": ["1"], "clear": "yes"}], FIELDS
    )
    assert RICH.right(answer, gold, FIELDS)
    assert RICH.content(answer) == RICH.content(gold) == {("0/answers", "0"), ("1/answers", "1")}


def test_right_is_counted_question_by_question() -> None:
    gold = PLAIN.gold([["Анна"], ["Домой"]], FIELDS)
    assert PLAIN.right_questions(PLAIN.validate([["0"], ["0", "1"]], FIELDS), gold, FIELDS) == [True, False]
    assert ONCE.right_questions('{"fits":"no"}', ONCE.gold({"fits": "yes", "amount": 5}, {}), {}) == [False]


ZERO_AND_TWO = '[{"answers":"[\\"0\\",\\"2\\"]"},{"answers":"[\\"1\\"]"}]'


@pytest.mark.parametrize(
    "reply",
    [
        "1: 1, 3\n2: 2", "1. 1, 3\n2. 2", "Вопрос 1: 1 и 3\nВопрос 2: 2", "**Вопрос 1:** 1, 3\n\n**Вопрос 2:** 2",
        "1: 1, 3; 2: 2", "1) 1, 3\n2) 2", "2: 2\n1: 3, 1", "Вот ответы.\n1: 1, 3\n2: 2\n", "- 1: 1, 3\n- 2: 2",
        "[[1, 3], [2]]", '["1, 3", "2"]', '{"1": [1, 3], "2": 2}', '[{"answers": "1, 3"}, {"answers": "2"}]',
        '```json\n{"answers": [[1, 3], [2]]}\n```', '{"ответы": [[1, 3], 2]}', "<think>1: 2\n2: 1</think>1: 1, 3\n2: 2",
        'Ответ: [{"ответ": [1, 3]}, {"ответ": [2]}]', "1: [1, 3]\n2: [2]", "1 — 1, 3\n2 — 2",
    ],
)  # fmt: skip
def test_answers_to_several_questions_are_found_however_they_are_written(reply: str) -> None:
    assert PLAIN.parse(reply, FIELDS) == ZERO_AND_TWO


@pytest.mark.parametrize(
    "reply", ["", "1: 1", "1: 1\n1: 2\n2: 1", "1: 9\n2: 1", "1, 3", "[[1], [2], [1]]", "1: 1\n2: не знаю"]
)
def test_a_reply_that_leaves_a_question_open_is_no_answer(reply: str) -> None:
    assert PLAIN.parse(reply, FIELDS) is None


def test_a_lone_question_may_be_answered_without_its_number() -> None:
    fields = {"questions": packed(QUESTIONS[:1])}
    assert PLAIN.parse("1, 3", fields) == PLAIN.parse("1: 1, 3", fields) == '[{"answers":"[\\"0\\",\\"2\\"]"}]'


@pytest.mark.parametrize(
    "reply", ['{"fits": "да", "amount": 5}', "fits: да\namount: 5", "1: да\n2: 5", "Подходит ли?: да\nСколько?: 5"]
)
def test_parts_asked_once_are_named_or_numbered(reply: str) -> None:
    assert ONCE.parse(reply, {}) == '{"fits":"yes","amount":"5"}'


def test_a_model_is_asked_for_scored_parts_only() -> None:
    assert "Понятен" not in RICH.listing(FIELDS) + RICH.answer_format(FIELDS)
    assert RICH.parse('[{"answers": "1"}, {"answers": "2"}]', FIELDS) == RICH.gold([["0"], ["1"]], FIELDS)


def test_the_prompt_lists_every_question_with_its_options() -> None:
    assert (
        PLAIN.listing(FIELDS)
        == "Вопрос 1. Кто пришёл?\n1. Анна\n2. Пётр\n3. Кот\n\nВопрос 2. Куда?\n1. В сад\n2. Домой"
    )
    assert "«номер вопроса: ответ»" in PLAIN.answer_format(FIELDS)
    assert 'только если "fits" — «Да»' in ONCE.answer_format({})


def test_words_tell_the_answers_in_one_line() -> None:
    assert PLAIN.words(ZERO_AND_TWO, FIELDS).within("ru") == "1) Анна; Кот · 2) Домой"
    assert ONCE.words('{"fits":"yes","amount":"5"}', {}).within("en") == "Does it fit?: Yes; How many?: 5"


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (ANSWERS, ANSWERS),
        (CLEAR,),
        (Part("a/b", same("а"), YES_NO),),
        (WHY, CLEAR, ANSWERS),
        (Part("inner", same("а"), PLAIN),),
        (CLEAR, Part("then", same("а"), YES_NO, when=("clear", "yes"))),
    ],
)
def test_parts_that_make_no_form_are_refused(parts: tuple[Part, ...]) -> None:
    with pytest.raises(BadTask):
        Form(parts=parts)


def test_a_task_without_the_field_of_questions_is_refused() -> None:
    wording = Wording(ru="а", en="b")
    with pytest.raises(BadTask, match="questions"):
        Task(
            id="t",
            title=wording,
            fields=(Field("text", wording),),
            question=wording,
            instruction=wording,
            answer=PLAIN,
            metrics=("f1a",),
        )
