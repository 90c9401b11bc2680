"""The forms of the page of models: a new run, made of the declared settings, an import, and what is decided of a run.

The key is typed here and goes nowhere but to its server.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gradio as gr
from markupsafe import Markup

from baseline.models.provider import Provider
from baseline.models.providers import PROVIDERS
from baseline.models.run_fields import GROUPS, SERVER, TERMINAL
from baseline.runs.reply_queue import SHAPES
from baseline.runs.run_settings import LONGEST_NAME, LONGEST_TYPED, SETTINGS, setting_key, settings_for
from baseline.runs.run_state import LOG_FORMS
from data.declared import Setting
from data.drawing.gradio_events import Updates
from data.files.rows import ENDINGS
from data.limits import LONGEST_REASON

LOGS = [".json", ".jsonl", ".eval", ".csv", ".tsv"]


class ImportForm:
    """The components of the import, empty."""

    def __init__(self, view: gr.Column) -> None:
        self.view, self.title = view, gr.HTML(import_title(""), apply_default_css=False)
        forms = [(title, name) for name, title in LOG_FORMS.items()]
        self.form = gr.Radio(forms, value=next(iter(LOG_FORMS)), label="Written by")
        with gr.Row(elem_classes="roomy"):
            self.file = gr.File(label="Log file", file_types=LOGS, height=108)
            self.model = gr.Textbox(label="Model", info="Needed where the log does not name it", max_length=200)
        with gr.Row(elem_classes="ends"):
            self.go = gr.Button("Import", variant="primary", scale=0)
            self.back = gr.Button("Back to the runs", scale=0)
        self.report = gr.HTML("", apply_default_css=False)


def import_title(study: str) -> str:
    """Return the heading of the import: into which study."""
    return str(
        Markup('<div class="look report"><h1 tabindex="-1">Import a run{}</h1></div>').format(study and f" of {study}")
    )


class RunDecisions:
    """The components: `asking` asks before anything is done, `what` holds the act and the run; `comparing` compares."""

    def __init__(self) -> None:
        with gr.Column(elem_classes="requester-page", visible=False) as self.asking:
            self.question = gr.HTML("", apply_default_css=False)
            kept = "Kept with the event"
            self.reason = gr.Textbox(label="Why", info=kept, max_length=LONGEST_REASON, lines=1, max_lines=1)
            with gr.Row(elem_classes="ends"):
                self.go = gr.Button("Do it", variant="primary", scale=0)
                self.back = gr.Button("Back to the runs", scale=0)
        with gr.Column(elem_classes="requester-page", visible=False) as self.comparing:
            self.compared = gr.HTML("", apply_default_css=False)
            with gr.Row(elem_classes="ends"):
                self.leave = gr.Button("Back to the runs", scale=0)
        self.what = gr.State(None)

    @property
    def views(self) -> list[gr.Column]:
        """The two views."""
        return [self.asking, self.comparing]

    @property
    def filled(self) -> list[Any]:
        """The components that are filled when one of them comes into sight."""
        return [self.question, self.what, self.reason, self.go, self.compared]


class JudgeForm:
    """The components of the view in which replies are given to people to judge; `runs` are those that were ticked."""

    def __init__(self) -> None:
        with gr.Column(elem_classes="requester-page", visible=False) as self.view:
            self.title, self.runs = gr.HTML("", apply_default_css=False), gr.State(())
            with gr.Row(elem_classes="roomy"):
                self.name = gr.Textbox(label="Name of the new study", max_length=LONGEST_NAME, info=BLIND)
                self.shape = gr.Radio(SHAPES_SHOWN, value=SHAPES[0], label="What people judge")
            self.criteria = gr.Textbox(label="Criteria", lines=3, max_length=LONGEST_CRITERIA, info=CRITERIA)
            with gr.Row(elem_classes="ends"):
                self.go = gr.Button("Make the study", variant="primary", scale=0)
                self.back = gr.Button("Cancel", scale=0)


FIELDS = {key: setting for key, setting in SETTINGS.items() if setting.asked.group != TERMINAL}
"""What the form asks for beside whom, by the keys of the table of settings: those that have a place on the page."""
_PLACES = {(setting.asked.group, setting.row) for setting in FIELDS.values()} | {(SERVER, 0)}
ROWS = sorted(_PLACES, key=lambda place: ([*GROUPS, place[0]].index(place[0]), place))
"""The rows of the form in their order: the group of their settings, and the number of the row within it."""
FIRST = ("limit", "max_cost")
"""The settings that are asked for first, below server, model and key; all others are folded away."""
MODEL = "Model"
OWN_PROMPT = "the task's own"
RESULTS = "Results of the batches (the provider's output and error files, or those of vllm run-batch)"
TYPED = "Kept in memory while the run lasts, never stored"
KNOWN = "From the environment; type another one to use that instead"
BLIND = "Workers see it in the address, so it names no model"
SHAPES_SHOWN = [("Pairs of replies: which is better", "pairs"), ("Each reply: from 1 to 5", "replies")]
CRITERIA = "One a line, each asked by itself; empty: which reply is better, or how good it is"
LONGEST_CRITERIA = 2_000
NOTHING_TYPED: Mapping[Any, Any] = {}


class RunForm:
    """The components of the form: `fields` by the keys of their settings, `rows` by their places in ROWS.

    `run` is the number of the run to go on with, `model` what the provider calls the one that is asked.
    """

    def __init__(self) -> None:
        self.title, self.run = gr.HTML("", apply_default_css=False), gr.State(None)
        results: dict[str, Any] = {"file_count": "multiple", "file_types": [".jsonl"], "height": 108, "visible": False}
        self.results = gr.File(label=RESULTS, **results)
        self.collect = gr.Button("Store these results", variant="primary", scale=0, visible=False)
        choices = [(provider.title, provider.name) for provider in PROVIDERS.values()]
        self.provider = gr.Radio(choices, value=next(iter(PROVIDERS)), label="Who answers")
        self.fields: dict[str, Any] = {}
        self.rows: dict[tuple[str, int], gr.Row] = {}
        with gr.Row(elem_classes="roomy") as self.rows[SERVER, 0]:
            self._add(_at(SERVER, 0))
            called: dict[str, Any] = {
                "placeholder": "qwen3-8b",
                "info": "What its server calls it",
                "max_length": LONGEST_NAME,
            }
            self.model = gr.Textbox(label=MODEL, **called)
            secret = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
            hidden: dict[str, Any] = {"type": "password", "max_length": 500, "html_attributes": secret}
            self.key = gr.Textbox(label="API key", info=TYPED, **hidden)
        with gr.Row():
            self._add({name: FIELDS[name] for name in FIRST})
        with gr.Accordion("More", open=False) as self.more:
            for place in ROWS:
                named = {name: setting for name, setting in _at(*place).items() if name not in self.fields}
                roomy = any(setting.help for setting in named.values())
                if named:
                    with gr.Row(elem_classes="roomy" if roomy else None) as self.rows[place]:
                        self._add(named)
        with gr.Row(elem_classes="ends"):
            self.estimate = gr.Button("Estimate", variant="primary", scale=0)
            self.start = gr.Button("Start", variant="primary", scale=0, visible=False)
            self.write = gr.Button("Write Batch files", scale=0, visible=False)
            self.cancel = gr.Button("Cancel", scale=0)
        self.preview = gr.HTML("", apply_default_css=False)

    def _add(self, settings: Mapping[str, Setting]) -> None:
        self.fields |= {name: _component(setting) for name, setting in settings.items()}

    @property
    def typed(self) -> list[Any]:
        """The components that say what is asked for; the key is none of them."""
        return [self.provider, self.model, *self.fields.values()]

    @property
    def placed(self) -> list[Any]:
        """The components that are in sight for some providers alone."""
        return [*self.fields.values(), *self.rows.values()]

    @property
    def filled(self) -> list[Any]:
        """The components that `shown` fills."""
        buttons = [self.start, self.write, self.results, self.collect, self.more]
        return [self.title, self.run, self.key, self.preview, *buttons, self.provider, self.model, *self.placed]

    def values(self, given: Mapping[Any, Any]) -> dict[str, Any]:
        """Return what the form holds for the provider that is chosen, by the names of the settings."""
        provider = PROVIDERS.get(given[self.provider])
        fields = {name: given[self.fields[key]] for name, key in keys_of(provider).items()} if provider else {}
        return {"provider": given[self.provider], "model": given[self.model], **fields}


def _at(group: str, row: int) -> dict[str, Setting]:
    """Return the settings of one row of a group."""
    return {key: setting for key, setting in FIELDS.items() if (setting.asked.group, setting.row) == (group, row)}


def keys_of(provider: Provider) -> dict[str, str]:
    """Return the keys of the fields that mean something to a provider, by the names of its settings."""
    keys = {name: setting_key(provider, name) for name in settings_for(provider)}
    return {name: key for name, key in keys.items() if key in FIELDS}


def _component(setting: Setting) -> Any:
    """Return the component of a setting: its kind follows from the type."""
    said: dict[str, Any] = {"label": setting.title, "info": setting.help or None}
    if setting.kind is bool:
        return gr.Checkbox(setting.default, **said, container=False)
    if setting.kind == list[int]:
        return gr.Dropdown([(OWN_PROMPT, 0)], value=[0], multiselect=True, **said)
    if setting.choices:
        return gr.Radio(setting.options, value=setting.default, **said)
    if setting.kind is Path:
        # A field of files has no place for a hint.
        label = f"{setting.title} ({setting.help[0].lower()}{setting.help[1:]})"
        return gr.File(label=label, file_types=[*ENDINGS, ".toml"], height=108)
    said["placeholder"] = setting.asked.placeholder or None
    if setting.kind in (int, float):
        return gr.Number(setting.default, precision=0 if setting.kind is int else None, **said)
    longest = setting.bound("max_length") or LONGEST_TYPED
    value = "" if setting.asked.placeholder else setting.default
    lines = setting.asked.lines
    # One line is never two, however long what stands in it.
    return gr.Textbox(value, lines=lines, max_lines=1 if lines == 1 else 20, max_length=longest, **said)


def typed_in(setting: Setting, values: Mapping[str, Any]) -> Any:
    """Return what the field of a setting holds; where a placeholder tells the default, that is not typed."""
    if setting.kind is Path:
        return None
    default = list(setting.default) if setting.kind == list[int] else setting.default
    value = values.get(setting.name, default)
    if setting.kind in (str, list[str]):
        return "" if value is None or (setting.asked.placeholder and value in (default, str(default), {})) else value
    return value


def visible_fields(form: RunForm, name: str, typed: Mapping[Any, Any] = NOTHING_TYPED) -> Updates:
    """Return which rows and fields of the form are in sight: what means nothing to a provider is not.

    What was `typed` is said again: a number that comes back into sight empty would be 0.
    """
    asked = set(keys_of(PROVIDERS[name]).values())
    seen = {(FIELDS[key].asked.group, FIELDS[key].row) for key in asked}
    fields = {
        field: gr.update(visible=key in asked, **({"value": typed[field]} if field in typed else {}))
        for key, field in form.fields.items()
    }
    return fields | {row: gr.update(visible=place in seen) for place, row in form.rows.items()}
