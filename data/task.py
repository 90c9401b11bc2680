"""What is asked: a Task, its Fields and its Items, frozen and checked when they are made."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, TypeAdapter

from data.answers import AnyAnswer
from data.answers.answer_type import AnswerType
from data.errors import BadAnswer, BadTask, Fault, UnknownName
from data.task_keys import Flag, Whole, key
from data.wording import MODELS_READ, Language, TextByLanguage, Wording, same


@dataclass(frozen=True)
class Aliases:
    """Other people's names for this task's columns, values and answers, as they stand in published files."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Their column, and our field.

    Example: {"sentence1": "premise"}
    """
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Of our field: their value, and ours.

    Example: {"question": {"c": "cause"}}
    """
    answers: Mapping[str, str] = field(default_factory=dict)
    """Their label, and ours.

    Example: {"1": "true", "0": "false"}
    """


@dataclass(frozen=True)
class Breakdown:
    """A way to split items into groups: by the value of one field, whose `values` give the groups their words.

    An item whose field is empty belongs to none.
    """

    field: str
    """The field whose values are the groups.

    Example: "length"
    """
    title: Wording
    """What the groups are called together.

    Example: {"ru": "Длина", "en": "Length"}
    """
    several: str = ""
    """What parts one value into the groups an item belongs to at once: “Negation;Quantifiers”.

    Example: ";"
    """

    def groups(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        """Return the groups to which an item with these fields belongs, in the order in which they stand there."""
        value = fields.get(self.field, "")
        parts = value.split(self.several) if self.several else [value]
        return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


Role = Literal["main", "training", "control", "broken main", "broken training", "broken control"]
ROLES: tuple[Role, ...] = ("main", "training", "control")
"""The roles that files give. An item that is found to be broken keeps its own behind BROKEN, and has no part in labels,
scores and rules, which name the roles they are about."""
BROKEN = "broken "
FieldKind = Literal[
    "plain", "question", "option", "title", "numbered", "marked", "long", "markup", "markdown", "chat", "table",
    "options", "questions", "offsets", "hidden",
]  # fmt: skip
FIELD_KINDS: tuple[FieldKind, ...] = get_args(FieldKind)
DATA_KINDS: tuple[FieldKind, ...] = ("chat", "table", "options", "questions", "offsets")
NOTHING = same("")
UNSEEN_KINDS: tuple[FieldKind, ...] = ("question", "option", "options", "questions", "offsets", "hidden")


ChatRole = Literal["system", "user", "assistant", "tool"]
CHAT_ROLES: tuple[ChatRole, ...] = get_args(ChatRole)


@dataclass(frozen=True)
class Field:
    """One named text of an item and how it is shown.

    Texts: `plain` stands in the card under its title, `title` is a heading, `numbered` has sentences numbered "(1)",
    `marked` has stretches marked at the places that the `offsets` field named by `marks` tells, `long` opens in a
    reader, `markup` has spans in brackets (as AGRR prints them), `markdown` is drawn as models write it (also where it
    is one of the `option_fields`), `hidden` is data about the item which nobody is shown.
    The question: `question` is the legend above the answers, `option` is one of the answers itself.
    Data, kept as compact JSON: `chat` (a list of turns {"role", "content"}, whose contents are Markdown), `table` (rows
    of cells, the first row the heads), `options` (a list of texts to choose from), `questions` (a list of objects, each
    asked in one part of a form), `offsets` (a list of [begin, end] or [begin, end, label] in code points).
    """

    name: str
    """Its name in files and, in braces, in prompts.

    Example: "premise"
    """
    title: Wording
    """What people read above it.

    Example: {"ru": "Текст", "en": "Text"}
    """
    kind: FieldKind = "plain"
    """How it is shown, or what it is for.

    Example: "long"
    """
    values: Mapping[str, Wording] = field(default_factory=dict)
    """The words that people and models read for stored values.

    Example: {"cause": {"ru": "В чём причина?", "en": "What is the cause?"}}
    """
    marks: str = ""
    """Of a `marked` text: the field that holds the places.

    Example: "places"
    """
    optional: Flag = False
    """It may be empty or absent, and is not drawn then.

    Example: true
    """
    separator: str = ""
    """What stands between the `options` of an item where a file has them as one text, not as a list.

    Example: ";"
    """
    sentence: Annotated[Wording | None, key(left_out=True)] = None
    """What is read instead of a text that is not empty; {value} in it is that text.

    Example: {"ru": "Автор — {value}.", "en": "By {value}."}
    """

    def __post_init__(self) -> None:
        if self.separator and self.kind != "options":
            raise BadTask(f"field {self.name!r}: a separator parts the options of a field of kind 'options', no other")
        if self.kind not in FIELD_KINDS:
            raise BadTask(f"field {self.name!r}: kind {self.kind!r} is not known; use one of {', '.join(FIELD_KINDS)}")
        if (self.kind == "marked") != bool(self.marks):
            raise BadTask(f"field {self.name!r}: a marked text, and no other, names the field that holds its marks")

    @property
    def above_question(self) -> bool:
        """Whether the field is one of the texts above the question."""
        return self.kind not in UNSEEN_KINDS


@dataclass(frozen=True)
class PublicItem:
    """What a worker or a model may see of an item: its fields, nothing else."""

    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Item:
    """One question with its fields; `gold` (or None) never leaves the server. `source` is the row of a file it was."""

    id: str
    fields: Mapping[str, str]
    gold: str | None = None
    role: Role = "main"
    explanation: str = ""
    source: Mapping[str, Any] | None = field(default=None, compare=False, repr=False)

    def public(self) -> PublicItem:
        """Return the item without its gold, its id and its role: an id may tell what a control is."""
        return PublicItem(dict(self.fields))


@dataclass(frozen=True)
class Example:
    """An item worked through in the instruction: its fields, the answer in canonical form, the reason why.

    It is no item of any study: who reads it learns nothing about what is asked later.
    """

    fields: Annotated[Mapping[str, str], key(short={"type": "object"})]
    """A text for each field; a list or a table where it holds JSON. Optional ones may be left out.

    Example: {"premise": "…"}
    """
    answer: Annotated[str, key(short={"type": ["array", "object"]})]
    """A right answer, as answers are kept; a list or a table where that is JSON.

    Example: "entailment"
    """
    explanation: Wording
    """Why it is right.

    Example: {"ru": "Потому что…", "en": "Because…"}
    """


@dataclass(frozen=True, kw_only=True)
class Task:
    """One dataset: what is shown, what may be answered, how a model is asked, how answers are worth points."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    id: str
    """Its name: small letters, digits, _ and -, with at most one slash.

    Example: "rsg/terra"
    """
    title: Wording
    """What people know it as.

    Example: {"ru": "Следует ли из текста", "en": "Does it follow"}
    """
    description: Wording = NOTHING
    """What it is, in a sentence.

    Example: {"ru": "Логический вывод.", "en": "Entailment."}
    """
    fields: Annotated[tuple[Field, ...], key(short={"type": "array", "contains": {"type": "string"}})]
    """The texts and data of an item; the name alone of a field that `[shared]` of the folder has.

    Example: [{"name": "premise", "title": {"ru": "Текст", "en": "Text"}, "kind": "long"}]
    """
    question: Wording
    """The legend above the answers, where no field of kind `question` gives one.

    Example: {"ru": "Да?", "en": "Yes?"}
    """
    instruction: Wording
    """What people read before they begin, and models in prompts.

    Example: {"ru": "…", "en": "…"}
    """
    answer: AnyAnswer
    """How it is answered.

    Example: {"kind": "number", "whole": true}
    """
    prompt: TextByLanguage = ""
    r"""What a model is asked: a template with {instruction}, {question}, {options}, {answer_format} and every drawn
    field by its name; composed of these where it is empty. One text, or one in each language.

    Example: "{instruction}\n\n{premise}\n\n{question}\n{options}\n\n{answer_format}"
    Example: {"ru": "Текст: {premise}\n\n{answer_format}", "en": "Text: {premise}\n\n{answer_format}"}
    """
    metrics: tuple[str, ...]
    """The names of the metrics that answers are scored by.

    Example: ["accuracy"]
    """
    official: tuple[str, ...] = ()
    """Those of them that are the benchmark's own, the main one first.

    Example: ["accuracy"]
    """
    aliases: Aliases = field(default_factory=Aliases)
    """What published files call things.

    Example: {"columns": {"sentence1": "premise"}}
    """
    answer_column: str = "label"
    """The column of files that holds right answers.

    Example: "answer"
    """
    file_format: Annotated[str, key(called=("file_format", "shape"))] = ""
    """The format of the authors' files: a name of `data/formats`.

    Example: "rucos"
    """
    judged_by: Annotated[str, key(left_out=True)] = ""
    """Where people write: the task in which others judge what was written.

    Example: "writing/validate"
    """
    cluster: str = ""
    """The field whose equal values bind items in clusters for intervals.

    Example: "passage"
    """
    source: str = ""
    """Where it comes from.

    Example: "RussianSuperGLUE (Shavrina et al., EMNLP 2020)"
    """
    public_gold: Annotated[str, key(left_out=True)] = ""
    """Since when gold is public: models may know it.

    Example: "2020"
    """
    public_splits: Annotated[tuple[str, ...], key(left_out=True)] = ()
    """Splits with public gold; empty: all.

    Example: ["train"]
    """
    licence: str = ""
    """The licence of its items.

    Example: "MIT"
    """
    version: Whole = 1
    """Counts its changes.

    Example: 2
    """
    examples: tuple[Example, ...] = ()
    """Items worked through in the instruction.

    Example: [{"fields": {}, "answer": "entailment"}]
    """
    variants: Annotated[Mapping[str, tuple[str, ...]], key(short={"type": "array", "items": {"type": "string"}})] = (
        field(default_factory=dict)
    )
    r"""Other wordings of the prompt, asked for by number from 1: a list, or a list under each value of the field
    `variants_by`.

    Example: ["{premise}\n\n{question} {answer_format}"]
    """
    variants_by: str = ""
    """The field by which the wordings differ.

    Example: "type"
    """
    published: tuple[str, ...] = ()
    """The metrics as the authors' own script counts them, or their paper where there is no script; the official ones
    where it is left out.

    Example: ["em_code"]
    """
    breakdowns: tuple[Breakdown, ...] = ()
    """Ways to split items into groups.

    Example: [{"field": "length", "title": {"ru": "Длина", "en": "Length"}}]
    """
    splits: Mapping[str, Whole] = field(default_factory=dict)
    """The published numbers of items, by the name of the split.

    Example: {"test": 500}
    """
    shots: Flag = True
    """Models may be shown solved items; false where the texts carry worked examples themselves.

    Example: false
    """
    several: str = ""
    """What stands between several right answers in one cell of a file.

    Example: ","
    """
    order: Annotated[Literal["", "fixed"], key(left_out=True)] = ""
    """Fixed: people see options as they stand in files; else their order is drawn wherever no text names positions.

    Example: "fixed"
    """

    def __post_init__(self) -> None:
        if faults := [Fault(at, f"task {self.id!r}: {sentence}") for at, sentence in self._faults()]:
            raise BadTask(*faults)

    def _faults(self) -> Iterator[Fault]:
        """Yield everything in which the task contradicts itself."""
        if not re.fullmatch(r"[a-z0-9_-]+(/[\w.-]+)?", self.id):
            yield Fault(("id",), "use small letters, digits, _ and -, with at most one slash")
        names = [f.name for f in self.fields]
        options = getattr(self.answer, "option_fields", ())
        for place, declared in enumerate(self.fields):
            if declared.kind == "chat" and declared.name in options:
                sentence = f"field {declared.name!r}: an option is a text; use the kind 'markdown'"
                yield Fault(("fields", place, "kind"), sentence)
        twice = ((place, name) for place, name in enumerate(names) if name in names[:place])
        yield from (Fault(("fields", place), f"field {name!r} is declared twice") for place, name in twice)
        if not self.metrics:
            yield Fault(("metrics",), "name at least one metric")
        for name in (name for name in self.official if name not in self.metrics):
            yield Fault(("official",), f"official metric {name!r} is not among its metrics")
        for at, name in self._bound():
            if name and name not in names:
                yield Fault(at, f"there is no field {name!r}, which marks, binds or groups others")
        try:
            self.answer.check_fields(self.id, names)
        except BadTask as error:
            yield Fault(("answer",), str(error).removeprefix(f"task {self.id!r}: "))
        else:
            for place, example in enumerate(self.examples):
                yield from self._faults_of(example, ("examples", place), names)

    def _bound(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield the names of fields that the task names, each with its place."""
        yield ("cluster",), self.cluster
        yield ("variants_by",), self.variants_by
        yield from ((("fields", place, "marks"), task_field.marks) for place, task_field in enumerate(self.fields))
        yield from ((("breakdowns", place, "field"), group.field) for place, group in enumerate(self.breakdowns))

    def _faults_of(self, example: Example, at: tuple[str | int, ...], names: Sequence[str]) -> Iterator[Fault]:
        unknown, missing = set(example.fields) - {*names}, sorted({*names} - set(example.fields))
        yield from (Fault((*at, "fields", name), str(UnknownName("the field", name, names))) for name in unknown)
        if len(missing) > len(unknown):
            yield Fault((*at, "fields"), f"an example needs all the fields; it lacks {', '.join(missing)}")
        if unknown or missing:
            return
        try:
            canonical = self.answer.of(example.fields).validate(example.answer, example.fields)
        except (BadAnswer, BadTask):
            yield Fault((*at, "answer"), f"the answer {example.answer!r} of an example does not fit it")
            return
        if canonical != example.answer:
            yield Fault((*at, "answer"), f"write the answer of the example as {canonical!r}")

    def shown(self, name: str, value: str) -> Wording:
        """Return the words in which `value` of field `name` is read."""
        declared = next(f for f in self.fields if f.name == name)
        if declared.sentence and value:
            return Wording(**{code: said.replace("{value}", value) for code, said in declared.sentence.items()})
        return declared.values.get(value) or same(value)

    def answer_for(self, fields: Mapping[str, str]) -> AnswerType:
        """Return the answer type of an item with these fields."""
        return self.answer.of(fields)

    def legend(self, fields: Mapping[str, str]) -> Wording:
        """Return the question above the answers: the item's own where a field carries it, else the task's."""
        for declared in self.fields:
            if declared.kind == "question":
                return self.shown(declared.name, fields[declared.name])
        return self.question

    def own_prompt(self, language: Language = MODELS_READ) -> str:
        """Return prompt 0 in a language, else in one that it falls back to."""
        return self.prompt if isinstance(self.prompt, str) else self.prompt.within(language)

    def template(self, fields: Mapping[str, str], variant: int = 0, language: Language = MODELS_READ) -> str:
        """Return the prompt of that number, from 1 the same in all languages; raises BadTask where there is none."""
        others = self.variants.get(fields.get(self.variants_by, "") if self.variants_by else "", ())
        if not 0 <= variant <= len(others):
            raise BadTask(f"task {self.id!r}: there is no prompt {variant}; its prompts are 0 to {len(others)}")
        return others[variant - 1] if variant else self.own_prompt(language)

    @property
    def primary(self) -> str:
        """The metric that stands for the task where only one can: the first official one."""
        return (self.official or self.metrics)[0]


@cache
def task_adapter() -> TypeAdapter[Task]:
    """Return what reads and writes tasks; it is made once, when it is first asked for."""
    return TypeAdapter(Task)


def as_dict(task: Task) -> dict[str, Any]:
    """Return the task as data that JSON can hold; `from_dict` gives an equal task back."""
    values: dict[str, Any] = task_adapter().dump_python(task, mode="json")
    return values


def from_dict(values: Mapping[str, Any], *, known: Collection[Language] | None = None) -> Task:
    """Return the task that `as_dict` described; raises pydantic's ValidationError where it contradicts itself.

    Its texts are in the languages that are `known`, None for any: what was stored is read though a language has gone.
    """
    return task_adapter().validate_python(values, context=known)
