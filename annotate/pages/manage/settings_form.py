"""The fields of a study's settings, made of what `db.study_settings` declares: of a new study, and of a running one."""

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from math import isfinite
from typing import Any

import gradio as gr

from data.declared import Setting, change_words, rows_of
from data.drawing.gradio_events import QUIETLY
from data.errors import BadSetting
from data.wording import texts
from db.study_settings import CLUSTERS
from eval.workers.control import ControlRule

_CONTROL = ControlRule()
HINTS = {
    "Consent": "Write plain text in the study’s language. Work, pay, stored data and stopping are said for you: look "
    "at the preview.",
    "Quality": "Set rules that flag or stop workers on the study’s page, under Rules. By default, from "
    f"{_CONTROL.minimum} controls on, a worker unlikely to be better than halfway between guessing and "
    f"{_CONTROL.good:.0%} is stopped.",
}
"""What the form of a new study says of some groups."""
MOST_LINES, MOST_CHARACTERS, SHARE = 12, 100, 0.05
NARROW, WIDE, WIDEST, TEXT = 130, 160, 220, 320  # pixels that a field needs at least


@dataclass(frozen=True)
class SettingsFields:
    """The components of settings by the names of these, the row each stands in, the fold of each group by its name."""

    of: Mapping[str, Any]
    rows: Mapping[str, gr.Row]
    folds: Mapping[str, gr.Accordion]


def build_fields(
    settings: Mapping[str, Setting],
    *,
    running: bool = False,
    unfolded: Collection[str] = (),
    hints: Mapping[str, str] | None = None,
) -> SettingsFields:
    """Build a fold for each group with the components of its settings.

    `running`: beside each stands what a change does while people answer. `unfolded` are the groups that are in sight.
    """
    made: dict[str, Any] = {}
    beside: dict[str, gr.Row] = {}
    folds: dict[str, gr.Accordion] = {}
    for group, rows in rows_of(settings).items():
        with gr.Accordion(group, open=group in unfolded, elem_classes="fold") as folds[group], ExitStack() as inner:
            if hint := (hints or {}).get(group):
                gr.HTML(f'<p class="look hint">{hint}</p>', apply_default_css=False)
            for row in rows:
                if (rare := row[0].asked.fold) and not running:
                    inner.enter_context(gr.Accordion(rare, open=False, elem_classes="rare"))
                with gr.Row() as gradio_row:
                    made |= {setting.name: _field(setting, running=running) for setting in row}
                beside |= {setting.name: gradio_row for setting in row}
    if "purpose" in made:
        made["consent"].placeholder = _said_of(made["purpose"].value)
        usual = lambda purpose: gr.update(placeholder=_said_of(purpose))  # noqa: E731
        made["purpose"].change(usual, made["purpose"], made["consent"], queue=False, **QUIETLY)
    return SettingsFields(made, beside, folds)


def read_fields(settings: Mapping[str, Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as the form holds them, by name; what is empty is None where it may be, else an empty text.

    Raises BadSetting for what is no number.
    """
    return {name: _read(settings[name], given[name]) for name in settings if name in given}


def shown_value(setting: Setting, value: Any) -> Any:
    """Return a value as the field of its setting shows it."""
    if not setting.optional:
        return value
    return "" if value is None else str(int(value) if value == int(value) else value)


def optional_number(
    label: str, *, info: str | None = None, placeholder: str = "none", min_width: int = NARROW
) -> gr.Textbox:
    """Return a field for a number that may be left empty: Gradio's own field of numbers begins with 0 then."""
    return gr.Textbox("", label=label, info=info, placeholder=placeholder, max_length=20, min_width=min_width)


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


def _said_of(purpose: Any) -> str:
    """Return the sentences of consent in whose place one's own words stand."""
    return str(texts("en")["consent"].get(f"lead_{purpose}", ""))


def _read(setting: Setting, value: Any) -> Any:
    if setting.optional:
        return number_of(setting.title, value)
    return "" if value is None and setting.kind is str else value


def _field(setting: Setting, *, running: bool) -> Any:
    """Return the component of a setting: its kind follows from the type."""
    change = change_words(setting) if running else ""
    said: dict[str, Any] = {"label": setting.title, "info": ". ".join(filter(None, (setting.help, change))) or None}
    if setting.kind is bool:
        there = running or setting.asked.needs != CLUSTERS  # which few tasks have
        return gr.Checkbox(setting.default, **said, visible=there, container=False, scale=2)
    if setting.choices:
        longest = max(map(len, setting.choices.values()))
        return gr.Dropdown(
            setting.options, value=setting.default, **said, min_width=min(WIDEST, max(NARROW, 60 + 8 * longest))
        )
    width = WIDE if running or (setting.kind is str and not setting.optional) else NARROW
    if setting.optional:
        return optional_number(**said, min_width=width)
    if setting.kind is str:
        said |= {"lines": setting.asked.lines, "max_lines": MOST_LINES if setting.asked.lines > 1 else 1}
        longest = setting.bound("max_length") or MOST_CHARACTERS
        width = TEXT if setting.asked.lines > 1 else width
        return gr.Textbox(setting.default, **said, max_length=longest, min_width=width)
    step = SHARE if 1 in (setting.bound("le"), setting.bound("lt")) else 1
    precision = 0 if setting.kind is int else None
    return gr.Number(setting.default, **said, precision=precision, step=step, min_width=width)
