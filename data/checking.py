"""Whether what was read from outside is of the types that our dataclasses declare: they check values, not types."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
FORBIDDEN = "a character that no database can keep"


def misfit(value: Any, declared: Any, where: str = "") -> str:
    """Return what is wrong with a value of a declared type, "" where nothing is: "fields[0].kind is 5, not a text"."""
    if is_dataclass(value) and not isinstance(value, type):
        return _inside(value, where)
    origin, parts = get_origin(declared), get_args(declared)
    if origin in (Union, UnionType):
        return "" if any(not misfit(value, part) for part in parts) else _not(value, parts[0], where)
    if origin is Literal:
        return "" if value in parts else f"{where} is {value!r:.60}, not one of {', '.join(map(repr, parts))}"
    if origin is tuple:
        return _each(value, parts, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _pairs(value, parts, where)
    if declared is float and type(value) is int:
        return ""
    if declared in (*NAMES, NoneType):
        return _plain(value, declared, where)
    return "" if isinstance(declared, type) and isinstance(value, declared) else _not(value, declared, where)


def _plain(value: Any, declared: Any, where: str) -> str:
    if type(value) is not declared:
        return _not(value, declared, where)
    forbidden = isinstance(value, str) and any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value)
    return f"{where} has {FORBIDDEN}; remove it" if forbidden else ""


def _inside(value: Any, where: str) -> str:
    hints = get_type_hints(type(value))
    wrong = (
        misfit(getattr(value, one.name), hints[one.name], f"{where}.{one.name}".lstrip(".")) for one in fields(value)
    )
    return next(filter(None, wrong), "")


def _each(value: Any, parts: tuple[Any, ...], where: str) -> str:
    if not isinstance(value, tuple):
        return _not(value, tuple, where)
    declared = [parts[0]] * len(value) if parts[-1] is Ellipsis else list(parts)
    if len(declared) != len(value):
        return f"{where} has {len(value)} elements, not {len(declared)}"
    wrong = (
        misfit(one, part, f"{where}[{place}]") for place, (one, part) in enumerate(zip(value, declared, strict=True))
    )
    return next(filter(None, wrong), "")


def _pairs(value: Any, parts: tuple[Any, ...], where: str) -> str:
    if not isinstance(value, Mapping):
        return _not(value, dict, where)
    wrong = (
        misfit(name, parts[0], f"{where}: the name {name!r:.60}") or misfit(one, parts[1], f"{where}[{name!r:.60}]")
        for name, one in value.items()
    )
    return next(filter(None, wrong), "")


def _not(value: Any, declared: Any, where: str) -> str:
    named = NAMES.get(declared) or {tuple: "a list", dict: "a table of names and values"}.get(
        declared, "what belongs there"
    )
    return f"{where} is {value!r:.60}, not {named}"
