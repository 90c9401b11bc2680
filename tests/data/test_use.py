"""USE: MERA's records, points by the rules of the exam and by the published script, grades of whole variants."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data.answers.sequence import Sequence
from data.catalogue.catalog import get_task, samples
from data.drawing.answer_form import draw_form
from data.files.item_files import check_items, read_items
from data.formats.mera import numbered
from data.task import Item
from data.unified_state_exam import exam_task, skills
from eval.metrics.table import metric_named
from eval.metrics.use_points import FULL, ExamPoints, exam_points, points, published_gold, published_points

USE = get_task("use")
VARIANT = [item for item in samples(USE) if item.role == "main"]
SEVERAL = "multiple_choice_independent_options"
RECORD: dict[str, Any] = {
    "instruction": "Задание: {task}\nВарианты ответа:\n{choices}\nОтвет:",
    "inputs": {
        "task": "Укажите предложения.",
        "text": "",
        "choices": "1) Раз, два\n2) Три (см. 3) ниже)\n3) Пять",
        "additional_text": "",
    },
    "outputs": "1,3",
    "meta": {"id_task": "16", "variant": 104, "score": 2, "type": SEVERAL, "id": 1988},
}


def record(**changed: Any) -> dict[str, Any]:
    made = {**RECORD, "inputs": dict(RECORD["inputs"]), "meta": dict(RECORD["meta"])}
    for name, value in changed.items():
        place = made["inputs"] if name in made["inputs"] else made["meta"] if name in made["meta"] else made
        place[name] = value
    return made


def read(tmp_path: Path, *records: dict[str, Any]) -> list[Item]:
    file = tmp_path / "use.jsonl"
    file.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in records), "utf8")
    return read_items(file, USE)


def worth(number: str, kind: str, gold: Any, given: Any, *, text: str = "") -> float:
    """The points of an answer to an item of that number and kind, as files or people give them."""
    fields = {"id_task": number, "type": kind, "choices": json.dumps([*"абвгдежзи"]), "text": text}
    kept = USE.answer.gold(gold, fields)
    return points(USE.answer, fields, kept, None if given is None else USE.answer.validate(given, fields))[0]


# Files


def test_a_record_of_mera_becomes_an_item(tmp_path: Path) -> None:
    (item,) = read(tmp_path, RECORD)
    assert item.id == "1988"
    assert item.fields == {
        "text": "",
        "additional_text": "",
        "task": "Укажите предложения.",
        "choices": '["Раз, два","Три (см. 3) ниже)","Пять"]',
        "type": SEVERAL,
        "id_task": "16",
        "variant": "104",
        "score": "2",
        "instruction": RECORD["instruction"],
        "exam_task": "16",
        "skill": "punctuation",
    }
    assert item.gold == '["1","3"]'


def test_texts_that_are_accepted_stand_between_commas(tmp_path: Path) -> None:
    (item,) = read(tmp_path, record(type="text", choices="", text="Снег.", outputs="зато, но"))
    assert item.gold == '["зато","но"]'
    assert USE.answer.right("Зато.", item.gold, item.fields)


def test_matching_keeps_the_order_and_a_closed_test_has_no_gold(tmp_path: Path) -> None:
    terms = "\n".join(f"{number}) термин {number}" for number in range(1, 10))
    first, second = read(
        tmp_path,
        record(type="matching", id_task="26", choices=terms, text="Т", outputs="8,1,9,7"),
        record(type="matching", id_task="26", choices=terms, text="Т", outputs="", id=7),
    )
    assert (first.gold, second.gold) == ('["8","1","9","7"]', None)


@pytest.mark.parametrize("wrapped", [lambda r: r, lambda r: {"data": r}, lambda r: {"data": {"test": r}}])
def test_a_json_file_may_be_a_list_or_wrap_it(tmp_path: Path, wrapped: Any) -> None:
    file = tmp_path / "use.json"
    file.write_text(json.dumps(wrapped([RECORD])), "utf8")
    assert [item.id for item in read_items(file, USE)] == ["1988"]


def test_numbers_within_a_text_are_those_in_brackets(tmp_path: Path) -> None:
    within = "multiple_choice_options_within_text"
    (item,) = read(tmp_path, record(type=within, choices="", text="(35) Он шёл. (36) Она ждала.", outputs="36"))
    assert USE.answer.gold("36", item.fields) == item.gold == '["36"]'
    assert USE.answer.parse("Ответ: 36", item.fields) == '["36"]'
    assert [option.label for option in USE.answer.options(item.fields)] == ["35", "36"]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("1) раз\n2) два", ["раз", "два"]),
        ("1. раз\r\n2. два.", ["раз", "два."]),
        ("1) раз 2) два 3) три", ["раз", "два", "три"]),
        ("1) строка\nвторая строка\n2) два", ["строка\nвторая строка", "два"]),
        ("  1) раз\n  2) в 2. году", ["раз", "в 2. году"]),
        ("раз\nдва\n", ["раз", "два"]),
        ("", []),
    ],
)
def test_choices_are_split_at_their_numbers(text: str, listed: list[str]) -> None:
    assert numbered(text) == listed


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"inputs": "Задание"}, "has no object 'inputs'"),
        ({"task": ""}, "has no 'task' in its 'inputs'"),
        ({"id_task": None}, "has no 'id_task' in its 'meta'"),
        ({"choices": "Ошибки: 1) раз\n2) два"}, "begin with 'Ошибки:'"),
        ({"type": "essay"}, "'essay' is not known; use one of 'text', 'matching'"),
        ({"outputs": "1,4"}, "is not an answer; use one of 1, 2, 3"),
    ],
)
def test_a_record_that_cannot_be_read_is_named_with_its_line(tmp_path: Path, broken: dict[str, Any], said: str) -> None:
    file = tmp_path / "use.jsonl"
    file.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in (RECORD, record(**broken))), "utf8")
    _, problems = check_items(file, USE)
    assert [problem.line for problem in problems] == [2]
    assert said in str(problems[0])


# Points by the rules of the exam


@pytest.mark.parametrize(
    ("given", "reached"),
    [("1,2", 2), ("2,1", 2), ("1", 1), ("1,3", 1), ("1,2,3", 1), ("3,4", 0), ("3", 0), ("1,2,3,4", 0), ("1,3,4", 0)],
)
def test_task_16_gives_two_points_less_one_for_one_mistake(given: str, reached: int) -> None:
    assert worth("16", SEVERAL, "1,2", given) == reached


def test_task_16_is_never_worth_more_than_two(tmp_path: Path) -> None:
    told = {given: worth("16", SEVERAL, "1,2,3", given) for given in ("1,2,3", "1,2", "1,2,4", "1", "1,2,3,4,5")}
    assert told == {"1,2,3": 2, "1,2": 1, "1,2,4": 1, "1": 0, "1,2,3,4,5": 0}
    assert worth("16", SEVERAL, "1", "2") == 0, "one number, and not the right one, earns nothing"


@pytest.mark.parametrize(("given", "reached"), [("1,3", 1), ("3,1", 1), ("3, 1", 1), ("31", 1), ("1", 0), ("1,2,3", 0)])
def test_other_tasks_want_all_the_numbers_in_any_order(given: str, reached: int) -> None:
    assert worth("9", SEVERAL, "1,3", given) == reached
    assert worth("8_2", SEVERAL, "1,3", given) == reached


@pytest.mark.parametrize(
    ("given", "reached"), [("8197", 4), ("8,1,9,6", 3), ("1,8,9,7", 2), ("1,8,7,9", 0), ("8,8,8,8", 1)]
)
def test_matching_gives_a_point_for_every_place(given: str, reached: int) -> None:
    assert worth("26", "matching", "8,1,9,7", given) == reached


@pytest.mark.parametrize(
    ("gold", "given"),
    [
        (["кое-где"], "кое где"),
        (["коегде"], "Кое-где."),
        (["тёмнозелёный"], "темнозеленый"),
        (["поэтому тотчас", "тотчас поэтому"], "тотчас, поэтому"),
        (["не находил себе места"], "ненаходилсебеместа"),
        (["зимой"], "зимой ."),
        (["йод"], "й" + "од"),
        (["йод"], "и\u0306од"),
    ],
)
def test_spaces_dots_hyphens_and_yo_do_not_matter_in_a_text(gold: list[str], given: str) -> None:
    assert worth("5", "text", gold, given) == 1


@pytest.mark.parametrize("given", ["кое-кто", "где", "коегдее", "13"])
def test_other_letters_do_matter_in_a_text(given: str) -> None:
    assert worth("5", "text", ["кое-где"], given) == 0


def test_no_answer_earns_nothing_and_costs_what_the_item_is_worth() -> None:
    fields = {"id_task": "26", "type": "matching", "choices": "[]", "text": ""}
    assert points(USE.answer, fields, '["1","2","3","4"]', None) == (0.0, 4.0)


# The published script


@pytest.mark.parametrize(
    ("gold", "given", "reached"),
    [
        ("1,2", "2,1", 2), ("1,2", "1", 1), ("1,2", "1,3", 1), ("1,2", "1,2,3", 1), ("1,2", "3,4", 0),
        ("1,2", "1,2,3,4", 0), ("1,2", "1, 2", 1), ("1,2,3", "1,2,3", 3),
    ],
)  # fmt: skip
def test_the_script_in_task_16(gold: str, given: str, reached: int) -> None:
    assert published_points(kind=SEVERAL, number="16", gold=gold, given=given) == reached


@pytest.mark.parametrize(
    ("kind", "gold", "given", "reached"),
    [
        (SEVERAL, "1,3", "3,1", 1), (SEVERAL, "1,3", "1, 3", 0), (SEVERAL, "1,3", "Ответ: 1,3", 0),
        ("matching", "8,1,9,7", "8,1,9,6", 3), ("matching", "8,1,9,7", "8,1,9", 0),
        ("text", "праздничного", "Праздничного.", 1), ("text", "кое-где", "кое-где", 0),
        ("text", "поэтому,потому", "потому", 1), ("text", "тёмный", "темный", 0),
    ],
)  # fmt: skip
def test_the_script_in_other_tasks(kind: str, gold: str, given: str, reached: int) -> None:
    assert published_points(kind=kind, number="9", gold=gold, given=given) == reached


def test_our_gold_is_written_as_the_script_reads_it() -> None:
    for item in VARIANT:
        gold = published_gold(item.gold or "")
        told = published_points(kind=item.fields["type"], number=item.fields["id_task"], gold=gold, given=gold)
        single = item.fields["type"] != "text" or ("," not in gold and " " not in gold)
        assert not single or told == int(item.fields["score"])


# The variant


def test_the_sample_variant_is_whole() -> None:
    worths = [(exam_task(item.fields), points(USE.answer, item.fields, item.gold or "", None)) for item in VARIANT]
    assert len(VARIANT) == 30
    assert list(exam_points(worths)) == [str(number) for number in range(1, 27)]
    assert sum(most for _, (_, most) in worths) == FULL == 34
    assert [most for _, (_, most) in worths] == [float(item.fields["score"]) for item in VARIANT]
    assert {item.fields["variant"] for item in VARIANT} == {"1"}


def test_the_right_answers_are_worth_everything_and_the_share_is_the_grade() -> None:
    worths = np.array(
        [points(USE.answer, one.fields, one.gold or "", USE.answer.best(one.gold or "", one.fields)) for one in VARIANT]
    )
    for name in ("use_points", "grade_norm"):
        metric = metric_named(name)
        assert metric.sums(worths.sum(axis=0)) == 1
        assert np.isnan(metric.sums(np.zeros(2)))
    assert metric_named("grade_norm").sums(np.array([23.835, 34])) == pytest.approx(0.701, abs=5e-5)
    assert (metric_named("grade_norm").full_cluster, metric_named("use_points").full_cluster) == (34, None)


def test_the_training_items_show_four_kinds_of_tasks() -> None:
    training = [item for item in samples(USE) if item.role == "training"]
    assert len({item.fields["type"] for item in training}) == 4


def test_tasks_are_told_apart_by_number_skill_and_points() -> None:
    assert [exam_task({"id_task": number}) for number in ("8_0", "8_4", "16")] == ["8", "8", "16"]
    assert skills({"id_task": "4"}) == ("orthoepy",)
    assert skills({"id_task": "3"}) == ("vocabulary", "text analysis")
    assert skills({"id_task": "8_1"}) == ("grammar",)
    assert [skills({"id_task": str(number)}) for number in (9, 15, 16, 21, 22)] == [
        ("spelling",), ("spelling",), ("punctuation",), ("punctuation",), ("text analysis",)
    ]  # fmt: skip
    assert exam_points([("8", (1.0, 1.0)), ("9", (0.0, 1.0)), ("8", (0.0, 1.0))]) == {
        "8": ExamPoints(1, 2),
        "9": ExamPoints(0, 1),
    }
    assert ExamPoints(17, 34).share == 0.5
    assert not ExamPoints(1, 2).complete


def test_every_choice_of_numbers_is_a_set() -> None:
    kinds = {item.fields["type"]: USE.answer_for(item.fields) for item in VARIANT}
    ordered = {kind for kind, own in kinds.items() if isinstance(own, Sequence) and own.ordered}
    assert ordered == {"matching"}


def test_the_browser_does_not_help_with_spelling() -> None:
    (item,) = [item for item in VARIANT if item.fields["id_task"] == "7"]
    assert 'spellcheck="false"' in draw_form(USE, item.public(), "ru")
