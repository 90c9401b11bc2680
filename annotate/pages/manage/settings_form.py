"""The settings of a new study, in folds; what they come to stands beside them."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

import gradio as gr

from annotate.staff.creating import SETTINGS
from data.errors import BadSetting
from db.study_settings import LONGEST, StudySettings

DEFAULTS = StudySettings()
LANGUAGES = [("Русский", "ru"), ("English", "en")]
ORDERS = [("At random", "random"), ("Finish items first", "finish"), ("Spread evenly", "spread")]
TIES = [("share the point", "fractional"), ("drop the item", "drop"), ("count as wrong", "wrong")]
EXAM_POINTS = [("points in all", "total"), ("points by task too", "tasks")]
STOPPED = [("are paid as promised", "owed"), ("I decide; consent says so", "decide")]
ENTRIES = [
    ("whoever has the link", "open"),
    ("with a platform’s id, or a personal link", "platform"),
    ("with a personal link alone", "personal"),
]
ENTRY_HINTS = {
    "entry": "An id is PROLIFIC_PID, workerId, worker or pid in the link",
    "signed_ids": "Ids count only in links made on the study’s page, which carry sig=",
    "places_an_hour": "From one address; 0: any number. Raise it for an office or a class",
}
SITTING = "Each worker answers a whole variant, its items in order, without controls"
LATE = "Also where others were quicker, or a limit was reached; workers are told at once which is so"
AGAIN = "Where a worker has met them all; else main items follow. Who sees an item again knows it for a control"
WITHOUT = "empty: no limit"
FOLDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "Collection": (
        ("overlap", "overlap_max", "confidence"),
        ("page_main", "page_controls", "order"),
        ("sitting", "exam_points", "lease_minutes"),
    ),
    "People": (
        ("entry", "places_an_hour"),
        ("signed_ids",),
        ("language", "max_items", "max_hours", "max_skips"),
        ("completion_code", "partial_code", "completion_url", "failure_code"),
    ),
    "Pay": (
        ("price", "training_price", "currency"),
        ("hourly_minimum", "max_pay"),
        ("bonus", "bonus_accuracy", "bonus_after"),
        ("pay_after_exclusion",),
        ("pay_late",),
    ),
    "Consent": (("contact", "minutes_per_item"), ("consent",), ("notice",)),
    "Quality": (
        ("training_pass", "training_attempts", "training_pause_minutes"),
        ("page_controls_proven", "proven_after", "proven_accuracy"),
        ("repeat_controls",),
        ("control_min", "min_votes", "ties"),
    ),
}
"""The settings of each fold, row by row."""
INFO = {
    "overlap_max": "For items in doubt; empty: no more",
    "confidence": "Of the leading answer",
    "completion_url": "{code} and {worker} are filled in",
    "completion_code": "Shown at the end",
    "partial_code": "Of who is stopped",
    "minutes_per_item": "Consent says so; empty: judged by the texts",
    "contact": "A mail address, or another way; empty: who sent the invitation",
    "failure_code": "Of who fails the training",
    "hourly_minimum": "Warns where it is paid less",
    "max_items": f"Of one worker; {WITHOUT}",
    "max_hours": f"Of one worker; {WITHOUT}",
    "max_pay": f"Worker; {WITHOUT}",
    "training_price": "First answer to each; 0: unpaid",
    "bonus": "Per counted main answer; 0: none",
    "bonus_accuracy": "Share of controls right",
    "bonus_after": "So many or more",
    "consent": "Above the built-in points; empty: they alone",
    "notice": "Acknowledged apart before anybody can agree; empty: none",
    "training_pass": "Share right of the first answers",
    "training_attempts": "All practice items anew",
    "training_pause_minutes": "0: at once",
    "control_min": "For the baseline; empty: all workers",
    "page_controls_proven": "Empty: as for others",
    "lease_minutes": "Or a whole sitting; for who reads on, 4 times as long at most",
    "sitting": SITTING,
    "pay_late": LATE,
    "repeat_controls": AGAIN,
    "exam_points": "By task, gold can be collected",
    "pay_after_exclusion": "Given before they were stopped",
    **ENTRY_HINTS,
}
HINTS = {
    "Consent": "Plain text in the study’s language, paragraphs kept. Each worker’s consent names the version of all "
    "that was agreed to. The built-in points follow from the settings: how much work, what is paid, what is stored, "
    "what being stopped means, whom to write to; “As a worker sees it” shows them.",
    "Quality": "Rules that warn or stop workers are set on the study’s page, under Rules. By default who is unlikely "
    "to be better than half way from guessing to 90% is stopped, from 10 controls on.",
}


def build_settings() -> dict[str, Any]:
    """Build the folds and return the components by the names of their settings."""
    made: dict[str, Any] = {}
    for place, (fold, rows) in enumerate(FOLDS.items()):
        with gr.Accordion(fold, open=place == 0, elem_classes="fold"):
            if fold in HINTS:
                gr.HTML(f'<p class="look hint">{HINTS[fold]}</p>', apply_default_css=False)
            for names in rows:
                with gr.Row():
                    made |= {name: _component(name) for name in names}
    return made


def settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings as the form holds them, by name; what is empty and may be is None."""
    told = {name: given[name] for name in given if name in SETTINGS}
    empty = {name: number_of(SETTINGS[name], told[name]) for name in told if getattr(DEFAULTS, name) is None}
    return told | empty


def optional_number(label: str, *, info: str | None = None, placeholder: str = "none") -> gr.Textbox:
    """Return a field for a number that may be left empty: Gradio's own field of numbers begins with 0 then."""
    return gr.Textbox("", label=label, info=info, placeholder=placeholder, max_length=20, min_width=130)


def number_of(label: str, value: Any) -> float | int | None:
    """Return what an optional number's field holds, None where it is empty; raises BadSetting for what is no number."""
    text = str(value if value is not None else "").strip().replace(",", ".")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError as error:
        raise BadSetting(f"{label} {text!r} is not a number; write digits or leave it empty") from error
    if not isfinite(number):
        raise BadSetting(f"{label} {text!r} is not a number; write digits or leave it empty")
    return int(number) if number == int(number) else number


_TEXTS = {
    "completion_code": 100, "partial_code": 100, "completion_url": 1000, "failure_code": 100, "currency": 100,
    "contact": 200,
}  # fmt: skip
"""The characters that each may have."""
_CHOICES: dict[str, list[tuple[str, str]]] = {
    "language": LANGUAGES,
    "order": ORDERS,
    "ties": TIES,
    "exam_points": EXAM_POINTS,
    "entry": ENTRIES,
    "pay_after_exclusion": STOPPED,
}
_STEPS = {"confidence": 0.05, "training_pass": 0.05, "proven_accuracy": 0.05, "bonus_accuracy": 0.05}
_WHOLE = (
    "overlap", "page_main", "page_controls", "training_attempts", "proven_after", "bonus_after", "max_skips",
    "min_votes", "places_an_hour",
)  # fmt: skip


def _component(name: str) -> Any:
    label, info, value = SETTINGS[name], INFO.get(name), getattr(DEFAULTS, name)
    if isinstance(value, bool):
        there = name != "sitting"  # which few tasks can be asked in
        return gr.Checkbox(value, label=label, info=info, visible=there, container=False, scale=2)
    if name in _CHOICES:
        return gr.Dropdown(_CHOICES[name], value=value, label=label, info=info, min_width=150)
    if name in _TEXTS:
        return gr.Textbox(value, label=label, info=info, max_length=_TEXTS[name], min_width=150)
    if name in LONGEST:
        return gr.Textbox(value, label=label, info=info, max_length=LONGEST[name], lines=3, max_lines=12)
    if value is None:
        return optional_number(label, info=info)
    whole = 0 if name in _WHOLE else None
    return gr.Number(value, label=label, info=info, precision=whole, step=_STEPS.get(name, 1), min_width=130)
