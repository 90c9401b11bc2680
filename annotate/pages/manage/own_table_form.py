"""A table of one's own as a task: what each column is, how it is answered, and what the table itself says of that."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.consent import script_of, written_in
from annotate.pages.manage.form_drawing import MAPPING, SPELLINGS, draw_mapping, draw_spellings
from annotate.pages.manage.settings_form import number_of, optional_number
from data.composed_text import composed
from data.drawing.gradio_events import QUIETLY, UNCHANGED, Updates, errors_shown, event_data
from data.errors import BadFile, BadSetting, EtalonError, FileProblem
from data.files.column_names import OF_ITEMS, plain_name
from data.files.rows import Row, each_row
from data.files.text_files import IN_UTF8, converted, suspected, uploaded
from data.own_table import (
    ALONE,
    LISTED,
    METRICS,
    SCALED,
    SHOWN_KINDS,
    USES,
    AnswerKind,
    AnswerLabel,
    MappedColumn,
    TableMapping,
    Use,
    answered_by,
    columns_to_hide,
    suggested_mapping,
)
from data.wording import Language, Wording, english_name, in_languages, languages, own_wording
from db.study_settings import SETTINGS

ANSWERED: list[tuple[str, AnswerKind]] = [
    ("One answer", "choice"),
    ("Several answers", "choices"),
    ("Number", "number"),
    ("Text", "text"),
    ("Rating", "rating"),
    ("Two outputs side by side", "pairwise"),
    ("Spans with labels", "spans"),
    ("Sequence", "sequence"),
    ("Several criteria", "form"),
]
LINES = {
    "choice": "Answers",
    "choices": "Answers",
    "spans": "Labels to mark",
    "sequence": "Places to fill, in their order",
    "form": "Criteria to rate",
}
"""What the lines of `labels` are, by the type of the answer."""
ENDS = {"lowest": "worst", "highest": "best"}
"""The ends of a scale, each with the name of its usual words."""
BOUNDS = ("Lowest number", "Highest number")
NAMED = [
    ("its text", "text"),
    ("its number from 1", "from 1"),
    ("its number from 0", "from 0"),
    ("its letter", "letter"),
    ("the name of its column", "column"),
]
TEXTS = {"title": 1, "question": 1, "instruction": 3}
"""What people read of a task, each with the lines of its input in every language."""


class MappingForm:
    """The components, empty: `inputs` by their names, the drawn table of columns and what it holds, that of spellings.

    `box` has the columns, `words` the question. `put` is what the page itself wrote into the inputs: what differs from
    it was written by a person.
    """

    def __init__(self) -> None:
        with gr.Column(visible=False, elem_classes="step at-columns") as self.box:
            self.table, self.columns = gr.HTML(js_on_load=MAPPING, apply_default_css=False), gr.State([])
        with gr.Column(visible=False, elem_classes="step at-question") as self.words:
            self.put = gr.State({"language": SETTINGS["language"].default})
            self.inputs = made = dict[str, Any]()
            made["answered"] = gr.Radio([*ANSWERED], value="choice", label="How is it answered?", elem_classes="kinds")
            in_each = [f"in {english_name(language)}" for language in languages()]
            made["labels"] = gr.Textbox(
                label=LINES["choice"],
                info=f"One per line: as stored | {' | '.join(in_each)}. Write | within an answer as \\|",
                lines=3,
                max_lines=8,
            )
            self.spelled = gr.HTML(js_on_load=SPELLINGS, apply_default_css=False)
            made["spellings"] = gr.Textbox(visible=False)
            with gr.Row():
                made["tie"] = gr.Checkbox(True, label="“Equally good” is an answer", visible=False, container=False)
                # What may be chosen follows from the type of the answer, a moment later than the type itself.
                made["metric"] = gr.Dropdown(
                    list(METRICS["choice"]), value="accuracy", label="Metric", min_width=140, allow_custom_value=True
                )
                made["named"] = gr.Dropdown(
                    NAMED, value="text", label="The right answer names an option by", min_width=200
                )
                made["low"], made["high"] = (optional_number(label, min_width=80) for label in BOUNDS)
            for end, usual in ENDS.items():
                with gr.Row():
                    for language in languages():
                        made[text_name(end, language)] = gr.Textbox(
                            label=f"What the {end} number means, in {english_name(language)}",
                            placeholder=own_wording("rating", usual).within(language),
                            max_length=200,
                            visible=False,
                        )
            for name, lines in TEXTS.items():
                with gr.Row():
                    for language in languages():
                        label = f"{name.capitalize()} in {english_name(language)}"
                        made[text_name(name, language)] = gr.Textbox(
                            label=label, lines=lines, max_lines=12, max_length=10_000
                        )

    def by_name(self, values: Mapping[Any, Any]) -> dict[str, Any]:
        """Return what stands in the inputs, by their names."""
        return {name: values[component] for name, component in self.inputs.items()}


def text_name(name: str, language: Language) -> str:
    """Return what the input of a text in a language is called; a column's titles are called so too."""
    return f"{name}_{language}"


def sheet_of(columns: Sequence[Mapping[str, Any]], given: Mapping[str, Any], name: str) -> TableMapping:
    """Return what the form says about a table; raises BadSetting for what it cannot mean."""
    answered = given["answered"]
    return TableMapping(
        name=name,
        columns=tuple(columns_of(columns)),
        title=_wording(given, "title"),
        question=_wording(given, "question"),
        instruction=_wording(given, "instruction"),
        answered=answered,
        labels=tuple(_labels(str(given["labels"] or ""))) if answered in LISTED else (),
        spellings=_spellings(str(given["spellings"] or "")) if answered in ("choice", "choices") else {},
        named=given["named"],
        low=number_of(BOUNDS[0], given["low"]),
        high=number_of(BOUNDS[1], given["high"]),
        metric=str(given["metric"] or ""),
        ends=(_end(given, "lowest"), _end(given, "highest")),
        tie=bool(given.get("tie", True)),
    )


def _end(given: Mapping[str, Any], end: str) -> Wording:
    """Return the words of an end of the scale, the usual ones in a language where nothing is written."""
    usual, own = own_wording("rating", ENDS[end]), _wording(given, end)
    return own if any(own.values()) else usual


def columns_of(lines: Sequence[Mapping[str, Any]]) -> list[MappedColumn]:
    """Return columns as the page's script tells them; raises BadSetting for what is none."""
    columns = []
    for line in lines:
        name, separator = (str(line.get(key) or "").replace("\0", "") for key in ("name", "separator"))
        use, kind = (_plain(line.get(key)) for key in ("use", "kind"))
        titles = {language: _plain(line.get(text_name("title", language)))[:200] for language in languages()}
        if use not in USES or kind not in SHOWN_KINDS:
            raise BadSetting(f"the column {name!r} is {use!r}, {kind!r}: that is not known here")
        column = MappedColumn(name, use, titles, kind, separator)
        columns.append(column)
    return columns


def seen(answered: AnswerKind, metric: str, *, own: bool, gold: bool) -> dict[str, Any]:
    """Return which of the components make sense for a type of answer, as Gradio's updates by name.

    A `metric` that cannot score such answers gives way to the one that is suggested.
    """
    own = own and answered in ("choice", "choices", "pairwise")
    bounded = answered == "number" or answered in SCALED
    usual = ("1", "5") if answered in SCALED else ("none", "none")
    shown = {"named": own and gold, "tie": answered == "pairwise"}
    metrics = METRICS[answered][: 1 if own else None]
    shown |= {text_name(end, language): answered in SCALED for end in ENDS for language in languages()}
    return {
        "labels": gr.update(visible=answered in LISTED and not own, label=LINES.get(answered, "")),
        **{name: gr.update(visible=bounded, placeholder=at) for name, at in zip(("low", "high"), usual, strict=True)},
        "metric": gr.update(
            choices=list(metrics), value=metric if metric in metrics else metrics[0], visible=len(metrics) > 1
        ),
        **{name: gr.update(visible=there) for name, there in shown.items()},
    }


SEEN = tuple(seen("choice", "", own=False, gold=False))
"""The inputs whose sight follows from the type of the answer."""


def split_line(line: str, sign: str) -> list[str]:
    """Return what stands between the signs of a line; one after a backslash belongs to the text."""
    return [part.replace(f"\\{sign}", sign).strip() for part in re.split(rf"(?<!\\){re.escape(sign)}", line)]


def joined(parts: Sequence[str], sign: str) -> str:
    """Return the line that `split_line` takes apart again."""
    return f" {sign} ".join(part.replace(sign, f"\\{sign}") for part in parts)


def _labels(text: str) -> list[AnswerLabel]:
    labels: dict[str, AnswerLabel] = {}
    for line in filter(None, map(str.strip, _plain(text).splitlines())):
        label, *words = split_line(line, "|")
        if label in labels:
            raise BadSetting(f"the answer {label!r} appears twice; write it once")
        labels[label] = AnswerLabel(label, in_languages(dict(zip(languages(), words, strict=False)), label))
    return list(labels.values())


def _spellings(text: str) -> dict[str, str]:
    spellings: dict[str, str] = {}
    for line in filter(None, map(str.strip, _plain(text).splitlines())):
        parts = split_line(line, "=")
        written, meant = ("=".join(parts[:-1]), parts[-1])
        if not (written and meant):
            raise BadSetting(f"the spelling {line[:60]!r} is no line of the kind “as the file has it = the answer”")
        if spellings.setdefault(written, meant) != meant:
            raise BadSetting(
                f"the spelling {written!r} means {spellings[written]!r} and {meant!r}; leave one of them out"
            )
    return spellings


def _wording(given: Mapping[str, Any], name: str) -> Wording:
    return in_languages({language: _plain(given.get(text_name(name, language))) for language in languages()})


def _plain(value: Any) -> str:
    return str(value or "").replace("\0", "").replace("\r\n", "\n").strip()


LOOKED_AT = 300  # rows that the guesses rest on
MOST_COLUMNS = 100
LONGEST_LOOKED, MOST_LOOKED = 2000, 50  # characters of a text and parts of a list that the guesses rest on
EXAMPLES = 5
COUNTED, MOST_SPELLINGS = 20_000, 60  # rows in which spellings are counted, and how many of them are a table
ABOUT_ANSWERS = ("answered", "labels", "spellings", "named", "low", "high", "metric")
READ: tuple[Use, ...] = ("shown", "optional", "question", "option", "options")
"""Uses of the columns whose texts people read: the study begins in their language."""
COLUMN_CHOICES = ("use", "kind", "separator")
TypedColumns = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Filled:
    """What a table puts into the form: its columns, the drawing of them, and the values of the inputs that change."""

    columns: list[dict[str, Any]]
    html: str
    values: Mapping[str, Any]


def read_table(path: Path) -> tuple[TableMapping, list[Row]]:
    """Return what a table most likely is, and the beginnings of its first rows that can be read.

    Raises BadFile where none can be read.
    A row that cannot be read is a problem that the check of the file lists; the others say what the columns are.
    """
    rows = _first_rows(path)
    return suggested_mapping(uploaded(path).stem, rows), rows


def fault_of(path: Path) -> str:
    """Return what is wrong with the first rows of a table, the first fault as a sentence; "" for nothing."""
    try:
        return next((str(row) for row in islice(each_row(path), LOOKED_AT) if isinstance(row, FileProblem)), "")
    except BadFile as error:
        return str(error)


def filled(path: Path, before: TypedColumns = ()) -> Filled:
    """Return what a table puts into the form; raises BadFile.

    `before`: the columns of the table before it. Those that are still there keep what a person chose for them; the
    rest is suggested_mapping anew.
    """
    sheet, rows = read_table(path)
    said, chosen = _chosen_by_column(before), {column.name: column for column in columns_of(before)}
    kept = [
        _as_said(column, chosen[column.name], said[column.name]) if column.name in chosen else column
        for column in sheet.columns
    ]
    sheet = answered_by(replace(sheet, columns=tuple(_one_each(kept, said))), rows)
    columns = _hidden(sheet.columns, columns_to_hide(sheet, rows), said)
    order = list(chosen)
    columns.sort(key=lambda column: order.index(column.name) if column.name in chosen else len(order))
    return _filled(columns, said, rows, _begun(sheet, rows))


def picked(path: Path, typed: TypedColumns, before: TypedColumns) -> Mapping[str, Any]:
    """Return the values of inputs that change with what was chosen for the columns of a table: those its gold says."""
    columns = columns_of(typed)
    gold = _gold(columns)
    if not gold or (gold, _options(columns)) == (_gold(columns_of(before)), _options(columns_of(before))):
        return {}
    sheet, rows = read_table(path)
    return _answers(answered_by(replace(sheet, columns=tuple(columns)), rows))


def lines_for(path: Path, typed: TypedColumns, answered: AnswerKind) -> str:
    """Return the lines that a table proposes for a type of answer: its labels where people choose, else none."""
    if answered not in ("choice", "choices"):
        return ""
    sheet, rows = read_table(path)
    return _lines(answered_by(replace(sheet, columns=tuple(columns_of(typed))), rows).labels)


def kept_back(path: Path, typed: TypedColumns, given: Mapping[str, Any]) -> Filled | None:
    """Return the columns without those that tell the answer which the form asks for now; None where none has to go.

    A column stays in sight where a person has said what it is.
    """
    sheet, rows, said = sheet_of(typed, given, path.stem), _first_rows(path), _chosen_by_column(typed)
    columns = _hidden(sheet.columns, columns_to_hide(sheet, rows), said)
    return None if columns == list(sheet.columns) else _filled(columns, said, rows, {})


def own(values: Mapping[str, Any], given: Mapping[str, Any], put: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values without those in whose place a person has written: what differs from what the page put."""
    return {name: value for name, value in values.items() if name not in put or given[name] == put[name]}


def gold_counts(path: Path, typed: TypedColumns, given: Mapping[str, Any]) -> Mapping[str, int]:
    """Return how often each value stands in the column of right answers, where labels are what they name; else {}."""
    columns = columns_of(typed)
    if given["answered"] != "choice" or not _gold(columns) or _options(columns):
        return {}
    return _counted(path, _gold(columns), path.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _counted(path: Path, column: str, _changed: int) -> Mapping[str, int]:
    rows = (row for row in islice(each_row(path), COUNTED) if isinstance(row, Row))
    values = Counter(composed(str(row.values.get(column) or "")).strip() for row in rows)
    return {} if len(values) > MOST_SPELLINGS else {value: times for value, times in values.items() if value}


def respelled(labels: str, rows: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return the lines of answers and of spellings that follow from the label of each value."""
    meant = {value: label.strip() or value for value, label in rows}
    alike = {value: label for value, label in meant.items() if label != value}
    lines = {split_line(line, "|")[0]: line for line in labels.splitlines() if line.strip()}
    kept = [line for label, line in lines.items() if label not in alike]
    added = [
        joined((label,), "|") for label in dict.fromkeys(meant.values()) if label not in lines and label not in alike
    ]
    return "\n".join([*kept, *added]), _spelled(alike)


def _begins(row: Row) -> Row:
    return Row(row.line, {name: _beginning(value) for name, value in row.values.items()})


def _beginning(value: Any) -> Any:
    """Return as much of a cell as shows what its column is."""
    if isinstance(value, str):
        return value[:LONGEST_LOOKED]
    if isinstance(value, list):
        return [_beginning(part) for part in value[:MOST_LOOKED]]
    if isinstance(value, dict):
        return {name: _beginning(part) for name, part in islice(value.items(), MOST_LOOKED)}
    return value


def _begun(sheet: TableMapping, rows: Sequence[Row]) -> dict[str, Any]:
    instruction = _in_each("instruction", own_wording("proposals", "instruction"))
    read = [column.name for column in sheet.of_use(*READ)]
    language = written_in(script_of("".join(str(row.values.get(name) or "") for row in rows for name in read)))
    spoken = {"language": language} if language else {}
    return _in_each("title", sheet.title) | instruction | spoken | _answers(sheet)


def _in_each(name: str, text: Mapping[str, str]) -> dict[str, str]:
    return {text_name(name, language): text.get(language, "") for language in languages()}


def _answers(sheet: TableMapping) -> dict[str, Any]:
    bounds = ["" if bound is None else f"{bound:g}" for bound in (sheet.low, sheet.high)]
    values = [sheet.answered, _lines(sheet.labels), _spelled(sheet.spellings), sheet.named, *bounds, sheet.metric]
    return dict(zip(ABOUT_ANSWERS, values, strict=True)) | _asked(sheet.answered)


def _asked(answered: AnswerKind) -> dict[str, str]:
    """Return the question that is proposed for a type of answer."""
    return _in_each("question", own_wording("questions", answered))


def _lines(labels: Sequence[AnswerLabel]) -> str:
    return "\n".join(joined((label.label, *_known(label.words)), "|") for label in labels)


def _known(words: Mapping[str, str]) -> list[str]:
    """Return words in the order of the languages, as far as there are any."""
    known = [words.get(language, "") for language in languages()]
    return known[: max((place for place, text in enumerate(known, 1) if text), default=0)]


def _gold(columns: Sequence[MappedColumn]) -> str:
    return next((column.name for column in columns if column.use == "gold"), "")


def _options(columns: Sequence[MappedColumn]) -> tuple[str, ...]:
    return tuple(column.name for column in columns if column.use in ("option", "options"))


def _spelled(alike: Mapping[str, str]) -> str:
    return "\n".join(joined(pair, "=") for pair in alike.items())


def _first_rows(path: Path) -> list[Row]:
    begun = [_begins(row) if isinstance(row, Row) else row for row in islice(each_row(path), LOOKED_AT)]
    rows = [row for row in begun if isinstance(row, Row)]
    if not rows:
        raise BadFile(str(next(row for row in begun if isinstance(row, FileProblem))))
    if len(rows[0].values) > MOST_COLUMNS:
        raise BadFile(f"{path.name}: has {len(rows[0].values)} columns; a table here has at most {MOST_COLUMNS}")
    return rows


def _chosen_by_column(typed: TypedColumns) -> dict[str, list[str]]:
    """Return what a person chose for each column: names out of COLUMN_CHOICES, and of its titles."""
    known = {*COLUMN_CHOICES, *(text_name("title", language) for language in languages())}
    return {str(column.get("name") or ""): sorted(known & {*str(column.get("said")).split()}) for column in typed}


def _as_said(column: MappedColumn, chosen: MappedColumn, said: Sequence[str]) -> MappedColumn:
    """Return a column with what a person chose for it before."""
    titles = {
        language: (chosen if text_name("title", language) in said else column).titles.get(language, "")
        for language in languages()
    }
    return replace(column, titles=titles, **{name: getattr(chosen, name) for name in COLUMN_CHOICES if name in said})


def _one_each(columns: Sequence[MappedColumn], said: Mapping[str, Sequence[str]]) -> list[MappedColumn]:
    """Return the columns without a guessed use that only one can have and that a person gave to another."""
    taken = {column.use for column in columns if "use" in said.get(column.name, ()) and column.use in ALONE}
    spare = [column.use in taken and "use" not in said.get(column.name, ()) for column in columns]
    return [
        replace(column, use="hidden" if column.use == "gold" else "shown") if rival else column
        for column, rival in zip(columns, spare, strict=True)
    ]


def _hidden(columns: Sequence[MappedColumn], names: Set[str], said: Mapping[str, Sequence[str]]) -> list[MappedColumn]:
    unsaid = {name for name in names if "use" not in said.get(name, ())}
    return [replace(column, use="hidden") if column.name in unsaid else column for column in columns]


def _filled(
    columns: Sequence[MappedColumn], said: Mapping[str, Sequence[str]], rows: Sequence[Row], values: Mapping[str, Any]
) -> Filled:
    chosen = {column.name: " ".join(said.get(column.name, ())) for column in columns}
    examples = {column.name: [_shown(row.values.get(column.name)) for row in rows[:EXAMPLES]] for column in columns}
    guarded = {
        column.name
        for column in columns
        if column.use == "hidden"
        and "use" not in said.get(column.name, ())
        and plain_name(column.name) not in OF_ITEMS["id"]
    }
    html = str(draw_mapping(columns, examples, USES, guarded, chosen))
    return Filled([_typed(column, chosen[column.name]) for column in columns], html, values)


def _typed(column: MappedColumn, said: str) -> dict[str, Any]:
    """Return a column as the page's script tells it."""
    titles = {text_name("title", language): column.titles.get(language, "") for language in languages()}
    return {name: getattr(column, name) for name in ("name", *COLUMN_CHOICES)} | titles | {"said": said}


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:89]}…"


# Gradio tells of a changed State only where the event that changed it was queued; and an event that waits is asked
# again with what it brought the first time, so that these run each for itself, in their order.
IN_ORDER: dict[str, Any] = {**QUIETLY, "trigger_mode": "multiple", "concurrency_limit": 1, "concurrency_id": "columns"}


def follow_columns(table: gr.File, mapping: MappingForm) -> None:
    """Let a new table fill the form, and what is chosen for its columns change what follows from that."""

    def proposed(answers: Mapping[str, Any], values: Mapping[Any, Any]) -> Updates:
        texts, put = mapping.by_name(values), values[mapping.put]
        answers = own(answers, texts, put)
        # What stands there already, sent again, would take away what somebody types meanwhile.
        updates = {mapping.inputs[name]: value for name, value in answers.items() if value != texts[name]}
        return {mapping.put: put | answers, **updates}

    def opened(values: dict[Any, Any]) -> Updates:
        try:
            form = filled(Path(values[table]), values[mapping.columns]) if values[table] else None
        except EtalonError:
            form = None  # what is wrong stands beside the file
        if form is None:
            return {mapping.table: ""}
        return {mapping.columns: form.columns, mapping.table: form.html, **proposed(form.values, values)}

    def answered(values: dict[Any, Any]) -> Updates:
        try:
            kind = values[mapping.inputs["answered"]]
            lines = lines_for(Path(values[table]), values[mapping.columns], kind)
        except (EtalonError, TypeError):
            return UNCHANGED
        return proposed({"labels": lines, **_asked(kind)}, values)

    def chosen(event: gr.EventData, values: dict[Any, Any]) -> Updates:
        columns = list(event_data(event).get("columns", []))
        try:
            answers = picked(Path(values[table]), columns, values[mapping.columns]) if values[table] else {}
        except EtalonError:
            answers = {}
        return {mapping.columns: columns, **proposed(answers, values)}

    inputs = {table, mapping.columns, mapping.put, *mapping.inputs.values()}
    outputs = [mapping.columns, mapping.put, *mapping.inputs.values()]
    table.change(opened, inputs, [mapping.table, *outputs], **IN_ORDER)
    mapping.table.pick(chosen, inputs, outputs, **IN_ORDER)
    mapping.inputs["answered"].input(answered, inputs, outputs, **IN_ORDER)
    follow_answers(table, mapping)
    follow_spellings(table, mapping)


def follow_answers(table: gr.File, mapping: MappingForm) -> None:
    """Keep back a column that tells the answer, whatever made it tell: the columns or the answers."""

    def hide(values: dict[Any, Any]) -> Updates:
        path, columns = values[table], values[mapping.columns]
        try:
            form = kept_back(Path(path), columns, mapping.by_name(values)) if path else None
        except EtalonError:
            form = None
        return {mapping.columns: form.columns, mapping.table: form.html} if form else UNCHANGED

    telling = [mapping.inputs[name].change for name in ("answered", "labels", "spellings", "low", "high")]
    inputs = {table, mapping.columns, *mapping.inputs.values()}
    gr.on([mapping.columns.change, *telling], hide, inputs, [mapping.columns, mapping.table], **IN_ORDER)


def follow_encoding(file: gr.File, encoding: gr.Dropdown) -> None:
    """Read a file that is not UTF-8 as the encoding that it is found to have; another one may be chosen."""
    file.upload(found, file, [file, encoding], **QUIETLY)
    encoding.input(read_as, [file, encoding], file, **QUIETLY)
    file.clear(lambda: gr.update(visible=False), None, encoding, **QUIETLY)


def follow_spellings(table: gr.File, mapping: MappingForm) -> None:
    """Show how the file spells its labels, and let what is typed there say which spellings are one label."""
    labels, spellings = mapping.inputs["labels"], mapping.inputs["spellings"]

    def drawn(values: dict[Any, Any]) -> Any:
        given = mapping.by_name(values)
        try:
            counts = gold_counts(Path(values[table]), values[mapping.columns], given) if values[table] else {}
            sheet = sheet_of(values[mapping.columns], given, "spellings")
        except EtalonError:
            return gr.skip()  # what is wrong stands beside the file
        return str(draw_spellings(counts, sheet.spellings, {label.label for label in sheet.labels}))

    def spelled(event: gr.EventData, lines: str) -> tuple[str, str]:
        rows = event_data(event).get("rows", [])
        return respelled(lines or "", [(str(value), str(label)) for value, label in rows])

    inputs = {table, mapping.columns, *mapping.inputs.values()}
    changed = [table.change, mapping.columns.change, labels.change, spellings.change, mapping.inputs["answered"].change]
    gr.on(changed, drawn, inputs, mapping.spelled, **IN_ORDER)
    mapping.spelled.spell(spelled, labels, [labels, spellings], **IN_ORDER)


def found(file: str | None) -> tuple[Any, Any]:
    """Return the file in UTF-8, and the choice of encodings where it was not."""
    encoding = suspected(Path(file)) if file else ""
    read = read_as(file, encoding) if encoding else gr.skip()
    return read, gr.update(visible=bool(encoding), value=encoding or None)


@errors_shown
def read_as(file: str | None, encoding: str) -> str | None:
    """Return the file as it was uploaded, read as an encoding, as a copy in UTF-8 beside it."""
    if not file:
        return None
    given = uploaded(Path(file))
    return str(converted(given, encoding, given.with_name(f"{given.stem}{IN_UTF8}{given.suffix}")))
