"""What is asked: a Task, its Fields and its Items, frozen and checked when they are made."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from data.answers.base import AnswerType
from data.errors import BadAnswer, BadTask
from data.wording import Wording

Role = Literal["main", "training", "control"]
ROLES: tuple[Role, ...] = ("main", "training", "control")
FieldKind = Literal[
    "plain", "question", "option", "title", "numbered", "marked", "long", "markup", "table", "options", "questions",
    "offsets", "hidden",
]  # fmt: skip
FIELD_KINDS: tuple[FieldKind, ...] = get_args(FieldKind)
DATA_KINDS: tuple[FieldKind, ...] = ("table", "options", "questions", "offsets")
UNSEEN_KINDS: tuple[FieldKind, ...] = ("question", "option", "options", "questions", "offsets", "hidden")


@dataclass(frozen=True)
class Field:
    """One named text of an item and how it is shown.

    Texts: `plain` stands in the card under its title, `title` is a heading, `numbered` has sentences numbered "(1)",
    `marked` has stretches marked at the places that the `offsets` field named by `marks` tells, `long` opens in a
    reader, `markup` has spans in brackets (as AGRR prints them), `hidden` is data about the item which nobody is shown.
    The question: `question` is the legend above the answers, `option` is one of the answers itself.
    Data, kept as compact JSON: `table` (rows of cells, the first row the heads), `options` (a list of texts to choose
    from), `questions` (a list of objects, each asked in one part of a form), `offsets` (a list of [begin, end] or
    [begin, end, label] in code points).

    `values` translates stored values into the words people and models read (`cause` -> a question). An `optional` field
    may be empty or absent, and is not drawn then. `separator` stands between the `options` of an item where a file has
    them as one text; "" where they come as a list.
    """

    name: str
    title: Wording
    kind: FieldKind = "plain"
    values: Mapping[str, Wording] = field(default_factory=dict)
    marks: str = ""
    optional: bool = False
    separator: str = ""

    def __post_init__(self) -> None:
        if self.separator and self.kind != "options":
            raise BadTask(f"field {self.name!r}: a separator parts the options of a field of kind 'options', no other")
        if self.kind not in FIELD_KINDS:
            raise BadTask(f"field {self.name!r}: kind {self.kind!r} is not known; use one of {', '.join(FIELD_KINDS)}")
        if (self.kind == "marked") != bool(self.marks):
            raise BadTask(f"field {self.name!r}: a marked text, and no other, names the field that holds its marks")

    @property
    def drawn(self) -> bool:
        """Whether the field is one of the texts above the question."""
        return self.kind not in UNSEEN_KINDS


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
class Example:
    """An item worked through in the instruction: its fields, the answer in canonical form, the reason why.

    It is no item of any study: who reads it learns nothing about what is asked later.
    """

    fields: Mapping[str, str]
    answer: str
    explanation: Wording


@dataclass(frozen=True)
class Breakdown:
    """A way to split items into groups: by the value of one field, whose `values` give the groups their words.

    `several` parts one value into the groups an item belongs to at once ("Negation;Quantifiers"); "" where a value is
    one group. An item whose field is empty belongs to none.
    """

    field: str
    title: Wording
    several: str = ""

    def groups(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        """Return the groups to which an item with these fields belongs, in the order in which they stand there."""
        value = fields.get(self.field, "")
        parts = value.split(self.several) if self.several else [value]
        return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


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
    {question}, {options}, {answer_format} and every drawn field by its name. `shape` names how a record of the authors'
    files becomes items (`data/shapes`). `cluster` names the field whose equal values bind items together (a passage, an
    idiom): intervals resample clusters. `examples` are worked through in the instruction.

    `variants` are other wordings of the prompt, asked for by number from 1; `prompt` is number 0. They stand under the
    value of the field `variants_by`, or under "" where every item has the same. `published` are the metrics as the
    authors' own script counts them, or their paper where there is no script; () where they are the official ones.
    `splits` are the published numbers of items, by the name of the split. `shots` is False where the texts of the items
    carry worked examples themselves, so that models are shown no others. `several` stands between the right answers of
    one item where a file has more than one in a cell, "" where it never does.
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
    shape: str = ""
    cluster: str = ""
    source: str = ""
    licence: str = ""
    version: int = 1
    examples: tuple[Example, ...] = ()
    variants: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    variants_by: str = ""
    published: tuple[str, ...] = ()
    breakdowns: tuple[Breakdown, ...] = ()
    splits: Mapping[str, int] = field(default_factory=dict)
    shots: bool = True
    several: str = ""

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
        bound = (self.cluster, self.variants_by, *(f.marks for f in self.fields), *(b.field for b in self.breakdowns))
        for name in bound:
            if name and name not in names:
                raise BadTask(f"task {self.id!r}: there is no field {name!r}, which marks, binds or groups others")
        self.answer.check_fields(self.id, names)
        for example in self.examples:
            self._check(example, names)

    def _check(self, example: Example, names: Sequence[str]) -> None:
        if set(example.fields) != set(names):
            raise BadTask(f"task {self.id!r}: an example needs the fields {', '.join(names)}, no more and no fewer")
        try:
            canonical = self.answer.of(example.fields).validate(example.answer, example.fields)
        except BadAnswer as mistake:
            raise BadTask(f"task {self.id!r}: the answer {example.answer!r} of an example does not fit it") from mistake
        if canonical != example.answer:
            raise BadTask(f"task {self.id!r}: write the answer of the example as {canonical!r}")

    def shown(self, name: str, value: str) -> Wording:
        """Return the words in which `value` of field `name` is read."""
        declared = next(f for f in self.fields if f.name == name)
        return declared.values.get(value) or Wording(ru=value, en=value)

    def answer_for(self, fields: Mapping[str, str]) -> AnswerType:
        """Return the answer type of an item with these fields."""
        return self.answer.of(fields)

    def legend(self, fields: Mapping[str, str]) -> Wording:
        """Return the question above the answers: the item's own where a field carries it, else the task's."""
        for declared in self.fields:
            if declared.kind == "question":
                return self.shown(declared.name, fields[declared.name])
        return self.question

    def template(self, fields: Mapping[str, str], variant: int = 0) -> str:
        """Return the prompt of that number for an item with these fields; raises BadTask where there is none."""
        others = self.variants.get(fields.get(self.variants_by, "") if self.variants_by else "", ())
        if not 0 <= variant <= len(others):
            raise BadTask(f"task {self.id!r}: there is no prompt {variant}; its prompts are 0 to {len(others)}")
        return others[variant - 1] if variant else self.prompt

    @property
    def primary(self) -> str:
        """The metric that stands for the task where only one can: the first official one."""
        return (self.official or self.metrics)[0]
