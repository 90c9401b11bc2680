"""The form of a new study: what is asked, of which items, under which settings, and what follows from all that."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.consent import Workload, explains
from annotate.pages.manage.form_drawing import (
    DRAWING,
    STEPPING,
    STEPS,
    draw_check,
    draw_file,
    draw_plan,
    draw_problem,
    draw_steps,
)
from annotate.pages.manage.own_table_form import (
    ANSWERED,
    SEEN,
    MappingForm,
    columns_of,
    fault_of,
    follow_columns,
    follow_encoding,
    read_table,
    seen,
    sheet_of,
)
from annotate.pages.manage.settings_form import (
    HINTS,
    build_fields,
    number_of,
    optional_number,
    read_fields,
    shown_value,
)
from annotate.pages.manage.study_drawing import rendered
from annotate.pages.manage.study_preview import Preview, Scene, draw_preview
from annotate.requesters.study_card import FileCheck, reminders
from annotate.requesters.study_creation import SOURCES, Draft, Sources, checked_settings, task_of_draft
from annotate.requesters.study_plan import Step, checks_of, counts_of, doubts_of, forecast, plan, wants
from data.answers.effort import DECIDE
from data.catalogue.catalog import get_task, tasks
from data.catalogue.task_files import ENDING, read_task
from data.drawing.gradio_events import AT_ONCE, errors_shown, event_data, follow_last
from data.errors import BadSetting, EtalonError, UnknownName
from data.files.text_files import ENCODINGS, uploaded
from data.own_table import task_of
from data.task import ROLES, Role
from db.study_settings import CLUSTERS, COLLECTION, SETTINGS, StudySettings

FIRST_TASK = "rsg/parus"
CATALOGUE, TABLE, TASK_FILE = "catalogue", "table", "file"
WAYS = [("A task of the catalogue", CATALOGUE), ("A table of my own", TABLE), ("A task file (TOML)", TASK_FILE)]
SAMPLES, FILES = "samples", "files"
ITEMS_FROM = [("The sample items that come with the task", SAMPLES), ("My own files", FILES)]
FILE_LABELS = {"main": "Items", "training": "Training items (optional)", "control": "Control items (optional)"}
KIND_WORDS: dict[str, str] = {kind: words for words, kind in ANSWERED}
SECONDS = "Seconds an answer takes"
ASKED = {name: setting for name, setting in SETTINGS.items() if not setting.asked.afterwards}
LARGE = (
    "CSV, TSV, XLSX, JSONL, JSON or Parquet, up to 512 MB. A larger file is read on the server: "
    "<code>python app.py create STUDY --task TASK --items FILE</code>"
)


class StudyForm:
    """The components of the form, empty, those that are read by name in `parts`; `follow` brings it to life."""

    def __init__(self) -> None:
        self.parts: dict[str, Any] = {}
        self.notes: dict[str, gr.HTML] = {}
        self.encodings: dict[str, gr.Dropdown] = {}
        self.boxes: dict[str, gr.Column | gr.Accordion] = {}
        gr.HTML('<div class="look report"><h1>New study</h1></div>', apply_default_css=False)
        self.steps = gr.HTML(str(draw_steps(open_steps(CATALOGUE), ())), js_on_load=STEPPING, apply_default_css=False)
        with gr.Row(elem_classes="beside"):
            with gr.Column(scale=3, min_width=340):
                with gr.Column(elem_classes="step at-file"):
                    self._build_source()
                with gr.Column(visible=False, elem_classes="step at-file at-columns") as self.boxes["read"]:
                    self.notes["table"] = gr.HTML(apply_default_css=False)
                    self.parts["leave_out"] = gr.Checkbox(label=SOURCES["leave_out"].title, visible=False)
                with gr.Column(elem_classes="step at-file"):
                    gr.HTML(f'<p class="look hint">{LARGE}</p>', apply_default_css=False)
                self.mapping = MappingForm()
                with gr.Column(elem_classes="step at-people"):
                    settings = build_fields(ASKED, unfolded=[COLLECTION], hints=HINTS)
                    self.boxes[FILES] = gr.Accordion("Training and controls", visible=False, elem_classes="fold")
                    with self.boxes[FILES]:
                        self._build_files()
                with gr.Column(elem_classes="step at-check"):
                    self.parts["name"] = gr.Textbox(label="Name", info="Letters, digits, - _ and . make its address")
                self.check = gr.HTML(js_on_load=DRAWING, apply_default_css=False)
                self.creation = gr.HTML(apply_default_css=False)
                with gr.Row(elem_classes="ends"):
                    gr.HTML(str(rendered("turns.html")), apply_default_css=False)
                    with gr.Row(elem_classes="step at-check"):
                        self.create = gr.Button("Create the study", variant="primary", scale=0)
                    self.cancel = gr.Button("Cancel", scale=0, elem_classes="cancels")
            with gr.Column(scale=2, min_width=320, elem_classes="follows"):
                with gr.Column(elem_classes="step at-people at-check"):
                    self.plan = gr.HTML(apply_default_css=False)
                with gr.Column(elem_classes="step at-people"):
                    self.parts["seconds"] = optional_number(
                        SECONDS, info="Empty: an estimate from the texts and the kind of answer", placeholder="auto"
                    )
                self.preview = Preview(narrow=True)
        self.mapping.inputs["language"] = settings.of["language"]  # a table proposes it too
        self.parts |= {"columns": self.mapping.columns, **self.mapping.inputs, **settings.of}

    def _build_source(self) -> None:
        self.parts["way"] = gr.Radio(WAYS, value=CATALOGUE, label="Where the task comes from")
        with gr.Column() as self.boxes[CATALOGUE]:
            listed = sorted((task.title.for_requesters, task.id) for task in tasks().readable()[0])
            self.parts["task"] = gr.Dropdown(listed, value=first_of(listed), label="Task")
            self.parts["source"] = gr.Radio(ITEMS_FROM, value=SAMPLES, label="Items")
        with gr.Column(visible=False) as self.boxes[TABLE]:
            self.parts["table"], self.encodings["table"] = _table("Table: one item in each row")
        with gr.Column(visible=False) as self.boxes[TASK_FILE]:
            self.parts["toml"] = gr.File(label="Task file, as a study’s page exports it", file_types=[ENDING])
            self.notes["toml"] = gr.HTML(apply_default_css=False)
        with gr.Column(visible=False) as self.boxes["main"]:
            self.parts["main"], self.encodings["main"] = _table(FILE_LABELS["main"])
            self.notes["main"] = gr.HTML(apply_default_css=False)

    def _build_files(self) -> None:
        with gr.Row():
            for role in ROLES[1:]:
                with gr.Column(min_width=240) as self.boxes[role]:
                    self.parts[role], self.encodings[role] = _table(FILE_LABELS[role])
                    self.notes[role] = gr.HTML(apply_default_css=False)
                    name = f"draw_{role}"
                    self.parts[name] = optional_number(SOURCES[name].title, info=SOURCES[name].help)
        with gr.Row():
            sample, seed = SOURCES["sample"], SOURCES["seed"]
            self.parts["sample"] = optional_number(sample.title, info=sample.help, placeholder=sample.asked.placeholder)
            self.parts["seed"] = gr.Number(seed.default, label=seed.title, info=seed.help, precision=0)

    @property
    def inputs(self) -> set[Any]:
        """The components that `by_name` names."""
        return set(self.parts.values())

    def by_name(self, values: Mapping[Any, Any]) -> dict[str, Any]:
        """Return the values of the components `parts` by their names."""
        return {name: values[part] for name, part in self.parts.items()}


def open_steps(way: str) -> tuple[Step, ...]:
    """Return the steps that a task leaves something to say about: one that is described has its columns already."""
    return tuple(step for step in STEPS if way == TABLE or step not in ("columns", "question"))


def first_of(tasks: list[tuple[str, str]]) -> str | None:
    """Return the task that the form begins with: the one a newcomer understands at a glance, where it is there."""
    ids = [task for _, task in tasks]
    return FIRST_TASK if FIRST_TASK in ids else next(iter(ids), None)


def draft_of(given: Mapping[str, Any]) -> Draft:
    """Return the study that the form describes; raises EtalonError for what cannot be one."""
    way, proposed = given["way"], proposed_name(given)
    main = given["table"] if way == TABLE else given["main"]
    draft = Draft(
        name=given["name"] or proposed,
        task=given["task"] if way == CATALOGUE else "",
        settings=read_fields(ASKED, given),
        samples=way == CATALOGUE and given["source"] == SAMPLES,
        sources=_sources(given, Path(main)) if main else None,
    )
    if way == CATALOGUE:
        return draft
    if way == TABLE:
        if not given["table"]:
            raise BadSetting("there is no table yet; upload one, and say below what its columns are")
        read_table(Path(given["table"]))  # a file that cannot be read says so before anything is said about its columns
        return replace(draft, described=task_of(sheet_of(given["columns"] or [], given, proposed or "table")))
    if not given["toml"]:
        raise BadSetting("there is no task file yet; upload one")
    return replace(draft, described=read_task(Path(given["toml"])))


def proposed_name(given: Mapping[str, Any]) -> str:
    """Return what a study is called where nobody says: as its table, its task file, or its task of the catalogue."""
    if given["way"] == CATALOGUE:
        return (given["task"] or "").rpartition("/")[2]
    file = given["table"] if given["way"] == TABLE else given["toml"]
    return re.sub(r"[^\w.-]", "-", uploaded(Path(file)).stem)[:80] if file else ""


def _sources(given: Mapping[str, Any], main: Path) -> Sources:
    numbers = {name: _count(given, name) for name in ("draw_training", "draw_control", "seed")}
    return Sources(
        main=main,
        training=given["training"] or None,
        control=given["control"] or None,
        sample=_count(given, "sample") or None,
        leave_out=given["way"] == TABLE and bool(given["leave_out"]),
        **numbers,
    )


def _count(given: Mapping[str, Any], name: str) -> int:
    number = number_of(SOURCES[name].title, given[name]) or 0
    if number < 0 or not isinstance(number, int):
        raise BadSetting(f"{SOURCES[name].title} {number!r}: a whole number from 0 is needed")
    return number


def _table(label: str) -> tuple[gr.File, gr.Dropdown]:
    """Build the place of a file of items; any file is taken, and the reader of files says what is wrong with it."""
    encoding = [(words, name) for name, words in ENCODINGS.items()]
    read_as = gr.Dropdown(encoding, label="Read as", info="The encoding that was found", visible=False)
    return gr.File(label=label), read_as


OF_CLUSTERS = [name for name, setting in SETTINGS.items() if setting.asked.needs == CLUSTERS]
CHOICES = ("way", "task", "source")
LOADED = ("table", "toml", *ROLES, "leave_out")
DRAWN = ("draw_training", "draw_control")


def follow(form: StudyForm, *begin: Any) -> None:
    """Bring the form to life; `begin` are the events that show it."""
    parts, mapping = form.parts, form.mapping
    html = {**form.notes, "plan": form.plan, "check": form.check, "steps": form.steps}

    def typed(values: dict[Any, Any]) -> dict[Any, Any]:
        chosen = mapping.by_name(values)
        updates = kinds(values[mapping.columns], chosen["answered"], str(chosen["metric"]))
        return {mapping.inputs[name]: update for name, update in updates.items()}

    def beside(values: dict[Any, Any]) -> dict[Any, Any]:
        given = form.by_name(values)
        drawn, rows = drawings(given)
        notes = {html[name]: words for name, words in drawn.items()}
        called = f"Leave out {rows:,} row{'s' if rows > 1 else ''} that cannot be used"
        name = {parts["name"]: gr.update(placeholder=proposed_name(given))}
        return notes | name | {parts["leave_out"]: gr.update(visible=rows > 0, label=called)}

    def previewed(values: dict[Any, Any]) -> dict[Any, Any]:
        chosen = [values[choice] for choice in form.preview.choices]
        return {form.preview.frame: draw_preview(lambda: scene(draft_of(form.by_name(values))), chosen)}

    def everything(values: dict[Any, Any]) -> dict[Any, Any]:
        return arrangement(form, form.by_name(values)) | typed(values) | beside(values) | previewed(values)

    follow_columns(parts["table"], mapping)
    for name, encoding in form.encodings.items():
        follow_encoding(parts[name], encoding)
    # What changes everything is one request; what is typed changes the numbers at once, the preview when it is done.
    beginnings = [*begin, *(parts[name].input for name in CHOICES), *(parts[name].change for name in LOADED)]
    beginnings += [mapping.columns.change, mapping.inputs["answered"].change]
    needing = [parts[name] for name in SETTINGS if SETTINGS[name].asked.needs]
    shown = [*form.boxes.values(), mapping.box, mapping.words, *needing, *(mapping.inputs[name] for name in SEEN)]
    looked, follows = {*form.inputs, *form.preview.choices}, [*html.values(), parts["leave_out"], parts["name"]]
    follow_last(beginnings, everything, looked, [*shown, *follows, form.preview.frame])

    answers = [mapping.inputs[name].change for name in ("labels", "spellings")]
    plain = [part.input for name, part in parts.items() if name not in {*CHOICES, *LOADED, "columns", "answered"}]
    follow_last([*plain, *answers], beside, form.inputs, follows)
    form.steps.go(screen_for, form.preview.choices[0], form.preview.choices[0], **AT_ONCE)
    form.check.draw(drawn_controls, None, parts["draw_control"], **AT_ONCE)
    settled = [
        *answers,
        *(choice.change for choice in form.preview.choices),
        *(part.blur for part in mapping.inputs.values() if isinstance(part, gr.Textbox)),
        *(parts[name].change for name in DRAWN),
        *(part.blur if isinstance(part, gr.Textbox) else part.input for part in map(parts.__getitem__, ASKED)),
    ]
    # Of two requests at once Gradio may keep the first as under way for ever, and skip what is typed after it.
    follow_last(settled, lambda values: beside(values) | previewed(values), looked, [*follows, form.preview.frame])


def screen_for(event: gr.EventData, screen: str) -> str:
    """Return the screen to preview at a step: consent where people are spoken of, unless another one was chosen."""
    at_people = event_data(event).get("step") == "people"
    return "consent" if at_people and screen == "work" else "work" if not at_people and screen == "consent" else screen


@errors_shown
def drawn_controls(event: gr.EventData) -> str:
    """Return how many controls are to be drawn: as many as were proposed."""
    return str(int(event_data(event).get("controls", 0)))


def arrangement(form: StudyForm, given: Mapping[str, Any]) -> dict[Any, Any]:
    """Return which parts are in sight: the boxes, the table's part, the settings that need something of a task."""
    way, own = given["way"], given["source"] == FILES
    table = way == TABLE and bool(given["columns"] and given["table"])
    try:
        able = wants(task_of_draft(draft_of(given)))
    except EtalonError:
        known = way == CATALOGUE and given["task"]
        able = wants(get_task(given["task"])) if known else {name for name in SETTINGS if name not in OF_CLUSTERS}
    seen = {
        form.boxes[CATALOGUE]: way == CATALOGUE,
        form.boxes[TABLE]: way == TABLE,
        form.boxes[TASK_FILE]: way == TASK_FILE,
        form.boxes["read"]: way == TABLE,
        form.boxes[FILES]: way != CATALOGUE or own,
        form.boxes["main"]: way == TASK_FILE or (way == CATALOGUE and own),
        form.mapping.box: way == TABLE,  # its first rows are there before the file is checked
        form.mapping.words: table,
    }
    needing = {name: setting for name, setting in SETTINGS.items() if setting.asked.needs}
    # What makes sense keeps its value: somebody may be typing into it.
    sense = {
        form.parts[name]: gr.update(visible=True)
        if name in able
        else gr.update(visible=False, value=shown_value(setting, setting.default))
        for name, setting in needing.items()
    }
    return {box: gr.update(visible=there) for box, there in seen.items()} | sense


def kinds(columns: list[dict[str, Any]], answered: Any, metric: str) -> dict[str, Any]:
    """Return what the type of the answer leaves to say about it: the updates of SEEN, by name."""
    try:
        uses = {column.use for column in columns_of(columns or [])}
    except BadSetting:
        return dict.fromkeys(SEEN, gr.skip())
    return seen(answered, metric, own=bool(uses & {"option", "options"}), gold="gold" in uses)


def drawings(given: Mapping[str, Any]) -> tuple[dict[str, str], int]:
    """Return what follows from the form: beside the files (table, task file, each role), plan, check and steps.

    And how many rows of the table cannot be used, where without them it is in order.
    """
    beside = dict.fromkeys(("table", "toml", *ROLES), "")
    place = {TABLE: "table", TASK_FILE: "toml"}.get(given["way"])
    opened = open_steps(given["way"])
    nothing = {"check": str(draw_check(None, {}, (), {})), "steps": str(draw_steps(opened, ()))}
    try:
        draft = draft_of(given)
    except EtalonError as error:
        if place and given[place]:
            fault = fault_of(Path(given["table"])) if place == "table" else ""
            beside[place] = str(draw_problem(fault or str(error)))
        return beside | nothing | {"plan": str(draw_plan(None, reason=str(error) if place and given[place] else ""))}, 0
    try:
        checks = checks_of(draft)
    except (BadSetting, UnknownName):
        return beside | nothing | {"plan": str(draw_plan(None))}, 0
    if given["way"] == TABLE:
        beside["table"] = str(draw_file(checks.get("main"), "main"))
    if not draft.samples:
        roles = [role for role in ROLES if given["way"] != TABLE or role != "main"]
        beside |= {role: str(draw_file(checks.get(role), role)) for role in roles}
    doubts = tuple(doubts_of(draft, checks))
    drawn = {
        "plan": numbers(draft, checks, number_of(SECONDS, given["seconds"])),
        "check": str(draw_check(task_of_draft(draft), counts_of(draft, checks), doubts, KIND_WORDS)),
        "steps": str(draw_steps(opened, doubts)),
    }
    return beside | drawn, checks["main"].unusable if given["way"] == TABLE else 0


def numbers(draft: Draft, checks: Mapping[Role, FileCheck], seconds: float | None = None) -> str:
    """Return the drawing of the numbers that follow, or of the sentence that says why there are none."""
    main = checks.get("main")
    if main is None or main.problem:
        return str(draw_plan(None))
    counts = counts_of(draft, {role: check for role, check in checks.items() if not check.problem})
    # The switch of another task may still be on for a moment.
    sitting = bool(draft.settings["sitting"]) and "sitting" in wants(task_of_draft(draft))
    try:
        settings = checked_settings({**draft.settings, "sitting": sitting})
    except BadSetting as error:
        return str(draw_plan(None, reason=str(error)))
    planned = plan(counts, settings, sittings=main.clusters)
    takes = {"chance": main.chance, "seconds": seconds or main.seconds}
    expected = forecast(planned, settings, **takes, scored=main.with_gold > 0)
    missing, about = reminders(settings), not main.complete
    return str(draw_plan(planned, expected, currency=settings.currency, about=about, missing=missing))


def scene(draft: Draft) -> Scene:
    """Return what the preview of a draft shows: its first items; raises EtalonError where it asks nothing yet."""
    task = task_of_draft(draft)
    try:
        checks = checks_of(draft)
    except BadSetting:
        checks = {}
    counts = counts_of(draft, checks)
    main, training = checks.get("main"), checks.get("training")
    golden = [item for item in main.first if item.gold is not None] if main and counts["training"] else []
    practice = training.first if training else tuple(golden[:1])
    try:
        settings = checked_settings({name: value for name, value in draft.settings.items() if value not in (None, "")})
    except BadSetting:
        settings = StudySettings()  # the sentence stands beside what follows from the form
    return Scene(
        draft.name or "preview",
        task,
        settings,
        main.first[0] if main and main.first else None,
        practice[0] if practice else None,
        Workload(
            counts["main"],
            counts["training"],
            counts["control"],
            main.seconds if main else DECIDE,
            counts["main"] // max(1, main.clusters) if main and settings.sitting else 0,
            explained=explains(practice),
        ),
    )
