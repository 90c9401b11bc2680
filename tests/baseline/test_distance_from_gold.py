"""How far numbers are from the right ones, by hand, in `human` and beside models in `results`."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import Result

from data.answers.number import Number
from data.answers.rating import Rating
from data.errors import BadTask
from eval.distance_from_gold import distances_of_people
from eval.gold import TaskItems
from eval.panel import PanelRules, StudyData, panel

OFF = {"w1": 1.0, "w2": -2.0, "w3": 6.0}
"""How far everybody's numbers are from the right ones, on each item."""


@pytest.fixture
def study(command: Callable[..., Result], tmp_path: Path) -> str:
    log, model = tmp_path / "log.csv", tmp_path / "near.jsonl"
    rows = [f"q{n},{worker},{10 * n + off},{10 * n}\n" for n in range(12) for worker, off in OFF.items()]
    log.write_text("item,worker,answer,gold\n" + "".join(rows), "utf8")
    model.write_text("".join(json.dumps({"id": f"q{n}", "answer": str(10 * n + n % 2)}) + "\n" for n in range(12)))
    assert command("import-log", "n", log, "--scale", "interval", "--gold-column", "gold").exit_code == 0
    assert command("import-run", "n", model, "--from", "jsonl", "--model", "near").exit_code == 0
    return "n"


def note(result: Result, words: str) -> str:
    (note,) = (line for line in json.loads(result.stdout)["notes"] if words in line)
    return str(note)


def test_people_of_numbers_are_as_far_from_the_right_ones_as_by_hand(
    command: Callable[..., Result], study: str
) -> None:
    # Mean of 1, 2 and 6 is 3; of their squares 41 / 3, whose root is 3.697. The median is 1 above everywhere.
    alone = note(command("human", study, "--consensus", "median", "--json"), "There is no score against gold")
    assert "people's one answer 1.000 (" in alone
    assert "and 1.000 (" in alone
    assert "people one at a time 3.000 (" in alone
    assert "and 3.697 (" in alone
    assert alone.count("(12 items)") == 2


def test_models_stand_beside_them(command: Callable[..., Result], study: str) -> None:
    # Half of the model's numbers are right, the others are 1 off: the root mean square error is the root of 1/2.
    shown = command("results", study, "--details").stdout
    assert "So far are models from the right numbers: near 0.500 (" in shown
    assert "and 0.707 (" in shown


def test_measured_numbers_have_no_accuracy_and_it_is_said_why(command: Callable[..., Result], study: str) -> None:
    human = json.loads(command("human", study, "--json").stdout)
    assert human["scores"]["majority"] == human["scores"]["individual"] == {}
    shown = command("human", study, "--details").stdout
    assert "majority of" not in shown
    assert "accuracy  " not in shown
    results = command("results", study, "--details").stdout
    assert "accuracy  " not in results
    assert "There is no score against gold: answers are measured numbers" in results
    for text in (shown, results):
        assert "No gold is known" not in text
        assert "no item has gold" not in text


@pytest.mark.parametrize("measured", [False, True])
def test_numbers_that_are_no_measurements_keep_their_gold(measured: bool) -> None:
    names = ["q1", "q2"]
    rows = [(name, worker, "3") for name in names for worker in ("ann", "bob")]
    judgments = pd.DataFrame(rows, columns=["item", "worker", "label"])
    judgments = judgments.assign(role="main", status="counted", reason="")
    items = pd.DataFrame({"item": names, "role": "main", "gold": ['["3"]', '["5"]']})
    asked = TaskItems(Number(measured=measured), {name: {} for name in names})
    people = panel(StudyData(judgments, items, asked=asked), PanelRules(), draws=50)
    right = {"q1": '["3"]', "q2": '["5"]'}
    assert (dict(people.gold), dict(people.right_numbers)) == (({}, right) if measured else (right, {}))
    assert bool(people.why_no_scores) is measured
    (sentence,) = distances_of_people(people)
    assert sentence.startswith("There is no score against gold" if measured else "Answers are numbers, and accuracy")
    assert "people one at a time 1.000" in sentence


def test_a_number_that_is_a_name_is_no_measurement() -> None:
    with pytest.raises(BadTask, match="a name is no measurement"):
        Number(name=True, measured=True)


def test_ratings_are_as_far_from_the_right_points_as_by_hand() -> None:
    # Both are one point off at every other item, and equal at the others: mean error 1/2, root of the squares √½.
    rows = [(f"q{n}", worker, str(3 + n % 2)) for n in range(12) for worker in ("ann", "bob")]
    judgments = pd.DataFrame(rows, columns=["item", "worker", "label"])
    judgments = judgments.assign(role="main", status="counted", reason="")
    names = [f"q{n}" for n in range(12)]
    items = pd.DataFrame({"item": names, "role": "main", "gold": "3"})
    scale = Rating(1, 5)
    asked = TaskItems(scale, {name: {} for name in names})
    people = panel(StudyData(judgments, items, labels=scale.labels(), asked=asked), PanelRules(), draws=50)
    (sentence,) = distances_of_people(people)
    assert "people's one answer 0.500 (" in sentence
    assert "people one at a time 0.500 (" in sentence
    assert "and 0.707 (" in sentence
