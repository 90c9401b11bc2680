"""What stands below a study: tabs with its workers, items, rules, settings, events, files, read when opened."""

from collections.abc import Mapping
from typing import Any

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, Updates, in_study
from annotate.pages.manage.items_tab import build_items
from annotate.pages.manage.rules_tab import build_rules
from annotate.pages.manage.settings_tab import build_settings, follow_settings
from annotate.pages.manage.study_drawing import draw_files
from annotate.pages.manage.workers_drawing import WORDS, draw_events
from annotate.pages.manage.workers_tab import WORKERS, build_appeals, build_workers
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from data.table_files import Export

ALL, ANYBODY = ("Everything", ""), ("Anybody", "")


def build_tabs(requesters: RequesterService, name: gr.State) -> None:
    """Build the tabs over the study that `name` holds."""
    place = gr.State(None)
    with gr.Tabs(selected=WORKERS, elem_classes="people-tabs") as tabs:
        # When a study is left, not when one comes: who is quick has opened another tab of it by then.
        first = {"queue": False, **QUIETLY}
        name.change(lambda study: gr.skip() if study else gr.update(selected=WORKERS), name, tabs, **first)
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
