"""What pydantic finds wrong with a task file, as sentences that name the key and what belongs there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from pydantic_core import ErrorDetails

from data.answers import answer_types
from data.answers.answer_type import AnswerType
from data.errors import BadTask, Fault, UnknownName
from data.task import Task
from data.wording import BY_LANGUAGE, languages

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
    entry = _at(values, (*at, place))
    named = repr(entry["name"]) if isinstance(entry, Mapping) and isinstance(entry.get("name"), str) else place + 1
    parent = next((str(step) for step in reversed(at) if step), "")
    inside = key_name(at[:-1], values) if parent == at[-1] else ""
    entry_name = (
        f"{parent[:-1]} {named}" if parent.endswith("s") and not parent.endswith("ies") else f"{named} of {parent}"
    )
    return f"{entry_name} of {inside}" if inside else entry_name


def _at(values: Any, at: Sequence[str | int]) -> Any:
    for step in at:
        inside = isinstance(values, Mapping) and step in values
        if not inside and not (isinstance(values, Sequence) and isinstance(step, int) and step < len(values)):
            return None
        values = values[step]
    return values


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
