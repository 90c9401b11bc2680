"""What stands below a study: tabs with its workers, items, rules, settings, events, files, read when opened."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, UNCHANGED, Updates, errors_shown, escaped, in_study
from annotate.pages.manage.items_tab import build_items
from annotate.pages.manage.rules_tab import build_rules
from annotate.pages.manage.settings_form import SettingsFields, build_fields, read_fields, shown_value
from annotate.pages.manage.study_drawing import draw_files
from annotate.pages.manage.workers_tab import TAB, WORDS, build_appeals, build_workers, draw_events
from annotate.requesters.oversight import CHANGEABLE, Oversight, change_rows, fixed_words
from annotate.requesters.requester_service import RequesterService
from data.declared import rows_of
from data.table_files import Export
from db.study_settings import NUMBERS, REPORT

COLLECTING = {name: setting for name, setting in CHANGEABLE.items() if name not in NUMBERS}
DESCRIBING = {name: CHANGEABLE[name] for name in NUMBERS}
PARTS = rows_of(DESCRIBING)
"""The groups of what people say of a study, each a fold of its own."""
NOTE = (
    "Answer what only you know. Numbers follow Wei et al. 2025. Reports of this study end with that "
    "checklist and name what is missing. To use a file, <code>python app.py describe {study}</code> prints the "
    "questions; <code>--from FILE.toml</code> reads the answers."
)


@dataclass(frozen=True)
class SettingsTab:
    """The tab, its fields, what is said of the report, the button, and the values that were last shown."""

    tab: gr.Tab
    fixed: gr.HTML
    collecting: SettingsFields
    describing: SettingsFields
    note: gr.HTML
    save: gr.Button
    shown: gr.State

    @property
    def fields(self) -> dict[str, Any]:
        """The fields by the names of their settings."""
        return {**self.collecting.of, **self.describing.of}

    @property
    def outputs(self) -> list[Any]:
        """All that is filled when the tab is opened."""
        folds = (*self.collecting.folds.values(), *self.describing.folds.values())
        rows = dict.fromkeys(self.collecting.rows.values())
        return [self.shown, self.fixed, self.note, *folds, *rows, *self.fields.values()]

    def filled(self, study: str, values: Mapping[str, Any], *, imported: bool) -> Updates:
        """Return what the components show; of an imported study, in which nobody answers, only what matters there."""
        used = {name for name, setting in CHANGEABLE.items() if setting.asked.imported or not imported}
        updates: Updates = {
            self.fields[name]: gr.update(value=shown_value(CHANGEABLE[name], value), visible=name in used)
            for name, value in values.items()
        }
        for group, fold in self.collecting.folds.items():
            updates[fold] = gr.update(
                visible=any(COLLECTING[name].asked.group == group for name in used & set(COLLECTING))
            )
        for row in set(self.collecting.rows.values()):
            updates[row] = gr.update(visible=any(self.collecting.rows[name] is row for name in used & set(COLLECTING)))
        for group, fold in self.describing.folds.items():
            updates[fold] = gr.update(label=f"{group.removeprefix(REPORT)} · {_answered(values, group)}")
        updates[self.fixed] = gr.update(visible=not imported)
        return {**updates, self.shown: values, self.note: _noted(study, values)}


def build_settings() -> SettingsTab:
    """Return the tab, empty; to be called within the study's tabs."""
    with gr.Tab("Settings") as tab:
        words = f'<div class="look report rule"><p class="hint">{fixed_words()}</p></div>'
        fixed = gr.HTML(words, apply_default_css=False)
        collecting = build_fields(COLLECTING, running=True, unfolded=rows_of(COLLECTING))
        note = gr.HTML(apply_default_css=False)
        describing = build_fields(DESCRIBING)
        save = gr.Button("Save the settings", variant="primary", elem_classes="narrow")
        shown = gr.State({})  # within the tab: beside it, Gradio would count it among the tabs
    return SettingsTab(tab, fixed, collecting, describing, note, save, shown)


def follow_settings(seen: SettingsTab, requesters: RequesterService, name: gr.State) -> None:
    """Fill the fields when the tab is opened, and keep what is changed."""

    def form_of(study: str) -> Updates:
        imported = requesters.oversight.study(study).origin == "imported"
        return seen.filled(study, requesters.oversight.settings(study), imported=imported)

    @in_study
    def show(study: str) -> Updates:
        return form_of(study)

    @errors_shown
    def save(values: dict[Any, Any], request: gr.Request) -> Updates:
        study = values[name]
        if study is None:
            return UNCHANGED
        given = read_fields(CHANGEABLE, {key: values[field] for key, field in seen.fields.items()})
        changes = requesters.oversight.change(study, given, who=str(request.username), shown=values[seen.shown])
        words = ", ".join(f"{title.lower()} {old} → {new}" for title, old, new in change_rows(changes))
        gr.Success(escaped(f"Saved: {words}." if words else "Nothing has changed."))
        return form_of(study)

    seen.tab.select(show, name, seen.outputs, **QUIETLY)
    seen.save.click(save, {name, seen.shown, *seen.fields.values()}, seen.outputs, trigger_mode="once", **QUIETLY)


def _answered(values: Mapping[str, Any], group: str) -> str:
    texts = [values[setting.name] for row in PARTS[group] for setting in row]
    return f"{sum(map(bool, texts))} of {len(texts)} answered"


def _noted(study: str, values: Mapping[str, Any]) -> str:
    """Return what stands above the questions of the report: how many are answered, and what to do with the others."""
    number = sum(bool(values[name]) for name in NUMBERS)
    title = (
        f"{number} of {len(NUMBERS)} questions of the report answered"
        if number
        else "No questions of the report answered yet"
    )
    note = NOTE.format(study=escaped(study))
    return f'<div class="look report rule"><h2>{title}</h2><p class="hint">{note}</p></div>'


ALL, ANYBODY = ("Everything", ""), ("Anybody", "")


def build_tabs(requesters: RequesterService, name: gr.State) -> None:
    """Build the tabs over the study that `name` holds."""
    place = gr.State(None)
    with gr.Tabs(selected=TAB, elem_classes="people-tabs") as tabs:
        # When a study is left, not when one comes: who is quick has opened another tab of it by then.
        first = {"queue": False, **QUIETLY}
        name.change(lambda study: gr.skip() if study else gr.update(selected=TAB), name, tabs, **first)
        build_workers(requesters.oversight, name)
        build_appeals(requesters, name)
        build_items(requesters, tabs, name, place)
        with gr.Tab("Rules") as rules_tab:
            rules = build_rules(requesters.oversight, name)
        settings = build_settings()
        build_events(requesters.oversight, name)
        build_files(requesters.exports, name)
    rules_tab.select(rules.show, name, rules.filled, **QUIETLY)
    follow_settings(settings, requesters, name)


def build_events(oversight: Oversight, name: gr.State) -> None:
    """Build the tab of events with its filters; it is filled when it is opened."""
    with gr.Tab("Events") as tab:
        with gr.Row(elem_classes="filters"):
            choices = [ALL, *((words, kind) for kind, words in WORDS.items())]
            kind = gr.Dropdown(choices, value="", label="What happened")
            worker = gr.Dropdown([ANYBODY], value="", label="To whom", filterable=True)
        table = gr.HTML(apply_default_css=False)

    @in_study
    def show(study: str) -> Updates:
        """Show the events, of every kind and of everybody."""
        events = oversight.events(study)
        workers = dict.fromkeys(event.worker for event in events if event.worker)
        choices = [ANYBODY, *((each, each) for each in workers)]
        return {kind: "", worker: gr.update(choices=choices, value=""), table: str(draw_events(events))}

    @in_study
    def narrow(study: str, only: str, whose: str) -> Any:
        """Show only the events of one kind, or of one worker."""
        events = oversight.events(study, kinds=[only] if only else [], worker=whose or "")
        return str(draw_events(events, narrowed=bool(only or whose)))

    tab.select(show, name, [kind, worker, table], **QUIETLY)
    gr.on([kind.input, worker.input], narrow, [name, kind, worker], table, trigger_mode="always_last", **QUIETLY)


def build_files(exports: Mapping[str, Export[Any]], name: gr.State) -> None:
    """Build the tab of what can be downloaded."""
    with gr.Tab("Files") as tab:
        files = gr.HTML(apply_default_css=False)
    offered = [export for export in exports.values() if export.among_files or not export.for_viewers]
    tab.select(lambda study: str(draw_files(study, offered)) if study else gr.skip(), name, files, **QUIETLY)
