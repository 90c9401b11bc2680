"""What is asked: a Task, its Fields and its Items, frozen and checked when they are made."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict

from data.answers import AnyAnswer
from data.answers.answer_type import AnswerType
from data.errors import BadAnswer, BadTask, Fault, UnknownName
from data.task_keys import Flag, Whole, key
from data.wording import MODELS_READ, Language, TextByLanguage, Wording, same


@dataclass(frozen=True)
class Aliases:
    """Other people's names for this task's columns, values and answers, as they stand in published files."""

    columns: Annotated[Mapping[str, str], key("Their column, and our field.", {"sentence1": "premise"})] = field(
        default_factory=dict
    )
    values: Annotated[
        Mapping[str, Mapping[str, str]], key("Of our field: their value, and ours.", {"question": {"c": "cause"}})
    ] = field(default_factory=dict)
    answers: Annotated[Mapping[str, str], key("Their label, and ours.", {"1": "true", "0": "false"})] = field(
        default_factory=dict
    )


@dataclass(frozen=True)
class Breakdown:
    """A way to split items into groups: by the value of one field, whose `values` give the groups their words.

    An item whose field is empty belongs to none.
    """

    field: Annotated[str, key("The field whose values are the groups.", "length")]
    title: Annotated[Wording, key("What the groups are called together.", {"ru": "Длина", "en": "Length"})]
    several: Annotated[
        str, key("What parts one value into the groups an item belongs to at once: “Negation;Quantifiers”.", ";")
    ] = ""

    def groups(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        """Return the groups to which an item with these fields belongs, in the order in which they stand there."""
        value = fields.get(self.field, "")
        parts = value.split(self.several) if self.several else [value]
        return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


Role = Literal["main", "training", "control"]
ROLES: tuple[Role, ...] = ("main", "training", "control")
FieldKind = Literal[
    "plain", "question", "option", "title", "numbered", "marked", "long", "markup", "table", "options", "questions",
    "offsets", "hidden",
]  # fmt: skip
FIELD_KINDS: tuple[FieldKind, ...] = get_args(FieldKind)
DATA_KINDS: tuple[FieldKind, ...] = ("table", "options", "questions", "offsets")
NOTHING = same("")
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
    """

    name: Annotated[str, key("Its name in files and, in braces, in prompts.", "premise")]
    title: Annotated[Wording, key("What people read above it.", {"ru": "Текст", "en": "Text"})]
    kind: Annotated[FieldKind, key("How it is shown, or what it is for.", "long")] = "plain"
    values: Annotated[
        Mapping[str, Wording],
        key(
            "The words that people and models read for stored values.",
            {"cause": {"ru": "В чём причина?", "en": "What is the cause?"}},
        ),
    ] = field(default_factory=dict)
    marks: Annotated[str, key("Of a `marked` text: the field that holds the places.", "places")] = ""
    optional: Annotated[Flag, key("It may be empty or absent, and is not drawn then.", True)] = False
    separator: Annotated[
        str,
        key("What stands between the `options` of an item where a file has them as one text, not as a list.", ";"),
    ] = ""
    sentence: Annotated[
        Wording | None,
        key(
            "What is read instead of a text that is not empty; {value} in it is that text.",
            {"ru": "Автор — {value}.", "en": "By {value}."},
            left_out=True,
        ),
    ] = None

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

    fields: Annotated[
        Mapping[str, str],
        key(
            "A text for each field; a list or a table where it holds JSON. Optional ones may be left out.",
            {"premise": "…"},
            short={"type": "object"},
        ),
    ]
    answer: Annotated[
        str,
        key(
            "A right answer, as answers are kept; a list or a table where that is JSON.",
            "entailment",
            short={"type": ["array", "object"]},
        ),
    ]
    explanation: Annotated[Wording, key("Why it is right.", {"ru": "Потому что…", "en": "Because…"})]


@dataclass(frozen=True, kw_only=True)
class Task:
    """One dataset: what is shown, what may be answered, how a model is asked, how answers are worth points."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    id: Annotated[str, key("Its name: small letters, digits, _ and -, with at most one slash.", "rsg/terra")]
    title: Annotated[Wording, key("What people know it as.", {"ru": "Следует ли из текста", "en": "Does it follow"})]
    description: Annotated[
        Wording, key("What it is, in a sentence.", {"ru": "Логический вывод.", "en": "Entailment."})
    ] = NOTHING
    fields: Annotated[
        tuple[Field, ...],
        key(
            "The texts and data of an item; the name alone of a field that `[shared]` of the folder has.",
            [{"name": "premise", "title": {"ru": "Текст", "en": "Text"}, "kind": "long"}],
            short={"type": "array", "contains": {"type": "string"}},
        ),
    ]
    question: Annotated[
        Wording,
        key("The legend above the answers, where no field of kind `question` gives one.", {"ru": "Да?", "en": "Yes?"}),
    ]
    instruction: Annotated[
        Wording, key("What people read before they begin, and models in prompts.", {"ru": "…", "en": "…"})
    ]
    answer: Annotated[AnyAnswer, key("How it is answered.", {"kind": "number", "whole": True})]
    prompt: Annotated[
        TextByLanguage,
        key(
            "What a model is asked: a template with {instruction}, {question}, {options}, {answer_format} and every "
            "drawn field by its name; composed of these where it is empty. One text, or one in each language.",
            "{instruction}\n\n{premise}\n\n{question}\n{options}\n\n{answer_format}",
            {"ru": "Текст: {premise}\n\n{answer_format}", "en": "Text: {premise}\n\n{answer_format}"},
        ),
    ] = ""
    metrics: Annotated[tuple[str, ...], key("The names of the metrics that answers are scored by.", ["accuracy"])]
    official: Annotated[
        tuple[str, ...], key("Those of them that are the benchmark's own, the main one first.", ["accuracy"])
    ] = ()
    aliases: Annotated[Aliases, key("What published files call things.", {"columns": {"sentence1": "premise"}})] = (
        field(default_factory=Aliases)
    )
    answer_column: Annotated[str, key("The column of files that holds right answers.", "answer")] = "label"
    file_format: Annotated[
        str,
        key("The format of the authors' files: a name of `data/formats`.", "rucos", called=("file_format", "shape")),
    ] = ""
    cluster: Annotated[str, key("The field whose equal values bind items in clusters for intervals.", "passage")] = ""
    source: Annotated[str, key("Where it comes from.", "RussianSuperGLUE (Shavrina et al., EMNLP 2020)")] = ""
    public_gold: Annotated[str, key("Since when gold is public: models may know it.", "2020", left_out=True)] = ""
    public_splits: Annotated[
        tuple[str, ...], key("Splits with public gold; empty: all.", ["train"], left_out=True)
    ] = ()
    licence: Annotated[str, key("The licence of its items.", "MIT")] = ""
    version: Annotated[Whole, key("Counts its changes.", 2)] = 1
    examples: Annotated[
        tuple[Example, ...], key("Items worked through in the instruction.", [{"fields": {}, "answer": "entailment"}])
    ] = ()
    variants: Annotated[
        Mapping[str, tuple[str, ...]],
        key(
            "Other wordings of the prompt, asked for by number from 1: a list, or a list under each value of the field "
            "`variants_by`.",
            ["{premise}\n\n{question} {answer_format}"],
            short={"type": "array", "items": {"type": "string"}},
        ),
    ] = field(default_factory=dict)
    variants_by: Annotated[str, key("The field by which the wordings differ.", "type")] = ""
    published: Annotated[
        tuple[str, ...],
        key(
            "The metrics as the authors' own script counts them, or their paper where there is no script; the official "
            "ones where it is left out.",
            ["em_code"],
        ),
    ] = ()
    breakdowns: Annotated[
        tuple[Breakdown, ...],
        key("Ways to split items into groups.", [{"field": "length", "title": {"ru": "Длина", "en": "Length"}}]),
    ] = ()
    splits: Annotated[
        Mapping[str, Whole], key("The published numbers of items, by the name of the split.", {"test": 500})
    ] = field(default_factory=dict)
    shots: Annotated[
        Flag, key("Models may be shown solved items; false where the texts carry worked examples themselves.", False)
    ] = True
    several: Annotated[str, key("What stands between several right answers in one cell of a file.", ",")] = ""

    def __post_init__(self) -> None:
        if faults := [Fault(at, f"task {self.id!r}: {sentence}") for at, sentence in self._faults()]:
            raise BadTask(*faults)

    def _faults(self) -> Iterator[Fault]:
        """Yield everything in which the task contradicts itself."""
        if not re.fullmatch(r"[a-z0-9_-]+(/[\w.-]+)?", self.id):
            yield Fault(("id",), "use small letters, digits, _ and -, with at most one slash")
        names = [f.name for f in self.fields]
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
