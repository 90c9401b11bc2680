"""Predictions of LIBRA's script: one JSON file with a list for each dataset, and how its items are found without ids.

They are matched by their length and by the answers they accept.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from baseline.imports.log_records import (
    DroppedRecord,
    Joined,
    LibraOutputs,
    Record,
    RunLog,
    object_in,
    parted,
    read_whole,
)
from baseline.models.reply import Reply
from data.answers.composite import packed, unpacked
from data.errors import BadAnswer, BadFile, quoted_names
from data.files.item_files import gold_label, items_of
from data.files.rows import Row
from data.formats.libra import place as place_named
from data.task import DATA_KINDS, Task
from db.items import StoredItem

NOBODY = "no item of its length accepts the same answers"
SEVERAL = "several predictions or items of its length accept the same answers, and their order is not the study's"


def read_libra(path: Path, task: Task) -> RunLog:
    """Return the predictions for the dataset of `task`; raises BadFile where the file has none."""
    content, name = object_in(read_whole(path)), task.id.rpartition("/")[2]
    given = content.get(name)
    if not isinstance(given, list):
        has = quoted_names(content) if content else "none"
        raise BadFile(
            f"{path.name}: has no predictions for {name!r}; the datasets it has are: {has}. Give what LIBRA's "
            "predict.py saved"
        )
    records, dropped = parted(_record(values, place) for place, values in enumerate(given, 1))
    return RunLog(None, records, dropped, {"dataset": name})


def _record(values: Any, place: int) -> Record | DroppedRecord:
    where = f"prediction {place}"
    if not isinstance(values, Mapping) or not isinstance(values.get("model_answer"), str):
        return DroppedRecord(where, "has no text model_answer")
    outputs = LibraOutputs(
        str(values.get("length", "")),
        _as_tuple(values.get("positive_outputs")),
        _as_tuple(values.get("negative_outputs")),
    )
    return Record(where=where, reply=Reply(values["model_answer"]), outputs=outputs)


def _as_tuple(outputs: Any) -> tuple[str, ...]:
    if isinstance(outputs, str) and outputs.startswith("["):
        outputs = unpacked(outputs)
    if isinstance(outputs, list):
        return tuple(map(str, outputs))
    return () if outputs in (None, "") else (str(outputs),)


def match_libra(task: Task, items: Sequence[StoredItem], records: Sequence[Record]) -> list[Joined]:
    """Return predictions with their items, in the order of the file.

    Within a length the only item that accepts the same answers is taken ("outputs"). Where several do, the order of the
    file decides ("order"), and only if it is wholly the study's: as many predictions as items, and each accepts what
    the item in its place does.
    """
    lengths: dict[str, list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        lengths[record.outputs.length if record.outputs else ""].append(place)
    joined: dict[int, Joined] = {}
    for length, places in lengths.items():
        same = [stored for stored in items if stored.item.fields.get("length", "") == length]
        group = [records[place] for place in places]
        joined |= dict(zip(places, _of_length(task, same, group), strict=True))
    return [joined[place] for place in range(len(records))]


def _of_length(task: Task, items: Sequence[StoredItem], records: Sequence[Record]) -> list[Joined]:
    fits = [[stored for stored in items if _accepts(task, stored, record.outputs)] for record in records]
    wanted = Counter(stored.key for fitting in fits for stored in fitting)
    alone = [len(fitting) == 1 and wanted[fitting[0].key] == 1 for fitting in fits]
    if len(items) == len(records):
        pairs = list(zip(records, items, strict=True))
        if all(
            _accepts(task, stored, prediction.outputs) or _same_shape(task, stored, prediction.outputs)
            for prediction, stored in pairs
        ):
            ways = ["outputs" if single else "order" for single in alone]
            return [Joined(prediction, stored, way) for (prediction, stored), way in zip(pairs, ways, strict=True)]
    return [
        Joined(record, fitting[0], "outputs") if single else Joined(record, None, reason=SEVERAL if fitting else NOBODY)
        for record, fitting, single in zip(records, fits, alone, strict=True)
    ]


def _accepts(task: Task, stored: StoredItem, outputs: LibraOutputs | None) -> bool:
    """Return whether an item accepts these outputs, as they stand or spelt as its answers are."""
    if outputs is None or stored.item.gold is None or not _costs(stored, outputs):
        return False
    only = outputs.accepted[0] if len(set(outputs.accepted)) == 1 else None
    if only and _option(task, stored, only) == stored.item.gold:
        return True
    return stored.item.gold == packed(list(outputs.accepted)) or any(
        _gold(task, stored, value) == stored.item.gold for value in (list(outputs.accepted), only) if value
    )


def _option(task: Task, stored: StoredItem, output: str) -> str | None:
    """Return the label of the item's option that an output names by its words or its letter, None for none."""
    options = task.answer_for(stored.item.fields).options(stored.item.fields)
    try:
        return (
            options[place_named(output, "", [option.words.for_models for option in options])].label if options else None
        )
    except (ValueError, IndexError):
        return None


def _costs(stored: StoredItem, outputs: LibraOutputs) -> bool:
    negative = stored.item.fields.get("negative_outputs", "")
    return outputs.negative == (tuple(map(str, unpacked(negative))) if negative else ())


def _gold(task: Task, stored: StoredItem, value: object) -> str | None:
    try:
        return gold_label(value, task, stored.item.fields)
    except BadAnswer:
        return None


def _same_shape(task: Task, stored: StoredItem, outputs: LibraOutputs | None) -> bool:
    """Return whether the authors' record with these outputs would be the item: some tasks number what it spells out."""
    if outputs is None or not _costs(stored, outputs):
        return False
    derived = {field.name for field in task.fields if field.kind in DATA_KINDS}
    kept = {name: text for name, text in stored.item.fields.items() if name not in derived}
    items, problems = items_of([Row(1, {**kept, "positive_outputs": list(outputs.accepted)})], task)
    return not problems and len(items) == 1 and items[0].gold == stored.item.gold
