"""The form of a new study: what is asked, of which items, under which settings, and what follows from all that."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.pages.manage.form_from_table import read_table
from annotate.pages.manage.own_table_form import MappingForm, build_mapping, sheet_of
from annotate.pages.manage.preview_frame import Preview, build_preview
from annotate.pages.manage.settings_form import HINTS, build_fields, number_of, optional_number, read_fields
from annotate.requesters.new_study_items import SOURCES
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_card import Draft
from data.catalogue.task_files import ENDING, read_task
from data.errors import BadSetting
from data.files.encodings import ENCODINGS, uploaded
from data.own_tables.column_mapping import task_of
from data.task import ROLES
from db.study_settings import COLLECTION, SETTINGS

FIRST_TASK = "rsg/parus"
CATALOGUE, TABLE, TASK_FILE = "catalogue", "table", "file"
WAYS = [("A task of the catalogue", CATALOGUE), ("A table of my own", TABLE), ("A task file (TOML)", TASK_FILE)]
SAMPLES, FILES = "samples", "files"
ITEMS_FROM = [("The sample items that come with the task", SAMPLES), ("My own files", FILES)]
FILE_LABELS = {"main": "Items", "training": "Training items (optional)", "control": "Control items (optional)"}
SECONDS = "Seconds an answer takes"
ASKED = {name: setting for name, setting in SETTINGS.items() if not setting.asked.afterwards}
LARGE = (
    "CSV, TSV, XLSX, JSONL, JSON or Parquet, up to 512 MB. A larger file is read on the server: "
    "<code>python app.py create STUDY --task TASK --items FILE</code>"
)


@dataclass(frozen=True)
class StudyForm:
    """The components of the form, those that are read by name in `parts`."""

    parts: dict[str, Any]
    mapping: MappingForm
    notes: dict[str, gr.HTML]
    encodings: dict[str, gr.Dropdown]
    boxes: dict[str, gr.Column]
    plan: gr.HTML
    preview: Preview
    creation: gr.HTML
    create: gr.Button
    cancel: gr.Button

    @property
    def inputs(self) -> set[Any]:
        """The components that `by_name` names."""
        return set(self.parts.values())

    def by_name(self, values: Mapping[Any, Any]) -> dict[str, Any]:
        """Return the values of the components `parts` by their names."""
        return {name: values[part] for name, part in self.parts.items()}


def build_form(requesters: RequesterService) -> StudyForm:
    """Return the form, empty; `follow` brings it to life."""
    gr.HTML('<div class="look report"><h1>New study</h1></div>', apply_default_css=False)
    parts: dict[str, Any] = {}
    notes: dict[str, gr.HTML] = {}
    encodings: dict[str, gr.Dropdown] = {}
    boxes: dict[str, gr.Column] = {}
    parts["name"] = gr.Textbox(
        label="Name", placeholder="parus-pilot", info="Letters, digits, - _ and . make its address"
    )
    _heading("What is asked")
    parts["way"] = gr.Radio(WAYS, value=CATALOGUE, label="Where the task comes from")
    with gr.Column() as boxes[CATALOGUE]:
        tasks = requesters.tasks()
        parts["task"] = gr.Dropdown(tasks, value=first_of(tasks), label="Task")
        parts["source"] = gr.Radio(ITEMS_FROM, value=SAMPLES, label="Items")
    with gr.Column(visible=False) as boxes[TABLE]:
        parts["table"], notes["table"], encodings["table"] = _table("Table: one item in each row")
        parts["leave_out"] = gr.Checkbox(label=SOURCES["leave_out"].title, visible=False)
    mapping = build_mapping()
    with gr.Column(visible=False) as boxes[TASK_FILE]:
        parts["toml"] = gr.File(label="Task file, as a study’s page exports it", file_types=[ENDING])
        notes["toml"] = gr.HTML(apply_default_css=False)
    with gr.Column(visible=False) as boxes[FILES]:
        _build_files(parts, notes, encodings, boxes)
    with gr.Row(elem_classes="beside"):
        with gr.Column(scale=3, min_width=340):
            _heading("Settings")
            settings = build_fields(ASKED, unfolded=[COLLECTION], hints=HINTS)
        with gr.Column(scale=2, min_width=320, elem_classes="follows"):
            _heading("Estimates")
            plan = gr.HTML(apply_default_css=False)
            parts["seconds"] = optional_number(
                SECONDS, info="Empty: judged by the length of the texts", placeholder="auto"
            )
    _heading("Preview as a worker")
    preview = build_preview()
    creation = gr.HTML(apply_default_css=False)
    with gr.Row(elem_classes="ends"):
        create = gr.Button("Create the study", variant="primary", scale=0)
        cancel = gr.Button("Cancel", scale=0)
    parts |= {"columns": mapping.columns, **mapping.inputs, **settings.of}
    return StudyForm(parts, mapping, notes, encodings, boxes, plan, preview, creation, create, cancel)


def first_of(tasks: list[tuple[str, str]]) -> str | None:
    """Return the task that the form begins with: the one a newcomer understands at a glance, where it is there."""
    ids = [task for _, task in tasks]
    return FIRST_TASK if FIRST_TASK in ids else next(iter(ids), None)


def draft_of(given: Mapping[str, Any]) -> Draft:
    """Return the study that the form describes; raises EtalonError for what cannot be one."""
    way = given["way"]
    main = given["table"] if way == TABLE else given["main"]
    draft = Draft(
        name=given["name"] or "",
        task=given["task"] if way == CATALOGUE else "",
        settings=read_fields(ASKED, given),
        samples=way == CATALOGUE and given["source"] == SAMPLES,
        main=_path(main),
        training=_path(given["training"]),
        control=_path(given["control"]),
        draw_training=_count(given, "draw_training"),
        draw_control=_count(given, "draw_control"),
        sample=_count(given, "sample") or None,
        seed=_count(given, "seed"),
        leave_out=way == TABLE and bool(given["leave_out"]),
    )
    if way == CATALOGUE:
        return draft
    if way == TABLE:
        if not given["table"]:
            raise BadSetting("there is no table yet; upload one, and say below what its columns are")
        read_table(Path(given["table"]))  # a file that cannot be read says so before anything is said about its columns
        return replace(draft, described=task_of(sheet_of(given["columns"] or [], given, _called(given))))
    if not given["toml"]:
        raise BadSetting("there is no task file yet; upload one")
    return replace(draft, described=read_task(Path(given["toml"])))


def _called(given: Mapping[str, Any]) -> str:
    """Return the second half of the id of a task of one's own: the table's name as far as an id may hold it."""
    return re.sub(r"[^\w.-]", "-", uploaded(Path(given["table"])).stem)[:80] or "table"


def _path(file: Any) -> Path | None:
    return Path(file) if file else None


def _count(given: Mapping[str, Any], name: str) -> int:
    number = number_of(SOURCES[name].title, given[name]) or 0
    if number < 0 or not isinstance(number, int):
        raise BadSetting(f"{SOURCES[name].title} {number!r}: a whole number from 0 is needed")
    return number


def _heading(title: str) -> None:
    gr.HTML(f'<div class="look report part"><h2>{title}</h2></div>', apply_default_css=False)


def _table(label: str) -> tuple[gr.File, gr.HTML, gr.Dropdown]:
    """Build the place of a file of items; any file is taken, and the reader of files says what is wrong with it."""
    encoding = [(words, name) for name, words in ENCODINGS.items()]
    read_as = gr.Dropdown(encoding, label="Read as", info="The encoding that was found", visible=False)
    return gr.File(label=label), gr.HTML(apply_default_css=False), read_as


def _build_files(
    parts: dict[str, Any], notes: dict[str, gr.HTML], encodings: dict[str, gr.Dropdown], boxes: dict[str, gr.Column]
) -> None:
    gr.HTML(f'<p class="look hint">{LARGE}</p>', apply_default_css=False)
    with gr.Row():
        for role in ROLES:
            with gr.Column(min_width=240) as boxes[role]:
                parts[role], notes[role], encodings[role] = _table(FILE_LABELS[role])
                if role != "main":
                    name = f"draw_{role}"
                    parts[name] = optional_number(SOURCES[name].title, info=SOURCES[name].help)
    with gr.Row():
        sample, seed = SOURCES["sample"], SOURCES["seed"]
        parts["sample"] = optional_number(sample.title, info=sample.help, placeholder=sample.asked.placeholder)
        parts["seed"] = gr.Number(seed.default, label=seed.title, info=seed.help, precision=0)
