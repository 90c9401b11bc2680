"""MERA's records, instruction, inputs, outputs and meta: of the exam, and of three tasks of RussianSuperGLUE."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from data.formats.record_format import AS_PUBLISHED, RecordFormat, Values
from data.formats.russian_superglue import rwsd
from data.unified_state_exam import BETWEEN, exam_task, skills

TEXTS = ("task", "text", "choices", "additional_text")
META = ("id_task", "variant", "type")
NUMBER = re.compile(r"\d+")


def unfold(values: Values) -> Iterable[Values]:
    """Return a record as one row; one without `inputs` is in our own form. Raises ValueError for other records.

    Each row says which exam task it belongs to (`exam_task`) and what that tests (`skill`, several with ";" between).

    `choices` becomes a list. The gold is a list too: of numbers, or of the texts that are accepted; none where
    `outputs` is empty, as in a closed test.
    """
    if "inputs" not in values:
        yield {**_exam_place(values), **values}
        return
    inputs, meta = _within(values, "inputs", TEXTS[:1]), _within(values, "meta", META)
    outputs = str(values.get("outputs") or "")
    yield {
        **({"id": str(meta["id"])} if "id" in meta else {}),
        **{name: str(inputs.get(name) or "") for name in TEXTS},
        "choices": numbered(str(inputs.get("choices") or "")),
        AS_PUBLISHED: {"choices": str(inputs.get("choices") or ""), "outputs": outputs},
        **{name: str(meta[name]) for name in META},
        **_exam_place(meta),
        "score": str(meta.get("score") or ""),
        "instruction": str(values.get("instruction") or ""),
        "label": [text.strip() for text in outputs.split(",") if text.strip()]
        if meta["type"] == "text"
        else NUMBER.findall(outputs),
    }


def _exam_place(meta: Values) -> dict[str, str]:
    """Return the place of an item in the exam, nothing where its number is not told."""
    if not meta.get("id_task"):
        return {}
    return {"exam_task": exam_task(meta), "skill": BETWEEN.join(skills(meta))}


def numbered(text: str) -> list[str]:
    """Return the texts behind "1)", "2)", ... in their order; lines without numbers are a text each.

    Numbers at the beginning of lines count; where there is only one such, those inside lines do. Raises ValueError for
    text before the first number.
    """
    for before in (r"^[^\S\n]*", r"(?:^|(?<=\s))"):
        marks = _mark_places(text, before)
        if len(marks) > 1:
            break
    if not marks:
        return [line.strip() for line in text.split("\n") if line.strip()]
    lost = text[: marks[0][0]].strip()
    if lost:
        raise ValueError(f"has choices that begin with {lost[:60]!r}; they begin with '1)'")
    ends = [begin for begin, _ in marks[1:]]
    return [text[end:stop].strip() for (_, end), stop in zip(marks, [*ends, len(text)], strict=True)]


def _mark_places(text: str, before: str) -> list[tuple[int, int]]:
    """Return where "1)", "2)", ... stand one after another, each as its begin and end."""
    spans: list[tuple[int, int]] = []
    while True:
        mark = re.compile(rf"{before}{len(spans) + 1}[).]\s*", re.MULTILINE)
        match = mark.search(text, spans[-1][1] if spans else 0)
        if match is None:
            return spans
        spans.append(match.span())


def _within(values: Values, name: str, needed: Sequence[str]) -> dict[str, Any]:
    """Return the object under that name; raises ValueError where it lacks what is needed."""
    value = values.get(name)
    if not isinstance(value, dict):
        raise ValueError(f"has no object {name!r}; a record of MERA holds instruction, inputs, outputs and meta")
    missing = [needed_name for needed_name in needed if value.get(needed_name) in (None, "")]
    if missing:
        raise ValueError(f"has no {missing[0]!r} in its {name!r}")
    return value


def flat(values: Values) -> Values:
    """Return a record of PARus, RCB or RWSD with its inputs and meta as columns; one without inputs as it stands."""
    if "inputs" not in values:
        return values
    meta = _within(values, "meta", ("id",))
    label = {"label": values["outputs"]} if values.get("outputs") else {}
    row = {**_within(values, "inputs", ()), **meta, "id": str(meta["id"]), **label}
    own = {"outputs": str(values.get("outputs") or "")}
    return row | {"instruction": str(values.get("instruction") or ""), AS_PUBLISHED: own}


def parus(values: Values) -> Iterable[Values]:
    """Return a record as one row, MERA's with the question in its `meta` and options that are counted from 1."""
    row = dict(flat(values))
    if "inputs" in values:
        row["question"] = row.pop("task", "")
        row |= {"label": str(int(row["label"]) - 1)} if "label" in row else {}
    return (row,)


FORMATS = {
    "mera": RecordFormat(unfold, reworded=True),
    "mera_parus": RecordFormat(parus, reworded=True),
    "mera_rcb": RecordFormat(lambda values: (flat(values),), reworded=True),
    "rwsd": RecordFormat(lambda values: rwsd(flat(values)), reworded=True),
}
