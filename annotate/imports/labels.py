"""Labels as they were written become labels as they are stored, and nothing changes its name silently."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from data.answers.number import Number
from data.composed_text import composed
from data.errors import BadAnswer, BadFile, BadSetting
from data.files.item_files import answer_label, gold_label
from data.task import Task

SHOWN = 10


def parsed_mapping(options: Sequence[str]) -> dict[str, str]:
    """Return what `--map 'entailment6=entailment'` options say, composed; raises BadSetting."""
    mapping: dict[str, str] = {}
    for option in options:
        written, equals, label = composed(option).partition("=")
        if not (written and equals and label):
            raise BadSetting(f"--map {option!r}: write what stands in the file, '=' and the label it means")
        if mapping.setdefault(written, label) != label:
            raise BadSetting(f"--map {option!r}: {written!r} is mapped to {mapping[written]!r} already")
    return mapping


@dataclass
class Labels:
    """Reads labels under a mapping and the task's own aliases, and remembers what it met.

    Of a log of `numbers` without a task "1,5" is stored as 1.5. `label_counts` counts the stored labels of answers,
    `renamed` the answers by (written, stored) label where the two differ.
    `written` holds all labels, and so does `stored` where they are of a list, right answers included.
    """

    mapping: Mapping[str, str]
    task: Task | None
    numbers: bool = False
    label_counts: Counter[str] = field(default_factory=Counter)
    renamed: Counter[tuple[str, str]] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    written: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)

    def answer(self, written: str, fields: Mapping[str, str]) -> str:
        """Return the stored label of an answer; an unknown one is remembered until `check`."""
        label = self._stored(composed(written), fields, answer_label)
        self.written.add(composed(written))
        self.stored.add(label)
        self.label_counts[label] += 1
        if label != composed(written):
            self.renamed[composed(written), label] += 1
        return label

    def gold(self, written: str, fields: Mapping[str, str]) -> str:
        """Return the stored label of a right answer; an unknown one is remembered until `check`."""
        label = self._stored(composed(written), fields, gold_label)
        self.written.add(composed(written))
        if self.task is None or self.task.answer.labels():
            self.stored.add(label)
        return label

    def counts(self) -> dict[str, int]:
        """Return how many answers each stored label has, in the labels' order; 0 where only gold bears it."""
        return {label: self.label_counts[label] for label in in_order(self.stored)}

    def check(self, where: str) -> None:
        """Refuse labels that the task does not know, with the options that would map them."""
        if self.unknown and self.task:
            raise BadFile(f"{where}: {unknown_labels(self.unknown, self.task)}")

    def check_mapping(self) -> None:
        """Refuse a mapping of a label that stands nowhere: it would be a typing mistake without effect."""
        for written in self.mapping:
            if written not in self.written:
                raise BadSetting(
                    f"--map: no answer is {written!r}; there are {_shortened_list(sorted(map(repr, self.written)))}"
                )

    def _stored(self, written: str, fields: Mapping[str, str], read: Callable[..., str | None]) -> str:
        label = self.mapping.get(written, written)
        if self.task is None:
            return (Number().parse(label, {}) or label) if self.numbers else label
        try:
            return read(label, self.task, fields) or label
        except BadAnswer:
            self.unknown[written] += 1
            return label


def in_order(labels: Collection[str]) -> list[str]:
    """Return labels sorted; where all are whole numbers, by their size."""
    numeric = all(label.isascii() and label.isdecimal() for label in labels)
    return sorted(labels, key=lambda label: (int(label) if numeric else 0, label))


def unknown_labels(unknown: Mapping[str, int], task: Task) -> str:
    """Return the half of a sentence that names labels a task does not know and how to map each."""
    allowed = task.answer.labels()
    counts = _shortened_list([f"{label!r:.60} ({number} times)" for label, number in sorted(unknown.items())])
    options = " ".join(f"--map '{label}={_nearest(label, allowed)}'" for label in sorted(unknown)[:SHOWN])
    answers = f" ({', '.join(allowed)})" if allowed else ""
    return f"these are no answers of task {task.id!r}{answers}: {counts}; say what they mean with {options}"


def lookalikes(labels: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return labels that are another one but for case or what trails it: `entailment6` beside `entailment`."""
    bases: dict[str, str] = {}
    for label in sorted(labels, key=lambda label: (-labels[label], label)):
        if _core(label) == label.casefold():
            bases.setdefault(_core(label), label)
    pairs = [(label, bases.get(_core(label), label)) for label in sorted(labels)]
    return [(label, base) for label, base in pairs if label != base]


def _core(label: str) -> str:
    return re.sub(r"[\W\d_]+$", "", label.strip()).casefold()


def _nearest(label: str, allowed: Sequence[str]) -> str:
    near = get_close_matches(label, allowed, n=1)
    return near[0] if near else "LABEL"


def _shortened_list(words: Sequence[str]) -> str:
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more
