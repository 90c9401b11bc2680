"""Plain data as TOML, laid out to be read and edited by people; the standard library only reads it."""

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from data.errors import BadFile, FileProblem
from data.files.text_files import check_size, read_text
from data.limits import DEEPEST_KEY, LARGEST_TASK, MB
from data.toml_faults import toml_fault

# The standard library's reader takes the square of the time for each more part of a dotted key.
KEY = re.compile(rf"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]{{0,60}}\"|'[^'\n]{{0,60}}')[ \t]*+\.[ \t]*+){{{DEEPEST_KEY}}}")


def read_toml(path: Path, advice: str = "") -> dict[str, Any]:
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
        line, sentence = toml_fault(error, text)
        raise BadFile(str(FileProblem(path.name, f"{sentence}{advice and f'; {advice}'}", line))) from error


def as_toml(values: Mapping[str, Any]) -> str:
    """Return data (texts, numbers, booleans, lists, objects) as a TOML document; `tomllib.loads` gives it back.

    What is None is left out, since TOML has no word for it.
    """
    known = _known(values)
    # The writer would turn a carriage return before a line end into nothing, so texts with one stay on one line.
    return tomli_w.dumps(known, multiline_strings=r"\r" not in json.dumps(known))


def _known(value: Any) -> Any:
    """Return data without what is None."""
    if isinstance(value, Mapping):
        return {name: _known(inner) for name, inner in value.items() if inner is not None}
    return [_known(inner) for inner in value if inner is not None] if isinstance(value, list) else value
