"""Plain data as TOML, laid out to be read and edited by people; the standard library only reads it."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from data.errors import BadFile
from data.limits import DEEPEST_KEY, LARGEST_TASK, MB
from data.text_files import check_size, read_text

# The standard library's reader takes the square of the time for each more part of a dotted key.
KEY = re.compile(rf"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]{{0,60}}\"|'[^'\n]{{0,60}}')[ \t]*+\.[ \t]*+){{{DEEPEST_KEY}}}")
BARE = re.compile(r"[A-Za-z0-9_-]+")
LONG = 80  # characters beyond which a text with several lines stands over several lines


def read_toml(path: Path, advice: str) -> dict[str, Any]:
    """Return what a TOML file holds; raises BadFile for one that is none, or larger or deeper than any of ours.

    `advice` ends the sentence about a file that is no TOML.
    """
    if check_size(path) > LARGEST_TASK:
        raise BadFile(
            f"{path.name}: such a file has at most {LARGEST_TASK // MB} MB; items go into a file of their own"
        )
    text = read_text(path)
    if KEY.search(text):
        raise BadFile(f"{path.name}: has a key of more than {DEEPEST_KEY} parts with dots between; shorten it")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path.name}: is not TOML ({error}); {advice}") from error


def as_toml(values: Mapping[str, Any]) -> str:
    """Return data (texts, numbers, booleans, lists, objects) as a TOML document; `tomllib.loads` gives it back.

    What is None is left out, since TOML has no word for it. Plain values come first, then a table for each object and
    for each element of a list of objects; what lies deeper stands on one line.
    """
    plain = {name: value for name, value in values.items() if not _is_table(value) and value is not None}
    lines = [f"{_key(name)} = {_value(value, top=True)}" for name, value in plain.items()]
    for name, value in values.items():
        if name not in plain and value is not None:
            lines += _tables(name, value)
    return "\n".join(lines) + "\n"


def _is_table(value: Any) -> bool:
    """Whether a value is an object, or a list of nothing but objects."""
    rows = isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) for one in value)
    return isinstance(value, Mapping) or rows


def _tables(name: str, value: Any) -> Iterator[str]:
    several = isinstance(value, list)
    for one in value if several else [value]:
        yield ""
        yield f"[[{_key(name)}]]" if several else f"[{_key(name)}]"
        yield from (f"{_key(key)} = {_value(inner, top=True)}" for key, inner in one.items() if inner is not None)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _text(name)


def _value(value: Any, *, top: bool = False) -> str:
    if isinstance(value, str):
        return _lines(value) if top and "\n" in value and len(value) > LONG else _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items() if inner is not None)
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, int | float):
        return repr(value)
    raise TypeError(f"{value!r} has no form in TOML")


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _lines(value: str) -> str:
    """Return a text over several lines; quotes and backslashes are escaped, line ends stay as they are."""
    return '"""\n' + "\n".join(_text(line)[1:-1] for line in value.split("\n")) + '"""'
