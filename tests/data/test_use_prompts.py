"""USE as it is asked and split: ten prompts for each type of item, worked examples, groups of items."""

import json
from pathlib import Path
from string import Formatter

import pytest

from baseline.models.prompts import messages
from data.catalogue.catalog import get_task, samples
from data.files.item_files import read_items
from data.task import Item
from data.unified_state_exam import SKILLS

USE = get_task("use")
VARIANT = [item for item in samples(USE) if item.role == "main"]


def read(tmp_path: Path, *numbers: str) -> list[Item]:
    """Return items of the exam tasks of these numbers, read from records as MERA writes them."""
    records = [
        {
            "instruction": "{task}",
            "inputs": {"task": "Выпишите слово.", "text": "Снег.", "choices": "", "additional_text": ""},
            "outputs": "снег",
            "meta": {"id_task": number, "variant": 1, "score": 1, "type": "text", "id": place},
        }
        for place, number in enumerate(numbers)
    ]
    file = tmp_path / "use.json"
    file.write_text(json.dumps(records, ensure_ascii=False), "utf8")
    return read_items(file, USE)


@pytest.mark.parametrize("item", [pytest.param(item, id=item.fields["id_task"]) for item in VARIANT])
def test_every_prompt_holds_all_that_people_see(item: Item) -> None:
    shown = [item.fields[name] for name in ("text", "additional_text", "task") if item.fields[name]]
    shown += [option.words.within("ru") for option in USE.answer.options(item.fields)] if item.fields["choices"] else []
    for variant in range(11):
        (message,) = messages(USE, item.public(), variant)
        assert [text for text in shown if text not in message["content"]] == []


def test_each_type_of_item_has_ten_prompts_of_its_own_with_the_same_places() -> None:
    assert USE.variants_by == "type"
    kinds = next(field for field in USE.fields if field.name == "type").values
    assert set(USE.variants) == set(kinds)
    assert [len(prompts) for prompts in USE.variants.values()] == [10] * 5
    everything = [
        USE.own_prompt("ru"),
        USE.own_prompt("en"),
        *(prompt for prompts in USE.variants.values() for prompt in prompts),
    ]
    assert len(set(everything)) == 52
    places = [sorted(name for _, name, _, _ in Formatter().parse(prompt) if name) for prompt in everything]
    assert places == [["additional_text", "answer_format", "instruction", "options", "question", "text"]] * 52


def test_items_fall_into_groups_by_exam_task_type_and_skill(tmp_path: Path) -> None:
    by_task, by_type, by_skill = USE.breakdowns[:3]
    part, third, odd = read(tmp_path, "8_3", "3", "27")
    assert [by_task.groups(item.fields) for item in (part, third)] == [("8",), ("3",)]
    assert by_type.groups(part.fields) == ("text",)
    assert [by_skill.groups(item.fields) for item in (part, third)] == [("grammar",), ("vocabulary", "text analysis")]
    assert {group for item in VARIANT for group in by_skill.groups(item.fields)} == set(SKILLS)
    assert all(USE.shown("skill", group).within("en") != USE.shown("skill", group).within("ru") for group in SKILLS)
    assert by_skill.groups(odd.fields) == ()


def test_the_worked_examples_ask_in_three_ways() -> None:
    asked = [example.fields["type"] for example in USE.examples]
    assert asked == ["text", "multiple_choice_options_within_text", "matching"]
