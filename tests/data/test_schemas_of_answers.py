"""Structured output: the JSON schema of every task's answers allows the right ones, and what keeps to it is read."""

import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from data.answers.answer_type import AnswerType, packed
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.form import Form, Part
from data.answers.number import Number
from data.answers.sequence import Sequence
from data.answers.spans import Element, Spans
from data.answers.text import Text
from data.catalogue.catalog import get_task, samples, tasks
from data.wording import same

Schema = Mapping[str, Any]


def keeps_to(schema: Schema, value: object) -> bool:
    """Whether a value is what a schema of the few forms that are used allows."""
    if "anyOf" in schema:
        return any(keeps_to(one, value) for one in schema["anyOf"])
    kind = schema["type"]
    if kind == "object":
        return (
            isinstance(value, dict)
            and schema["additionalProperties"] is False
            and set(value) == set(schema["required"]) == set(schema["properties"])
            and all(keeps_to(schema["properties"][key], one) for key, one in value.items())
        )
    if kind == "array":
        return isinstance(value, list) and all(keeps_to(schema["items"], one) for one in value)
    types: dict[str, Any] = {"string": str, "integer": int, "number": (int, float), "null": type(None)}
    return isinstance(value, types[kind]) and value in schema.get("enum", [value])


def some(schema: Schema, chance: random.Random) -> Any:
    """Return a value that a schema allows."""
    if "anyOf" in schema:
        return some(chance.choice(schema["anyOf"]), chance)
    if schema["type"] == "object":
        return {key: some(one, chance) for key, one in schema["properties"].items()}
    if schema["type"] == "array":
        return [some(schema["items"], chance) for _ in range(chance.randrange(4))]
    if schema["type"] == "null":
        return None
    if schema["type"] in ("integer", "number"):
        return chance.randrange(100)
    return chance.choice(schema["enum"]) if "enum" in schema else chance.choice(["да", "", "1799 год", "{", "<think>"])


@pytest.mark.parametrize("name", sorted(tasks()))
def test_what_keeps_to_a_tasks_schema_is_read_or_refused_and_its_closed_lists_are_always_read(name: str) -> None:
    task, chance = get_task(name), random.Random(name)
    for item in samples(task)[:3]:
        answer, fields = task.answer_for(item.fields), item.fields
        schema = answer.schema(fields)
        assert json.loads(json.dumps(schema)) == schema
        for _ in range(10):
            value = some(schema, chance)
            assert keeps_to(schema, value)
            read = answer.parse(json.dumps(value, ensure_ascii=False), fields)
            # A model may leave out parts without gold, which people may not.
            partly = any(part.without_gold for part in getattr(answer, "parts", ()))
            assert read is None or partly or answer.validate(read, fields) == read
            if isinstance(answer, Choice):
                assert read is not None
                assert answer.show(read, fields) == value["answer"]


def choices(least: int = 1) -> Choices:
    return Choices(choices={"a": same("кот"), "b": same("пёс"), "c": same("сыч")}, least=least)


TEXT = {"text": "Маша читает книгу, а Петя журнал."}
SPANS = Spans("text", (Element("v", same("глагол"), "1"), Element("n", same("имя"), "2")), none=same("нет"))
FORM = Form(
    (
        Part("sense", same("Смысл"), choices(0)),
        Part("year", same("Год"), Number(whole=True), when=("sense", '["a"]')),
        Part("why", same("Почему"), Text(), scored=False),
    )
)
ASKED = {"asked": packed([{"question": "Кто?"}, {"question": "Что?"}])}
OVER = Form((Part("who", same("Кто"), choices(0)),), over="asked", carries=("question",))


@pytest.mark.parametrize(
    ("answer", "fields", "reply", "read"),
    [
        (choices(), {}, {"answer": ["1", "3"]}, '["a","c"]'),
        (choices(0), {}, {"answer": []}, "[]"),
        (Number(), {}, {"answer": -1.5}, "-1.5"),
        (Number(whole=True), {}, {"answer": 12000}, "12000"),
        (Text(), {}, {"answer": "Ответ: <think>"}, "Ответ: <think>"),
        (Sequence(positions=("А", "Б")), {}, {"answer": ["2", "1"]}, '["2","1"]'),
        (Sequence(ordered=False), {}, {"answer": ["3", "1"]}, '["1","3"]'),
        (SPANS, TEXT, {"v": ["читает"], "n": []}, '{"v":[[5,11]]}'),
        (SPANS, TEXT, {"v": [], "n": []}, "{}"),
        (FORM, {}, {"sense": ["1"], "year": 1799}, '{"sense":"[\\"a\\"]","year":"1799"}'),
        (FORM, {}, {"sense": [], "year": None}, '{"sense":"[]"}'),
        (OVER, ASKED, {"1": {"who": ["1", "2"]}, "2": {"who": []}}, '[{"who":"[\\"a\\",\\"b\\"]"},{"who":"[]"}]'),
    ],
)
def test_an_answer_as_its_schema_has_it_is_read(
    answer: AnswerType, fields: dict[str, str], reply: object, read: str
) -> None:
    assert keeps_to(answer.schema(fields), reply)
    assert answer.parse(json.dumps(reply, ensure_ascii=False), fields) == read


@pytest.mark.parametrize(
    "reply", ['{"answer": ["4"]}', '{"verdict": ["1"]}', '{"answer": ["1"', '{"answer": {"a": 1}}', "{}"]
)
def test_what_does_not_keep_to_it_is_not_guessed_at(reply: str) -> None:
    assert choices().parse(reply, {}) is None
