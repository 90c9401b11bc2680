"""The tab of a running study's settings: what may change, each field with its present value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.manage import Desk
from annotate.pages.manage.settings_form import build_fields, read_fields, written
from annotate.pages.manage.telling import QUIETLY, safe, told
from annotate.staff.changing import CHANGEABLE, FIXED
from data.declared import rows_of, shortened


@dataclass(frozen=True)
class SettingsTab:
    """The tab, its fields by the names of their settings, the button, and the values that were last shown."""

    tab: gr.Tab
    fields: Mapping[str, Any]
    save: gr.Button
    shown: gr.State

    def filled(self, values: Mapping[str, Any]) -> dict[Any, Any]:
        """Return what the components show for these settings."""
        return {self.shown: values} | {
            self.fields[name]: written(CHANGEABLE[name], value) for name, value in values.items()
        }


def build_settings() -> SettingsTab:
    """Return the tab, empty; to be called within the study's tabs."""
    with gr.Tab("Settings") as tab:
        gr.HTML(f'<div class="look report rule"><p class="hint">{FIXED}</p></div>', apply_default_css=False)
        fields = build_fields(CHANGEABLE, running=True, unfolded=rows_of(CHANGEABLE))
        save = gr.Button("Save the settings", variant="primary", elem_classes="narrow")
        shown = gr.State({})  # within the tab: beside it, Gradio would count it among the tabs
    return SettingsTab(tab, fields, save, shown)


def follow_settings(seen: SettingsTab, desk: Desk, name: gr.State) -> None:
    """Fill the fields when the tab is opened, and keep what is changed."""
    drawn = [seen.shown, *seen.fields.values()]

    @told
    def show(study: str | None) -> Any:
        return {seen.shown: gr.skip()} if study is None else seen.filled(desk.changing.settings(study))

    @told
    def save(values: dict[Any, Any], request: gr.Request) -> Any:
        study = values[name]
        if study is None:
            return {seen.shown: gr.skip()}
        given = read_fields(CHANGEABLE, {key: values[field] for key, field in seen.fields.items()})
        changes = desk.changing.change(study, given, who=str(request.username), shown=values[seen.shown])
        words = ", ".join(
            f"{CHANGEABLE[key].title.lower()} {_read(old)} → {_read(new)}" for key, (old, new) in changes.items()
        )
        gr.Success(safe(f"Saved: {words}." if words else "Nothing is different."))
        return seen.filled(desk.changing.settings(study))

    seen.tab.select(show, name, drawn, **QUIETLY)
    seen.save.click(save, {name, *drawn}, drawn, trigger_mode="once", **QUIETLY)


def _read(value: Any) -> Any:
    return "none" if value in (None, "") else shortened(value)
