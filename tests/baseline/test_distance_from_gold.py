"""How far numbers are from the right ones, by hand, in `human` and beside models in `results`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

OFF = {"w1": 1.0, "w2": -2.0, "w3": 6.0}
"""How far everybody's numbers are from the right ones, on each item."""


@pytest.fixture
def study(command: Callable[..., Result], tmp_path: Path) -> str:
    log, model = tmp_path / "log.csv", tmp_path / "near.jsonl"
    rows = [f"q{n},{worker},{10 * n + off},{10 * n}\n" for n in range(12) for worker, off in OFF.items()]
    log.write_text("item,worker,answer,gold\n" + "".join(rows), "utf8")
    model.write_text("".join(json.dumps({"id": f"q{n}", "answer": str(10 * n + n % 2)}) + "\n" for n in range(12)))
    assert command("import-log", "n", log, "--scale", "interval").exit_code == 0
    assert command("import-run", "n", model, "--from", "jsonl", "--model", "near").exit_code == 0
    return "n"


def note(result: Result, words: str) -> str:
    (note,) = (line for line in json.loads(result.stdout)["notes"] if words in line)
    return str(note)


def test_people_of_numbers_are_as_far_from_the_right_ones_as_by_hand(
    command: Callable[..., Result], study: str
) -> None:
    # Mean of 1, 2 and 6 is 3; of their squares 41 / 3, whose root is 3.697. The median is 1 above everywhere.
    alone = note(command("human", study, "--consensus", "median", "--json"), "accuracy counts those that are equal")
    assert "people's one answer 1.000 (" in alone
    assert "and 1.000 (" in alone
    assert "people one at a time 3.000 (" in alone
    assert "and 3.697 (" in alone
    assert alone.count("(12 items)") == 2


def test_models_stand_beside_them(command: Callable[..., Result], study: str) -> None:
    # Half of the model's numbers are right, the others are 1 off: the root mean square error is the root of 1/2.
    shown = command("results", study).stdout
    assert "So far are models from the right numbers: near 0.500 (" in shown
    assert "and 0.707 (" in shown
