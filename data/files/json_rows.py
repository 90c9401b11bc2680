"""The records of a JSON file: one list of objects, or what wraps one; a list is decoded record by record."""

import json
import re
from collections.abc import Iterator
from typing import Any

from data.errors import BadFile
from data.limits import MOST_VALUES

SPACE = re.compile(r"[ \t\r\n]*")
LONG_NUMBER = "has a number of more than 4,300 digits; write it as a text"


def json_records(text: str, name: str) -> Iterator[Any]:
    """Yield the records of a JSON text; raises BadFile where it is none, or holds neither a list nor objects."""
    try:
        yield from _elements(text) if text.startswith("[", _rest_after(text, 0)) else _wrapped(text, name)
    except RecursionError as error:
        raise BadFile(
            f"{name}: lists and objects stand in one another too deeply; the file is one list of objects"
        ) from error
    except json.JSONDecodeError as error:
        raise BadFile(
            f"{name}, line {error.lineno}: is not JSON ({error.msg}); the file is one list of objects"
        ) from error
    except ValueError as error:
        raise BadFile(f"{name}: {LONG_NUMBER}") from error


def _elements(text: str) -> Iterator[Any]:
    """Yield the elements of a list one by one: decoded as a whole, a large one would hold up everybody else."""
    decoder, at = json.JSONDecoder(), _rest_after(text, text.index("[") + 1)
    while text[at : at + 1] != "]":
        value, end = decoder.raw_decode(text, at)
        yield value
        at = _rest_after(text, end)
        if text[at : at + 1] == ",":
            at = _rest_after(text, at + 1)
            if text[at : at + 1] == "]":
                raise json.JSONDecodeError("Illegal trailing comma before end of array", text, at)
        elif text[at : at + 1] != "]":
            raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    end = _rest_after(text, at + 1)
    if end < len(text):
        raise json.JSONDecodeError("Extra data", text, end)


def _rest_after(text: str, at: int) -> int:
    space = SPACE.match(text, at)
    return space.end() if space else at


def _wrapped(text: str, name: str) -> Iterator[Any]:
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        raise BadFile(f"{name}: holds more than {MOST_VALUES} values; write it as JSONL, one object a line")
    records = _under_data(json.loads(text))
    if not isinstance(records, list):
        raise BadFile(
            f"{name}: holds a {type(records).__name__}; the file is one list of objects, or objects by their ids"
        )
    yield from records


def _under_data(value: Any) -> Any:
    """Return the records of a file that wraps them: {"data": [...]}, or {"data": {"test": [...]}} with one split.

    Records may stand under their ids ({"idiom_1": {...}, ...}): a record without an `id` of its own takes its key.
    """
    inner = value["data"] if isinstance(value, dict) and list(value) == ["data"] else value
    if inner is not value and isinstance(inner, dict) and len(inner) == 1:
        return next(iter(inner.values()))
    if isinstance(inner, dict) and inner and all(isinstance(record, dict) for record in inner.values()):
        return [{"id": key, **record} for key, record in inner.items()]
    return inner
