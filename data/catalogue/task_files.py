"""A Task as a file of its own: TOML that people can read, send to each other and use again."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from data.answers.answer_type import packed
from data.catalogue.families import FAMILY
from data.catalogue.validation import KeyPath, family_faults, validated
from data.errors import BadFile, Fault, FileProblem
from data.files.text_files import read_text
from data.files.toml_files import as_toml, read_toml
from data.task import Task, as_dict
from data.toml_faults import TomlLines

USED = "# What is asked in a study: python app.py create STUDY --task THIS_FILE --items FILE"


def task_text(task: Task) -> str:
    """Return a task as TOML; `read_task` of it gives an equal task back."""
    return f"{USED}\n{as_toml(as_dict(task))}"


def read_task(path: Path) -> Task:
    """Return the task of a TOML file; raises BadFile with one sentence for the first thing that is wrong with it."""
    task, faults = validated(written_out(in_full(path)))
    if task is None or faults:
        raise BadFile(str(with_lines(path, faults[:1])[0]))
    return task


def with_lines(path: Path, faults: Sequence[Fault]) -> list[FileProblem]:
    """Return the faults of a task file with the file that says what is wrong, and the line."""
    lines = {file: TomlLines(read_text(file)) for file in files_of(path)}
    sources = [(fault.sentence, *source_of(path, fault.at)) for fault in faults]
    return [FileProblem(source.name, sentence, lines[source].of(at)) for sentence, source, at in sources]


def family_problems(path: Path) -> list[FileProblem]:
    """Return what is wrong with what the `family.toml` beside a task file says of its benchmark, where it is TOML."""
    family = path.with_name(FAMILY)
    try:
        faults = family_faults(read_toml(family)) if family.is_file() else []
    except BadFile:
        return []
    lines = TomlLines(read_text(family)) if faults else TomlLines("")
    return [FileProblem(FAMILY, fault.sentence, lines.of(fault.at)) for fault in faults]


ENDING = ".toml"
KEYS = tuple(field.name for field in fields(Task))


def in_full(path: Path) -> dict[str, Any]:
    """Return all that a task file says; raises BadFile where it, or a file beside it that belongs to it, is no TOML.

    `NAME.KEY.toml` beside `NAME.toml` is its key KEY. What neither says is taken from `[shared]` in `family.toml`.
    """
    values = read_toml(path) | {key: read_toml(part) for key, part in _parts(path).items()}
    shared = _shared(path)
    return {**shared, **values, **_fields(values, shared)}


def source_of(path: Path, at: KeyPath) -> tuple[Path, KeyPath]:
    """Return the file that says what stands at the end of a way in a task file, and the way to it there."""
    if at and (part := _parts(path).get(str(at[0]))):
        return part, at[1:]
    values, shared = read_toml(path), _shared(path)
    if at and at[0] not in values and at[0] in shared:
        return path.with_name(FAMILY), ("shared", *at)
    if at[:2] == ("variants", "") and isinstance(values.get("variants"), list):
        return path, ("variants", *at[2:])
    match at, values.get("fields"):
        case ("fields", int(place), key, *rest), list(declared) if place < len(declared):
            own = declared[place] if isinstance(declared[place], dict) else {"name": declared[place]}
            known = [shared_field["name"] for shared_field in shared.get("fields", ())]
            if key not in own and own.get("name") in known:
                return path.with_name(FAMILY), ("shared", "fields", known.index(own["name"]), key, *rest)
    return path, at


def files_of(path: Path) -> list[Path]:
    """Return a task file and those beside it that belong to it."""
    family = path.with_name(FAMILY)
    return [path, *_parts(path).values(), *([family] if family.is_file() else [])]


def written_out(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a task file without its short forms; what is none of a task is left for others to refuse.

    `variants` may be a list where every item has the same. In an example, a list or a table stands for the compact JSON
    that an item's field or an answer is, and optional fields may be left out.
    """
    written = dict(values)
    if isinstance(written.get("variants"), list):
        written["variants"] = {"": written["variants"]}
    if isinstance(written.get("examples"), list):
        named = written.get("fields")
        known = [name for name in named if isinstance(name, dict)] if isinstance(named, list) else []
        optional = {str(known_value.get("name")): "" for known_value in known if known_value.get("optional")}
        written["examples"] = [_example(example, optional) for example in written["examples"]]
    return written


def _parts(path: Path) -> dict[str, Path]:
    """Return the files that hold one key of a task each, by the keys."""
    parts = {key: path.with_name(f"{path.stem}.{key}{ENDING}") for key in KEYS}
    return {key: part for key, part in parts.items() if part.is_file()}


def _shared(path: Path) -> dict[str, Any]:
    """Return what the folder of a task gives all its tasks."""
    family = path.with_name(FAMILY)
    shared: dict[str, Any] = read_toml(family).get("shared", {}) if family.is_file() else {}
    return shared


def _fields(values: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields, each with what the folder says of the one of its name; a name alone stands for that one."""
    declared = values.get("fields")
    if not isinstance(declared, list):
        return {}
    known = {shared_field["name"]: shared_field for shared_field in shared.get("fields", ())}
    tables = [{"name": field} if isinstance(field, str) and field in known else field for field in declared]
    return {
        "fields": [
            {**known.get(table.get("name"), {}), **table} if isinstance(table, dict) else table for table in tables
        ]
    }


def _example(values: Any, optional: Mapping[str, str]) -> Any:
    if not isinstance(values, dict) or not isinstance(values.get("fields"), dict):
        return values
    texts = {name: _text(value) for name, value in values["fields"].items()}
    return {**values, "fields": {**optional, **texts}, "answer": _text(values.get("answer", ""))}


def _text(value: Any) -> Any:
    return packed(value) if isinstance(value, list | dict) else value
