"""Scores as a benchmark's authors have them: what their paper prints, and ours by the metrics of their own script.

What is printed stands beside ours, clearly marked, and is never paired or tested against.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from data.catalogue.families import Family, family_of
from data.numbers import number
from data.tables import Column, Table
from data.task import Task

UNTESTED = (
    "The answers behind a printed score may be others than these, or these very ones: it is shown for orientation and "
    "never tested against ours. Neither its interval nor its number of answers is known here."
)
"""What holds of every printed score beside ours: the program cannot know on which answers it was computed."""
NOBODY = "The paper prints no score of people: the one here is the first."


@dataclass(frozen=True)
class PublishedRow:
    """What a paper prints of one respondent: its scores by metric, the table, and what a reader must know."""

    respondent: str
    kind: str
    scores: dict[str, float]
    table: str
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the row as it stands in JSON."""
        values = {"respondent": self.respondent, "kind": self.kind, "scores": self.scores, "table": self.table}
        return values | {"notes": list(self.notes)}


@dataclass(frozen=True)
class PublishedScores:
    """What a paper prints of a task; without rows, that it prints nothing of it."""

    family: Family
    rows: tuple[PublishedRow, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that are printed, in the order of the table."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.scores))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know, each once; that people are missing among it."""
        noted = dict.fromkeys(note for row in self.rows for note in row.notes)
        return (*noted, *(() if any(row.kind == "people" for row in self.rows) else (NOBODY,)))

    def as_dict(self) -> dict[str, Any]:
        """Return the table as it stands in JSON."""
        return {"source": self.family.source, "rows": [row.as_dict() for row in self.rows]}


def published_table(published: PublishedScores) -> Table[PublishedRow]:
    """Return what a paper prints of a task, with the metrics as columns."""
    columns: list[Column[PublishedRow]] = [
        Column("respondent", "respondent", "", lambda row: f"published: {row.respondent}")
    ]
    columns += [Column(name, name, "", _score_by(name), number) for name in published.metrics]
    return Table(
        "What the paper prints", [*columns, Column("table", "table", "", lambda row: row.table)], published.rows
    )


def published_notes(published: PublishedScores) -> list[str]:
    """Return what a reader must know of it."""
    return [f"Published: {published.family.source}. {UNTESTED}", *published.notes]


def published_scores_of(task: Task) -> PublishedScores | None:
    """Return what the paper of a task's family prints of it, None for a task of no family."""
    family = family_of(task.id)
    if family is None:
        return None
    rows: dict[tuple[str, str], PublishedRow] = {}
    for score in family.of_task(task.id):
        key = score.respondent, score.table
        row = rows.get(key, PublishedRow(score.respondent, score.kind, {}, score.table, ()))
        notes = tuple(dict.fromkeys((*row.notes, *((score.note.for_requesters,) if score.note else ()))))
        rows[key] = PublishedRow(row.respondent, row.kind, row.scores | {score.metric: score.value}, row.table, notes)
    return PublishedScores(family, _without_repeats(sorted(rows.values(), key=lambda row: row.kind != "people")))


def _without_repeats(rows: Sequence[PublishedRow]) -> tuple[PublishedRow, ...]:
    """Leave out rows that repeat what another table prints of the same respondent."""
    kept: list[PublishedRow] = []
    for row in rows:
        if not any(row.respondent == other.respondent and row.scores == other.scores for other in kept):
            kept.append(row)
    return tuple(kept)


def _score_by(metric: str) -> Callable[[PublishedRow], float | None]:
    return lambda row: row.scores.get(metric)


NOTHING_PUBLISHED = "Nothing is published of this task: it belongs to no benchmark."


def as_published(task: Task) -> Task:
    """Return the task with the metrics of its authors' script in place of the corrected ones.

    Where these are the official ones, that is all there is. A value that joins several groups ("Negation;Quantifiers")
    is a group of its own, as the scripts have it.
    """
    names = task.published or task.official or task.metrics
    unsplit = tuple(replace(each, several="") for each in task.breakdowns)
    return replace(task, metrics=names, official=names, breakdowns=unsplit)
