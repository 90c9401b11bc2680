"""Every task of the catalogue and the sample items that come with it; PARus also against its real log and gold."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from data.catalogue.catalog import get_task, sample_file, tasks
from data.files.item_files import check_items, read_items, renamed
from data.files.rows import read_rows
from data.task import ROLES, Item, Role, Task, as_dict, from_dict
from data.wording import languages

TASKS = [pytest.param(task, id=task.id) for task in tasks().values()]
LEAST: dict[str, int] = {"main": 6, "training": 3, "control": 3}
LARGEST_SHARE = 0.6
PLACES = {"instruction", "question", "options", "answer_format"}

every_task = pytest.mark.parametrize("task", TASKS)


def parts(task: Task) -> dict[str, list[Item]]:
    """Return the sample items of every part, the train split for models among them."""
    return parts_of(task.id)


@cache
def parts_of(task_id: str) -> dict[str, list[Item]]:
    task = get_task(task_id)
    roles: dict[str, Role] = {role: role for role in ROLES}
    least = LEAST if task.answer.has_right else ["main"]
    there = [part for part in (*least, "train") if sample_file(task, part).exists()]
    return {part: read_items(sample_file(task, part), task, role=roles.get(part, "main")) for part in there}


@every_task
def test_every_part_that_a_task_of_the_catalogue_needs_is_there(task: Task) -> None:
    least = LEAST if task.answer.has_right else ["main"]
    missing = [f"data/samples/{task.id}/{part}.jsonl" for part in least if not sample_file(task, part).exists()]
    assert not missing, f"{', '.join(missing)}: docs/tasks.md says what stands there"


def everything(task: Task) -> list[Item]:
    return [item for items in parts(task).values() for item in items]


def test_the_catalogue_is_not_empty() -> None:
    assert {"rsg/parus", "rsg/terra"} <= set(tasks())


@every_task
def test_every_part_has_enough_items(task: Task) -> None:
    too_few = {part: len(items) for part, items in parts(task).items() if len(items) < LEAST.get(part, 24)}
    assert not too_few


@every_task
def test_an_id_stands_for_one_item_over_all_parts(task: Task) -> None:
    assert repeated(item.id for item in everything(task)) == []


@every_task
def test_no_two_items_of_any_parts_have_the_same_texts(task: Task) -> None:
    assert repeated(tuple(sorted(item.fields.items())) for item in everything(task)) == []


@every_task
def test_every_item_has_its_gold_where_there_can_be_one(task: Task) -> None:
    assert [item.id for item in everything(task) if (item.gold is None) == task.answer.has_right] == []


@every_task
def test_every_training_item_is_explained_and_no_other_is(task: Task) -> None:
    explained = {part: [bool(item.explanation.strip()) for item in items] for part, items in parts(task).items()}
    assert all(explained.pop("training", []))
    assert not any(value for values in explained.values() for value in values)


@every_task
def test_no_answer_is_right_much_more_often_than_the_others(task: Task) -> None:
    labels = task.answer.labels()
    if not labels:
        pytest.skip(f"{task.id}: its answers are not a closed list")
    golds = Counter(item.gold for item in parts(task)["main"])
    assert set(golds) == set(labels)
    assert max(golds.values()) / golds.total() <= LARGEST_SHARE


@every_task
def test_the_words_shown_for_a_coded_field_are_all_met_in_the_main_items(task: Task) -> None:
    for field in task.fields:
        met = {item.fields[field.name] for item in parts(task)["main"]}
        assert set(field.values) <= met


@every_task
def test_the_prompt_uses_every_shown_text_and_nothing_unknown(task: Task) -> None:
    for language in languages():
        used = {name for _, name, _, _ in Formatter().parse(task.own_prompt(language)) if name is not None}
        assert used <= PLACES | {field.name for field in task.fields if field.above_question}
        assert used >= {"answer_format"} | {
            field.name for field in task.fields if field.above_question and not field.optional
        }


@every_task
def test_models_are_asked_in_russian_and_in_english(task: Task) -> None:
    russian, english = task.own_prompt("ru"), task.own_prompt("en")
    if not re.search(r"[^\W\d_]", re.sub(r"\{[^{}]*\}", "", russian)):
        return  # its own words are those of no language
    assert not isinstance(task.prompt, str)
    assert russian != english
    assert not re.search("[а-яё]{3}", re.sub(r"«[^»]*»|\{\{.*?\}\}|→.*", "", english))


@every_task
def test_everything_people_read_is_there_in_both_languages_and_differs(task: Task) -> None:
    fields = [field.title for field in task.fields]
    values = [words for field in task.fields for words in field.values.values()]
    for wording in [task.title, task.description, task.instruction, task.question, *fields, *values]:
        assert all(wording.within(language).strip() for language in languages())
        assert wording.within("ru") != wording.within("en")


@every_task
def test_a_snapshot_gives_the_same_task_back(task: Task) -> None:
    assert from_dict(as_dict(task)) == task


@every_task
def test_the_gold_written_as_a_model_is_asked_to_is_read_back(task: Task) -> None:
    wrong = []
    for item in everything(task):
        if item.gold is None:
            continue
        asked = task.answer_for(item.fields)
        best = asked.best(item.gold, item.fields)
        for language in languages():
            reply = asked.show(best, item.fields, language)
            if asked.parse(reply, item.fields) != best or not asked.right(best, item.gold, item.fields):
                wrong.append((item.id, reply))
    assert wrong == []


def test_the_columns_of_the_real_parus_log_become_the_fields_of_the_task(shared: Path) -> None:
    task = get_task("rsg/parus")
    rows, problems = read_rows(shared / "toloka_logs" / "PARus" / "assign_PARus.tsv")
    inputs = [{name.removeprefix("INPUT:"): cell for name, cell in row.values.items()} for row in rows]
    read = [renamed(values, task) for values in inputs]
    assert problems == []
    assert len(read) == 1500
    assert all({field.name for field in task.fields} <= set(row) for row in read)
    assert Counter(row["question"] for row in read) == {"cause": 750, "effect": 750}
    assert [(row["choice1"], row["choice2"]) for row in read] == [(row["sent1"], row["sent2"]) for row in inputs]


def test_the_real_parus_gold_is_read_without_a_problem_and_names_its_answers(shared: Path) -> None:
    items, problems = check_items(shared / "toloka_logs" / "PARus" / "gold.csv", get_task("rsg/parus"))
    assert problems == []
    assert len(items) == 500
    assert {item.gold for item in items} == {"0", "1"}


def test_no_parus_sample_repeats_a_sentence_of_the_real_test_set(shared: Path) -> None:
    task = get_task("rsg/parus")
    names = ("premise", "choice1", "choice2")
    real = read_items(shared / "toloka_logs" / "PARus" / "gold.csv", task)
    published = {item.fields[name] for item in real for name in names}
    assert {item.fields[name] for item in everything(task) for name in names} & published == set()


def repeated(values: Iterable[Hashable]) -> list[Hashable]:
    """Return what stands in `values` more than once."""
    return [value for value, times in Counter(values).items() if times > 1]
