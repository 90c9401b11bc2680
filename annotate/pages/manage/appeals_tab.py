"""The tab of appeals: what workers who were stopped wrote, with their record beside it, and the answer to it."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, UNCHANGED, Updates, errors_shown, escaped, event_data
from annotate.pages.manage.workers_drawing import PICK, draw_appeals
from annotate.requesters.appeal_replies import LONGEST_REPLY
from annotate.requesters.requester_service import RequesterService


@dataclass(frozen=True)
class AppealsTab:
    """What is in the tab, and what happens there."""

    requesters: RequesterService
    table: gr.HTML
    worker: gr.Dropdown
    reply: gr.Textbox
    restore: gr.Checkbox

    @errors_shown
    def show(self, study: str | None) -> Updates:
        """Show the appeals of the study in sight; the one that has waited longest is to be answered."""
        if study is None:
            return UNCHANGED
        oversight, written = self.requesters.oversight, self.requesters.appeal_replies.appeals(study)
        lines, stops = oversight.workers(study), oversight.events(study, kinds=["excluded", "on_hold"])
        waiting = [appeal.worker for appeal in reversed(written) if appeal.open]
        return {
            self.table: str(draw_appeals(written, lines, stops, oversight.study(study).settings.currency)),
            self.worker: gr.update(choices=waiting, value=next(iter(waiting), None)),
            self.reply: "",
            self.restore: False,
        }

    def pick(self, event: gr.EventData) -> Any:
        """Choose the worker that was pressed."""
        return gr.update(value=str(event_data(event).get("worker")))

    @errors_shown
    def answer(self, study: str | None, worker: str | None, reply: str, restore: bool, request: gr.Request) -> Updates:
        """Send the answer, and take the worker back where that was said."""
        if study is None or not worker:
            return UNCHANGED
        done = self.requesters.appeal_replies.answer(study, worker, reply, who=str(request.username), restore=restore)
        back = " and may go on" if restore else ""
        gr.Success(escaped(f"{worker} is answered{back}." if done else f"{worker} was answered already."))
        return self.show(study)


def build_appeals(requesters: RequesterService, study: gr.State) -> AppealsTab:
    """Build the tab over the study that `study` holds; it is filled when it is opened."""
    with gr.Tab("Appeals") as tab:
        table = gr.HTML(js_on_load=PICK, apply_default_css=False)
        with gr.Row(elem_classes="judge"):
            worker = gr.Dropdown([], label="Answer to", info="Or press a name above", filterable=True)
            reply = gr.Textbox(label="Answer", info="The worker reads it", max_length=LONGEST_REPLY, lines=2, scale=2)
            restore = gr.Checkbox(False, label="Let the worker go on", info="The answers count again", scale=1)
            send = gr.Button("Send the answer", scale=0)
    appeals, filled = AppealsTab(requesters, table, worker, reply, restore), [table, worker, reply, restore]
    tab.select(appeals.show, study, filled, **QUIETLY)
    table.pick(appeals.pick, None, worker, **QUIETLY)
    send.click(appeals.answer, [study, worker, reply, restore], filled, trigger_mode="once", **QUIETLY)
    return appeals
