"""The tabs of a study's people: workers, to exclude, restore or forget, and appeals, as they are drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args
from urllib.parse import quote

import gradio as gr
from markupsafe import Markup

from annotate.pages.manage.items_tab import item_text
from annotate.pages.manage.study_drawing import TEMPLATES, rendered
from annotate.requesters.oversight import LONGEST_REPLY, MOST_ANSWERS, WorkerLine, WorkerRecord, change_rows
from annotate.requesters.requester_service import RequesterService
from data.drawing.environment import NO_BREAK
from data.drawing.gradio_events import AT_ONCE, QUIETLY, UNCHANGED, Updates, escaped, event_data, in_study
from data.limits import LONGEST_REASON
from data.numbers import counted
from data.tables import Column, Table, chosen
from data.task import Task
from db.events import Event
from db.payments import NO_PRICE, Payments, unpaid
from db.records import EVENTS, Appeal
from db.statuses import EventKind
from db.worker_summaries import WorkerAnswer
from eval.workers.table import TITLES

PICK, WORKER_ADDRESS = ((TEMPLATES.parent / f"{name}.js").read_text("utf8") for name in ("workers", "worker"))
SAID: dict[str, str] = {
    "unarchived": "taken out of the archive",
    "rules": "rules changed",
    "settings": "settings changed",
    "let_in": "more people let in",
    "rule": "rule fired",
    "excluded": "worker excluded",
    "on_hold": "worker paused",
    "restored": "worker restored",
    "retried": "training begun again",
    "appealed": "worker appealed",
    "replied": "appeal answered",
    "forgotten": "worker forgotten",
    "paid": "marked as paid",
    "retention": "retention period over",
    "downloaded": "file downloaded",
    "corrected": "words corrected",
    "published": "put on the board",
    "unpublished": "taken off the board",
    "run_accepted": "submitted run accepted",
    "queued": "made of models' replies",
    "upheld": "item found to be broken",
    "dismissed": "item counted again",
}
"""Events whose names do not say what happened."""
WORDS = {kind: SAID.get(kind, kind.replace("_", " ")) for kind in get_args(EventKind)}


def money(amount: float) -> str:
    """Return an amount of money with its thousands apart."""
    return f"{amount:,.2f}".replace(",", NO_BREAK)


def _kind(event: Event) -> str:
    fired = f": {TITLES[event.rule]}" if event.rule and event.kind == "rule" else ""
    return f"{WORDS[event.kind]}{fired}"


MOMENT = "{:%-d %b %Y %H:%M}".format
WORKER_COLUMNS: tuple[Column[WorkerLine], ...] = (
    Column("worker", "worker", "", lambda line: line.work.name),
    Column("status", "status", "", lambda line: line.work.status),
    Column("answers", "answers", "To main and control items, without void ones", lambda line: line.work.answers),
    Column(
        "controls",
        "controls right",
        "Share of answered controls that are right",
        lambda line: line.right / line.controls if line.controls else 2,
    ),
    Column("pace", "s / item", "Mean active time on a main item", lambda line: line.pace or 0),
    Column("fired", "rules fired", "", lambda line: sum(line.fired.values()), style="fired"),
    Column(
        "pay", "pay", "A bonus is shown separately", lambda line: line.work.pay + line.bonus if line.work.priced else -1
    ),
    Column("hourly", "per hour", "Pay and bonus per active hour, including training", lambda line: line.hourly or 0),
    Column(
        "consent",
        "consent",
        "Version of the text, and whether the notice was acknowledged. Dates are in the file of consents",
        lambda line: line.work.consent.at.timestamp() if line.work.consent else 0,
    ),
)
"""The table of workers is sorted in the browser by these values."""
ANSWERS: tuple[Column[WorkerAnswer], ...] = (
    Column("item", "item", "", lambda answer: answer.item),
    Column("label", "answer", "", lambda answer: answer.label, style="start why"),
    Column(
        "gold",
        "right answer",
        "A tick where it is the answer given",
        lambda answer: answer.gold or "",
        style="start why",
        read=lambda answer: "✓" if answer.gold == answer.label else answer.gold or "",
    ),
    Column("role", "kind", "", lambda answer: answer.role),
    Column("seconds", "s", "Active time", lambda answer: answer.seconds, lambda s: "" if s is None else f"{s:.1f}"),
    Column("status", "status", "", lambda answer: answer.status),
    Column("at", "when (UTC)", "", lambda answer: answer.submitted_at, MOMENT),
)
RISING = ("worker", "status", "controls", "pace")
"""The columns that are first sorted from the least on."""
AT, KIND, WORKER, WHO, REASON = chosen(EVENTS, "at", "kind", "worker", "who", "reason")
PAGE_EVENTS: tuple[Column[Event], ...] = (
    replace(AT, format=MOMENT),
    replace(KIND, value=lambda event: event, format=_kind, style="start"),
    replace(WORKER, style="start"),
    replace(WHO, format=lambda who: "a rule" if who == "rule" else who, style="start"),
    replace(REASON, value=lambda event: event.why, style="start why"),
)


@dataclass(frozen=True)
class AppealLine:
    """What one worker wrote, with the worker's record, and what stopped the worker, None where that is not known.

    `missed` are the wrong answers in a training that was not passed, each with its gold.
    """

    appeal: Appeal
    line: WorkerLine
    stop: Event | None
    missed: Sequence[WorkerAnswer] = ()


APPEALS: tuple[Column[AppealLine], ...] = (
    Column("worker", "worker", "", lambda row: row.appeal.worker),
    Column("text", "wrote, and was answered", "", lambda row: row.appeal.text, style="start why"),
    Column("stop", "stopped by", "", lambda row: row.stop, style="start why"),
    Column("answers", "answers", "", lambda row: row.line.work.answers + row.line.work.void),
    Column("controls", "controls right", "", lambda row: row.line.right),
    Column("pace", "s / item", "", lambda row: row.line.pace, lambda pace: f"{pace:.1f}" if pace else ""),
    Column("owed", "owed, {currency}", "", lambda row: row.line.work.pay + row.line.bonus, money),
)


def draw_workers(name: str, lines: list[WorkerLine], owed: Payments, unpaid: Sequence[str] = ()) -> Markup:
    """Return the table of a study's workers with what they are owed; `unpaid` are not yet marked as paid."""
    address = f"/manage-files/{quote(name, safe='')}/payments"
    table = Table("Workers, those whom a rule has found first", WORKER_COLUMNS, lines)
    seen = {"titles": TITLES, "no_price": f"Not known: {NO_PRICE}", "address": address, "rising": RISING}
    return rendered("workers.html", table=table, **seen, owed=owed, unpaid=len(unpaid))


def draw_record(task: Task, record: WorkerRecord, currency: str) -> Markup:
    """Return the page of one worker: figures, what was done, the last answers."""
    worker = record.line.work.name
    text = replace(ANSWERS[0], value=lambda answer: item_text(task, answer.fields), style="start why")
    table = Table(f"Answers of {worker}, the newest first", (text, *ANSWERS[1:]), record.answers)
    events = draw_events([*record.events])
    seen = {"record": record, "worker": worker, "most": MOST_ANSWERS, "events": events, "currency": currency}
    return rendered("worker.html", table=table, titles=TITLES, **seen)


def draw_appeals(
    appeals: Sequence[Appeal],
    lines: Sequence[WorkerLine],
    stops: Sequence[Event],
    currency: str,
    missed: Mapping[str, Sequence[WorkerAnswer]] = {},
) -> Markup:
    """Return what workers wrote who were stopped, each with the worker's record and the latest of `stops` beside it.

    `missed` has the wrong practice answers of who failed the training.
    """
    known, why = {line.work.name: line for line in lines}, {stop.worker: stop for stop in reversed(stops)}
    columns = [column.called(currency=currency) for column in APPEALS]
    rows = [
        AppealLine(appeal, known[appeal.worker], why.get(appeal.worker), missed.get(appeal.worker, ()))
        for appeal in appeals
    ]
    table = Table("Appeals, those that wait for an answer first", columns, rows)
    return rendered("appeals.html", table=table, titles=TITLES)


def draw_events(events: list[Event], *, narrowed: bool = False) -> Markup:
    """Return the list of events; `narrowed`: only some of them were asked for."""
    table = Table("Events, the newest first", PAGE_EVENTS, events)
    return rendered("events.html", table=table, narrowed=narrowed, changes=change_rows)


WORKERS = "workers"
EXCLUDE, RESTORE, RESUME = "Exclude", "Restore", "Resume"
DONE = {EXCLUDE: "is excluded", RESTORE: "is back", RESUME: "may go on"}
"""What the buttons say, and what is true of a worker once one was pressed."""
KEEP, ERASE = "keep", "erase"
FORGETTING = (
    "Use this when a person asks to be forgotten. It erases their pseudonym, invitation data, messages and notes about "
    "them. With an invitation they start anew. Pay what you owe first, because you cannot undo this. "
    "Erase downloaded files yourself."
)
CHOICES = [("Keep the answers under a new pseudonym", KEEP), ("Erase the answers too", ERASE)]


class WorkersTab:
    """The tab over the study that `study` holds, filled when it is opened; each act is one call of the oversight."""

    def __init__(self, requesters: RequesterService, study: gr.State) -> None:
        self.oversight = requesters.oversight
        with gr.Tab("Workers", id=WORKERS) as self.tab:
            self.back = gr.Button("← All workers", scale=0, visible=False, elem_classes="back")
            self.table = gr.HTML(js_on_load=PICK, apply_default_css=False)
            with gr.Row(elem_classes="judge"):
                self.worker = gr.Dropdown([], label="Worker", info="Or press a name above", filterable=True)
                self.reason = gr.Textbox(label="Reason", info="Kept with the event", max_length=LONGEST_REASON, scale=2)
                self.resume = gr.Button(RESUME, scale=0, visible=False)
                self.exclude = gr.Button(EXCLUDE, scale=0, interactive=False)
            self.answers = gr.HTML(js_on_load=WORKER_ADDRESS, apply_default_css=False)
            appeals = AppealsTab(requesters, study)
            with gr.Accordion("Forget the worker chosen above", open=False):
                gr.Markdown(FORGETTING)
                with gr.Row(elem_classes="judge"):
                    kept = gr.Radio(CHOICES, value=KEEP, label="Answers")
                    self.confirmed = gr.Textbox(label="The worker's name", info="Type it to confirm", max_length=200)
                    forget = gr.Button("Forget for good", variant="stop", scale=0)
        filled = [self.table, self.back, self.worker, self.resume, self.exclude, self.answers]
        self.tab.select(self.show, [study, self.worker], filled, **AT_ONCE)
        self.tab.select(appeals.show, study, appeals.filled, **AT_ONCE)
        self.back.click(lambda study: self.show(study, None), study, filled, **QUIETLY)
        self.table.pick(self.pick, study, filled, **QUIETLY)
        self.table.paid(self.mark_paid, study, filled, trigger_mode="once", **QUIETLY)
        self.worker.input(self.show, [study, self.worker], filled, **AT_ONCE)
        for button in (self.resume, self.exclude):
            acting = [study, self.worker, self.reason, button]
            button.click(self.act, acting, [*filled, self.reason], trigger_mode="once", **QUIETLY)
        sent = [study, self.worker, kept, self.confirmed]
        forget.click(self.forget, sent, [*filled, self.confirmed], trigger_mode="once", **QUIETLY)

    @in_study
    def show(self, study: str, chosen: str | None) -> Updates:
        """Show the workers, or the page of the one that is chosen."""
        oversight, asked = self.oversight, self.oversight.study(study)
        lines = oversight.workers(study)
        enrolled = {line.work.name: line.work.status for line in lines if line.work.status != "imported"}
        worker = chosen if chosen in enrolled else None
        status = enrolled[worker] if worker else ""
        table = draw_workers(study, lines, oversight.payments(study), oversight.read(study, unpaid))
        record = draw_record(asked.task, oversight.record(study, worker), asked.settings.currency) if worker else ""
        return {
            self.table: gr.update(value=str(table), visible=not worker),
            self.back: gr.update(visible=bool(worker)),
            self.worker: gr.update(choices=[*enrolled], value=worker),
            self.resume: gr.update(visible=status == "paused"),
            self.exclude: gr.update(value=RESTORE if status == "excluded" else EXCLUDE, interactive=bool(worker)),
            self.answers: str(record),
        }

    @in_study
    def pick(self, study: str, event: gr.EventData) -> Updates:
        """Show the page of the worker that was pressed."""
        return self.show(study, str(event_data(event).get("worker")))

    @in_study
    def act(self, study: str, worker: str | None, reason: str, word: str, request: gr.Request) -> Updates:
        """Exclude the chosen worker, or take the worker back: what the button said, whatever others did meanwhile."""
        if not worker or word not in DONE:
            return UNCHANGED
        do = self.oversight.exclude if word == EXCLUDE else self.oversight.restore
        changed = do(study, worker, who=str(request.username), reason=reason)
        gr.Success(escaped(f"{worker} {DONE[word]}{'' if changed else ' already'}."))
        return self.show(study, worker) | {self.reason: ""}

    @in_study
    def mark_paid(self, study: str, event: gr.EventData, request: gr.Request) -> Updates:
        """Mark as paid what the page said is owed, unless it is another amount by now."""
        owed = self.oversight.payments(study)
        if event_data(event).get("total") == owed.total:
            marked = self.oversight.mark_paid(study, owed.totals, who=str(request.username))
            gr.Success(f"{counted(marked, 'worker')} marked as paid.")
        else:
            gr.Warning("The amount owed has changed, so nothing was marked. Download the payments again.")
        return self.show(study, None)

    @in_study
    def forget(self, study: str, chosen: str | None, answers: str, typed: str, request: gr.Request) -> Updates:
        """Erase what identifies the chosen worker, whose name was typed again."""
        if not chosen or typed.strip() != chosen:
            raise gr.Error("Choose a worker above and type the same name here.", print_exception=False)
        done = self.oversight.forget(study, chosen, keep_answers=answers == KEEP, who=str(request.username))
        became = f"the answers stay as those of {done.pseudonym}" if done.answers_kept else "the answers are erased"
        gr.Success(escaped(f"{chosen} is forgotten, {became}."))
        if done.to_do:
            gr.Warning(escaped(done.to_do))
        return self.show(study, None) | {self.confirmed: ""}


class AppealsTab:
    """What workers wrote who were stopped, filled when its tab is opened, and what happens there."""

    def __init__(self, requesters: RequesterService, study: gr.State) -> None:
        self.requesters = requesters
        with gr.Accordion("Appeals", open=False, visible=False, elem_classes="fold") as self.fold:
            self.table = gr.HTML(js_on_load=PICK, apply_default_css=False)
            with gr.Row(elem_classes="judge"):
                self.worker = gr.Dropdown([], label="Answer to", info="Or press a name above", filterable=True)
                self.reply = gr.Textbox(
                    label="Answer", info="The worker reads it", max_length=LONGEST_REPLY, lines=2, scale=2
                )
                self.restore = gr.Checkbox(False, label="Let the worker go on", info="The answers count again", scale=1)
                send = gr.Button("Send the answer", scale=0)
        self.filled = [self.table, self.worker, self.reply, self.restore, self.fold]
        """All that `show` fills."""
        self.table.pick(self.pick, None, self.worker, **QUIETLY)
        sent = [study, self.worker, self.reply, self.restore]
        send.click(self.answer, sent, self.filled, trigger_mode="once", **QUIETLY)

    @in_study
    def show(self, study: str) -> Updates:
        """Show the appeals of the study in sight; the one that has waited longest is to be answered."""
        oversight, written = self.requesters.oversight, self.requesters.oversight.appeals(study)
        lines, stops = oversight.workers(study), oversight.events(study, kinds=["excluded", "on_hold"])
        waiting = [appeal.worker for appeal in reversed(written) if appeal.open]
        wrote = {appeal.worker for appeal in written}
        missed = oversight.missed(study, [line for line in lines if line.work.name in wrote])
        currency = oversight.study(study).settings.currency
        return {
            self.table: str(draw_appeals(written, lines, stops, currency, missed)),
            self.worker: gr.update(choices=waiting, value=next(iter(waiting), None)),
            self.reply: "",
            self.restore: False,
            self.fold: gr.update(visible=bool(written), open=bool(written)),
        }

    def pick(self, event: gr.EventData) -> Any:
        """Choose the worker that was pressed."""
        return gr.update(value=str(event_data(event).get("worker")))

    @in_study
    def answer(self, study: str, worker: str | None, reply: str, restore: bool, request: gr.Request) -> Updates:
        """Send the answer, and take the worker back where that was said."""
        if not worker:
            return UNCHANGED
        done = self.requesters.oversight.answer_appeal(study, worker, reply, who=str(request.username), restore=restore)
        back = " and may go on" if restore else ""
        gr.Success(escaped(f"{worker} is answered{back}." if done else f"{worker} was answered already."))
        return self.show(study)
