"""What an import of a run read, joined, dropped and stored, as plain data and as text."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from baseline.imports.log_records import DroppedRecord
from baseline.runs.run_state import LOG_FORMS
from data.errors import FileProblem
from db.runs import Run

LISTED = 10
LONGEST = 80
WAYS = {
    "id": "by id",
    "fields": "by their fields",
    "text": "by their texts",
    "outputs": "by what they accept",
    "order": "by their place in the file",
}


@dataclass(frozen=True)
class ReplyExample:
    """One reply as it came and what was read in it, None where nothing was."""

    item: str
    raw: str
    read: str | None


@dataclass(frozen=True)
class ImportedRun:
    """An import in all its numbers.

    `read` records gave predictions for `answered` of the study's `items`; `ways` counts by what they were joined,
    `repeated` those that say again what another one says, `differently` those in whose reply something else was read
    than the log took for the answer; `unreadable` rows count as wrong where their item is known; `columns` names those
    of plain answers that were read.
    """

    run: Run
    study: str
    file: str
    form: str
    read: int
    items: int
    answered: int
    samples: int
    ways: Mapping[str, int]
    statuses: Mapping[str, int]
    dropped: tuple[DroppedRecord, ...]
    unreadable: tuple[FileProblem, ...]
    repeated: int
    differently: int
    examples: tuple[ReplyExample, ...]
    notes: tuple[str, ...] = ()
    columns: str = ""

    @property
    def records_kept(self) -> int:
        """How many predictions were stored."""
        return sum(self.statuses.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the report as `import-run --json` prints it."""
        return {
            "study": self.study,
            "run": self.run.id,
            "model": self.run.model,
            "status": self.run.status,
            "from": self.form,
            "file": self.file,
            "records": {
                "read": self.read,
                "kept": self.records_kept,
                "repeated": self.repeated,
                "dropped": len(self.dropped),
            },
            "joined": dict(self.ways),
            "dropped": [{"where": example.where, "reason": example.reason} for example in self.dropped],
            "items": {"total": self.items, "answered": self.answered, "missing": self.items - self.answered},
            "samples": self.samples,
            "statuses": dict(self.statuses),
            "read_differently": self.differently,
            "examples": [{"item": example.item, "raw": example.raw, "read": example.read} for example in self.examples],
            "notes": list(self.notes),
            **({"read": self.columns} if self.columns else {}),
            **({"unreadable": list(map(str, self.unreadable))} if self.unreadable else {}),
        }

    def reasons(self) -> list[tuple[str, int, str]]:
        """Return why records were dropped, the most frequent reason first: the reason, how often, where for example."""
        counts = Counter(record.reason for record in self.dropped)
        places: dict[str, list[str]] = {}
        for record in self.dropped:
            places.setdefault(record.reason, []).append(record.where)
        return [
            (reason, number, ", ".join(places[reason][:LISTED]) + (", …" if number > LISTED else ""))
            for reason, number in counts.most_common()
        ]

    def text(self) -> str:
        """Return the report for a terminal; what did not occur is not mentioned."""
        head = f"run {self.run.id} of {self.run.model}, imported from {self.file} ({LOG_FORMS[self.form].title})"
        return "\n".join([head, *(f"  {name:<10}{words}" for name, words in self.facts() if words)])

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield what there is to tell, each as a word and a sentence; an empty sentence is for what did not occur."""
        left = self.items - self.answered
        again = f", {self.repeated} say again what others say" if self.repeated else ""
        yield "records", f"{self.read} read, {self.records_kept} kept, {len(self.dropped)} dropped{again}"
        yield "read:", self.columns
        yield "joined", ", ".join(f"{number} {WAYS[way]}" for way, number in self.ways.items())
        yield (
            "items",
            f"{self.answered} of {self.items} answered"
            + (f"; {left} {'has' if left == 1 else 'have'} no answer" if left else ""),
        )
        yield "samples", f"up to {self.samples} for an item" if self.samples > 1 else ""
        yield "statuses", ", ".join(f"{name} {number}" for name, number in self.statuses.items())
        are = "reply is" if self.differently == 1 else "replies are"
        differ = f"{self.differently} {are} read differently than the file says"
        yield "readings", differ if self.differently else ""
        for reason, number, places in self.reasons()[:LISTED]:
            yield "dropped", f"{number} ({places}): {reason}"
        for problem in self.unreadable[:LISTED]:
            yield "wrong", f"cannot be read: {problem}"
        for example in self.examples:
            yield "for one", f"{example.item}: {_short(example.raw)} is read as {_short(example.read) or 'no answer'}"
        for note in self.notes:
            yield "note", note


def _short(text: str | None) -> str:
    if text is None:
        return ""
    line = " ".join(text.split())
    return repr(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…")
