"""All that is wrong with the values of a task file, as sentences: behind a mistake it is read on with a stand-in."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from data.answers import answer_types
from data.answers.answer_type import AnswerType
from data.catalogue.families import FamilyFile, family_adapter
from data.errors import BadTask, Fault, UnknownName
from data.formats import formats
from data.task import Task, from_dict
from data.toml_faults import value_at
from data.wording import BY_LANGUAGE, REQUESTERS_READ, Language, languages

KeyPath = tuple[str | int, ...]
NEEDED = "; a task needs id, title, fields, question, instruction, answer and metrics"
BELONGS = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "mapping_type": "a table of names and values",
    "dataclass_type": "a table of names and values",
    "model_attributes_type": "a table of names and values",
}
"""What belongs where pydantic found something else, by its name for the mistake."""


def key_name(at: Sequence[str | int], values: Any) -> str:
    """Return what a place is called: "title.ru", "title.ru of field 'premise'", "example 2"."""
    *_, last = [n for n, step in enumerate(at) if isinstance(step, int)] or [-1]
    keys = ".".join(map(str, filter(None, at[last + 1 :])))
    if last < 0:
        return keys
    return " of ".join(filter(None, (keys, _entry(at[:last], int(at[last]), values))))


def _entry(at: Sequence[str | int], place: int, values: Any) -> str:
    """Return what an entry of a list is called: by its name, else by its number from 1."""
    entry = value_at(values, (*at, place))
    named = repr(entry["name"]) if isinstance(entry, Mapping) and isinstance(entry.get("name"), str) else place + 1
    parent = next((str(step) for step in reversed(at) if step), "")
    inside = key_name(at[:-1], values) if parent == at[-1] else ""
    one_of_many = parent.endswith("s") and not parent.endswith("ies")
    entry_name = f"{parent[:-1]} {named}" if one_of_many else f"{named} of {parent}"
    return f"{entry_name} of {inside}" if inside else entry_name


def place_of(error: ErrorDetails, values: Any) -> KeyPath:
    """Return the way to a value of the file, without what pydantic names on its way: kinds of answers, BY_LANGUAGE."""
    at: list[str | int] = []
    for step in error["loc"]:
        inside = isinstance(values, dict) and step in values
        if not inside and (step in BY_LANGUAGE or (isinstance(values, dict) and values.get("kind") == step)):
            continue
        at.append(step)
        inside = inside or (isinstance(values, list) and isinstance(step, int) and step < len(values))
        values = values[step] if inside else None
    return tuple(at)


def faults_of(error: ErrorDetails, values: Mapping[str, Any], described: type[Any] = Task) -> list[Fault]:
    """Return the faults that one of pydantic's errors stands for, `described` being what it read."""
    at, kind, context = place_of(error, values), error["type"], error.get("ctx", {})
    if kind == "value_error":
        mistake = context["error"]
        inner = mistake.faults if isinstance(mistake, BadTask) else [Fault((), str(mistake))]
        return [Fault((*at, *fault.at), fault.sentence) for fault in inner]
    if kind == "language":
        return [Fault((*at, context["unknown"]), f"{key_name(at, values)}: {context['sentence']}")]
    if kind == "unexpected_keyword_argument":
        return [Fault(at, _unknown(at, _known(error["loc"], described), values))]
    return [Fault(at, _sentence(error, at, values))]


def _sentence(error: ErrorDetails, at: KeyPath, values: Mapping[str, Any]) -> str:
    kind, context = error["type"], error.get("ctx", {})
    name, where = key_name(at, values), _inside(at, values)
    if kind == "missing":
        return f"{at[-1]!r} is missing{where or NEEDED}"
    if kind == "union_tag_invalid":
        return str(UnknownName("answer type", context["tag"], answer_types()))
    if kind == "union_tag_not_found":
        return f"'kind' is missing in {name}; an answer is one of {', '.join(answer_types())}"
    if kind == "dict_type":
        own = f"{at[-1]}." if isinstance(at[-1], str) else ""
        texts = ", ".join(f'{own}{code} = "…"' for code in languages())
        return f"{name} is {error['input']!r:.60}, not a text in each language: {texts}"
    if kind == "dataclass_type" and at[:-1] == ("fields",) and isinstance(error["input"], str):
        return _only_named(error["input"])
    belongs = f"one of {context['expected']}" if kind == "literal_error" else BELONGS.get(kind)
    value = f"{name} is {error['input']!r:.60}"
    return f"{value}, not {belongs}" if belongs else f"{value}: {error['msg']}"


def _only_named(field: str) -> str:
    return (
        f"the field {field!r} is only named; what it is has to stand in [shared] of a family.toml beside this file, or "
        f'here: {{ name = "{field}", title.ru = "…", title.en = "…" }}'
    )


def _inside(at: KeyPath, values: Mapping[str, Any]) -> str:
    return f" in {key_name(at[:-1], values)}" if len(at) > 1 else ""


def _unknown(at: KeyPath, known: Sequence[str], values: Mapping[str, Any]) -> str:
    """Return what is said of a key that is not known where it stands: the nearest that are, or where it belongs."""
    key = str(at[-1])
    if len(at) == 1 and "answer" in known and any(key in _keys(kind) for kind in answer_types().values()):
        return f"the entry {key!r} belongs to the answer: write answer.{key}, or it below [answer]"
    return str(UnknownName("the entry", key, known)).replace(" is not", f"{_inside(at, values)} is not", 1)


def _keys(described: Any) -> list[str]:
    return [declared.name for declared in fields(described)]


def _known(loc: KeyPath, described: type[Any]) -> list[str]:
    """Return the keys that are known beside the one at the end of the way."""
    known: Any = described
    for step in loc[:-1]:
        if known is AnswerType and step in answer_types():
            known = answer_types()[str(step)]
        elif is_dataclass(known) and isinstance(step, str):
            known = next(_classes(get_type_hints(known).get(step)), known)
    return _keys(known)


def _classes(hint: Any) -> Iterator[Any]:
    if is_dataclass(hint):
        yield hint
    for inner in get_args(hint):
        yield from _classes(inner)


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
