"""What happens when a table of one's own is uploaded and when it is said what its columns are."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.pages.manage.form_from_table import filled, kept_back, merged, own, picked
from annotate.pages.manage.gradio_events import QUIETLY, UNCHANGED, Updates, errors_shown, event_data
from annotate.pages.manage.own_table_form import PROPOSED, SPELLINGS, MappingForm
from data.errors import EtalonError
from data.files.text_files import ENCODINGS, converted, suspected

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
    follow_spellings(mapping)


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


def follow_encoding(file: gr.File, fix: gr.Button) -> None:
    """Offer to convert a file that is not UTF-8, naming what it looks like; nothing is converted unasked."""
    file.change(offered, file, fix, **NOW)
    fix.click(in_utf8, file, file, **QUIETLY)


def changes(values: Mapping[str, Any], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that do not stand in the inputs yet, by their names, as Gradio's updates.

    Those that stand there, sent again, would take away what somebody types meanwhile.
    """
    changed = {name: value for name, value in values.items() if value != texts[name]}
    if "spellings" in changed:
        changed["spellings"] = gr.update(value=values["spellings"], info=PROPOSED if values["spellings"] else SPELLINGS)
    return changed


def follow_spellings(mapping: MappingForm) -> None:
    """Offer to merge answers that differ only in their spelling, and do so where somebody presses the button."""
    labels, spellings = mapping.inputs["labels"], mapping.inputs["spellings"]

    def merge(lines: str, others: str) -> tuple[str, str]:
        rest, spellings = merged(lines or "")
        return rest, "\n".join(filter(None, ((others or "").strip(), spellings)))

    labels.change(lambda lines: gr.update(visible=bool(merged(lines or "")[1])), labels, mapping.merge, **NOW)
    mapping.merge.click(merge, [labels, spellings], [labels, spellings], **QUIETLY)


def offered(file: str | None) -> Any:
    """Return the button that has a file converted, in sight where the file looks like another encoding than UTF-8."""
    try:
        encoding = suspected(Path(file)) if file else ""
    except OSError:
        encoding = ""
    return gr.update(visible=bool(encoding), value=f"Read it as {ENCODINGS[encoding]}" if encoding else "")


@errors_shown
def in_utf8(file: str | None) -> Any:
    """Return a copy in UTF-8 of a file that looks like another encoding, which the button has named."""
    path = Path(file) if file else None
    encoding = suspected(path) if path else ""
    if path is None or not encoding:
        return gr.skip()
    return str(converted(path, encoding, path.with_name(f"{path.stem}-utf8{path.suffix}")))
