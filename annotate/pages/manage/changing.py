"""The tab of a running study's settings: what may change, each field with its present value."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.manage import Desk
from annotate.pages.manage.settings_form import AGAIN, ENTRIES, ENTRY_HINTS, EXAM_POINTS, LATE, STOPPED
from annotate.pages.manage.telling import QUIETLY, safe, told
from annotate.staff.changing import CHANGEABLE, FIXED, shortened
from db.study_settings import LONGEST
from eval.panel import GOLDS

WHOLE = ("overlap", "max_items", "max_skips", "bonus_after", "places_an_hour")
NUMBERS = (
    *WHOLE, "price", "training_price", "bonus", "bonus_accuracy", "lease_minutes", "max_hours", "max_pay",
    "minutes_per_item",
)  # fmt: skip
SWITCHES = ("pay_late", "repeat_controls", "signed_ids")
HINTS = {
    **ENTRY_HINTS,
    "overlap": "It can only grow",
    "price": "For answers from now on; may only grow",
    "training_price": "First answers from now on; may only grow",
    "bonus": "Of all answers; may only grow",
    "bonus_accuracy": "Of the controls; may only fall",
    "bonus_after": "May only fall",
    "consent": "For who comes from now on: nobody is asked anew",
    "notice": "Acknowledged apart; for who comes from now on: nobody is asked anew",
    "lease_minutes": "For who reads on, 4 times as long at most",
    "pay_after_exclusion": "May only become better once somebody has agreed",
    "exam_points": "By task, gold can be collected",
    "pay_late": LATE,
    "repeat_controls": AGAIN,
    "max_items": "Empty: as many as there are",
    "max_hours": "Of active time; empty: no limit",
    "max_pay": "Empty: no limit",
    "max_skips": "Skipped or reported",
    "completion_code": "Shown at the end",
    "partial_code": "Shown to who is stopped",
    "failure_code": "Shown to who fails training",
    "minutes_per_item": "Consent says so; empty: judged by the texts",
    "contact": "Shown before consent and to who is stopped",
    "completion_url": "{code} and {worker} are filled in",
    "gold": "What results are scored against; a command’s --gold overrides it",
    "consensus": "What stands for people in results; a command’s --consensus overrides it",
}
ROWS = (
    ("overlap", "lease_minutes"),
    ("entry", "places_an_hour"),
    ("signed_ids",),
    ("max_items", "max_hours", "max_pay", "max_skips"),
    ("price", "training_price"),
    ("bonus", "bonus_accuracy", "bonus_after"),
    ("pay_after_exclusion", "exam_points"),
    ("pay_late", "repeat_controls"),
    ("completion_code", "partial_code", "completion_url", "failure_code"),
    ("contact", "minutes_per_item"),
    ("consent",),
    ("notice",),
    ("gold", "consensus"),
)
CHOICES = {
    "pay_after_exclusion": STOPPED,
    "exam_points": EXAM_POINTS,
    "entry": ENTRIES,
    "gold": [(words, gold) for gold, words in GOLDS.items()],
    "consensus": [("the majority", "majority"), ("what experts decided, else the majority", "expert")],
}


@dataclass(frozen=True)
class SettingsTab:
    """The tab, its fields in the order of CHANGEABLE, the button, and the values that were last shown."""

    tab: gr.Tab
    fields: tuple[Any, ...]
    save: gr.Button
    shown: gr.State


def build_settings() -> SettingsTab:
    """Return the tab, empty; to be called within the study's tabs."""
    with gr.Tab("Settings") as tab:
        gr.HTML(f'<div class="look report rule"><p class="hint">{FIXED}</p></div>', apply_default_css=False)
        made = {}
        for row in ROWS:
            with gr.Row():
                for name in row:
                    made[name] = _field(name)
        save = gr.Button("Save the settings", variant="primary", elem_classes="narrow")
        shown = gr.State({})  # within the tab: beside it, Gradio would count it among the tabs
    return SettingsTab(tab, tuple(made[name] for name in CHANGEABLE), save, shown)


def follow_settings(seen: SettingsTab, desk: Desk, name: gr.State) -> None:
    """Fill the fields when the tab is opened, and keep what is changed."""

    @told
    def shown(study: str | None) -> list[Any]:
        if study is None:
            return [gr.skip()] * (1 + len(CHANGEABLE))
        found = desk.changing.settings(study)
        return [found, *found.values()]

    @told
    def saved(study: str | None, before: dict[str, Any], request: gr.Request, *values: Any) -> list[Any]:
        if study is None:
            return [gr.skip()] * (1 + len(CHANGEABLE))
        given = {key: _told(key, value) for key, value in zip(CHANGEABLE, values, strict=True)}
        changes = desk.changing.change(study, given, who=str(request.username), shown=before)
        told_of = (f"{CHANGEABLE[key].lower()} {_read(old)} → {_read(new)}" for key, (old, new) in changes.items())
        words = ", ".join(told_of)
        gr.Success(safe(f"Saved: {words}." if words else "Nothing is different."))
        found = desk.changing.settings(study)
        return [found, *found.values()]

    drawn = [seen.shown, *seen.fields]
    seen.tab.select(shown, name, drawn, **QUIETLY)
    seen.save.click(saved, [name, *drawn], drawn, trigger_mode="once", **QUIETLY)


def _field(name: str) -> gr.Number | gr.Textbox | gr.Dropdown | gr.Checkbox:
    words, hint = CHANGEABLE[name], HINTS.get(name)
    if name in SWITCHES:
        return gr.Checkbox(label=words, info=hint, container=False)
    if name in CHOICES:
        return gr.Dropdown(CHOICES[name], label=words, info=hint, min_width=180)
    if name in NUMBERS:
        return gr.Number(None, label=words, info=hint, precision=0 if name in WHOLE else None, min_width=180)
    if name in LONGEST:
        return gr.Textbox(label=words, info=hint, max_length=LONGEST[name], lines=3, max_lines=12)
    return gr.Textbox(label=words, info=hint, max_length=1000, min_width=180)


def _told(name: str, value: Any) -> Any:
    return "" if value is None and name not in NUMBERS else value


def _read(value: Any) -> Any:
    return "none" if value in (None, "") else shortened(value)
