"""The part of the form that makes a task out of a table of one's own: what each column is, how it is answered."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.pages.manage.form_drawing import MAPPING, SPELLINGS
from annotate.pages.manage.settings_form import number_of, optional_number
from data.errors import BadSetting
from data.own_tables.column_mapping import (
    METRICS,
    SHOWN_KINDS,
    USES,
    AnswerKind,
    AnswerLabel,
    MappedColumn,
    TableMapping,
)
from data.wording import Language, Wording, english_name, in_languages, languages

ANSWERED = [
    ("One answer out of several", "choice"),
    ("Several answers", "choices"),
    ("A number", "number"),
    ("A rating", "rating"),
    ("A text", "text"),
]
NAMED = [
    ("its text", "text"),
    ("its number from 1", "from 1"),
    ("its number from 0", "from 0"),
    ("its letter", "letter"),
    ("the name of its column", "column"),
]
TEXTS = {"title": 1, "question": 1, "instruction": 4}
"""What people read of a task, each with the lines of its input in every language."""


@dataclass(frozen=True)
class MappingForm:
    """The components: `inputs` by their names, the drawn table of columns and what it holds, that of spellings.

    `put` is what the page itself wrote into the inputs: what differs from it was written by a person.
    """

    box: gr.Column
    table: gr.HTML
    columns: gr.State
    put: gr.State
    spelled: gr.HTML
    inputs: dict[str, Any]

    def by_name(self, values: Mapping[Any, Any]) -> dict[str, Any]:
        """Return what stands in the inputs, by their names."""
        return {name: values[component] for name, component in self.inputs.items()}


def build_mapping() -> MappingForm:
    """Build the part, empty; `filling` gives it values."""
    with gr.Column(visible=False) as box:
        table, columns = gr.HTML(js_on_load=MAPPING, apply_default_css=False), gr.State([])
        put = gr.State({})
        made: dict[str, Any] = {}
        in_each = [f"in {english_name(language)}" for language in languages()]
        for name, lines in TEXTS.items():
            with gr.Row():
                for language in languages():
                    label = f"{name.capitalize()} in {english_name(language)}"
                    made[text_name(name, language)] = gr.Textbox(
                        label=label, lines=lines, max_lines=12, max_length=10_000
                    )
        with gr.Row():
            made["answered"] = gr.Dropdown(ANSWERED, value="choice", label="How it is answered", min_width=200)
            # What may be chosen follows from the type of the answer, a moment later than the type itself.
            made["metric"] = gr.Dropdown(
                list(METRICS["choice"]), value="accuracy", label="Metric", min_width=140, allow_custom_value=True
            )
            made["named"] = gr.Dropdown(NAMED, value="text", label="The right answer names an option by", min_width=200)
            made["low"] = optional_number("From", info="Lowest")
            made["high"] = optional_number("To", info="Highest")
        made["labels"] = gr.Textbox(
            label="Answers",
            info=f"One a line: as it is stored | {' | '.join(in_each)}; a | within an answer is written \\|",
            lines=3,
            max_lines=14,
        )
        spelled = gr.HTML(js_on_load=SPELLINGS, apply_default_css=False)
        made["spellings"] = gr.Textbox(visible=False)
    return MappingForm(box, table, columns, put, spelled, made)


def text_name(name: str, language: Language) -> str:
    """Return what the input of a text in a language is called; a column's titles are called so too."""
    return f"{name}_{language}"


def sheet_of(columns: Sequence[Mapping[str, Any]], given: Mapping[str, Any], name: str) -> TableMapping:
    """Return what the form says about a table; raises BadSetting for what it cannot mean."""
    return TableMapping(
        name=name,
        columns=tuple(columns_of(columns)),
        title=_wording(given, "title"),
        question=_wording(given, "question"),
        instruction=_wording(given, "instruction"),
        answered=given["answered"],
        labels=tuple(_labels(str(given["labels"] or ""))) if given["answered"] in ("choice", "choices") else (),
        spellings=_spellings(str(given["spellings"] or "")) if given["answered"] in ("choice", "choices") else {},
        named=given["named"],
        low=number_of("From", given["low"]),
        high=number_of("To", given["high"]),
        metric=str(given["metric"] or ""),
    )


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


def seen(answered: AnswerKind, *, own: bool, gold: bool) -> dict[str, Any]:
    """Return which of the components make sense for a type of answer, as Gradio's updates by name."""
    of_labels, bounded = answered in ("choice", "choices"), answered in ("number", "rating")
    return {
        "labels": gr.update(visible=of_labels and not own),
        "named": gr.update(visible=of_labels and own and gold),
        "low": gr.update(visible=bounded),
        "high": gr.update(visible=bounded),
        "metric": gr.update(choices=list(METRICS[answered][:1] if own else METRICS[answered])),
    }


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
            raise BadSetting(f"the answer {label!r} stands there twice; give each its own line once")
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
    return in_languages({language: _plain(given[text_name(name, language)]) for language in languages()})


def _plain(value: Any) -> str:
    return str(value or "").replace("\0", "").replace("\r\n", "\n").strip()
