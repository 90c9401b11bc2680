"""Benchmark families: which tasks belong together, how their authors sum them up, and the scores their papers print.

A family is a folder in `data/tasks`: `family.toml` has its tasks, its total, its notes and what its tasks share, and
`published.csv` the printed scores. On which answers these were computed the program cannot know: they are shown beside
ours, never tested against.
"""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter

from data.errors import look_up
from data.extensions import extended
from data.task_keys import Flag, Whole
from data.wording import Wording, languages

FOLDERS = tuple(folder / "tasks" for folder in extended("tasks", [Path(__file__).parents[1]], Path.as_posix).values())
"""The folders of tasks, ours first; beside each is a folder `samples`."""
TASKS, FAMILY = FOLDERS[0], "family.toml"
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
class PrintedFigure:
    """A figure that a paper prints which is no score: in which table or section, of what, called what, as it stands."""

    table: str
    caption: str
    of: str
    figure: str
    value: str


@dataclass(frozen=True)
class Submitted:
    """What the leaderboard of a benchmark takes."""

    title: str
    """What the leaderboard is called.

    Example: "MERA"
    """
    format: str
    """The module of `data/submissions` that writes its files.

    Example: "mera"
    """
    files: Mapping[str, str]
    """The file of each task, by the id of the task.

    Example: {"use": "USE.json"}
    """
    answers: Mapping[str, str] = field(default_factory=dict)
    """How the answers of a task are written, where not as they are: a name of the format.

    Example: {"rsg/parus": "number"}
    """


@dataclass(frozen=True, kw_only=True)
class AuthorsWay:
    """How the authors of a benchmark asked models."""

    source: str
    """Where that stands.

    Example: "MERA, parus.yaml"
    """
    shots: Whole = 0
    """How many worked examples a prompt had.

    Example: 1
    """
    examples: str = ""
    """How these were chosen.

    Example: "drawn anew for each item"
    """
    max_tokens: Whole | None = None
    """The most tokens of a reply, where the file of the prompts does not say it.

    Example: 16
    """
    stop: tuple[str, ...] = ()
    """The texts that end a reply.

    Example: ["."]
    """
    cut: str = ""
    """How a prompt was cut that was too long.

    Example: "at its end, in tokens of the model"
    """
    read: str = ""
    """How an answer was read, where not out of a reply.

    Example: "the likeliest of the options"
    """
    structured: Flag = False
    """Replies were held to a JSON schema.

    Example: true
    """
    after: str = ""
    """What their program adds at the end of a prompt.

    Example: "Answer:"
    """
    later: Mapping[str, str] = field(default_factory=dict)
    """What their program asks after the first worked example, without the instruction: by the type of item, or `all`.

    Example: {"all": "Text: {text}"}
    """
    names: Mapping[str, str] = field(default_factory=dict)
    """What their prompts name otherwise than the columns of their file.

    Example: {"example": "text"}
    """
    from_zero: Flag = False
    """Their prompts count the options of an item from 0.

    Example: true
    """


@dataclass(frozen=True, kw_only=True)
class FamilyFile:
    """What `family.toml` says of the benchmark whose tasks lie in its folder, and what these share.

    A folder without a `title` is no benchmark: it only shares something.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    title: str = ""
    """What the benchmark is called.

    Example: "RussianSuperGLUE"
    """
    source: str = ""
    """Where the printed scores come from.

    Example: "Shavrina et al. 2020, table 2"
    """
    total: Total = ""
    """How its authors sum it up: `tasks` is the mean over tasks of the mean of their official metrics; `lengths` takes
    for each task the mean over the lengths of its texts first; left out where there is none.

    Example: "tasks"
    """
    tasks: tuple[str, ...] = ()
    """The ids of its tasks, in the order of the paper.

    Example: ["rsg/terra"]
    """
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The groups by which its authors report tasks.

    Example: {"Group I": ["libra/passkey"]}
    """
    notes: Mapping[str, Wording] = field(default_factory=dict)
    """Notes on printed scores, by the names that `published.csv` has.

    Example: {"few": {"ru": "…", "en": "On 215 items."}}
    """
    people: Mapping[str, Wording] = field(default_factory=dict)
    """What is known of how the printed figures of people were made: their `items`, their `rule`, their `gold`.

    Example: {"rule": {"ru": "…", "en": "The majority of five."}}
    """
    submission: Submitted | None = None
    """What its leaderboard takes.

    Example: {"format": "mera"}
    """
    asked: Mapping[str, AuthorsWay] = field(default_factory=dict)
    """How its authors asked models, by the id of the task; under "all" what holds for the others.

    Example: {"all": {"source": "Appendix B"}}
    """
    generators: Mapping[str, str] = field(default_factory=dict)
    """Who makes items of a task with `generate`: a name of `data/generators`.

    Example: {"libra/passkey": "passkey"}
    """
    shared: Mapping[str, Any] = field(default_factory=dict)
    """Keys of a task that each task of the folder has unless it says them itself.

    Example: {"licence": "MIT"}
    """


@dataclass(frozen=True, kw_only=True)
class Family(FamilyFile):
    """A benchmark of several tasks, with the scores that are printed of it."""

    id: str
    printed: tuple[Printed, ...]
    figures: tuple[PrintedFigure, ...] = ()

    def of_task(self, task_id: str) -> tuple[Printed, ...]:
        """Return what is printed of a task, over all its items, in the order of the tables; the totals for ""."""
        return tuple(score for score in self.printed if score.task == task_id and not score.group)


@cache
def families() -> dict[str, Family]:
    """Return every family by its id."""
    known = (_family(path) for folder in FOLDERS for path in sorted(folder.glob(f"*/{FAMILY}")))
    return {family.id: family for family in known if family is not None}


def get_family(name: str) -> Family:
    """Return the family of that id; an unknown id is refused with the nearest names."""
    return look_up("benchmark", name, families())


def family_of(task_id: str) -> Family | None:
    """Return the family to which a task belongs, None for one that stands alone."""
    return next((family for family in families().values() if task_id in family.tasks), None)


def asked_by_authors(task_id: str) -> AuthorsWay | None:
    """Return how the authors of a task asked models, None where that is not known."""
    asked = families()[folder].asked if (folder := task_id.partition("/")[0]) in families() else {}
    return asked.get(task_id) or asked.get("all")


@cache
def family_adapter() -> TypeAdapter[FamilyFile]:
    """Return what reads `family.toml`; it is made once, when it is first asked for."""
    return TypeAdapter(FamilyFile)


def _family(path: Path) -> Family | None:
    """Return a family, None where a folder only shares something, or cannot be read: its tasks say so."""
    try:
        declared = family_adapter().validate_python(tomllib.loads(path.read_text("utf8")), context=languages())
    except (OSError, ValueError):
        return None
    if not declared.title:
        return None
    printed = tuple(_printed(row, declared.notes) for row in _rows(path.with_name("published.csv")))
    figures = tuple(PrintedFigure(**row) for row in _rows(path.with_name("figures.csv")))
    return Family(id=path.parent.name, printed=printed, figures=figures, **vars(declared))


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text("utf8")))) if path.is_file() else []


def _printed(row: dict[str, str], notes: Mapping[str, Wording]) -> Printed:
    read: dict[str, Any] = {"value": float(row["value"]), "note": notes[row["note"]] if row["note"] else None}
    return Printed(**row | read)
