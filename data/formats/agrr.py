"""AGRR-2019's files: text, class and the offsets of six elements in columns, or class and the text with brackets."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from data.bracket_markup import ELEMENTS, from_brackets, to_brackets
from data.formats.record_format import RecordFormat, Values

CLASSES = ("0", "1", "")
RESOLUTION = ("cV", "V")
Marks = dict[str, list[tuple[int, int]]]


def unfold(values: Values) -> Iterable[Values]:
    """Return the one row of a record, with what each task of AGRR asks and its gold; all its own columns stay.

    A record is a line of the table (`text`, `class`, six elements), a line of the file with brackets (`class`,
    `mark_up`), one of ours with `marked` text in brackets and perhaps an `assessment` of them, or a row already. The
    row has `sentence` and `marked`, the gold `assessment` (for agrr/validate), `resolution` and `full` where the class
    is known, and an `id` made of the sentence, so that a sentence has one id in all tasks. Raises ValueError for what
    is none of these.
    """
    if "text" in values:
        text = values["text"]
        yield {**values, **row(text, str(values.get("class", "")), _offsets(values, text))}
    elif "mark_up" in values:
        text, marks = from_brackets(values["mark_up"])
        yield {**values, **row(text, str(values.get("class", "")), marks)}
    elif "marked" in values and "sentence" not in values:
        text, marks = from_brackets(values["marked"])
        derived = row(text, "1" if marks else "0", marks)
        if "assessment" in values:
            # Brackets that are to be judged may be wrong: they are no gold of the other tasks.
            derived = {name: derived[name] for name in ("id", "sentence")}
        yield {**derived, **values}
    elif "sentence" in values:
        yield values
    else:
        raise ValueError("has no text; a line has text, class and " + ", ".join(ELEMENTS) + ", or class and mark_up")


def row(text: str, label: str, marks: Marks) -> dict[str, Any]:
    """Return the row of one sentence of class `label` ("0", "1", "" where it is not known) with these spans.

    Class 1 without spans says that there is gapping and not where: such a row is no gold for spans.
    """
    if label not in CLASSES:
        raise ValueError(f"its class is {label!r:.60}; it is 0 (no gapping) or 1 (gapping)")
    if marks and label != "1":
        raise ValueError(f"its class is {label!r:.60}, and spans are marked; only class 1 has spans")
    known: dict[str, Any] = {"assessment": {"class": label}} if label else {}
    if label == "0" or marks:
        known |= {"resolution": {name: marks[name] for name in RESOLUTION if name in marks}, "full": marks}
    return {"id": sentence_id(text), "sentence": text, "class": label, **_marked(text, marks), **known}


def predicted(values: Values) -> Iterable[Values]:
    """Return the row of a record of predictions as the organisers' script takes it, be it possible or not.

    The class decides: 0 says that nothing is there whatever is marked, 1 that something is there, marked or not, none
    is no answer. Cells stand as they are, so that spans past the text count against it.
    """
    if "text" not in values and "mark_up" not in values:
        yield from unfold(values)
        return
    text, cells = (values["text"], values) if "text" in values else from_brackets(values["mark_up"])
    label, given = str(values.get("class", "")), {name: cells[name] for name in ELEMENTS if cells.get(name)}
    answers: dict[str, Any] = {"assessment": {"class": label}} if label else {}
    for column, names in (("resolution", RESOLUTION), ("full", ELEMENTS)):
        marked = {name: given[name] for name in names if name in given} or {names[0]: None}
        answers |= {column: {} if label == "0" else marked if label == "1" else label}
    try:
        marks = _offsets(given, text)
    except ValueError:
        marks = {}
    yield {**values, "id": sentence_id(text), "sentence": text, "class": label, **_marked(text, marks), **answers}


def sentence_id(text: str) -> str:
    """Return 16 hexadecimal digits that stand for a sentence."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _offsets(values: Mapping[str, Any], text: str) -> Marks:
    """Return the spans of the six columns. One published span ends past its text: it is cut off there."""
    marks: Marks = {}
    for name in ELEMENTS:
        for pair in str(values.get(name) or "").split():
            begin, colon, end = pair.partition(":")
            if not (colon and begin.isdecimal() and end.isdecimal() and int(begin) <= min(int(end), len(text))):
                raise ValueError(f"{name} has {pair!r:.60}; offsets inside the text are needed, such as 2:10")
            marks.setdefault(name, []).append((int(begin), min(int(end), len(text))))
    return marks


def _marked(text: str, marks: Marks) -> dict[str, str]:
    """Return the text in brackets, nothing where its own characters do not let brackets tell the spans."""
    try:
        return {"marked": to_brackets(text, marks)}
    except ValueError:
        return {}


FORMATS = {"agrr": RecordFormat(unfold, quoted=False, predicted=predicted)}
