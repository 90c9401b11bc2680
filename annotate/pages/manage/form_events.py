"""What happens while the form of a new study is filled in: files are checked, numbers and preview follow."""

from collections.abc import Mapping
from typing import Any

import gradio as gr

from annotate.outlook import TO_ANSWER, Outlook
from annotate.pages.manage.column_events import NOW, follow_columns, follow_encoding
from annotate.pages.manage.form import CATALOGUE, FILES, SECONDS, TABLE, TASK_FILE, Form, draft_of
from annotate.pages.manage.form_drawing import draw_file, draw_plan, draw_problem
from annotate.pages.manage.mapping import columns_of, seen
from annotate.pages.manage.preview import draw_preview
from annotate.pages.manage.settings_form import number_of
from annotate.staff.cards import Draft, FileCheck
from annotate.staff.creating import checked_settings, task_of_draft
from annotate.staff.drafting import checks_of, counts_of, forecast_of, plan_of, wants
from annotate.staff.previewing import Scene
from annotate.staff.reminding import gaps
from data.catalog import get_task
from data.errors import BadSetting, EtalonError, UnknownName
from data.task import ROLES, Role
from db.study_settings import StudySettings

ABLE = ("sitting", "overlap_max", "confidence", "exam_points")
PAY = ("price", "currency", "training_price", "bonus", "bonus_accuracy", "bonus_after")
SAID = ("contact", "minutes_per_item", "pay_after_exclusion", "max_items", "max_hours", "max_pay", "training_attempts")
SEEN = (*PAY, *SAID, "page_main", "page_controls", "training_pass", "sitting", "notice", "consent", "language")
PRESSED = ("draw_training", "draw_control", "price", "page_main", "page_controls", "pay_after_exclusion")
LEFT = ("training_price", "bonus", "bonus_accuracy", "notice", "consent", "contact", "minutes_per_item", "max_pay")
TYPED = ("labels", "spellings", "named", "low", "high", "metric")


def follow(form: Form, *begin: Any) -> None:
    """Bring the form to life; `begin` are the events that show it."""
    parts, mapping = form.parts, form.mapping
    files = [parts[name] for name in ("table", "toml", *ROLES)]

    def arranged(*values: Any) -> list[Any]:
        return arrangement(form.given(values))

    def typed(columns: list[dict[str, Any]], answered: str) -> list[Any]:
        return kinds(columns, answered)

    def beside(*values: Any) -> list[str]:
        return drawings(form.given(values))

    def previewed(*values: Any) -> str:
        return preview(form.given(values[: len(parts)]), values[len(parts) :])

    choices = [parts[name].input for name in ("way", "task", "source")]
    boxes = [form.boxes[name] for name in (CATALOGUE, TABLE, TASK_FILE, FILES)]
    shown = [*boxes, mapping.box, form.boxes["main"], *(parts[name] for name in ABLE)]
    gr.on(
        [*begin, *choices, parts["toml"].change, parts["table"].change, mapping.columns.change],
        arranged,
        form.inputs,
        shown,
        **NOW,
    )
    follow_columns(parts["table"], mapping)
    for name, fix in form.fixes.items():
        follow_encoding(parts[name], fix)
    answered = [mapping.columns.change, mapping.inputs["answered"].change]
    gr.on(
        answered, typed, [mapping.columns, mapping.inputs["answered"]], [mapping.inputs[name] for name in TYPED], **NOW
    )

    plain = [part.input for name, part in parts.items() if name not in ("columns", "table", "toml", *ROLES)]
    plain += [mapping.inputs[name].change for name in ("labels", "spellings")]
    events = [*begin, *(file.change for file in files), mapping.columns.change, *plain]
    gr.on(events, beside, form.inputs, [*form.notes.values(), form.plan], **NOW)
    words = [part.blur for name, part in mapping.inputs.items() if isinstance(part, gr.Textbox)]
    settled = [
        *(mapping.inputs[name].change for name in ("answered", "labels", "spellings")),
        *(choice.input for choice in form.preview.choices),
        *words,
        *(parts[name].input for name in PRESSED),
        *(parts[name].blur for name in LEFT),
    ]
    looks = [*begin, *choices, *(file.change for file in files), mapping.columns.change, *settled]
    gr.on(looks, previewed, [*form.inputs, *form.preview.choices], form.preview.frame, **NOW)


def arrangement(given: Mapping[str, Any]) -> list[Any]:
    """Return which parts are in sight: the boxes, the table's part, the file of main items, and the settings ABLE."""
    way, own = given["way"], given["source"] == FILES
    try:
        able = wants(task_of_draft(draft_of(given)))
    except EtalonError:
        able = wants(get_task(given["task"])) if way == CATALOGUE and given["task"] else {"overlap_max"}
    boxes = [way == CATALOGUE, way == TABLE, way == TASK_FILE, way != CATALOGUE or own]
    dynamic = "overlap_max" in able
    return [
        *(gr.update(visible=seen) for seen in boxes),
        gr.update(visible=way == TABLE and bool(given["columns"] and given["table"])),
        gr.update(visible=way != TABLE),
        gr.update(visible="sitting" in able, value=bool(given["sitting"]) and "sitting" in able),
        gr.update(visible=dynamic, value=given["overlap_max"] if dynamic else ""),
        gr.update(visible=dynamic),
        gr.update(visible="sitting" in able),
    ]


def kinds(columns: list[dict[str, Any]], answered: Any) -> list[Any]:
    """Return what the type of the answer leaves to say about it: the updates of TYPED."""
    try:
        uses = {column.use for column in columns_of(columns or [])}
    except BadSetting:
        return [gr.skip()] * len(TYPED)
    updates = seen(answered, own=bool(uses & {"option", "options"}), gold="gold" in uses)
    return [updates[name] for name in TYPED]


def drawings(given: Mapping[str, Any]) -> list[str]:
    """Return what stands beside the files (table, task file, one for each role), and the numbers that follow."""
    beside = dict.fromkeys(("table", "toml", *ROLES), "")
    place = {TABLE: "table", TASK_FILE: "toml"}.get(given["way"])
    try:
        draft = draft_of(given)
    except EtalonError as error:
        if place and given[place]:
            beside[place] = str(draw_problem(str(error)))
        return [*beside.values(), str(draw_plan(None, reason=str(error) if place and given[place] else ""))]
    try:
        checks = checks_of(draft)
    except (BadSetting, UnknownName):
        return [*beside.values(), str(draw_plan(None))]
    if given["way"] == TABLE:
        beside["table"] = str(draw_file(checks.get("main"), "main"))
    if not draft.samples:
        roles = [role for role in ROLES if given["way"] != TABLE or role != "main"]
        beside |= {role: str(draw_file(checks.get(role), role)) for role in roles}
    return [*beside.values(), numbers(draft, checks, number_of(SECONDS, given["seconds"]))]


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
    missing = gaps(checked_settings(settings))
    currency = str(draft.settings["currency"])
    return str(draw_plan(planned, expected, currency=currency, about=not main.whole, missing=missing))


def preview(given: Mapping[str, Any], chosen: tuple[Any, ...]) -> str:
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
        settings = checked_settings({name: draft.settings[name] for name in SEEN if draft.settings.get(name)})
    except BadSetting:
        settings = StudySettings()  # the sentence stands beside what follows from the form
    return Scene(
        draft.name or "preview",
        task,
        settings,
        main.first[0] if main and main.first else None,
        practice[0] if practice else None,
        counts["training"],
        Outlook(
            counts["main"],
            counts["training"],
            counts["control"],
            main.seconds if main else TO_ANSWER,
            counts["main"] // max(1, main.clusters) if main and settings.sitting else 0,
        ),
    )
