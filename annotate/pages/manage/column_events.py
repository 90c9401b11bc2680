"""What happens when a table of one's own is uploaded and when it is said what its columns are."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.pages.manage.form_from_table import filled, kept_back, merged, own, picked
from annotate.pages.manage.gradio_events import QUIETLY, errors_shown
from annotate.pages.manage.own_table_form import PROPOSED, SPELLINGS, MappingForm, input_names
from data.errors import EtalonError
from data.files.encodings import ENCODINGS, converted, suspected

# Gradio tells of a changed State only where the event that changed it was queued; and an event that waits is asked
# again with what it brought the first time, so that these run each for itself, in their order.
CHOSEN: dict[str, Any] = {**QUIETLY, "trigger_mode": "multiple", "concurrency_limit": 1, "concurrency_id": "columns"}
NOW: dict[str, Any] = {"queue": False, "trigger_mode": "always_last", **QUIETLY}


def follow_columns(table: gr.File, mapping: MappingForm) -> None:
    """Let a new table fill the form, and what is chosen for its columns change what follows from that."""

    def opened(table: str | None, before: list[dict[str, Any]], put: dict[str, Any], *given: Any) -> list[Any]:
        try:
            form = filled(Path(table), before) if table else None
        except EtalonError:
            form = None  # what is wrong stands beside the file
        if form is None:
            return [gr.skip(), "", put, *(gr.skip() for _ in given)]
        values = own(form.values, named(given), put)
        return [form.columns, form.html, put | values, *changes(values, named(given))]

    def chosen(
        event: gr.EventData, table: str | None, before: list[dict[str, Any]], put: dict[str, Any], *given: Any
    ) -> list[Any]:
        sent: Any = event._data if isinstance(event._data, dict) else {}
        columns = list(sent.get("columns", []))
        try:
            values = own(picked(Path(table), columns, before), named(given), put) if table else {}
        except EtalonError:
            values = {}
        return [columns, put | values, *changes(values, named(given))]

    inputs = list(mapping.inputs.values())
    was = [table, mapping.columns, mapping.put, *inputs]
    table.change(opened, was, [mapping.columns, mapping.table, mapping.put, *inputs], **CHOSEN)
    mapping.table.pick(chosen, was, [mapping.columns, mapping.put, *inputs], **CHOSEN)
    follow_answers(table, mapping)
    follow_spellings(mapping)


def follow_answers(table: gr.File, mapping: MappingForm) -> None:
    """Keep back a column that tells the answer, whatever made it tell: the columns or the answers."""

    def hide(table: str | None, columns: list[dict[str, Any]], *given: Any) -> tuple[Any, Any]:
        try:
            kept = kept_back(Path(table), columns, named(given)) if table else None
        except EtalonError:
            kept = None
        return (kept.columns, kept.html) if kept else (gr.skip(), gr.skip())

    said = [mapping.inputs[name].change for name in ("answered", "labels", "spellings", "low", "high")]
    inputs = [table, mapping.columns, *mapping.inputs.values()]
    gr.on([mapping.columns.change, *said], hide, inputs, [mapping.columns, mapping.table], **CHOSEN)


def named(given: Sequence[Any]) -> dict[str, Any]:
    """Return what stands in the inputs, by `input_names`."""
    return dict(zip(input_names(), given, strict=True))


def follow_encoding(file: gr.File, fix: gr.Button) -> None:
    """Offer to convert a file that is not UTF-8, naming what it looks like; nothing is converted unasked."""
    file.change(offered, file, fix, **NOW)
    fix.click(in_utf8, file, file, **QUIETLY)


def changes(values: Mapping[str, Any], given: Mapping[str, Any]) -> list[Any]:
    """Return the values of `input_names` in their order as Gradio's updates; those that are not there stay as they are.

    So do those that stand there already: sent again, they would take away what somebody types meanwhile.
    """
    changed = {name: value for name, value in values.items() if value != given[name]}
    updates = {name: changed.get(name, gr.skip()) for name in input_names()}
    if "spellings" in changed:
        updates["spellings"] = gr.update(value=values["spellings"], info=PROPOSED if values["spellings"] else SPELLINGS)
    return list(updates.values())


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
