"""What every answer type promises, to be held against answers of any of them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import TypeAdapter

from data.answers import AnyAnswer, answer_values
from data.answers.answer_type import AnswerType, Typed
from data.errors import BadAnswer


def answer_of(values: Mapping[str, Any]) -> AnswerType:
    """Return the answer type that plain data describe."""
    found: AnswerType = TypeAdapter(AnyAnswer).validate_python(values)
    return found


class Strange:
    """A value of no known kind, with a name that does not change from run to run."""

    def __repr__(self) -> str:
        return "something strange"


HOSTILE: list[object] = [
    None,
    "",
    " ",
    "\0",
    "\ud800",
    "[",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    '["\\u0000"]',
    "null",
    "NaN",
    "1e999",
    "-",
    "-1",
    "99999999999999999999",
    "0x1",
    "١",
    "²",
    "1_000",
    "<b>",
    "а" * 100_000,
    "[" * 100_000,
    "9" * 100_000,
    True,
    False,
    0,
    -1,
    7,
    10**400,
    1.5,
    float("nan"),
    float("inf"),
    -0.0,
    [],
    [[]],
    [None],
    [{}],
    ["\0"],
    [1.5],
    [True],
    {},
    {"answer": 1},
    {"0": "1"},
    ["0"] * 1000,
    ("0",),
    b"0",
    {"0"},
    Strange(),
]


def keeps_its_promises(asked: AnswerType, fields: Mapping[str, str], answer: str) -> None:
    """Hold a canonical answer against the contract of `AnswerType`."""
    assert asked.validate(answer, fields) == answer
    assert asked.parse(asked.show(answer, fields), fields) == answer
    units = asked.units(answer, fields)
    assert len(dict(units)) == len(units), "every unit has a name of its own"
    assert asked.join(dict(units), fields) == answer
    assert asked.folded(asked.folded(answer)) == asked.folded(answer)
    words = asked.words(answer, fields)
    assert words.within("ru").strip() != "" != words.within("en").strip()
    assert "\n" not in words.within("ru") + words.within("en")
    gold = asked.gold([answer] if isinstance(asked, Typed) else answer, fields)
    assert asked.gold(gold, fields) == gold
    assert asked.best(gold, fields) == answer
    assert asked.right(answer, gold, fields)
    assert asked.gold_words(gold, fields) == words
    hash(asked.content(answer))


def is_described(asked: AnswerType) -> None:
    """Hold the plain data of a type against the type."""
    plain = json.loads(json.dumps(answer_values(asked)))
    assert plain["kind"] == asked.kind
    assert answer_of(plain) == asked


def takes_or_refuses(asked: AnswerType, fields: Mapping[str, str], value: object) -> None:
    """Hold that a value is a canonical answer or a mistake with a sentence, never a breakdown."""
    try:
        answer = asked.validate(value, fields)
    except BadAnswer:
        return
    assert asked.validate(answer, fields) == answer


def refuses(asked: AnswerType, fields: Mapping[str, str], value: object, code: str) -> None:
    """Hold that a value is a certain mistake."""
    with pytest.raises(BadAnswer) as mistake:
        asked.validate(value, fields)
    assert mistake.value.code == code
