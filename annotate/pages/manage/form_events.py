"""What happens while the form of a new study is filled in: files are checked, numbers and preview follow."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.pages.manage.column_events import follow_columns, follow_encoding
from annotate.pages.manage.form_drawing import draw_file, draw_plan, draw_problem
from annotate.pages.manage.form_from_table import fault_of
from annotate.pages.manage.gradio_events import QUIETLY, follow_last
from annotate.pages.manage.own_table_form import columns_of, seen
from annotate.pages.manage.preview_frame import draw_preview
from annotate.pages.manage.settings_form import number_of, shown_value
from annotate.pages.manage.study_form import CATALOGUE, FILES, SECONDS, TABLE, TASK_FILE, StudyForm, draft_of
from annotate.pages.manage.study_preview import Scene
from annotate.requesters.draft_checks import checks_of, counts_of, forecast_of, plan_of, wants
from annotate.requesters.reminders import reminders
from annotate.requesters.study_card import Draft, FileCheck
from annotate.requesters.study_creation import checked_settings, task_of_draft
from annotate.workload import TO_ANSWER, Workload
from data.catalogue.catalog import get_task
from data.errors import BadSetting, EtalonError, UnknownName
from data.task import ROLES, Role
from db.study_settings import CLUSTERS, SETTINGS, StudySettings

OF_CLUSTERS = [name for name, setting in SETTINGS.items() if setting.asked.needs == CLUSTERS]
CHOICES = ("way", "task", "source")
LOADED = ("table", "toml", *ROLES, "leave_out")
DRAWN = ("draw_training", "draw_control")
TYPED = ("labels", "named", "low", "high", "metric")


def follow(form: StudyForm, *begin: Any) -> None:
    """Bring the form to life; `begin` are the events that show it."""
    parts, mapping, html = form.parts, form.mapping, {**form.notes, "plan": form.plan}

    def arranged(values: dict[Any, Any]) -> dict[Any, Any]:
        return arrangement(form, form.by_name(values))

    def typed(values: dict[Any, Any]) -> dict[Any, Any]:
        updates = kinds(values[mapping.columns], values[mapping.inputs["answered"]])
        return {mapping.inputs[name]: update for name, update in updates.items()}

    def beside(values: dict[Any, Any]) -> dict[Any, Any]:
        given = form.by_name(values)
        notes = {html[name]: words for name, words in drawings(given).items()}
        rows = unusable(given)
        called = f"Leave out {rows:,} row{'s' if rows > 1 else ''} that cannot be used"
        return notes | {parts["leave_out"]: gr.update(visible=rows > 0, label=called)}

    def previewed(values: dict[Any, Any]) -> dict[Any, Any]:
        return {form.preview.frame: preview(form.by_name(values), [values[choice] for choice in form.preview.choices])}

    def everything(values: dict[Any, Any]) -> dict[Any, Any]:
        return arranged(values) | typed(values) | beside(values) | previewed(values)

    parts["table"].change(lambda: False, None, parts["leave_out"], **QUIETLY)
    follow_columns(parts["table"], mapping)
    for name, encoding in form.encodings.items():
        follow_encoding(parts[name], encoding)
    # What changes everything is one request; what is typed changes the numbers at once, the preview when it is done.
    beginnings = [*begin, *(parts[name].input for name in CHOICES), *(parts[name].change for name in LOADED)]
    beginnings += [mapping.columns.change, mapping.inputs["answered"].change]
    needing = [parts[name] for name in SETTINGS if SETTINGS[name].asked.needs]
    shown = [*form.boxes.values(), mapping.box, *needing, *(mapping.inputs[name] for name in TYPED)]
    looked, follows = {*form.inputs, *form.preview.choices}, [*html.values(), parts["leave_out"]]
    follow_last(beginnings, everything, looked, [*shown, *follows, form.preview.frame])

    answers = [mapping.inputs[name].change for name in ("labels", "spellings")]
    plain = [part.input for name, part in parts.items() if name not in {*CHOICES, *LOADED, "columns", "answered"}]
    follow_last([*plain, *answers], beside, form.inputs, follows)
    settled = [
        *answers,
        *(choice.input for choice in form.preview.choices),
        *(part.blur for part in mapping.inputs.values() if isinstance(part, gr.Textbox)),
        *(parts[name].input for name in DRAWN),
        *(_settled(part) for name, part in parts.items() if name in SETTINGS),
    ]
    follow_last(settled, previewed, looked, [form.preview.frame])


def arrangement(form: StudyForm, given: Mapping[str, Any]) -> dict[Any, Any]:
    """Return which parts are in sight: the boxes, the table's part, the settings that need something of a task."""
    way, own = given["way"], given["source"] == FILES
    try:
        able = wants(task_of_draft(draft_of(given)))
    except EtalonError:
        known = way == CATALOGUE and given["task"]
        able = wants(get_task(given["task"])) if known else {name for name in SETTINGS if name not in OF_CLUSTERS}
    seen = {
        form.boxes[CATALOGUE]: way == CATALOGUE,
        form.boxes[TABLE]: way == TABLE,
        form.boxes[TASK_FILE]: way == TASK_FILE,
        form.boxes[FILES]: way != CATALOGUE or own,
        form.boxes["main"]: way != TABLE,
        form.mapping.box: way == TABLE and bool(given["columns"] and given["table"]),
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


def kinds(columns: list[dict[str, Any]], answered: Any) -> dict[str, Any]:
    """Return what the type of the answer leaves to say about it: the updates of TYPED, by name."""
    try:
        uses = {column.use for column in columns_of(columns or [])}
    except BadSetting:
        return dict.fromkeys(TYPED, gr.skip())
    return seen(answered, own=bool(uses & {"option", "options"}), gold="gold" in uses)


def unusable(given: Mapping[str, Any]) -> int:
    """Return how many rows of the table cannot be used, where without them it is in order."""
    try:
        return checks_of(draft_of(given))["main"].unusable if given["way"] == TABLE else 0
    except EtalonError:
        return 0


def drawings(given: Mapping[str, Any]) -> dict[str, str]:
    """Return what stands beside the files (table, task file, one for each role), and the numbers that follow: plan."""
    beside = dict.fromkeys(("table", "toml", *ROLES), "")
    place = {TABLE: "table", TASK_FILE: "toml"}.get(given["way"])
    try:
        draft = draft_of(given)
    except EtalonError as error:
        if place and given[place]:
            fault = fault_of(Path(given["table"])) if place == "table" else ""
            beside[place] = str(draw_problem(fault or str(error)))
        return beside | {"plan": str(draw_plan(None, reason=str(error) if place and given[place] else ""))}
    try:
        checks = checks_of(draft)
    except (BadSetting, UnknownName):
        return beside | {"plan": str(draw_plan(None))}
    if given["way"] == TABLE:
        beside["table"] = str(draw_file(checks.get("main"), "main"))
    if not draft.samples:
        roles = [role for role in ROLES if given["way"] != TABLE or role != "main"]
        beside |= {role: str(draw_file(checks.get(role), role)) for role in roles}
    return beside | {"plan": numbers(draft, checks, number_of(SECONDS, given["seconds"]))}


def numbers(draft: Draft, checks: Mapping[Role, FileCheck], seconds: float | None = None) -> str:
    """Return the drawing of the numbers that follow, or of the sentence that says why there are none."""
    main = checks.get("main")
    if main is None or main.problem:
        return str(draw_plan(None))
    counts = counts_of(draft, {role: check for role, check in checks.items() if not check.problem})
    # The switch of another task may still be on for a moment.
    sitting = bool(draft.settings["sitting"]) and "sitting" in wants(task_of_draft(draft))
    settings = {**draft.settings, "sitting": sitting}
    try:
        planned = plan_of(counts, settings, sittings=main.clusters)
        expected = forecast_of(planned, settings, main, seconds)
    except BadSetting as error:
        return str(draw_plan(None, reason=str(error)))
    missing = reminders(checked_settings(settings))
    currency = str(draft.settings["currency"])
    return str(draw_plan(planned, expected, currency=currency, about=not main.complete, missing=missing))


def _settled(part: Any) -> Any:
    """Return the event that tells that somebody is done with a field, where one can tell."""
    return part.blur if isinstance(part, gr.Textbox) else part.input


def preview(given: Mapping[str, Any], chosen: Sequence[Any]) -> str:
    """Return the frame with a screen of the draft, or the sentence that says why there is none."""
    return draw_preview(lambda: scene(draft_of(given)), chosen)


def scene(draft: Draft) -> Scene:
    """Return what the preview of a draft shows: its first items; raises EtalonError where it asks nothing yet."""
    task = task_of_draft(draft)
    try:
        checks = checks_of(draft)
    except BadSetting:
        checks = {}
    counts = counts_of(draft, checks)
    main, training = checks.get("main"), checks.get("training")
    golden = [item for item in main.first if item.gold is not None] if main and draft.draw_training else []
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
        counts["training"],
        Workload(
            counts["main"],
            counts["training"],
            counts["control"],
            main.seconds if main else TO_ANSWER,
            counts["main"] // max(1, main.clusters) if main and settings.sitting else 0,
        ),
    )
