"""The tab of appeals: what workers who were stopped wrote, with their record beside it, and the answer to it."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, errors_shown, escaped
from annotate.pages.manage.workers_drawing import PICK, draw_appeals
from annotate.requesters.appeal_replies import LONGEST_REPLY
from annotate.requesters.requester_service import RequesterService

NOTHING = 4  # components that a list of appeals fills


@dataclass(frozen=True)
class AppealsTab:
    """The tab and what is in it."""

    tab: gr.Tab
    table: gr.HTML
    worker: gr.Dropdown
    reply: gr.Textbox
    restore: gr.Checkbox
    send: gr.Button


def build_appeals() -> AppealsTab:
    """Return the tab, empty; to be called within the study's tabs."""
    with gr.Tab("Appeals") as tab:
        table = gr.HTML(js_on_load=PICK, apply_default_css=False)
        with gr.Row(elem_classes="judge"):
            worker = gr.Dropdown([], label="Answer to", info="Or press a name above", filterable=True)
            reply = gr.Textbox(label="Answer", info="The worker reads it", max_length=LONGEST_REPLY, lines=2, scale=2)
            restore = gr.Checkbox(False, label="Let the worker go on", info="The answers count again", scale=1)
            send = gr.Button("Send the answer", scale=0)
    return AppealsTab(tab, table, worker, reply, restore, send)


def follow_appeals(seen: AppealsTab, requesters: RequesterService, name: gr.State) -> None:
    """Fill the tab when it is opened, and send the answers."""
    at, filled = Appeals(requesters), [seen.table, seen.worker, seen.reply, seen.restore]
    seen.tab.select(at.show, name, filled, **QUIETLY)
    seen.table.pick(at.pick, None, seen.worker, **QUIETLY)
    given = [name, seen.worker, seen.reply, seen.restore]
    seen.send.click(at.answer, given, filled, trigger_mode="once", **QUIETLY)


@dataclass(frozen=True)
class Appeals:
    """What happens in the tab."""

    requesters: RequesterService

    @errors_shown
    def show(self, name: str | None) -> tuple[Any, ...]:
        """Show the appeals of the study in sight; the one that has waited longest is to be answered."""
        if name is None:
            return (gr.skip(),) * NOTHING
        oversight, written = self.requesters.oversight, self.requesters.appeal_replies.appeals(name)
        lines, stops = oversight.workers(name), oversight.events(name, kinds=["excluded", "on_hold"])
        waiting = [appeal.worker for appeal in reversed(written) if appeal.open]
        html = str(draw_appeals(written, lines, stops, oversight.study(name).settings.currency))
        return html, gr.update(choices=waiting, value=next(iter(waiting), None)), "", False

    def pick(self, event: gr.EventData) -> Any:
        """Choose the worker that was pressed."""
        sent: Any = event._data if isinstance(event._data, dict) else {}
        return gr.update(value=str(sent.get("worker")))

    @errors_shown
    def answer(
        self, name: str | None, worker: str | None, reply: str, restore: bool, request: gr.Request
    ) -> tuple[Any, ...]:
        """Send the answer, and take the worker back where that was said."""
        if name is None or not worker:
            return (gr.skip(),) * NOTHING
        done = self.requesters.appeal_replies.answer(name, worker, reply, who=str(request.username), restore=restore)
        back = " and may go on" if restore else ""
        gr.Success(escaped(f"{worker} is answered{back}." if done else f"{worker} was answered already."))
        return self.show(name)
