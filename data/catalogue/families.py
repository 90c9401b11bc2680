"""Benchmark families: which tasks belong together, how their authors sum them up, and the scores their papers print.

A family is a folder in `data/tasks`: `family.toml` has its tasks, its total, its notes and what its tasks share, and
`published.csv` the printed scores. These were computed by other people on other answers: they are shown beside ours,
never tested against.
"""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Literal

from data.errors import UnknownName
from data.wording import Wording

TASKS, FAMILY = Path(__file__).parents[1] / "tasks", "family.toml"
Total = Literal["", "tasks", "lengths"]


@dataclass(frozen=True)
class Printed:
    """A score that a paper prints, from -1 or 0 to 1, of `people` or of a `model`.

    `task` is "" for a total. `group` is the group of items it is of (a length), "" for all of them. `table` is its
    place in the paper, `note` what a reader must know of it.
    """

    respondent: str
    kind: Literal["people", "model"]
    task: str
    metric: str
    group: str
    value: float
    table: str
    note: Wording | None


@dataclass(frozen=True)
class Submitted:
    """What the leaderboard of a benchmark takes.

    `format` is a module of `data/submissions`, `files` names the file of each task. `answers` says for tasks how their
    answers are written, by a name of the format, where that is not as they are.
    """

    title: str
    format: str
    files: Mapping[str, str]
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Family:
    """A benchmark of several tasks.

    `total`: "tasks" is the mean over tasks of the mean of their official metrics; "lengths" takes, for each task, the
    mean over the lengths of its texts first; "" where the authors define none. `groups` are those by which the authors
    report their tasks. `generators` names who makes items of a task, a row of `data/generators`. `people` says what is
    known of how the printed figures of people were made: their `items`, their `rule`, their `gold`.
    """

    id: str
    title: str
    source: str
    total: Total
    tasks: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    printed: tuple[Printed, ...]
    submission: Submitted | None = None
    generators: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, Wording] = field(default_factory=dict)

    def of_task(self, task_id: str) -> tuple[Printed, ...]:
        """Return what is printed of a task, over all its items, in the order of the tables."""
        return tuple(score for score in self.printed if score.task == task_id and not score.group)


@cache
def families() -> dict[str, Family]:
    """Return every family by its id."""
    known = (_family(path) for path in sorted(TASKS.glob(f"*/{FAMILY}")))
    return {family.id: family for family in known if family is not None}


def get_family(name: str) -> Family:
    """Return the family of that id; an unknown id is refused with the nearest names."""
    if name not in families():
        raise UnknownName("benchmark", name, families())
    return families()[name]


def family_of(task_id: str) -> Family | None:
    """Return the family to which a task belongs, None for one that stands alone."""
    return next((family for family in families().values() if task_id in family.tasks), None)


def _family(path: Path) -> Family | None:
    """Return a family, None where a folder only shares something, or cannot be read: its tasks say so."""
    try:
        declared = tomllib.loads(path.read_text("utf8"))
    except (OSError, ValueError):
        return None
    if "title" not in declared:
        return None
    notes = {name: Wording(**words) for name, words in declared.get("notes", {}).items()}
    scores = path.with_name("published.csv")
    rows = csv.DictReader(StringIO(scores.read_text("utf8"))) if scores.is_file() else ()
    printed = tuple(_printed(row, notes) for row in rows)
    return Family(
        id=path.parent.name,
        title=declared["title"],
        source=declared.get("source", ""),
        total=declared.get("total", ""),
        tasks=tuple(declared.get("tasks", ())),
        groups={name: tuple(members) for name, members in declared.get("groups", {}).items()},
        printed=printed,
        submission=Submitted(**declared["submission"]) if "submission" in declared else None,
        generators=declared.get("generators", {}),
        people={name: Wording(**words) for name, words in declared.get("people", {}).items()},
    )


def _printed(row: Mapping[str, str], notes: Mapping[str, Wording]) -> Printed:
    return Printed(
        respondent=row["respondent"],
        kind="people" if row["kind"] == "people" else "model",
        task=row["task"],
        metric=row["metric"],
        group=row["group"],
        value=float(row["value"]),
        table=row["table"],
        note=notes[row["note"]] if row["note"] else None,
    )
