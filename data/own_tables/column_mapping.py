"""A table of one's own becomes a task without code: what each column is, and how the question is answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Literal, get_args

from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.number import Number
from data.answers.rating import Rating
from data.answers.text import Text
from data.errors import BadSetting
from data.task import Aliases, Breakdown, Field, FieldKind, Task
from data.wording import Language, Wording, in_languages, same

Use = Literal[
    "shown", "optional", "question", "option", "options", "gold", "id", "explanation", "cluster", "group", "hidden",
    "ignored",
]  # fmt: skip
USES: tuple[Use, ...] = get_args(Use)
CALLED: dict[Use, str] = {
    "shown": "a text that is shown",
    "optional": "a text, may be empty",
    "question": "the question",
    "option": "one of the options",
    "options": "all options of the item",
    "gold": "the right answer",
    "id": "the item’s id",
    "explanation": "why it is right",
    "cluster": "what binds items together",
    "group": "a group for the results",
    "hidden": "kept, not shown",
    "ignored": "left out",
}
"""The words in which the page and the errors say what a column is."""
ALONE: tuple[Use, ...] = ("question", "options", "gold", "id", "explanation", "cluster")
AnswerKind = Literal["choice", "choices", "number", "rating", "text"]
GoldNaming = Literal["text", "from 0", "from 1", "letter", "column"]
SHOWN_KINDS: tuple[FieldKind, ...] = ("plain", "title", "long", "numbered", "markup", "table")
METRICS: dict[AnswerKind, tuple[str, ...]] = {
    "choice": ("accuracy", "macro_f1", "mcc"),
    "choices": ("accuracy", "f1a"),
    "number": ("accuracy",),
    "rating": ("accuracy",),
    "text": ("em", "token_f1", "rouge_l"),
}
"""What each type is scored by; the first one is suggested."""
OWN_NAMES = ("id", "idx", "explanation")
MOST_OPTIONS = 26
CYRILLIC = "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭ"


@dataclass(frozen=True)
class MappedColumn:
    """One column of a table: its name there, what it is for, its titles by language, how its text is shown.

    `separator` stands between the options, or between the right answers, of one cell.
    """

    name: str
    use: Use = "ignored"
    titles: Mapping[Language, str] = field(default_factory=dict)
    kind: FieldKind = "plain"
    separator: str = ""

    @property
    def field_name(self) -> str:
        """The name of the field that the column becomes: what means an item's id elsewhere gets another name."""
        return f"{self.name} (shown)" if self.name in OWN_NAMES else self.name


@dataclass(frozen=True)
class AnswerLabel:
    """One fixed answer: as it is stored, and the words people read."""

    label: str
    words: Wording


@dataclass(frozen=True)
class TableMapping:
    """What a requester says about a table. `labels` are for fixed answers; without them options come with the item.

    `named` is how the column of right answers names an option of the item. `metric` is the one that stands first.
    `spellings` are other ways in which the file writes a label, each with the label it means.
    """

    name: str
    columns: tuple[MappedColumn, ...]
    title: Wording
    question: Wording
    instruction: Wording
    answered: AnswerKind
    labels: tuple[AnswerLabel, ...] = ()
    named: GoldNaming = "text"
    low: float | None = None
    high: float | None = None
    metric: str = ""
    spellings: Mapping[str, str] = field(default_factory=dict)

    def of_use(self, *uses: Use) -> list[MappedColumn]:
        """Return the columns of these uses, in their order."""
        return [column for column in self.columns if column.use in uses]

    @property
    def own_options(self) -> bool:
        """Whether items bring their own options."""
        return self.answered in ("choice", "choices") and bool(self.of_use("option", "options"))


def task_of(mapping: TableMapping) -> Task:
    """Return the task that a mapping describes; raises BadSetting or BadTask with what is missing."""
    _check(mapping)
    metrics = _metrics(mapping)
    gold = next(iter(mapping.of_use("gold")), None)
    names = {column.name for column in mapping.columns}
    clusters = mapping.of_use("cluster")
    return Task(
        id=f"custom/{mapping.name}",
        title=mapping.title,
        description=same(""),
        fields=tuple(_field(column) for column in mapping.columns if column.use in _FIELD_KINDS),
        question=mapping.question,
        instruction=mapping.instruction,
        answer=_answer(mapping),
        prompt="",
        metrics=metrics,
        official=metrics[:1],
        aliases=Aliases(columns=_aliases(mapping), answers=_answers(mapping)),
        answer_column=gold.name if gold else "label" if "label" not in names else "right answer",
        cluster=clusters[0].field_name if clusters else "",
        breakdowns=tuple(Breakdown(column.field_name, _title(column)) for column in mapping.of_use("group")),
        several=gold.separator if gold and mapping.answered in ("choices", "text") else "",
    )


_FIELD_KINDS: dict[Use, FieldKind | None] = {
    "shown": None,
    "optional": None,
    "question": "question",
    "option": "option",
    "options": "options",
    "cluster": "hidden",
    "group": "hidden",
    "hidden": "hidden",
}


def _check(mapping: TableMapping) -> None:
    for use in ALONE:
        if len(used := mapping.of_use(use)) > 1:
            raise BadSetting(
                f"the columns {used[0].name!r} and {used[1].name!r} are both {CALLED[use]!r}; only one can be"
            )
    if not mapping.of_use("shown", "optional", "question"):
        raise BadSetting("no column is shown to people yet; make at least one of them a text or the question")
    if not any(map(str.strip, mapping.question.values())) and not mapping.of_use("question"):
        raise BadSetting("there is no question yet; write what is asked about every item")
    if not any(map(str.strip, mapping.instruction.values())):
        raise BadSetting("the instruction is empty; tell people in a few sentences how to answer")
    labels = {label.label for label in mapping.labels}
    if lost := next((written for written, meant in mapping.spellings.items() if labels and meant not in labels), None):
        raise BadSetting(
            f"the spelling {lost!r} means {mapping.spellings[lost]!r}, which is not among the answers; add it"
        )
    if mapping.of_use("option") and mapping.of_use("options"):
        raise BadSetting("options come from one column each or all from one column, not both; change one of them")


def _field(column: MappedColumn) -> Field:
    kind = _FIELD_KINDS[column.use] or column.kind
    spare = column.use in ("optional", "hidden", "group")
    separator = column.separator if column.use == "options" else ""
    return Field(column.field_name, _title(column), kind, optional=spare, separator=separator)


def _title(column: MappedColumn) -> Wording:
    return in_languages(column.titles, column.name)


def _answer(mapping: TableMapping) -> AnswerType:
    if mapping.answered == "number":
        return Number(low=mapping.low, high=mapping.high)
    if mapping.answered == "rating":
        return Rating(low=int(mapping.low if mapping.low is not None else 1), high=int(mapping.high or 5))
    if mapping.answered == "text":
        return Text()
    made = Choice if mapping.answered == "choice" else Choices
    if options := mapping.of_use("options"):
        return made(option_list=options[0].field_name)
    if columns := mapping.of_use("option"):
        if len(columns) == 1:
            raise BadSetting(f"{columns[0].name!r} is the only column with options; mark at least two of them")
        return made(option_fields=tuple(column.field_name for column in columns))
    if len(mapping.labels) == 1:
        raise BadSetting(f"{mapping.labels[0].label!r} is the only answer; write at least two, one a line")
    if not mapping.labels:
        raise BadSetting("there is nothing to choose from; write the answers, one a line, or mark columns as options")
    return made(choices={label.label: label.words for label in mapping.labels})


def _metrics(mapping: TableMapping) -> tuple[str, ...]:
    known = {name for names in METRICS.values() for name in names}
    if mapping.metric and mapping.metric not in known:
        raise BadSetting(f"the metric {mapping.metric[:60]!r} is not known; choose one of {', '.join(sorted(known))}")
    suggested = METRICS[mapping.answered][:1] if mapping.own_options else METRICS[mapping.answered]
    first = mapping.metric if mapping.metric in suggested else suggested[0]
    return (first, *(name for name in suggested if name != first))


def _aliases(mapping: TableMapping) -> dict[str, str]:
    """Return the names that columns get when they are read; what is not used never passes for an id by its name."""
    meant = {"id": "id", "explanation": "explanation"}
    renamed = {
        column.name: meant.get(column.use) or column.field_name for column in mapping.columns if column.use != "gold"
    }
    unused = {
        column.name: f"{column.name} (not used)" for column in mapping.of_use("ignored") if column.name in OWN_NAMES
    }
    return {name: ours for name, ours in (renamed | unused).items() if name != ours}


def _answers(mapping: TableMapping) -> dict[str, str]:
    """Return what the column of right answers calls a label, or the item's own options by position."""
    if not mapping.own_options:
        return dict(mapping.spellings)
    if mapping.named == "text":
        return {}
    options = mapping.of_use("option")
    if mapping.named == "column":
        return {column.name: str(place) for place, column in enumerate(options)}
    places = range(len(options) or MOST_OPTIONS)
    if mapping.named in ("from 0", "from 1"):
        first = int(mapping.named == "from 1")
        return {str(place + first): str(place) for place in places}
    alphabets = (ascii_uppercase, ascii_uppercase.lower(), CYRILLIC, CYRILLIC.lower())
    return {letters[place]: str(place) for letters in alphabets for place in places}
