"""The five examples that MERA's description of the exam prints, graded right, partly and wrong in both modes."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from data.catalogue.catalog import get_task
from data.files.item_files import read_items
from data.task import Item
from eval.metrics.use_points import points, published_points

USE = get_task("use")
KINDS = (
    "text",
    "matching",
    "multiple_choice_based_on_text",
    "multiple_choice_options_within_text",
    "multiple_choice_independent_options",
)
# A raw reply to each: its points by the rules of the exam, and by the published script.
GRADED: Mapping[str, list[tuple[str, int, int]]] = {
    "text": [
        ("праздничного", 1, 1),
        ("Праздничного.", 1, 1),
        ("«праздничного»", 1, 1),
        ("праздного", 0, 0),
        ("праздничный", 0, 0),
    ],
    "matching": [
        ("8,1,9,7", 4, 4),
        ("8, 1, 9, 7", 4, 1),
        ("8,1,7,9", 2, 2),
        ("1,8,7,9", 0, 0),
        ("8,1,9", 0, 0),  # it does not say which of the four places is empty
    ],
    "multiple_choice_based_on_text": [
        ("1,3", 1, 1),
        ("3,1", 1, 1),
        ("3, 1", 1, 0),
        ("1", 0, 0),
        ("1,2,3", 0, 0),
        ("2,4", 0, 0),
    ],
    "multiple_choice_options_within_text": [("1,2", 1, 1), ("2,1", 1, 1), ("1,2,3", 0, 0), ("3", 0, 0)],
    "multiple_choice_independent_options": [("9", 1, 1), ("9)", 1, 0), ("8", 0, 0), ("8,9", 0, 0)],
}


@pytest.fixture(scope="module")
def records(shared: Path) -> dict[str, dict[str, Any]]:
    """The records as they stand in the description, by their kind."""
    told = next((shared.parent / "seeds").glob("001_*.txt")).read_text("utf8")
    found = re.findall(r"^Example from the dataset for (\w+) task:\n\n(\{\n.*?^\})", told, re.MULTILINE | re.DOTALL)
    return {kind: json.loads(record) for kind, record in found}


@pytest.fixture(scope="module")
def items(records: dict[str, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Item]:
    """The same, read by the reader of the task from a file as MERA distributes them."""
    file = tmp_path_factory.mktemp("mera") / "dev.json"
    file.write_text(json.dumps(list(records.values()), ensure_ascii=False), "utf8")
    return {item.fields["type"]: item for item in read_items(file, USE)}


def test_there_is_an_example_of_each_of_the_five_kinds(items: dict[str, Item]) -> None:
    assert tuple(items) == KINDS


@pytest.mark.parametrize(
    ("kind", "reply", "corrected", "published"),
    [(kind, *graded) for kind, replies in GRADED.items() for graded in replies],
)
def test_a_reply_is_graded_by_the_rules_and_as_published(
    items: dict[str, Item], records: dict[str, dict[str, Any]], kind: str, reply: str, corrected: int, published: int
) -> None:
    item, record = items[kind], records[kind]
    read = USE.answer_for(item.fields).parse(reply, item.fields)
    assert points(USE.answer, item.fields, item.gold or "", read) == (corrected, record["meta"]["score"])
    number = str(record["meta"]["id_task"])
    assert published_points(kind=kind, number=number, gold=record["outputs"], given=reply) == published


def test_a_variant_of_these_five_alone_has_points_and_no_grade(items: dict[str, Item]) -> None:
    most = sum(points(USE.answer, item.fields, item.gold or "", None)[1] for item in items.values())
    assert most == 8
    assert len({item.fields["variant"] for item in items.values()}) == 5, "they come from five variants"
