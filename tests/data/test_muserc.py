"""MuSeRC: the authors' files, the two official measures by hand, numbered sentences, the extended task."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from sklearn.metrics import f1_score

from data.answers.answer_type import packed, unpacked
from data.catalogue.catalog import get_task, samples
from data.drawing.answer_form import draw_form, draw_review
from data.drawing.environment import sentences
from data.files.item_files import check_items, read_items
from data.task import Item
from eval.metrics.table import METRICS

MUSERC = get_task("rsg/muserc")
RECORD = {
    "idx": 7,
    "passage": {
        "text": "(1) Анна пришла домой. (2) Кот спал.",
        "questions": [
            {
                "idx": 20,
                "question": "Кто дома?",
                "answers": [
                    {"idx": 100, "text": "Анна", "label": 1},
                    {"idx": 101, "text": "Кот", "label": 1},
                    {"idx": 102, "text": "Пётр", "label": 0},
                ],
            },
            {
                "idx": 21,
                "question": "Кто спал?",
                "answers": [{"idx": 103, "text": "Анна", "label": 0}, {"idx": 104, "text": "Кот", "label": 1}],
            },
        ],
    },
}


def written(folder: Path, *records: object) -> Path:
    path = folder / "val.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf8")
    return path


def unlabelled(record: dict[str, object]) -> dict[str, object]:
    copy = json.loads(json.dumps(record))
    for question in copy["passage"]["questions"]:
        for answer in question["answers"]:
            del answer["label"]
    return dict(copy)


def test_a_record_of_the_authors_is_one_item_with_all_its_questions(tmp_path: Path) -> None:
    (item,) = read_items(written(tmp_path, RECORD), MUSERC)
    assert item.id == "7"
    assert item.fields["passage"] == "(1) Анна пришла домой. (2) Кот спал."
    assert unpacked(item.fields["questions"]) == [
        {"question": "Кто дома?", "options": ["Анна", "Кот", "Пётр"], "idx": 20, "numbers": [100, 101, 102]},
        {"question": "Кто спал?", "options": ["Анна", "Кот"], "idx": 21, "numbers": [103, 104]},
    ]
    assert item.gold == packed([{"answers": packed(["0", "1"])}, {"answers": packed(["1"])}])


def test_a_test_set_without_labels_has_no_gold(tmp_path: Path) -> None:
    (item,) = read_items(written(tmp_path, unlabelled(RECORD)), MUSERC)
    assert item.gold is None


def test_a_question_without_a_right_option_has_a_gold_of_none(tmp_path: Path) -> None:
    record = json.loads(json.dumps(RECORD))
    record["passage"]["questions"][1]["answers"][1]["label"] = 0
    (item,) = read_items(written(tmp_path, record), MUSERC)
    assert item.gold == packed([{"answers": packed(["0", "1"])}, {"answers": "[]"}])


@pytest.mark.parametrize("record", [{"idx": 1}, {"idx": 1, "passage": {"text": "а", "questions": [{"question": "б"}]}}])
def test_a_record_that_is_no_passage_is_a_problem_with_its_line(tmp_path: Path, record: object) -> None:
    items, problems = check_items(written(tmp_path, RECORD, record), MUSERC)
    assert len(items) == 1
    assert [problem.line for problem in problems] == [2]


def value(name: str, items: Sequence[Item], answers: Sequence[str | None]) -> float:
    metric = METRICS[name]
    assert metric.of_answer is not None
    sums = [metric.of_answer(MUSERC.answer, i.fields, i.gold or "", a) for i, a in zip(items, answers, strict=True)]
    return float(metric.sums(np.sum(np.array(sums), axis=0)))


def passage(golds: Sequence[Sequence[int]]) -> Item:
    fields = {
        "passage": "(1) Текст.",
        "questions": packed([{"question": "?", "options": ["а"] * len(flags)} for flags in golds]),
    }
    return Item("1", fields, MUSERC.answer.gold(list(map(list, golds)), fields))


def test_f1a_pools_all_options_and_exact_match_counts_questions() -> None:
    # Gold chooses 2 + 1 + 1 = 4 options. Given: 1 of 2 rightly; both, so 1 rightly and 1 wrongly; 1 rightly.
    # 3 hits, 1 false, 1 missed: precision 3/4, recall 3/4, F1 3/4. Only the last question is wholly right: 1/3.
    one, two = passage([[1, 1, 0], [0, 1]]), passage([[1, 0]])
    given = [MUSERC.answer.validate([["0"], ["0", "1"]], one.fields), MUSERC.answer.validate([["0"]], two.fields)]
    assert value("f1a", [one, two], given) == pytest.approx(3 / 4)
    assert value("question_em", [one, two], given) == pytest.approx(1 / 3)


def test_f1a_is_no_mean_over_passages() -> None:
    # First passage: 3 of 3 options found; second: 0 of 1, one wrong. Pooled 2 * 3 / (6 + 1 + 1) = 3/4; the mean is 1/2.
    one, two = passage([[1, 1, 1, 0]]), passage([[1, 0]])
    given = [MUSERC.answer.validate([["0", "1", "2"]], one.fields), MUSERC.answer.validate([["1"]], two.fields)]
    assert value("f1a", [one, two], given) == pytest.approx(3 / 4)


def test_no_answer_misses_every_right_option_and_every_question() -> None:
    one, two = passage([[1, 1, 0], [0, 1]]), passage([[1, 0]])
    given = [None, MUSERC.answer.validate([["0"]], two.fields)]
    assert value("f1a", [one, two], given) == pytest.approx(2 * 1 / (2 * 1 + 0 + 3))
    assert value("question_em", [one, two], given) == pytest.approx(1 / 3)


def test_where_nothing_is_right_and_nothing_chosen_both_measures_are_one() -> None:
    none = passage([[0, 0]])
    given = [MUSERC.answer.validate([[]], none.fields)]
    assert value("f1a", [none], given) == value("question_em", [none], given) == 1


def test_a_published_scorer_gives_the_same_on_drawn_answers() -> None:
    random = Random(3)
    items = [passage([[random.randint(0, 1) for _ in range(4)] for _ in range(3)]) for _ in range(30)]
    given = [MUSERC.answer.draw(item.fields, random) for item in items]
    flags = [
        [int(str(option) in unpacked(part["answers"])) for part in unpacked(answer) for option in range(4)]
        for answer in [*(item.gold or "" for item in items), *given]
    ]
    expected = f1_score(np.ravel(flags[:30]), np.ravel(flags[30:]))
    assert value("f1a", items, given) == pytest.approx(expected)


def test_sentences_are_split_at_their_numbers_in_order_and_joined_are_the_text() -> None:
    text = "Заголовок\n(1) В 2015 (2015) году.\r\n(2)\u00a0Дальше (см. 1), (4) нет. (3) Конец. "
    pairs = sentences(text)
    assert [number for number, _ in pairs] == ["", "(1)", "(2)", "(3)"]
    assert "".join(number + rest for number, rest in pairs) == text
    assert sentences("Без номеров.") == [("", "Без номеров.")]
    assert sentences("") == []


def test_people_get_buttons_for_sentences_and_staff_do_not() -> None:
    item = samples(MUSERC)[0]
    drawn = str(draw_form(MUSERC, item.public(), "ru"))
    count = len(sentences(item.fields["passage"]))
    assert drawn.count('aria-pressed="false"') == count
    assert drawn.count('tabindex="0"') == 1
    assert "aria-pressed" not in draw_review(MUSERC, item, "ru")


def test_the_form_of_a_passage_has_a_group_of_its_own_for_each_question() -> None:
    item = samples(MUSERC)[0]
    drawn = str(draw_form(MUSERC, item.public(), "en"))
    questions = unpacked(item.fields["questions"])
    assert drawn.count("data-question>") == len(questions)
    for place in range(len(questions)):
        assert f'name="answer-{place}-answers"' in drawn
    assert f"Question 2 of {len(questions)}" in drawn


def test_what_staff_see_marks_the_right_options_of_every_question() -> None:
    item = samples(MUSERC)[0]
    drawn = str(draw_review(MUSERC, item, "en", votes={item.gold or "": 2}))
    right = sum(len(unpacked(part["answers"])) for part in unpacked(item.gold or ""))
    assert drawn.count("is-right") == right
    assert drawn.count('<b class="count">2</b>') == right


def test_extras_are_marked_as_not_scored_and_wait_for_what_they_depend_on() -> None:
    task = get_task("rsg/muserc_extended")
    item = samples(task)[0]
    questions = len(unpacked(item.fields["questions"]))
    drawn = str(draw_form(task, item.public(), "ru"))
    assert drawn.count("не оценивается") == 2 * questions
    assert drawn.count('data-when="answerable" data-is="yes" disabled') == questions
    asked = packed([{"answers": "[]", "answerable": "yes", "sentences": "one"}] * questions)
    assert "disabled" not in draw_form(task, item.public(), "ru", given=asked)
    assert task.prompt == MUSERC.prompt
    assert task.answer.listing(item.fields) == MUSERC.answer.listing(item.fields)
