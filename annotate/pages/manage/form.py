"""The form of a new study: what it asks for, and the numbers that follow while it is filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.cards import Draft, FileCheck
from annotate.manage import Desk
from annotate.pages.manage.drawing import draw_file, draw_plan
from data.errors import BadSetting
from data.rows import ENDINGS
from data.task import ROLES, Role
from db.studies import StudySettings

FIRST_TASK = "rsg/parus"
SAMPLES, FILES = "samples", "files"
LANGUAGES = [("Русский", "ru"), ("English", "en")]
FILE_LABELS = {"main": "Items", "training": "Training items (optional)", "control": "Control items (optional)"}
SETTINGS = (
    "language",
    "overlap",
    "page_main",
    "page_controls",
    "training_pass",
    "price",
    "currency",
    "sitting",
    "lease_minutes",
)
SITTING_MINUTES = 180  # a state exam lasts three hours and a half, and a part of it is writing
DEFAULTS = StudySettings()
SITTING = "Each worker answers a whole variant, its items in order, without controls"
QUIETLY: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden", "concurrency_limit": None}


@dataclass(frozen=True)
class Form:
    """The components of the form. `settings` are in the order of SETTINGS."""

    name: gr.Textbox
    task: gr.Dropdown
    source: gr.Radio
    files: tuple[gr.File, ...]
    notes: tuple[gr.HTML, ...]
    settings: tuple[Any, ...]
    plan: gr.HTML
    create: gr.Button
    cancel: gr.Button
    counts: gr.State
    sitting: gr.Checkbox
    lease: gr.Number

    @property
    def inputs(self) -> list[Any]:
        """The components that `draft_of` reads, in its order."""
        return [self.name, self.task, self.source, *self.files, *self.settings]


def build_form(desk: Desk) -> Form:
    """Return the form, empty; `follow` brings it to life."""
    tasks = desk.tasks()
    gr.HTML('<div class="look report"><h1>New study</h1></div>', apply_default_css=False)
    with gr.Row():
        name = gr.Textbox(label="Name", placeholder="parus-pilot", info="Letters, digits, - _ and . make its address")
        task = gr.Dropdown(tasks, value=first_of(tasks), label="Task", info="What is asked")
        language = gr.Dropdown(LANGUAGES, value=DEFAULTS.language, label="Language", info="Of the workers' pages")
    sources = [("The sample items that come with the task", SAMPLES), ("My own files", FILES)]
    source = gr.Radio(sources, value=SAMPLES, label="Items")
    with gr.Row():
        pairs = [_file(role) for role in ROLES]
    with gr.Row():
        overlap = gr.Number(DEFAULTS.overlap, label="Judgments per item", precision=0)
        page_main = gr.Number(DEFAULTS.page_main, label="Items on a page", precision=0)
        page_controls = gr.Number(DEFAULTS.page_controls, label="Controls on a page", precision=0)
        training_pass = gr.Number(DEFAULTS.training_pass, label="Pass mark of training", step=0.05)
        price = gr.Number(DEFAULTS.price, label="Price per answer")
        currency = gr.Textbox(DEFAULTS.currency, label="Currency", max_length=3)
    with gr.Row(elem_classes="sitting"):
        sitting = gr.Checkbox(label="One sitting (exam)", info=SITTING, visible=False, container=False, scale=3)
        lease = gr.Number(SITTING_MINUTES, label="Minutes for a sitting", visible=False)
    plan = gr.HTML(apply_default_css=False)
    with gr.Row(elem_classes="ends"):
        create = gr.Button("Create the study", variant="primary", scale=0)
        cancel = gr.Button("Cancel", scale=0)
    files, notes = zip(*pairs, strict=True)
    settings = (language, overlap, page_main, page_controls, training_pass, price, currency, sitting, lease)
    return Form(name, task, source, files, notes, settings, plan, create, cancel, gr.State({}), sitting, lease)


def first_of(tasks: list[tuple[str, str]]) -> str | None:
    """Return the task that the form begins with: the one a newcomer understands at a glance, where it is there."""
    ids = [task for _, task in tasks]
    return FIRST_TASK if FIRST_TASK in ids else next(iter(ids), None)


def draft_of(*values: Any) -> Draft:
    """Return the study that the form describes."""
    name, task, source, *rest = values
    files, settings = [Path(path) if path else None for path in rest[:3]], dict(zip(SETTINGS, rest[3:], strict=True))
    if not settings["sitting"]:
        # The minutes are asked for a sitting only; other work keeps its own lease.
        del settings["lease_minutes"]
    return Draft(name or "", task, settings, source == SAMPLES, *files)


def checks_of(desk: Desk, draft: Draft) -> dict[Role, FileCheck]:
    """Return what the chosen files hold, by role."""
    if draft.samples:
        return desk.samples(draft.task)
    chosen = {"main": draft.main, "training": draft.training, "control": draft.control}
    return {role: desk.check(draft.task, role, path) for role in ROLES if (path := chosen[role])}


def plan_of(desk: Desk, counts: Mapping[str, int], draft: Draft) -> str:
    """Return the drawing of the numbers that follow, or of the sentence that says why there are none."""
    if not counts.get("main"):
        return str(draw_plan(None))
    try:
        # The switch of another task may still be on for a moment.
        sitting = bool(draft.settings["sitting"]) and desk.can_be_sat(draft.task)
        plan = desk.plan(counts, {**draft.settings, "sitting": sitting})
    except BadSetting as error:
        return str(draw_plan(None, reason=str(error)))
    return str(draw_plan(plan, currency=str(draft.settings["currency"])))


def follow(form: Form, desk: Desk, *begin: Any) -> None:
    """Check the files as they come and let the plan follow every number; `begin` are the events that show the form."""

    def checked(*values: Any) -> tuple[Any, ...]:
        draft = draft_of(*values)
        checks = checks_of(desk, draft)
        counts: dict[str, int] = {role: check.items for role, check in checks.items() if not check.problem}
        if "main" in counts:
            counts["sittings"] = checks["main"].clusters
        files = [gr.update(visible=not draft.samples)] * len(ROLES)
        notes = [str(draw_file(checks.get(role), role)) for role in ROLES]
        return (*files, *notes, counts, plan_of(desk, counts, draft))

    def planned(counts: dict[str, int], *values: Any) -> str:
        return plan_of(desk, counts, draft_of(*values))

    items = [*begin, form.task.input, form.source.input, *(file.change for file in form.files)]
    shown = [*form.files, *form.notes, form.counts, form.plan]
    now: dict[str, Any] = {"queue": False, "trigger_mode": "always_last", **QUIETLY}
    gr.on(items, checked, form.inputs, shown, **now)
    gr.on([setting.input for setting in form.settings], planned, [form.counts, *form.inputs], form.plan, **now)

    def sat(task: str, on: bool) -> tuple[Any, Any]:
        able = desk.can_be_sat(task)
        return gr.update(visible=able, value=on and able), gr.update(visible=on and able)

    switches = [*begin, form.task.input, form.sitting.input]
    gr.on(switches, sat, [form.task, form.sitting], [form.sitting, form.lease], **now)


def _file(role: str) -> tuple[gr.File, gr.HTML]:
    with gr.Column(min_width=240):
        file = gr.File(label=FILE_LABELS[role], file_types=list(ENDINGS), visible=False)
        return file, gr.HTML(apply_default_css=False)
