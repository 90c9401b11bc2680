"""Which item a record of a log answers: by its id, fields, texts, or what LIBRA accepts; and never by a guess."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from baseline.imports.log_readers import (
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
from data.files.prediction_files import Content, content_of
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


WORD = re.compile(r"\w+")
BEGINS = 60  # words of a text that are looked for in what a model read: its end may have been cut
PROBE = 8  # words by which the items that may stand in a text are found before they are looked for as a whole
UNKNOWN = "no item of the study has its id, its fields or its texts"


def matched_items(task: Task, items: Sequence[StoredItem], records: Sequence[Record]) -> list[Joined]:
    """Return every record with its item, in the order of the log.

    An id counts only where what else the record tells of its item fits: harnesses number samples themselves. Then the
    item is the only one with the very fields of the record, else the only one all of whose texts stand in what the
    model read, white space and punctuation aside. Predictions of LIBRA have neither: see `match_libra`.
    """
    if records and all(record.outputs for record in records):
        return match_libra(task, items, records)
    index = Index(task, items)
    return [index.joined(record) for record in records]


class Index:
    """The items of a study by everything they can be found by."""

    def __init__(self, task: Task, items: Sequence[StoredItem]) -> None:
        self._task = task
        self._ids = {stored.item.id: stored for stored in items}
        self._fields: dict[Content, list[StoredItem]] = defaultdict(list)
        self._words = {stored.key: _words_of(task, stored.item.fields) for stored in items}
        self._probes: dict[int, dict[tuple[str, ...], list[StoredItem]]] = defaultdict(lambda: defaultdict(list))
        for stored in items:
            self._fields[content_of(task, stored.item.fields)].append(stored)
            if texts := self._words[stored.key]:
                probe = tuple(max(texts, key=len)[:PROBE])
                self._probes[len(probe)][probe].append(stored)

    def joined(self, record: Record) -> Joined:
        """Return the record with its item, or with the reason it has none."""
        named = [self._ids[name] for name in record.ids if name in self._ids]
        text = _spaced(WORD.findall(record.text))
        certain = next((stored for stored in named if not text.strip() or self._stands_in(stored, text)), None)
        if certain:
            return Joined(record, certain, "id")
        for way, items in (("fields", self._with_fields(record)), ("text", self._in_text(text))):
            if len(items) == 1:
                return Joined(record, items[0], way)
            if items:
                ids = quoted_names(stored.item.id for stored in items[:3])
                return Joined(record, None, reason=f"{len(items)} items have its {way}: {ids}")
        if named:
            return Joined(record, None, reason=f"its id is that of item {named[0].item.id!r:.60}, its text is not")
        return Joined(record, None, reason=UNKNOWN)

    def _with_fields(self, record: Record) -> list[StoredItem]:
        fields = _fields_of(record.values, self._task)
        return self._fields.get(content_of(self._task, fields), []) if fields else []

    def _in_text(self, text: str) -> list[StoredItem]:
        words, items = text.split(), {}
        for size, probes in self._probes.items():
            for start in range(len(words) - size + 1):
                for stored in probes.get(tuple(words[start : start + size]), ()):
                    items[stored.key] = stored
        return [stored for stored in items.values() if self._stands_in(stored, text)]

    def _stands_in(self, stored: StoredItem, text: str) -> bool:
        """Return whether every text of an item stands in what a model read, as words in the same order."""
        return all(_spaced(words[:BEGINS]) in text for words in self._words[stored.key])


def _words_of(task: Task, fields: Mapping[str, str]) -> list[list[str]]:
    """Return the words of each text that a model reads as it stands: values with words of their own are none."""
    kinds = {*DATA_KINDS, "hidden", "markup"}
    seen = [field.name for field in task.fields if field.kind not in kinds and not field.values]
    return [words for name in seen if (words := WORD.findall(fields.get(name, "")))]


def _spaced(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _fields_of(values: Mapping[str, Any], task: Task) -> Mapping[str, str] | None:
    """Return the fields of the one item that a record's columns make, as a file of items is read; None for none."""
    without = {name: value for name, value in values.items() if name != task.answer_column}
    for columns in (values, without):
        items, problems = items_of([Row(1, columns)], task)
        if len(items) == 1 and not problems:
            return items[0].fields
    return None
