"""What every task of the catalogue must do: be drawn, prompt, take right answers for the best and random ones for what
chance gives; and the list that `tasks` prints.
"""

import json
from collections.abc import Mapping
from functools import cache
from random import Random
from string import Formatter

import pytest
from typer.testing import CliRunner

from app import cli
from baseline.human.baseline import clusters_of
from baseline.models.prompts import messages
from data.answers.choice import Choice
from data.catalogue.catalog import samples, tasks
from data.catalogue.families import families
from data.drawing.answer_form import draw_form
from data.task import Item, Task
from data.wording import languages
from eval import ballots
from eval.gold import TaskItems, gold_of
from eval.intervals.clusters import Resampling
from eval.metrics.table import metric_named
from eval.scoring import score

TASKS = [pytest.param(task, id=task.id) for task in tasks().values()]
JUDGED = [pytest.param(task, id=task.id) for task in tasks().values() if task.answer.has_right]
CHOSEN = [pytest.param(task, id=task.id) for task in tasks().values() if isinstance(task.answer, Choice)]
DRAWS = 400
WORDINGS, EXAM_WORDINGS = 3, 10


@cache
def items_of(task_id: str) -> tuple[Item, ...]:
    """The sample items of a task that have gold; for training and controls the role stands before the id."""
    found = samples(tasks()[task_id])
    return tuple(Item(f"{item.role}-{item.id}", item.fields, item.gold) for item in found if item.gold is not None)


def scores(task: Task, given: Mapping[str, str]) -> dict[str, float]:
    """The task's metrics of one answer to each sample item."""
    items = items_of(task.id)
    fields = {item.id: item.fields for item in items}
    gold = gold_of({item.id: item.gold or "" for item in items}, TaskItems(task.answer, fields))
    said = ballots.answers(given, items=tuple(given), labels=task.answer.labels() or None)
    found = score(task.metrics, gold, said, Resampling(clusters_of(task, fields), draws=2))
    return {name: estimate.value for name, estimate in found.items()}


def pairs_of_words(answers: Mapping[str, str]) -> float:
    """The share of answers with two words or more."""
    return sum(len(text.split()) > 1 for text in answers.values()) / len(answers)


def test_the_command_lists_every_task_of_the_five_families() -> None:
    told = CliRunner().invoke(cli, ["tasks", "--json"])
    listed = {task["id"] for task in json.loads(told.stdout)["tasks"]}
    of_families = {name for family in families().values() for name in family.tasks}
    assert (len(of_families), of_families - listed) == (43, set())
    plain = CliRunner().invoke(cli, ["tasks"]).stdout
    assert all(name in plain for name in of_families)


@pytest.mark.parametrize("task", JUDGED)
def test_right_answers_score_best_and_chance_scores_less(task: Task) -> None:
    asked = {item.id: task.answer_for(item.fields) for item in items_of(task.id)}
    best = {item.id: asked[item.id].best(item.gold or "", item.fields) for item in items_of(task.id)}
    random = Random(7)
    drawn = {item.id: asked[item.id].draw(item.fields, random) for item in items_of(task.id)}
    right, chance = scores(task, best), scores(task, drawn)
    for name in task.official or task.metrics:
        if metric_named(name).full_cluster is None:
            # The published epsilon keeps the symbol-wise F from one, and one word alone has no pair of words.
            highest = pairs_of_words(best) if name == "rouge_2" else metric_named(name).high
            assert right[name] == pytest.approx(highest, abs=1e-6), name
            assert chance[name] < right[name], name


@pytest.mark.parametrize("task", CHOSEN)
def test_a_random_answer_is_right_as_often_as_there_are_options(task: Task) -> None:
    random, hits, expected, asked = Random(3), 0, 0.0, 0
    for _ in range(DRAWS):
        for item in items_of(task.id):
            of_item = task.answer_for(item.fields)
            hits += of_item.right(of_item.draw(item.fields, random), item.gold or "", item.fields)
            expected += 1 / len(of_item.options(item.fields))
            asked += 1
    chance = expected / asked
    # Five standard errors: what chance itself does once in a million times.
    assert abs(hits / asked - chance) < 5 * (chance * (1 - chance) / asked) ** 0.5


@pytest.mark.parametrize("task", TASKS)
def test_every_item_is_drawn_in_both_languages_with_all_that_is_to_be_seen(task: Task) -> None:
    seen = [field.name for field in task.fields if field.kind in ("plain", "title")]
    for item in samples(task):
        for language in languages():
            drawn = str(draw_form(task, item.public(), language))
            told = [task.shown(name, item.fields[name]).within(language) for name in seen if item.fields[name]]
            assert all(text.split()[0].strip("«»\"'&<>") in drawn for text in told if text.split()), item.id
            assert "data-answer" in drawn or "<fieldset" in drawn or "<input" in drawn, item.id


@pytest.mark.parametrize("task", TASKS)
def test_every_wording_of_the_prompt_asks_for_the_same_item(task: Task) -> None:
    needed = {name for _, name, _, _ in Formatter().parse(task.own_prompt()) if name} - {"instruction", "question"}
    least = EXAM_WORDINGS if task.id == "use" else WORDINGS
    for key, others in task.variants.items():
        templates = [task.own_prompt(), *others]
        assert len(set(templates)) == len(templates) >= least, key
        for template in others:
            named = {name for _, name, _, _ in Formatter().parse(template) if name}
            assert named - {"instruction", "question"} == needed, template
    assert task.variants, "every task has its wordings"
    first = samples(task)[0]
    number = len(task.variants.get(first.fields.get(task.variants_by, "") if task.variants_by else "", ()))
    asked = [messages(task, first.public(), variant)[0]["content"] for variant in range(number + 1)]
    assert len(set(asked)) == number + 1


@pytest.mark.parametrize("task", TASKS)
def test_every_task_says_where_it_comes_from_and_has_worked_examples(task: Task) -> None:
    assert task.examples
    if any(task.id in family.tasks for family in families().values()):
        assert task.source
        assert task.licence
        assert task.splits
        assert task.official
