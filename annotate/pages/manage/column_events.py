"""What happens when a table of one's own is uploaded and when it is said what its columns are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.pages.manage.form_drawing import draw_spellings
from annotate.pages.manage.form_from_table import filled, gold_counts, kept_back, own, picked, respelled
from annotate.pages.manage.gradio_events import QUIETLY, UNCHANGED, Updates, errors_shown, event_data
from annotate.pages.manage.own_table_form import MappingForm, sheet_of
from data.errors import EtalonError
from data.files.encodings import IN_UTF8, converted, suspected, uploaded

# Gradio tells of a changed State only where the event that changed it was queued; and an event that waits is asked
# again with what it brought the first time, so that these run each for itself, in their order.
CHOSEN: dict[str, Any] = {**QUIETLY, "trigger_mode": "multiple", "concurrency_limit": 1, "concurrency_id": "columns"}
NOW: dict[str, Any] = {"queue": False, "trigger_mode": "always_last", **QUIETLY}


def follow_columns(table: gr.File, mapping: MappingForm) -> None:
    """Let a new table fill the form, and what is chosen for its columns change what follows from that."""

    def proposed(answers: Mapping[str, Any], values: Mapping[Any, Any]) -> Updates:
        texts, put = mapping.by_name(values), values[mapping.put]
        answers = own(answers, texts, put)
        updates = {mapping.inputs[name]: update for name, update in changes(answers, texts).items()}
        return {mapping.put: put | answers, **updates}

    def opened(values: dict[Any, Any]) -> Updates:
        try:
            form = filled(Path(values[table]), values[mapping.columns]) if values[table] else None
        except EtalonError:
            form = None  # what is wrong stands beside the file
        if form is None:
            return {mapping.table: ""}
        return {mapping.columns: form.columns, mapping.table: form.html, **proposed(form.values, values)}

    def chosen(event: gr.EventData, values: dict[Any, Any]) -> Updates:
        columns = list(event_data(event).get("columns", []))
        try:
            answers = picked(Path(values[table]), columns, values[mapping.columns]) if values[table] else {}
        except EtalonError:
            answers = {}
        return {mapping.columns: columns, **proposed(answers, values)}

    inputs = {table, mapping.columns, mapping.put, *mapping.inputs.values()}
    outputs = [mapping.columns, mapping.put, *mapping.inputs.values()]
    table.change(opened, inputs, [mapping.table, *outputs], **CHOSEN)
    mapping.table.pick(chosen, inputs, outputs, **CHOSEN)
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
    gr.on([mapping.columns.change, *telling], hide, inputs, [mapping.columns, mapping.table], **CHOSEN)


def follow_encoding(file: gr.File, encoding: gr.Dropdown) -> None:
    """Read a file that is not UTF-8 as the encoding that it is found to have; another one may be chosen."""
    file.upload(found, file, [file, encoding], **QUIETLY)
    encoding.input(read_as, [file, encoding], file, **QUIETLY)
    file.clear(lambda: gr.update(visible=False), None, encoding, **QUIETLY)


def changes(values: Mapping[str, Any], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that do not stand in the inputs yet, by their names.

    Those that stand there, sent again, would take away what somebody types meanwhile.
    """
    return {name: value for name, value in values.items() if value != texts[name]}


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
    changed = [mapping.columns.change, labels.change, spellings.change, mapping.inputs["answered"].change]
    gr.on(changed, drawn, inputs, mapping.spelled, **CHOSEN)
    mapping.spelled.spell(spelled, labels, [labels, spellings], **CHOSEN)


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
