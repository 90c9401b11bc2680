"""The tabs of a study's page beside the overview: workers, items, decisions, settings, downloads, read when opened."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gradio as gr

from annotate.pages.manage.items_tab import DECIDE, ITEMS, ItemTabs
from annotate.pages.manage.rules_tab import RulesForm
from annotate.pages.manage.settings_form import build_fields, read_fields, shown_value
from annotate.pages.manage.study_drawing import draw_files
from annotate.pages.manage.workers_tab import WORDS, WORKERS, WorkersTab, draw_events
from annotate.requesters.oversight import EDITABLE, Oversight, change_rows, fixed_words
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_changes import WORDS as READ
from annotate.requesters.study_changes import words_of
from data.declared import rows_of
from data.drawing.gradio_events import AT_ONCE, QUIETLY, UNCHANGED, Updates, errors_shown, escaped, in_study
from data.limits import LONGEST_TEXT
from data.numbers import counted
from data.wording import english_name, languages
from db.studies import Study
from db.study_settings import NUMBERS, REPORT

COLLECTING = {name: setting for name, setting in EDITABLE.items() if name not in NUMBERS}
DESCRIBING = {name: EDITABLE[name] for name in NUMBERS}
PARTS = rows_of(DESCRIBING)
"""The groups of what people say of a study, each a fold of its own."""
NOTE = (
    "Answer what only you know. Numbers follow Wei et al. 2025. Reports of this study end with that "
    "checklist and name what is missing. To use a file, <code>python app.py describe {study}</code> prints the "
    "questions; <code>--from FILE.toml</code> reads the answers."
)


class SettingsTab:
    """Its fields, what people read by word and language, what is said of the report; `shown` are the values last shown.

    To be made within its `tab`; it is filled when this is opened.
    """

    def __init__(self, requesters: RequesterService, name: gr.State, tab: gr.Tab) -> None:
        self.requesters, self.name = requesters, name
        with gr.Accordion("What people read", open=False, elem_classes="fold"):
            self.words = {(word, language): _words(word, language) for word in READ for language in languages()}
            reword = gr.Button("Save the words", elem_classes="narrow")
        with gr.Accordion("More items", open=False, elem_classes="fold"):
            file = gr.File(label="A file like that of the items")
            add = gr.Button("Add the items", elem_classes="narrow")
        said = f'<div class="look report rule"><p class="hint">{fixed_words()}</p></div>'
        self.fixed = gr.HTML(said, apply_default_css=False)
        self.collecting = build_fields(COLLECTING, running=True, unfolded=rows_of(COLLECTING))
        self.note = gr.HTML(apply_default_css=False)
        self.describing = build_fields(DESCRIBING)
        save = gr.Button("Save the settings", variant="primary", elem_classes="narrow")
        self.shown = gr.State({})
        self.fields: dict[str, Any] = {**self.collecting.of, **self.describing.of}
        folds = (*self.collecting.folds.values(), *self.describing.folds.values())
        rows = dict.fromkeys(self.collecting.rows.values())
        filled: list[Any] = [
            self.shown,
            self.fixed,
            self.note,
            *folds,
            *rows,
            *self.fields.values(),
            *self.words.values(),
        ]
        tab.select(self.show, name, filled, **AT_ONCE)
        reword.click(self.reword, {name, self.shown, *self.words.values()}, filled, trigger_mode="once", **QUIETLY)
        add.click(self.add, [name, file], file, trigger_mode="once", **QUIETLY)
        save.click(self.save, {name, self.shown, *self.fields.values()}, filled, trigger_mode="once", **QUIETLY)

    def filled(self, study: Study, values: Mapping[str, Any]) -> Updates:
        """Return what the components show; of an imported study, in which nobody answers, only what matters there."""
        imported, draft = study.origin == "imported", study.status == "draft"
        used = {name for name in values if EDITABLE[name].asked.imported or not imported}
        updates: Updates = {
            field: gr.update(value=shown_value(EDITABLE[name], values[name]), visible=True)
            if name in used
            else gr.update(visible=False)
            for name, field in self.fields.items()
        }
        said = words_of(study.task)
        updates |= {
            field: gr.update(
                value=said[word].get(language, ""), visible=language in said[word] and (draft or word == "instruction")
            )
            for (word, language), field in self.words.items()
        }
        for group, fold in self.collecting.folds.items():
            updates[fold] = gr.update(
                visible=any(COLLECTING[name].asked.group == group for name in used & set(COLLECTING))
            )
        for row in set(self.collecting.rows.values()):
            updates[row] = gr.update(visible=any(self.collecting.rows[name] is row for name in used & set(COLLECTING)))
        for group, fold in self.describing.folds.items():
            updates[fold] = gr.update(label=f"{group.removeprefix(REPORT)} · {_answered(values, group)}")
        updates[self.fixed] = gr.update(visible=not imported and not draft)
        return {**updates, self.shown: values, self.note: _noted(study.name, values)}

    @in_study
    def show(self, study: str) -> Updates:
        """Show the settings as they are now."""
        return self._of(study)

    @errors_shown
    def save(self, values: dict[Any, Any], request: gr.Request) -> Updates:
        """Keep what was changed in the fields."""
        study, shown = values[self.name], values[self.shown]
        if study is None:
            return UNCHANGED
        given = read_fields(EDITABLE, {key: values[self.fields[key]] for key in shown})
        changes = self.requesters.oversight.change(study, given, who=str(request.username), shown=shown)
        words = ", ".join(f"{title.lower()} {old} → {new}" for title, old, new in change_rows(changes))
        gr.Success(escaped(f"Saved: {words}." if words else "Nothing has changed."))
        return self._of(study)

    @errors_shown
    def reword(self, values: dict[Any, Any], request: gr.Request) -> Updates:
        """Let the study ask in these words."""
        study = values[self.name]
        if study is None or not values[self.shown]:  # the form is not filled yet
            return UNCHANGED
        said: dict[str, dict[str, str]] = {word: {} for word in READ}
        for (word, language), field in self.words.items():
            said[word][language] = values[field] or ""
        changed = self.requesters.changes.reword(study, said, who=str(request.username))
        gr.Success("Saved. People read it before their next item." if changed else "Nothing has changed.")
        return self._of(study)

    @in_study
    def add(self, study: str, file: str | None, request: gr.Request) -> Any:
        """Add the items of a file."""
        if file is None:
            raise gr.Error("Choose a file first.", print_exception=False)
        added = self.requesters.changes.add(study, Path(file), who=str(request.username))
        gr.Success(f"{counted(added, 'item')} added.")
        return None

    def _of(self, study: str) -> Updates:
        return self.filled(self.requesters.oversight.study(study), self.requesters.oversight.settings(study))


def _words(word: str, language: str) -> gr.Textbox:
    long = word == "instruction"
    return gr.Textbox(
        label=f"{READ[word]} in {english_name(language)}",
        info="Whoever works reads a new one before the next item. Answers know the version that was read"
        if long
        else None,
        lines=4 if long else 1,
        max_lines=20 if long else 1,
        max_length=LONGEST_TEXT,
    )


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


OVERVIEW, SETTINGS, DOWNLOAD = "overview", "settings", "download"
TABS = (OVERVIEW, WORKERS, ITEMS, DECIDE, SETTINGS, DOWNLOAD)
"""The tabs of a study's page, as its address names them."""
IN_ADDRESS = """() => {{
  const address = new URL(location.href);
  if (!address.searchParams.has("study")) return;
  address.searchParams.set("tab", "{}");
  history.replaceState(null, "", address);
}}"""
ALL, ANYBODY = ("Everything", ""), ("Anybody", "")


def build_tabs(requesters: RequesterService, name: gr.State, tabs: gr.Tabs) -> tuple[gr.HTML, gr.Dropdown, gr.State]:
    """Build the tabs beside the overview over the study that `name` holds.

    Return its downloads, who is chosen among the workers and which items were asked for.
    """
    workers = WorkersTab(requesters, name)
    items = ItemTabs(requesters, tabs, name)
    with gr.Tab("Settings", id=SETTINGS) as settings_tab:
        SettingsTab(requesters, name, settings_tab)
        with gr.Accordion("Rules on workers", open=False, elem_classes="fold") as folded:
            rules = RulesForm(requesters.oversight, name)
    folded.expand(rules.show, name, rules.filled, **AT_ONCE)
    with gr.Tab("Download", id=DOWNLOAD) as download_tab:
        downloads, files = (gr.HTML(apply_default_css=False) for _ in range(2))
    offered = [export for export in requesters.exports.values() if export.among_files or not export.for_viewers]
    download_tab.select(lambda study: str(draw_files(study, offered)) if study else gr.skip(), name, files, **AT_ONCE)
    for tab in (workers.tab, items.items_tab, items.decide_tab, settings_tab, download_tab):
        tab.select(None, None, None, js=IN_ADDRESS.format(tab.id))
    return downloads, workers.worker, items.seen


def build_events(oversight: Oversight, name: gr.State) -> None:
    """Build the list of events with its filters; it is filled when it is opened."""
    with gr.Accordion("Events", open=False, elem_classes="fold") as folded:
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

    folded.expand(show, name, [kind, worker, table], **AT_ONCE)
    gr.on([kind.input, worker.input], narrow, [name, kind, worker], table, trigger_mode="always_last", **AT_ONCE)
