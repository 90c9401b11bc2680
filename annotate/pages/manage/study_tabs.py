"""What stands below a study: tabs with its workers, items, rules, settings, events, files, read when opened."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from annotate.pages.manage.appeals_tab import build_appeals, follow_appeals
from annotate.pages.manage.forget_worker import build_forgetting, follow_forgetting
from annotate.pages.manage.gradio_events import QUIETLY, errors_shown, escaped
from annotate.pages.manage.items_tab import build_items, follow_items
from annotate.pages.manage.rules_tab import RulesForm, build_rules
from annotate.pages.manage.settings_tab import build_settings, follow_settings
from annotate.pages.manage.study_drawing import draw_files
from annotate.pages.manage.workers_drawing import PICK, WORDS, draw_events, draw_workers
from annotate.requesters.oversight import Oversight
from annotate.requesters.requester_service import RequesterService
from data.table_files import Export

WORKERS = "workers"
NOBODY: Any = None
EXCLUDE, RESTORE = "Exclude", "Restore"
ALL, ANYBODY = ("Everything", ""), ("Anybody", "")


def build_people(requesters: RequesterService, name: gr.State) -> None:
    """Build the tabs over the study that `name` holds."""
    at, place = People(requesters.oversight, requesters.exports), gr.State(None)
    with gr.Tabs(selected=WORKERS, elem_classes="people-tabs") as tabs:
        with gr.Tab("Workers", id=WORKERS) as workers_tab:
            table = gr.HTML(js_on_load=PICK, apply_default_css=False)
            with gr.Row(elem_classes="judge"):
                worker = gr.Dropdown([], label="Worker", info="Or press a name above", filterable=True)
                reason = gr.Textbox(label="Reason", info="Kept with the event", max_length=500, scale=2)
                on = gr.Button("Resume", scale=0, visible=False)
                act = gr.Button(EXCLUDE, scale=0, interactive=False)
            forgetting = build_forgetting()
        appeals = build_appeals()
        items = build_items(place)
        with gr.Tab("Rules") as rules_tab:
            rules = build_rules(requesters.oversight, name)
        settings = build_settings()
        with gr.Tab("Events") as events_tab:
            kind, whose, events = build_events()
        with gr.Tab("Files") as files_tab:
            files = gr.HTML(apply_default_css=False)
    buttons = [on, act]
    worker_parts, shown = [table, worker, *buttons], [kind, whose, events]
    # When a study is left, not when one comes: who is quick has opened another tab of it by then.
    first = {"queue": False, **QUIETLY}
    name.change(lambda worker: gr.skip() if worker else gr.update(selected=WORKERS), name, tabs, **first)
    name.change(at.workers, name, worker_parts, **QUIETLY)
    # Who was pressed while the list is read again stays chosen: its answer says nothing of the choice.
    workers_tab.select(at.again, name, [table, worker], **QUIETLY)
    follow_appeals(appeals, requesters, name)
    follow_items(items, tabs, requesters, name)
    rules_tab.select(lambda worker: at.rules(worker, rules), name, rules.filled, **QUIETLY)
    follow_settings(settings, requesters, name)
    events_tab.select(at.events, name, shown, **QUIETLY)
    gr.on([kind.input, whose.input], at.narrowed, [name, kind, whose], events, trigger_mode="always_last", **QUIETLY)
    files_tab.select(at.files, name, files, **QUIETLY)
    table.pick(at.pick, name, [worker, *buttons], **QUIETLY)
    worker.input(at.chosen, [name, worker], buttons, **QUIETLY)
    follow_forgetting(forgetting, requesters.oversight, name, worker, worker_parts, at.show_workers)
    for button, do in ((on, at.go_on), (act, at.act)):
        button.click(do, [name, worker, reason, button], [*worker_parts, reason], trigger_mode="once", **QUIETLY)


def build_events() -> tuple[gr.Dropdown, gr.Dropdown, gr.HTML]:
    """Return the filters of the events and the place of their list."""
    with gr.Row(elem_classes="filters"):
        kind = gr.Dropdown([ALL, *((words, kind) for kind, words in WORDS.items())], value="", label="What happened")
        whose = gr.Dropdown([ANYBODY], value="", label="To whom", filterable=True)
    return kind, whose, gr.HTML(apply_default_css=False)


@dataclass(frozen=True)
class People:
    """What happens in the tabs, each with one call of the oversight."""

    oversight: Oversight
    exports: Mapping[str, Export[Any]] = field(default_factory=dict)

    def workers(self, name: str | None) -> tuple[Any, ...]:
        """Show the workers of the study that has come in sight, none where one was left; nobody is chosen."""
        if name is None:
            return "", gr.update(choices=[], value=NOBODY), *self._buttons("", NOBODY)
        return self.show_workers(name, NOBODY)

    def again(self, name: str | None) -> tuple[Any, ...]:
        """Show the workers as they are by now."""
        return (gr.skip(),) * 2 if name is None else self._table(name)

    @errors_shown
    def rules(self, name: str | None, form: RulesForm) -> Any:
        """Show the rules as they are now."""
        return gr.skip() if name is None else form.values(name)

    @errors_shown
    def events(self, name: str | None) -> tuple[Any, Any, Any]:
        """Show the events, of every kind and of everybody."""
        if name is None:
            return (gr.skip(),) * 3
        events = self.oversight.events(name)
        workers = [
            ANYBODY,
            *((worker, worker) for worker in dict.fromkeys(event.worker for event in events if event.worker)),
        ]
        return "", gr.update(choices=workers, value=""), str(draw_events(events))

    @errors_shown
    def narrowed(self, name: str | None, kind: str, whose: str) -> Any:
        """Show only the events of one kind, or of one worker."""
        if name is None:
            return gr.skip()
        events = self.oversight.events(name, kinds=[kind] if kind else [], worker=whose or "")
        return str(draw_events(events, narrowed=bool(kind or whose)))

    def files(self, name: str | None) -> Any:
        """Show what can be taken away."""
        if name is None:
            return gr.skip()
        return str(draw_files(name, [export for export in self.exports.values() if not export.for_viewers]))

    @errors_shown
    def pick(self, name: str | None, event: gr.EventData) -> tuple[Any, ...]:
        """Choose the worker that was pressed."""
        sent: Any = event._data if isinstance(event._data, dict) else {}
        if name is None:
            return (gr.skip(),) * 3
        worker = str(sent.get("worker"))
        return gr.update(value=worker), *self._buttons(name, worker)

    @errors_shown
    def chosen(self, name: str | None, worker: str | None) -> Any:
        """Let the buttons say what can be done about the worker."""
        return (gr.skip(),) * 2 if name is None else self._buttons(name, worker)

    @errors_shown
    def act(self, name: str | None, worker: str | None, reason: str, word: str, request: gr.Request) -> tuple[Any, ...]:
        """Exclude the chosen worker, or take the worker back: what the button said, whatever others did meanwhile."""
        if name is None or not worker:
            return (gr.skip(),) * 5
        do = self.oversight.restore if word == RESTORE else self.oversight.exclude
        changed = do(name, worker, who=str(request.username), reason=reason)
        became = "back" if word == RESTORE else "excluded"
        gr.Success(
            escaped(f"{worker} is {became}." if changed else f"{worker} is {became} already; nothing is changed.")
        )
        return (*self.show_workers(name, worker), "")

    @errors_shown
    def go_on(self, name: str | None, worker: str | None, reason: str, _: str, request: gr.Request) -> tuple[Any, ...]:
        """Let a paused worker go on."""
        if name is None or not worker:
            return (gr.skip(),) * 5
        self.oversight.restore(name, worker, who=str(request.username), reason=reason)
        gr.Success(escaped(f"{worker} may go on."))
        return (*self.show_workers(name, worker), "")

    def show_workers(self, name: str, chosen: str | None) -> tuple[Any, ...]:
        """Return the table of the workers, the choice among them and the buttons."""
        table, choices = self._table(name)
        return table, choices | {"value": chosen}, *self._buttons(name, chosen)

    def _table(self, name: str) -> tuple[str, dict[str, Any]]:
        lines = self.oversight.workers(name)
        table = str(draw_workers(name, lines, self.oversight.payments(name)))
        return table, gr.update(choices=[line.work.name for line in lines if line.work.status != "imported"])

    def _buttons(self, name: str, worker: str | None) -> tuple[Any, Any]:
        status = self.oversight.status(name, worker) if worker else ""
        word = RESTORE if status == "excluded" else EXCLUDE
        return gr.update(visible=status == "paused"), gr.update(value=word, interactive=bool(worker))
