"""Which item a record of a log answers: by its id, by its fields, by its texts; and never by a guess."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from baseline.imports.libra_predictions import match_libra
from baseline.imports.log_records import Joined, Record
from data.errors import quoted_names
from data.files.item_files import items_of
from data.files.prediction_files import Content, content_of
from data.files.rows import Row
from data.task import DATA_KINDS, Task
from db.items import StoredItem

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
