"""What is asked: a Task, its Fields and its Items, frozen and checked when they are made."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from data.answers.base import AnswerType
from data.errors import BadTask
from data.wording import Wording

Role = Literal["main", "training", "control"]
ROLES: tuple[Role, ...] = ("main", "training", "control")
FieldKind = Literal["plain", "question", "option"]
FIELD_KINDS: tuple[FieldKind, ...] = ("plain", "question", "option")


@dataclass(frozen=True)
class Field:
    """One named text of an item and how it is shown.

    `plain` stands in the card under its title, `question` is the legend above the answers, `option` is one of the
    answers itself. `values` translates stored values into the words people and models read (`cause` -> a question).
    """

    name: str
    title: Wording
    kind: FieldKind = "plain"
    values: Mapping[str, Wording] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.kind not in FIELD_KINDS:
            raise BadTask(f"field {self.name!r}: kind {self.kind!r} is not known; use one of {', '.join(FIELD_KINDS)}")


@dataclass(frozen=True)
class PublicItem:
    """What a worker or a model may see of an item: its fields, nothing else."""

    fields: Mapping[str, str]


@dataclass(frozen=True)
class Item:
    """One question with its fields. `gold` is the right answer or None; it never leaves the server."""

    id: str
    fields: Mapping[str, str]
    gold: str | None = None
    role: Role = "main"
    explanation: str = ""

    def public(self) -> PublicItem:
        """Return the item without its gold, its id and its role: an id may tell what a control is."""
        return PublicItem(dict(self.fields))


@dataclass(frozen=True)
class Aliases:
    """Other people's names for this task's columns, values and answers, as they stand in published files.

    `columns`: their column -> our field. `values`: our field -> {their value -> ours}. `answers`: their label -> ours.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """One dataset: what is shown, what may be answered, how a model is asked, how answers are worth points.

    `question` is the legend where no field of kind `question` gives one. `prompt` is a template with {instruction},
    {question}, {options}, {answer_format} and every plain field by its name.
    """

    id: str
    title: Wording
    description: Wording
    fields: tuple[Field, ...]
    question: Wording
    instruction: Wording
    answer: AnswerType
    prompt: str
    metrics: tuple[str, ...]
    official: tuple[str, ...] = ()
    aliases: Aliases = Aliases()
    answer_column: str = "label"
    source: str = ""
    licence: str = ""
    version: int = 1

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9_-]+(/[\w.-]+)?", self.id):
            raise BadTask(f"task id {self.id!r}: use small letters, digits, _ and -, with at most one slash")
        names = [f.name for f in self.fields]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise BadTask(f"task {self.id!r}: field {twice[0]!r} is declared twice")
        if not self.metrics:
            raise BadTask(f"task {self.id!r}: name at least one metric")
        unknown = set(self.official) - set(self.metrics)
        if unknown:
            raise BadTask(f"task {self.id!r}: official metric {sorted(unknown)[0]!r} is not among its metrics")
        self.answer.check_fields(self.id, names)

    def shown(self, name: str, value: str) -> Wording:
        """Return the words in which `value` of field `name` is read."""
        declared = next(f for f in self.fields if f.name == name)
        return declared.values.get(value) or Wording(ru=value, en=value)

    def legend(self, fields: Mapping[str, str]) -> Wording:
        """Return the question above the answers: the item's own where a field carries it, else the task's."""
        for declared in self.fields:
            if declared.kind == "question":
                return self.shown(declared.name, fields[declared.name])
        return self.question

    @property
    def primary(self) -> str:
        """The metric that stands for the task where only one can: the first official one."""
        return (self.official or self.metrics)[0]
