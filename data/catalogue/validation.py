"""All that is wrong with the values of a task file: behind a mistake it is read on with what stands in for it."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from data.catalogue.families import FamilyFile, family_adapter
from data.catalogue.key_faults import KeyPath, faults_of, key_name, place_of
from data.catalogue.serialization import from_dict
from data.errors import Fault, UnknownName
from data.formats import formats
from data.task import Task
from data.wording import REQUESTERS_READ, Language, languages

ORDER = {"unexpected_keyword_argument": 0, "missing": 1}
MOST_ROUNDS = 9
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


def validated(values: Mapping[str, Any]) -> tuple[Task | None, list[Fault]]:
    """Return the task that the values of a file describe, None where they describe none, and all that is wrong."""
    if forbidden := [*_forbidden(values, (), values)]:
        return None, forbidden
    task, faults = _read(values)
    return task, [*faults, *_refused(values)]


def untranslated(values: Mapping[str, Any]) -> dict[Language, list[str]]:
    """Return the texts of a task file that lack words in a language which other texts of it have, by the language."""
    texts = dict(_texts(values, ()))
    present = sorted({code for text in texts.values() for code in text})
    lacking = {code: [key_name(at, values) for at, text in texts.items() if code not in text] for code in present}
    return {code: names for code, names in lacking.items() if names}


def _texts(value: Any, at: KeyPath) -> Iterator[tuple[KeyPath, Mapping[str, str]]]:
    """Yield the texts by language in the values of a file, each with the way to it."""
    if (
        isinstance(value, dict)
        and value
        and all(code in languages() and isinstance(value[code], str) for code in value)
    ):
        yield at, value
        return
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in inner:
        yield from _texts(member, (*at, step))


def family_faults(values: Mapping[str, Any]) -> list[Fault]:
    """Return everything that is wrong with what a `family.toml` says of its benchmark."""
    try:
        family_adapter().validate_python(values, context=languages())
    except ValidationError as error:
        return [fault for detail in error.errors(include_url=False) for fault in faults_of(detail, values, FamilyFile)]
    return []


def _read(values: Mapping[str, Any]) -> tuple[Task | None, list[Fault]]:
    """Return the task that values describe, or None and all that is wrong with them, what follows from it left out.

    What is unknown comes first, then what is missing. Behind a mistake it is read on with what stands in for it.
    """
    held, faults = deepcopy(dict(values)), list[Fault]()
    for _ in range(MOST_ROUNDS):
        try:
            task = from_dict(held, known=languages())
        except ValidationError as error:
            details = sorted(error.errors(include_url=False), key=lambda detail: ORDER.get(detail["type"], len(ORDER)))
            met = [fault.at for fault in faults if fault.at]
            said = [fault for detail in details for fault in faults_of(detail, held)]
            faults += [fault for fault in said if not any(fault.at[: len(at)] == at for at in met)]
            places = [place_of(detail, held) for detail in details]
            if not all([_repair(held, at, detail) for at, detail in zip(places, details, strict=True)]):  # noqa: C419 - mends all
                break
        else:
            return (None, faults) if faults else (task, [])
    return None, faults


def _repair(held: dict[str, Any], at: tuple[str | int, ...], error: ErrorDetails) -> bool:
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


def _refused(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what no new task may say; in stored ones it may stand."""
    name = values.get("file_format")
    if isinstance(name, str) and name and name not in formats():
        yield Fault(("file_format",), str(UnknownName("file format", name, formats())))
    variants = values.get("variants")
    if isinstance(variants, dict) and not values.get("variants_by"):
        for value in filter(None, variants):
            said = f"the wordings under {value!r} are asked for by nothing; name the field of that value in variants_by"
            yield Fault(("variants", value), said)
    splits = values.get("splits")
    for split, number in splits.items() if isinstance(splits, dict) else ():
        if isinstance(number, int) and number < 0:
            yield Fault(("splits", split), f"splits.{split} is {number}; a number of items is 0 or more")
    yield from _equal_labels(values.get("answer"), ("answer",))


def _equal_labels(answer: object, at: KeyPath) -> Iterator[Fault]:
    """Yield the labels of an answer, and of the answers in it, whose words nobody could tell apart."""
    if not isinstance(answer, dict):
        return
    choices, met = answer.get("choices"), dict[tuple[str, str], str]()
    for label, words in choices.items() if isinstance(choices, dict) else ():
        for code, text in words.items() if isinstance(words, dict) else ():
            other = met.setdefault((code, str(text).strip()), label)
            if other != label:
                said = f"{other!r} and {label!r} are both read as {text!r}; give each words of its own"
                yield Fault((*at, "choices", label, code), said)
    parts, types = answer.get("parts"), answer.get("types")
    for place, part in enumerate(parts) if isinstance(parts, list) else ():
        if isinstance(part, dict):
            yield from _equal_labels(part.get("answer"), (*at, "parts", place, "answer"))
    for value, answer_type in types.items() if isinstance(types, dict) else ():
        yield from _equal_labels(answer_type, (*at, "types", value))


def _forbidden(value: Any, at: KeyPath, values: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the texts with characters that no database can keep."""
    if isinstance(value, str) and any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value):
        yield Fault(at, f"{key_name(at, values)} has a character that no database can keep; remove it")
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in inner:
        yield from _forbidden(member, (*at, step), values)
        yield from _forbidden(step, at, values) if isinstance(step, str) else ()
