"""LIBRA's tasks that are answered in words: their records, their own samples, what a model reads, what counts."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from baseline.models.prompts import messages
from data.catalogue.catalog import get_task, samples
from data.drawing.answer_form import draw_form
from data.files.item_files import read_items
from data.task import Item, Task
from eval.metrics.table import METRICS
from eval.metrics.texts import words

# Table 3 of the paper: records of each length.
SIZES = {
    "librusec_history": {"8k": 32, "16k": 32, "32k": 32, "64k": 32},
    "long_context_multiq": dict.fromkeys(("4k", "8k", "16k", "32k", "64k", "128k"), 200),
    "librusec_mhqa": {"8k": 384},
    "ru_2wikimultihopqa": {"8k": 49, "16k": 128, "32k": 123},
    "ru_qasper": {"8k": 48, "16k": 134, "32k": 21},
}
# Table 1 of the paper: records in all.
TOTALS = dict(zip(SIZES, (128, 1200, 384, 300, 203), strict=True))
SEVERAL_PLACES = ("long_context_multiq", "librusec_mhqa", "ru_2wikimultihopqa")
every_task = pytest.mark.parametrize("task", [pytest.param(get_task(f"libra/{name}"), id=name) for name in SIZES])


def credit(task: Task, item: Item, given: str | None) -> float:
    of_answer = METRICS[task.primary].of_answer
    assert of_answer
    return of_answer(task.answer, item.fields, item.gold or "", given)[0]


def asked(task: str, question: str) -> Item:
    return next(item for item in samples(get_task(task)) if item.fields["input"].startswith(question))


@every_task
def test_the_published_sizes_and_the_metric_of_the_paper_are_told(task: Task) -> None:
    name = task.id.removeprefix("libra/")
    assert task.splits == SIZES[name]
    assert sum(task.splits.values()) == TOTALS[name]
    assert task.official == (("token_f1",) if name == "ru_qasper" else ("em_words",))


@every_task
def test_a_record_of_the_authors_becomes_an_item(task: Task, tmp_path: Path) -> None:
    record: dict[str, Any] = {
        "context": "Мост строили два лета.",
        "input": "Сколько лет строили мост?",
        "positive_outputs": ["два лета", "2"],
        "negative_outputs": [],
        "length": "8k",
    }
    file = tmp_path / "test.jsonl"
    file.write_text(json.dumps(record, ensure_ascii=False), "utf8")
    (item,) = read_items(file, task)
    assert item.gold == '["два лета","2"]'
    assert [group.groups(item.fields) for group in task.breakdowns] == [("8k",)]
    assert task.legend(item.fields).within("ru") == record["input"]
    assert (credit(task, item, "Два лета."), credit(task, item, None)) == (1, 0)


@every_task
def test_items_share_a_text_within_one_part_and_one_family_only(task: Task) -> None:
    items = samples(task)
    families = {item.fields["context"]: item.fields["family"] for item in items}
    assert len(set(families.values())) == len(families) >= 5
    assert all(families[item.fields["context"]] == item.fields["family"] for item in items)
    parts = {family: {item.role for item in items if item.fields["family"] == family} for family in families.values()}
    assert [family for family, roles in parts.items() if len(roles) > 1] == []
    assert Counter(item.fields["family"] for item in items).most_common(1)[0][1] <= 4


@every_task
def test_a_text_is_as_long_as_its_label_says(task: Task) -> None:
    for item in samples(task):
        size = len(item.fields["context"].split())
        assert 150 <= size <= 600
        assert item.fields["length"] == ("1k" if 3 * size >= 750 else "500")


@every_task
def test_no_accepted_answer_can_be_read_off_the_question(task: Task) -> None:
    # Of two things that are compared both stand in the question; then the other one is a wrong answer that costs.
    told = []
    for item in samples(task):
        question = " ".join(words(item.fields["input"]))
        answers = [" ".join(words(one)) for one in json.loads(item.gold or "[]")]
        told += [item.id for one in answers if f" {one} " in f" {question} " and not item.fields["negative_outputs"]]
    assert told == []


@every_task
def test_every_accepted_answer_is_worth_everything_and_a_wrong_one_nothing(task: Task) -> None:
    for item in samples(task):
        assert {credit(task, item, one) for one in json.loads(item.gold or "[]")} == {1.0}
        assert all(credit(task, item, one) == 0 for one in json.loads(item.fields["negative_outputs"] or "[]"))


@pytest.mark.parametrize("name", SEVERAL_PLACES)
def test_no_place_alone_has_both_the_answer_and_all_that_is_asked_about(name: str) -> None:
    # Read by names: a paragraph that holds an accepted answer and every name of the question would be enough.
    task = get_task(f"libra/{name}")
    alone = []
    for item in samples(task):
        named = {word for word in words(item.fields["input"]) if word.capitalize() in item.fields["input"]} - {
            words(item.fields["input"])[0]
        }
        for paragraph in item.fields["context"].split("\n\n"):
            there = set(words(paragraph))
            answered = any({*words(one)} <= there for one in json.loads(item.gold or "[]"))
            if answered and len(named) > 1 and named <= there and not item.fields["negative_outputs"]:
                alone.append((item.id, paragraph[:40]))
    assert alone == []


@every_task
@pytest.mark.parametrize("variant", [0, 1, 2])
def test_a_model_reads_the_text_and_the_question_once_and_nothing_hidden(task: Task, variant: int) -> None:
    item = next(item for item in samples(task) if item.role == "main")
    text = messages(task, item.public(), variant)[0]["content"]
    assert text.count(item.fields["context"]) == text.count(item.fields["input"]) == 1
    assert text.count(task.answer.answer_format(item.fields)) == 1
    assert item.fields["family"] not in text
    assert (
        len({messages(task, item.public(), number)[0]["content"] for number in range(len(task.variants[""]) + 1)}) >= 3
    )


@every_task
def test_people_meet_the_question_above_one_field_and_nothing_hidden(task: Task) -> None:
    item = next(item for item in samples(task) if item.fields["negative_outputs"] or item.role == "main")
    html = draw_form(task, item.public(), "ru")
    assert html.count('type="text"') == 1
    assert item.fields["family"] not in html
    assert "negative" not in html


def test_the_form_of_a_word_does_not_matter_and_a_longer_answer_counts() -> None:
    task = get_task("libra/librusec_history")
    item = asked(task.id, "В чём инспектор привёз кошку")
    assert {credit(task, item, given) for given in ("портфель", "В ПОРТФЕЛЕ.", "он привёз её в портфеле")} == {1}
    assert credit(task, item, "в шляпе") == 0


def test_who_names_both_things_that_are_compared_gains_nothing() -> None:
    task = get_task("libra/ru_2wikimultihopqa")
    item = asked(task.id, "Режиссёр какого фильма")
    assert credit(task, item, "Пыль над Сарыком") == 1
    assert credit(task, item, "«Пыль над Сарыком», а не «Третий подъезд»") == 0


def test_words_too_many_and_too_few_lower_the_score_of_qasper() -> None:
    task = get_task("libra/ru_qasper")
    item = asked(task.id, "Какие детали картин")
    # Gold: "зеркала и отражения", three words.
    assert credit(task, item, "зеркала") == pytest.approx(2 * 1 / (3 + 1))
    assert credit(task, item, "Больше всего ошибок вызвали зеркала и отражения") == pytest.approx(2 * 3 / (3 + 7))


def test_the_samples_of_different_tasks_share_no_text() -> None:
    contexts = {name: {item.fields["context"] for item in samples(get_task(f"libra/{name}"))} for name in SIZES}
    assert all(not contexts[one] & contexts[other] for one, other in combinations(contexts, 2))
