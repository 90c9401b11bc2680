"""What stands in for a mistake in the values of a task file, so that they are read on and it hides no other."""

from typing import Any

from pydantic_core import ErrorDetails

from data.wording import REQUESTERS_READ, languages

SOME_WORDS = {REQUESTERS_READ: "…"}
ANY_ANSWER = {"kind": "text"}
MISSING: dict[str, Any] = {
    "id": "task", "title": SOME_WORDS, "question": SOME_WORDS, "instruction": SOME_WORDS, "explanation": SOME_WORDS,
    "metrics": ["accuracy"], "fields": {}, "answer": "", "field": "",
}  # fmt: skip
"""What stands in for a key that is missing, wherever it is."""
WRONG: dict[str, Any] = {
    "string_type": "", "int_type": 1, "float_type": 1.0, "bool_type": False, "tuple_type": [], "mapping_type": {},
    "dict_type": SOME_WORDS, "literal_error": "plain", "no_language": SOME_WORDS,
}  # fmt: skip
"""What stands in for a value of another kind, by pydantic's name for the mistake."""


def mended(held: dict[str, Any], at: tuple[str | int, ...], error: ErrorDetails) -> bool:
    """Put something right in the place of a mistake, `at` the end of a way; tell whether there is such a thing."""
    kind = error["type"]
    if not at or _of_a_name(at, kind):
        return False
    if at[0] == "answer" and kind != "unexpected_keyword_argument":
        held["answer"] = ANY_ANSWER
        return True
    around: Any = held
    for step in at[:-1]:
        around = around[step]
    last: Any = at[-1]
    if kind == "unexpected_keyword_argument":
        del around[last]
    elif kind == "language":
        around[last] = {code: text for code, text in around[last].items() if code in languages()} or SOME_WORDS
    elif at[0] == "fields" and kind == "value_error":
        around[last] = {"name": around[last]["name"], "title": SOME_WORDS}
    elif kind == "missing" and last in MISSING:
        around[last] = MISSING[last]
    elif kind == "tuple_type" and isinstance(error["input"], str):
        around[last] = [error["input"]]
    elif kind in WRONG:
        around[last] = WRONG[kind]
    else:
        return False
    return True


def _of_a_name(at: tuple[str | int, ...], kind: str) -> bool:
    """Tell whether a mistake leaves open what a field is called: then nothing can be said of what names fields."""
    return at[0] == "fields" and (at[2:3] == ("name",) or (len(at) < 3 and kind != "value_error"))
