"""What is wrong with the values of a task file: each fault is a sentence that names the key and what belongs there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeGuard, get_args, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from data.answers import answer_types
from data.answers.answer_type import AnswerType
from data.catalogue.serialization import from_dict
from data.errors import BadTask, Fault, UnknownName
from data.formats import format_names
from data.task import Task
from data.wording import BY_LANGUAGE, languages

KeyPath = tuple[str | int, ...]
NEEDED = "; a task needs id, title, fields, question, instruction, answer and metrics"
ORDER = {"unexpected_keyword_argument": 0, "missing": 1}
BELONGS = {
    "string_type": "a text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "mapping_type": "a table of names and values",
    "dict_type": "a table of names and values",
    "dataclass_type": "a table of names and values",
    "model_attributes_type": "a table of names and values",
}
"""What belongs where pydantic found something else, by its name for the mistake."""


def validated(values: Mapping[str, Any]) -> tuple[Task | None, list[Fault]]:
    """Return the task that the values of a file describe, None where they describe none, and all that is wrong.

    What is unknown comes first, then what is missing.
    """
    if forbidden := [*_forbidden(values, ())]:
        return None, forbidden
    file_format = values.get("file_format") or None
    unknown = (
        [Fault(("file_format",), str(UnknownName("file format", file_format, format_names())))]
        if _unknown(file_format)
        else []
    )
    try:
        return from_dict(values, known=languages()), unknown
    except ValidationError as error:
        details = sorted(error.errors(include_url=False), key=lambda detail: ORDER.get(detail["type"], len(ORDER)))
        return None, [*(fault for detail in details for fault in _faults(detail, values)), *unknown]


def _unknown(file_format: object) -> TypeGuard[str]:
    return isinstance(file_format, str) and file_format not in format_names()


def key_name(at: Sequence[str | int]) -> str:
    """Return what a place is called: "fields[0].title.ru"."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in at).removeprefix(".")


def _faults(error: ErrorDetails, values: Mapping[str, Any]) -> list[Fault]:
    """Return the faults that one of pydantic's errors stands for."""
    at, kind, context = _place(error["loc"], values), error["type"], error.get("ctx", {})
    if kind == "value_error":
        mistake = context["error"]
        inner = mistake.faults if isinstance(mistake, BadTask) else [Fault((), str(mistake))]
        return [Fault((*at, *fault.at), fault.sentence) for fault in inner]
    return [Fault(at, _sentence(error, at, kind, context))]


def _sentence(error: ErrorDetails, at: KeyPath, kind: str, context: Mapping[str, Any]) -> str:
    where = f" in {key_name(at[:-1])}" if len(at) > 1 else ""
    if kind == "unexpected_keyword_argument":
        return str(UnknownName("the entry", str(at[-1]), _known(error["loc"]))).replace(" is not", f"{where} is not", 1)
    if kind == "missing":
        return f"{at[-1]!r} is missing{where or NEEDED}"
    if kind == "union_tag_invalid":
        return str(UnknownName("answer type", context["tag"], answer_types()))
    if kind == "union_tag_not_found":
        return f"'kind' is missing in {key_name(at)}; an answer is one of {', '.join(answer_types())}"
    belongs = f"one of {context['expected']}" if kind == "literal_error" else BELONGS.get(kind)
    value = f"{key_name(at)} is {error['input']!r:.60}"
    return f"{value}, not {belongs}" if belongs else f"{value}: {error['msg']}"


def _place(loc: KeyPath, values: Any) -> KeyPath:
    """Return the way to a value of the file, without what pydantic names on its way: kinds of answers, BY_LANGUAGE."""
    at: list[str | int] = []
    for step in loc:
        inside = isinstance(values, dict) and step in values
        if not inside and (step in BY_LANGUAGE or (isinstance(values, dict) and values.get("kind") == step)):
            continue
        at.append(step)
        inside = inside or (isinstance(values, list) and isinstance(step, int) and step < len(values))
        values = values[step] if inside else None
    return tuple(at)


def _known(loc: KeyPath) -> list[str]:
    """Return the keys that are known beside the one at the end of the way."""
    known: Any = Task
    for step in loc[:-1]:
        if known is AnswerType and step in answer_types():
            known = answer_types()[str(step)]
        elif is_dataclass(known) and isinstance(step, str):
            hint = get_type_hints(known).get(step)
            known = next(_classes(hint), known)
    return [field.name for field in fields(known)]


def _classes(hint: Any) -> Iterator[Any]:
    if is_dataclass(hint):
        yield hint
    for inner in get_args(hint):
        yield from _classes(inner)


def _forbidden(value: Any, at: KeyPath) -> Iterator[Fault]:
    """Yield the texts with characters that no database can keep."""
    if isinstance(value, str) and any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value):
        yield Fault(at, f"{key_name(at)} has a character that no database can keep; remove it")
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, step_fault in inner:
        yield from _forbidden(step_fault, (*at, step))
        yield from _forbidden(step, at) if isinstance(step, str) else ()
