"""A table of one's own becomes a task without code: what each column is, how it is answered, what may be guessed."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from string import ascii_uppercase
from typing import Any, Literal, get_args

from data.answers.answer_type import AnswerType
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.form import Form, Part
from data.answers.number import Number
from data.answers.numerals import canonical
from data.answers.pairwise import TIE, Pairwise
from data.answers.rating import Rating
from data.answers.sequence import Sequence as SequenceAnswer
from data.answers.spans import Element, Spans
from data.answers.text import Text
from data.composed_text import composed
from data.errors import BadSetting, EtalonError
from data.files.column_names import COMMENTS, OF_ITEMS, plain_name
from data.files.item_files import items_of
from data.files.rows import Row
from data.gold_leaks import SHARE, named_like_gold, same_text, suspects
from data.task import Aliases, Breakdown, Field, FieldKind, Task
from data.wording import Language, Wording, in_languages, own_wording, same

Use = Literal[
    "shown", "optional", "question", "option", "options", "competitor", "places", "gold", "id", "explanation",
    "cluster", "group", "hidden", "ignored",
]  # fmt: skip
USES: tuple[Use, ...] = get_args(Use)
_USES: Mapping[str, Mapping[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf8"))
CALLED: dict[Use, str] = {use: _USES[use]["called"] for use in USES}
"""The words in which the page and the errors say what a column is."""
MEANT: dict[Use, str] = {use: _USES[use]["meant"] for use in USES if "meant" in _USES[use]}
"""What a choice does, where its name does not say it."""
ALONE: tuple[Use, ...] = tuple(use for use in USES if "alone" in _USES[use])
IN_ONE_CELL: tuple[Use, ...] = ("options", "places")
"""Uses of which a cell holds a list."""
AnswerKind = Literal["choice", "choices", "number", "text", "rating", "pairwise", "spans", "sequence", "form"]
LISTED: tuple[AnswerKind, ...] = ("choice", "choices", "spans", "sequence", "form")
"""The types for which `labels` say what is chosen, marked, filled or rated."""
SCALED: tuple[AnswerKind, ...] = ("rating", "form")
"""The types whose points have words at both ends."""
GoldNaming = Literal["text", "from 0", "from 1", "letter", "column"]
SHOWN_KINDS: tuple[FieldKind, ...] = ("plain", "title", "long", "numbered", "markup", "markdown", "chat", "table")
METRICS: dict[AnswerKind, tuple[str, ...]] = {
    "choice": ("accuracy", "macro_f1", "mcc"),
    "choices": ("accuracy", "f1a"),
    "number": ("accuracy",),
    "rating": ("accuracy", "weighted_kappa", "spearman"),
    "text": ("em", "token_f1", "rouge_l"),
    "pairwise": ("accuracy",),
    "spans": ("symbol_f", "symbol_f_near"),
    "sequence": ("accuracy",),
    "form": ("accuracy",),
}
"""What each type is scored by; the first one is suggested."""
OWN_NAMES = ("id", "idx", "explanation")
MOST_OPTIONS = 26
KEYS = "123456789abcdefgh"
"""What marks the elements of a text on the keyboard, in their order."""
PART_NAME = re.compile(r"[a-z0-9_]+")
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
    """What a requester says about a table. `labels` are for LISTED types; without them options come with the item.

    `named` is how the column of right answers names an option of the item. `metric` is the one that stands first.
    `spellings` are other ways in which the file writes a label, each with the label it means. `ends` are the words of
    the lowest point and of the highest one, `tie` is for pairs.
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
    ends: tuple[Wording, Wording] | None = None
    tie: bool = True

    def of_use(self, *uses: Use) -> list[MappedColumn]:
        """Return the columns of these uses, in their order."""
        return [column for column in self.columns if column.use in uses]

    @property
    def own_options(self) -> bool:
        """Whether items bring their own options."""
        return self.answered in ("choice", "choices", "pairwise") and bool(self.of_use("option", "options"))


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
        fields=tuple(_field(column) for column in mapping.columns if "field" in _USES[column.use]),
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
    kind: FieldKind = _USES[column.use]["field"] or column.kind
    spare = column.use in ("optional", "hidden", "group")
    separator = column.separator if column.use in IN_ONE_CELL else ""
    return Field(column.field_name, _title(column), kind, optional=spare, separator=separator)


def _title(column: MappedColumn) -> Wording:
    return in_languages(column.titles, column.name)


def _answer(mapping: TableMapping) -> AnswerType:
    return _MADE.get(mapping.answered, _offered)(mapping)


def _rating(mapping: TableMapping) -> Rating:
    bounds = int(mapping.low if mapping.low is not None else 1), int(mapping.high or 5)
    return Rating(*bounds, mapping.ends) if mapping.ends else Rating(*bounds)


def _pairwise(mapping: TableMapping) -> Pairwise:
    two, competitors = (mapping.of_use(use) for use in ("option", "competitor"))
    if len(two) != 2:
        raise BadSetting(f"two texts are compared, and {len(two)} columns are {CALLED['option']!r}; mark exactly two")
    if len(competitors) not in (0, 2):
        raise BadSetting(f"{competitors[0].name!r} is {CALLED['competitor']!r}; mark two such columns, or none")
    tie = own_wording("proposals", "tie") if mapping.tie else None
    texts, names = (tuple(column.field_name for column in columns) for columns in (two, competitors or two))
    return Pairwise(option_fields=texts, tie=tie, competitors=names)


def _spans(mapping: TableMapping) -> Spans:
    texts = mapping.of_use("shown")
    if not texts:
        raise BadSetting(f"there is no text to mark; make a column {CALLED['shown']!r}")
    labels = _listed(mapping, "labels to mark", most=len(KEYS))
    elements = (Element(label.label, label.words, key) for label, key in zip(labels, KEYS, strict=False))
    return Spans(text_field=texts[0].field_name, elements=tuple(elements), none=own_wording("proposals", "none"))


def _sequence(mapping: TableMapping) -> SequenceAnswer:
    options, places = (mapping.of_use(use) for use in ("options", "places"))
    if not options:
        raise BadSetting(f"there is nothing to put in order; make a column {CALLED['options']!r}")
    if places:
        return SequenceAnswer(choices_field=options[0].field_name, positions_field=places[0].field_name, repeat=False)
    positions = tuple(label.label for label in _listed(mapping, "places to fill"))
    return SequenceAnswer(choices_field=options[0].field_name, positions=positions, repeat=False)


def _form(mapping: TableMapping) -> Form:
    scale = _rating(mapping)
    criteria = enumerate(_listed(mapping, "criteria to rate"), 1)
    return Form(
        parts=tuple(
            Part(name=label.label if PART_NAME.fullmatch(label.label) else f"c{n}", title=label.words, answer=scale)
            for n, label in criteria
        )
    )


def _listed(mapping: TableMapping, purpose: str, *, most: int = MOST_OPTIONS) -> tuple[AnswerLabel, ...]:
    if not 1 <= len(mapping.labels) <= most:
        raise BadSetting(f"there are {len(mapping.labels) or 'no'} {purpose}; write 1 to {most}, one a line")
    return mapping.labels


def _offered(mapping: TableMapping) -> Choice | Choices:
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


_MADE: Mapping[AnswerKind, Callable[[TableMapping], AnswerType]] = {
    "number": lambda mapping: Number(low=mapping.low, high=mapping.high),
    "text": lambda _: Text(),
    "rating": _rating,
    "pairwise": _pairwise,
    "spans": _spans,
    "sequence": _sequence,
    "form": _form,
}


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
    if mapping.answered == "pairwise" and mapping.tie:
        return dict.fromkeys(_ties(), TIE) | _answers(replace(mapping, answered="choice"))
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


SEPARATORS = ("\n", "|", ";", " / ")
LONG = 1500  # characters of a text that opens in a reader
MOST_LABELS = 12
MOSTLY_OWN = 0.95  # of the rows of a column of ids have one of their own; others are mistakes
CLOSING = ".,;:!?"
FILLED, LONGEST_FILLED = 0.9, 0.5
"""A text that so many rows have belongs to each, the longest one sooner: rows without it lack what is asked about."""
OPTION = re.compile(
    r"(?:option|choice|variant|answer|response|output|sent|ending|вариант|ответ)[ _-]?(?:\d{1,2}|[a-hа-з])|[a-hа-з]",
    re.IGNORECASE,
)


def suggested_mapping(name: str, rows: Sequence[Row]) -> TableMapping:
    """Return the mapping that a table with these first rows most likely is; nothing of it is more than a proposal."""
    names = list(dict.fromkeys(column for row in rows for column in row.values))
    values = {column: [row.values.get(column) for row in rows] for column in names}
    columns = [_column(column, values[column]) for column in names]
    columns = _kept_from_people(_options_together(_one_each(columns)), values)
    columns = _by_length(columns, values)
    if not any(column.use in ("shown", "optional", "question") for column in columns):
        columns = [replace(column, use="shown") if column.use in ("group", "ignored") else column for column in columns]
    mapping = TableMapping(
        name=re.sub(r"[^\w.-]", "-", name) or "table",
        columns=tuple(columns),
        title=same(name),
        question=same(""),
        instruction=same(""),
        answered="choice",
    )
    mapping = answered_by(mapping, rows)
    return replace(mapping, question=own_wording("questions", mapping.answered))


def answered_by(mapping: TableMapping, rows: Sequence[Row]) -> TableMapping:
    """Return the mapping with what its column of right answers says about how it is answered, in these first rows."""
    values = {column.name: [row.values.get(column.name) for row in rows] for column in mapping.columns}
    columns = list(mapping.columns)
    gold = next((column for column in columns if column.use == "gold"), None)
    golds = [value for value in values[gold.name] if _is_filled(value)] if gold else []
    labels, spellings = labels_of(golds)
    answered, own = _answered(columns, golds, gold)
    if gold and own:
        columns = [replace(column, separator=_separator(golds)) if column is gold else column for column in columns]
    of_labels = not own and answered in ("choice", "choices")
    return replace(
        mapping,
        columns=tuple(columns),
        answered=answered,
        labels=labels if of_labels else (),
        spellings=spellings if of_labels else {},
        named=_named([value for value in golds if _text(value) not in _ties()], columns, values),
        low=min(_numbers(golds), default=None) if answered == "rating" else None,
        high=max(_numbers(golds), default=None) if answered == "rating" else None,
        metric=METRICS[answered][0],
    )


def spelled_alike(labels: Sequence[str]) -> dict[str, str]:
    """Return the labels that differ from another only in case, ё, spaces and closing punctuation, each with that one.

    The first of them in the list is kept. Numbers and signs stay as they are: -1 and 1, C and C++ differ.
    """
    first: dict[str, str] = {}
    for label in labels:
        first.setdefault(_spelled(label), label)
    return {label: first[_spelled(label)] for label in labels if first[_spelled(label)] != label}


def _spelled(label: str) -> str:
    text = same_text(label)
    bare = text.rstrip(CLOSING + " ")
    return bare if bare and canonical(bare) is None else text


def labels_of(values: Sequence[Any]) -> tuple[tuple[AnswerLabel, ...], dict[str, str]]:
    """Return the labels that stand in a column of right answers, in order; yes and no where there is none.

    Of labels that are spelled alike there is the most frequent without closing punctuation and in more than capitals,
    if there is one; the others, each with it, come second.
    """
    times = Counter(_text(value).strip() for value in values)
    plain_first = sorted(times, key=lambda label: (label[-1:] in CLOSING, label.isupper(), -times[label], label))
    often = spelled_alike(plain_first)
    labels = sorted(
        times.keys() - often.keys() - {""}, key=lambda label: (len(label) if label.isdecimal() else 0, label)
    )
    words = {label: own_wording("labels", label.casefold(), label) for label in labels or ["yes", "no"]}
    return tuple(AnswerLabel(label, word) for label, word in words.items()), often


def _column(name: str, values: Sequence[Any]) -> MappedColumn:
    bare = name.strip().removeprefix("INPUT:").removeprefix("GOLDEN:").removeprefix("HINT:")
    known = plain_name(bare)
    title = own_wording("columns", known, _titled(bare))
    filled = [_text(value) for value in values if _is_filled(value)]
    use: Use | None = next((use for use, names in OF_ITEMS.items() if known in names), None)
    if name.startswith(("GOLDEN:", "HINT:")):
        use = "gold" if name.startswith("GOLDEN:") else "explanation"
    if not filled or not known or known.startswith("unnamed:"):
        use = "ignored"
    if use == "id" and len(set(filled)) < MOSTLY_OWN * len(values):
        use = "cluster"
    listed = use in IN_ONE_CELL
    separator = _separator(values) if listed else ""
    if listed and not separator and not all(_is_list(value) for value in values if _is_filled(value)):
        use = "shown"
    if OPTION.fullmatch(known) and use in (None, "shown"):
        use = "option"
    if use in (None, "shown") and len(filled) < FILLED * len(values):
        use = "optional"
    kind: FieldKind = "long" if filled and median(map(len, filled)) >= LONG else "plain"
    return MappedColumn(name, use or "shown", title, kind, separator)


def _by_length(columns: list[MappedColumn], values: Mapping[str, Sequence[Any]]) -> list[MappedColumn]:
    """Return the columns with the longest text as one that every item needs, if most rows have it, without comments."""
    filled = {column.name: [_text(value) for value in values[column.name] if _is_filled(value)] for column in columns}
    texts = [column for column in columns if column.use in ("shown", "optional")]
    longest = max(texts, key=lambda column: sum(map(len, filled[column.name])), default=None)
    uses: dict[str, Use] = {column.name: "ignored" for column in texts if plain_name(column.name) in COMMENTS}
    if longest:
        needed = len(filled[longest.name]) > LONGEST_FILLED * len(values[longest.name])
        uses[longest.name] = "shown" if needed else longest.use
    return [replace(column, use=uses.get(column.name, column.use)) for column in columns]


def _one_each(columns: list[MappedColumn]) -> list[MappedColumn]:
    """Return the columns with each use that only one can have given to the first name in its list."""
    unique: list[MappedColumn] = []
    for column in columns:
        if column.use not in ALONE:
            unique.append(column)
            continue
        rivals = [other for other in columns if other.use == column.use]
        best = min(rivals, key=lambda other: _rank(other))
        others: Use = "ignored" if column.use == "gold" else "hidden" if column.use == "id" else "shown"
        unique.append(column if column is best else replace(column, use=others))
    return unique


def _rank(column: MappedColumn) -> int:
    names = next((names for use, names in OF_ITEMS.items() if use == column.use), ())
    return names.index(plain_name(column.name)) if plain_name(column.name) in names else -1


def _kept_from_people(columns: list[MappedColumn], values: Mapping[str, Sequence[Any]]) -> list[MappedColumn]:
    """Return the columns with those that look like right answers hidden; the only one there is becomes the gold.

    They look so by their names, or because they say in row after row what another column says is right, or name one of
    the row's own options. Whoever wants them shown chooses so.
    """
    shown = [column for column in columns if column.use in ("shown", "optional")]
    named = [shown_column for shown_column in shown if named_like_gold(shown_column.name)]
    golden = [column for column in columns if column.use == "gold"]
    if not golden and len(named) == 1:
        golden = [replace(named[0], use="gold")]
        columns = [golden[0] if column is named[0] else column for column in columns]
        named = []
    options = [column for column in columns if column.use in ("option", "options")]
    right = [[_texts_of_cell(gold, values, row) for row in range(len(values[gold.name]))] for gold in golden]
    offered = [
        set().union(*(_texts_of_cell(option, values, row) for option in options))
        for row in range(len(values[columns[0].name]))
    ]
    answers = [*right, offered]
    hidden = {
        shown_column.name
        for shown_column in shown
        if shown_column in named or any(_says(values[shown_column.name], each) for each in answers)
    }
    return [
        replace(column, use="hidden") if column.name in hidden and column.use != "gold" else column
        for column in columns
    ]


def _texts_of_cell(column: MappedColumn, values: Mapping[str, Sequence[Any]], row: int) -> set[str]:
    """Return what a cell holds as it is compared: one text, or each of the parts of a list."""
    cell = values[column.name][row]
    if not _is_filled(cell):
        return set()
    if isinstance(cell, list):
        return set(map(same_text, cell))
    return set(map(same_text, _text(cell).split(column.separator) if column.separator else [_text(cell)]))


def _says(values: Sequence[Any], answers: Sequence[set[str]]) -> bool:
    """Return whether a column says nearly everywhere what is told there, and not the same everywhere."""
    pairs = [
        (same_text(_text(value)), here)
        for value, here in zip(values, answers, strict=True)
        if _is_filled(value) and here
    ]
    equal = {value for value, here in pairs if value in here}
    return len(equal) > 1 and sum(value in here for value, here in pairs) >= SHARE * len(pairs)


def _options_together(columns: list[MappedColumn]) -> list[MappedColumn]:
    """Return the columns with a single option, which leaves nothing to choose, as a text."""
    single = sum(column.use == "option" for column in columns) == 1
    return [replace(column, use="shown") if single and column.use == "option" else column for column in columns]


def _answered(
    columns: Sequence[MappedColumn], values: Sequence[Any], gold: MappedColumn | None
) -> tuple[AnswerKind, bool]:
    """Return the type of the answer, and whether it is chosen from the item's own options."""
    options = [column for column in columns if column.use in ("option", "options")]
    undecided = not values or any(_text(value) in _ties() for value in values)
    if any(column.use == "competitor" for column in columns) or (len(options) == 2 and undecided):
        return "pairwise", True
    if options:
        several = any(isinstance(value, list) or _is_list(value) for value in values) or bool(_separator(values))
        return ("choices" if several else "choice"), True
    labels, numbers = {_text(value) for value in values}, _numbers(values)
    if gold is None or not values:
        return "choice", False
    if len(numbers) == len(values) and len(labels) > 2:
        digits = all(0 <= number <= 9 and number == int(number) for number in numbers)
        return ("rating" if digits and len(values) > len(labels) else "number"), False
    few = len(labels) <= 2 or len(labels) < len(values)  # of a closed list some come again
    return ("choice" if few and len(labels) <= MOST_LABELS else "text"), False


def _ties() -> set[str]:
    """Return what a right answer is called that prefers neither text of a pair."""
    return {TIE, *own_wording("proposals", "tie").values()}


def _named(answers: Sequence[Any], columns: Sequence[MappedColumn], values: Mapping[str, Sequence[Any]]) -> GoldNaming:
    """Return how right answers name an option: by what all of them fit."""
    names = {part.strip() for value in answers for part in re.split("[;|,]", _text(value)) if part.strip()}
    options = [column.name for column in columns if column.use == "option"]
    offered = [column for column in columns if column.use in ("option", "options")]
    cells = [(_text(cell), column.separator) for column in offered for cell in values[column.name] if _is_filled(cell)]
    texts = {part.strip() for cell, sign in cells for part in (cell.split(sign) if sign else [cell])}
    if names <= texts and not all(part.isdecimal() for part in names):
        return "text"
    if names and names <= set(options):
        return "column"
    if names and all(part.isdecimal() and len(part) < 3 for part in names):
        return "from 0" if "0" in names else "from 1"
    return "letter" if names and all(re.fullmatch("[A-ZА-Яa-zа-я]", part) for part in names) else "text"


def _separator(values: Sequence[Any]) -> str:
    """Return what parts most of the texts, "" where nothing does."""
    texts = [value for value in values if isinstance(value, str) and value.strip() and not _is_list(value)]
    counts = Counter({sign: sum(sign in text for text in texts) for sign in SEPARATORS})
    sign, times = counts.most_common(1)[0]
    return sign if texts and times >= max(1, len(texts) / 3) else ""


def _is_list(value: Any) -> bool:
    if isinstance(value, list):
        return True
    if not isinstance(value, str) or not value.startswith("["):
        return False
    try:
        return isinstance(json.loads(value), list)
    except (ValueError, RecursionError):
        return False


def _numbers(values: Sequence[Any]) -> list[float]:
    return [float(number) for value in values if (number := canonical(_text(value))) is not None]


def _titled(name: str) -> str:
    words = re.sub(r"[\s_]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def _text(value: Any) -> str:
    return composed(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _is_filled(value: Any) -> bool:
    return value is not None and value != "" and value != []


def columns_to_hide(mapping: TableMapping, rows: Sequence[Row]) -> set[str]:
    """Return the shown columns that give the right answer away, or may, in these rows; none while it is no task yet."""
    worded = replace(mapping, question=same("?"), instruction=same("."))  # these words may still be to write
    try:
        task = task_of(worded)
    except EtalonError:
        return set()
    items, _ = items_of(rows, task)
    names = {leak.field for leak in suspects(task, items)} if items else set()
    return {column.name for column in mapping.of_use("shown", "optional") if column.field_name in names}
