"""What an import read, dropped, merged and stored, as plain data and as text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotate.imports.gold_file import GoldFile, Skills
from annotate.imports.labels import Labels, lookalikes, shortened_list
from annotate.imports.log_items import Policy, Settled
from annotate.imports.log_reading import AnswerLog
from data.wording import Language, english_name
from db.judgments import DUPLICATE

NO_SKILLS = Skills(())


@dataclass(frozen=True)
class ImportReport:
    """An import in all its numbers.

    `judgments` are those that count by role; `missing` main items have no gold.
    """

    study: str
    task: str
    log: AnswerLog
    labels: Labels
    settled: Settled
    policy: Policy
    items: Mapping[str, int]
    judgments: Mapping[str, int]
    workers: int
    missing: int
    skills: Skills = NO_SKILLS
    gold: GoldFile | None = None
    language: Language | None = None
    language_declared: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the report as data that JSON can hold."""
        log, settled, void = self.log, self.settled, self.settled.void()
        return {
            "study": self.study,
            "task": self.task,
            "files": list(log.files),
            "rows": {
                "read": log.read,
                "dropped": dict(log.reasons()),
                "dropped_lines": [f"{row.file}, line {row.line}" for row in log.dropped],
            },
            "items": dict(self.items),
            "workers": self.workers,
            "judgments": {**self.judgments, "control_repeats": settled.repeats, "void": dict(void)},
            "duplicates": {
                "policy": self.policy,
                "found": settled.duplicates,
                "dropped": void[DUPLICATE],
                "conflicts": [
                    {"item": conflict.item[1], "worker": conflict.worker, "labels": list(conflict.labels)}
                    for conflict in settled.conflicts
                ],
            },
            "labels": self.labels.counts(),
            "mapped": [
                {"written": written, "stored": stored, "answers": number}
                for (written, stored), number in sorted(self.labels.renamed.items())
            ],
            "lookalikes": [{"label": label, "like": base} for label, base in lookalikes(self.labels.counts())],
            "gold": self._gold(),
            "skills": {"workers": len(self._skilled()), "several": self.skills.several}
            if any(self.skills.of_pools)
            else None,
            "language": self.language,
            "language_declared": self.language_declared,
            "recognised": dict(log.recognised),
            "unread_cells": dict(log.unread),
            "fields": list(log.field_names),
            "unused_columns": list(log.unused),
        }

    def __str__(self) -> str:
        """Return the report as text; what did not occur is not mentioned."""
        return "\n".join([f"study {self.study!r} ({self.task}) from {', '.join(self.log.files)}", *self._lines()])

    def _skilled(self) -> set[str]:
        """Return the workers of the log who have a skill."""
        stated = self.skills.of_pools
        return {row.worker for row in self.log.rows if stated and row.worker in stated[row.pool]}

    def _gold(self) -> dict[str, Any] | None:
        if self.gold is None:
            return None
        names = ("file", "rows", "matched", "folded", "unmatched", "ambiguous", "empty")
        given = {name: getattr(self.gold, name) for name in names}
        lines = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
        return lines | {"missing": self.missing}

    def _lines(self) -> Iterator[str]:
        for name, words in self._facts():
            if words:
                yield f"  {name:<12}{words}"

    def _facts(self) -> Iterator[tuple[str, str]]:
        log, settled = self.log, self.settled
        reasons = ", ".join(f"{number} with {reason}" for reason, number in log.reasons().items())
        yield "rows", f"{log.read} read" + (f", {len(log.dropped)} dropped ({reasons})" if reasons else "")
        yield "items", f"{self.items['main']} main, {self.items['control']} control"
        yield "workers", str(self.workers)
        repeats = f" ({settled.repeats} answered again by the same worker)" if settled.repeats else ""
        yield "judgments", f"{self.judgments['main']} main, {self.judgments['control']} control{repeats}"
        void = {reason: number for reason, number in settled.void().items() if reason != DUPLICATE}
        yield "void", ", ".join(f"{number} with {reason}" for reason, number in void.items())
        if settled.duplicates:
            conflicts = f"{len(settled.conflicts)} of the pairs conflict" if settled.conflicts else "none conflict"
            yield "duplicates", f"{settled.duplicates} of the same worker and item; policy {self.policy}; {conflicts}"
        said = [f"{each.worker} said {', '.join(each.labels)} to item {each.item[1]}" for each in settled.conflicts]
        yield "", shortened_list(said)
        yield from self._label_facts()
        yield from self._gold_facts()
        if any(self.skills.of_pools):
            what = "averaged here" if self.skills.merged else "one for each pool"
            more = f"; {self.skills.several} have several, {what}" if self.skills.several else ""
            yield "skills", f"of {len(self._skilled())} of the {self.workers} workers{more}"
        judged = "" if self.language_declared else ", guessed from its letters or its task"
        yield "language", f"{english_name(self.language)}{judged}" if self.language else ""
        known = [f"{column} as the {use}" for use, column in log.recognised.items() if column != use]
        yield "recognised", ", ".join(known)
        yield "shown", shortened_list(log.field_names)
        yield "not read", shortened_list([f"{number} cells of {column}" for column, number in log.unread.items()])
        yield "not used", shortened_list(log.unused)

    def _label_facts(self) -> Iterator[tuple[str, str]]:
        yield "labels", shortened_list([f"{label} ({number})" for label, number in self.labels.counts().items()])
        renamed = sorted(self.labels.renamed.items())
        yield "mapped", shortened_list([f"{written} -> {stored} ({number})" for (written, stored), number in renamed])
        like = [f"--map '{label}={base}'" for label, base in lookalikes(self.labels.counts())]
        yield "look alike", f"if they mean the same, import with {' '.join(like)}" if like else ""

    def _gold_facts(self) -> Iterator[tuple[str, str]]:
        gold = self.gold
        if gold:
            joined = f"{gold.matched} items matched, {gold.folded} by folded space"
            yield "gold", f"{gold.rows} rows of {gold.file}; {joined}"
            for name in ("unmatched", "ambiguous", "empty"):
                lines = getattr(gold, name)
                yield name, f"{len(lines)} rows: line {shortened_list([str(line) for line in lines])}" if lines else ""
            yield "without gold", f"{self.missing} main items" if self.missing else ""
