"""The form on which a run of another harness is brought in, on the page of models."""

from dataclasses import dataclass

import gradio as gr
from markupsafe import Markup

from baseline.runs.run_state import LOG_FORMS

LOGS = [".json", ".jsonl", ".eval", ".csv", ".tsv"]


@dataclass(frozen=True)
class ImportForm:
    """The components of the import."""

    view: gr.Column
    title: gr.HTML
    file: gr.File
    form: gr.Radio
    model: gr.Textbox
    go: gr.Button
    back: gr.Button
    report: gr.HTML


def build_import(view: gr.Column) -> ImportForm:
    """Return the form of an import, empty."""
    title = gr.HTML(import_title(""), apply_default_css=False)
    forms = [(form.title, form.name) for form in LOG_FORMS.values()]
    form = gr.Radio(forms, value=next(iter(LOG_FORMS)), label="Written by")
    with gr.Row(elem_classes="roomy"):
        file = gr.File(label="Log file", file_types=LOGS, height=108)
        model = gr.Textbox(label="Model", info="Needed where the log does not name it", max_length=200)
    with gr.Row(elem_classes="ends"):
        go = gr.Button("Import", variant="primary", scale=0)
        back = gr.Button("Back to the runs", scale=0)
    return ImportForm(view, title, file, form, model, go, back, gr.HTML("", apply_default_css=False))


def import_title(study: str) -> str:
    """Return the heading of the import: into which study."""
    return str(
        Markup('<div class="look report"><h1 tabindex="-1">Import a run{}</h1></div>').format(study and f" of {study}")
    )
