"""The page of studies: the list with its progress, one study with its invitation, the form of a new one."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import gradio as gr

from annotate.invitations import PLATFORM_IDS
from annotate.pages.manage.items_tab import items_asked
from annotate.pages.manage.study_drawing import (
    ACTS,
    ADDRESS,
    COPY,
    GO,
    WATCHING,
    draw_invitation,
    draw_leaks,
    draw_links,
    draw_live,
    draw_studies,
    draw_study,
    draw_waits,
    rendered,
)
from annotate.pages.manage.study_form import StudyForm, draft_of, follow
from annotate.pages.manage.study_preview import build_study_preview
from annotate.pages.manage.study_tabs import IN_ADDRESS, OVERVIEW, TABS, build_events, build_tabs
from annotate.requesters.requester_service import RequesterService
from annotate.requesters.study_card import StudyCard, leaks_of
from annotate.requesters.study_changes import Pilot
from annotate.requesters.study_creation import Draft
from data.drawing.gradio_events import (
    AT_ONCE,
    QUIETLY,
    UNCHANGED,
    Updates,
    errors_shown,
    escaped,
    event_data,
    in_study,
)
from data.drawing.page_header import draw_masthead
from data.errors import EtalonError, UnknownName
from db.statuses import StudyStatus

Step = str | StudyCard | EtalonError


def creation_progress(requesters: RequesterService, draft: Callable[[], Draft]) -> Iterator[Step]:
    """Yield a sentence once in a while, and in the end the new study, or the error that kept it from being made.

    It is made in a thread of its own, as who asks: a page that is left meanwhile does not end it half way.
    """
    said: SimpleQueue[Step] = SimpleQueue()

    def work() -> None:
        try:
            said.put(requesters.create(replace(draft(), opens=False), said.put))
        except EtalonError as error:
            said.put(error)

    thread = Thread(target=copy_context().run, args=(work,), daemon=True)
    thread.start()
    while True:
        try:
            step = said.get(timeout=1.0)
        except Empty:
            if thread.is_alive() or not said.empty():
                continue
            raise RuntimeError("a study could not be made; the server's log says why") from None
        yield step
        if not isinstance(step, str):
            return


SHOWN = 20
WHY = (
    "A personal link is for one person, who can use it on every device. Nobody can take part twice or "
    "as somebody else. For people from a platform, enter their IDs to get signed links. Switch on “Require signed "
    "platform IDs” under Settings to refuse other IDs. Etalon stores "
    "only a digest of names and IDs, so save the file."
)
KINDS = [("a personal link", ""), *((f"a signed link with {name}", name) for name in PLATFORM_IDS)]


def build_links(requesters: RequesterService, name: gr.State) -> None:
    """Build the form over the study that `name` holds."""
    with gr.Accordion("Personal and signed links", open=False, elem_classes="rules links-form"):
        gr.HTML(f'<div class="look report"><p class="hint">{WHY}</p></div>', apply_default_css=False)
        people = gr.Textbox(label="Names or platform IDs, one per line", lines=4, max_length=1_000_000)
        kind = gr.Dropdown(KINDS, value="", label="Kind of link", elem_classes="narrow")
        make = gr.Button("Make the links", elem_classes="narrow")
        links = gr.HTML(apply_default_css=False)

    @errors_shown
    def made(study: str | None, named: str, parameter: str) -> str:
        if study is None:
            return ""
        return str(draw_links(study, requesters.links(study, named or "", parameter or ""), SHOWN, parameter or ""))

    name.change(lambda: ("", ""), None, [people, links], **AT_ONCE)
    make.click(made, [name, people, kind], links, trigger_mode="once", **QUIETLY)


DELETING = "Type it to delete the study with its items. Nobody has answered it yet"
PILOT = Pilot()
EVERY = 5  # seconds between two looks at the progress
# What its two buttons say.
PAUSE, CLOSE, END, BEGIN, OPEN = "Pause", "Close", "Close the study", "Open the study", "Open again"
BECOMES: dict[str, StudyStatus] = {PAUSE: "paused", CLOSE: "closed", END: "closed", BEGIN: "open", OPEN: "open"}
ARCHIVE, UNARCHIVE = "Archive", "Take out of the archive"


def build_page(requesters: RequesterService) -> gr.Blocks:
    """Return the page, empty until it is loaded."""
    page: gr.Blocks = gr.Blocks(title="Studies · Etalon", analytics_enabled=False, fill_width=True)
    with page:
        StudiesHandlers(requesters, page)
    return page


class StudyPanel:
    """The components of one study's panel, empty; `name` holds which study is in sight.

    `address` is there even while the panel is not.
    """

    def __init__(self, requesters: RequesterService, address: gr.HTML) -> None:
        self.address = address
        self.back = gr.Button("← All studies", scale=0, elem_classes="back")
        self.title = gr.HTML("", js_on_load=ACTS, apply_default_css=False)
        self.name = gr.State(None)
        with gr.Tabs(selected=OVERVIEW, elem_classes="people-tabs") as self.tabs:
            with gr.Tab("Overview", id=OVERVIEW) as overview:
                self._build_overview(requesters)
            overview.select(None, None, None, js=IN_ADDRESS.format(OVERVIEW))
            self.downloads, self.worker, self.seen = build_tabs(requesters, self.name, self.tabs)
        drawn = [self.title, self.waits, self.facts, self.link, self.downloads]
        acts = [self.pause, self.switch, self.archive, self.trying, self.new_name, self.rename, self.deleting]
        self.outputs: list[Any] = [self.name, address, self.tabs, self.worker, self.seen, *drawn, *acts]
        """The components that `panel_of` fills."""

    def _build_overview(self, requesters: RequesterService) -> None:
        """Build what is done with a study as a whole."""
        self.waits = gr.HTML("", js_on_load=GO, apply_default_css=False)
        with gr.Row(elem_classes="invite"):
            self.link = gr.HTML(js_on_load=COPY, apply_default_css=False)
            self.pause = gr.Button(PAUSE, scale=0)
            self.switch = gr.Button(END, scale=0)
            self.archive = gr.Button(ARCHIVE, scale=0)
        with gr.Row(elem_classes="judge", visible=False) as self.trying:
            about = "Few people answer first. What they answer is kept apart"
            self.pilot_items = gr.Number(PILOT.items, label="Items of the pilot", info=about, precision=0, minimum=1)
            self.pilot_people = gr.Number(PILOT.people, label="People", info="Each answers all", precision=0, minimum=1)
            self.pilot = gr.Button("Start a pilot", scale=0)
        build_links(requesters, self.name)
        self.facts, self.leaks, self.live = (gr.HTML("", apply_default_css=False) for _ in range(3))
        build_study_preview(requesters.database, self.name)
        build_events(requesters.oversight, self.name)
        with gr.Accordion("Rename, duplicate, delete", open=False, elem_classes="fold"):
            with gr.Row(elem_classes="judge"):
                about = "A duplicate is a draft with the same items and settings"
                self.new_name = gr.Textbox(label="New name", info=about, max_length=80)
                self.rename = gr.Button("Rename", scale=0)
                self.copy = gr.Button("Duplicate", scale=0)
            with gr.Row(elem_classes="judge", visible=False) as self.deleting:
                self.typed = gr.Textbox(label="The study's name", info=DELETING, max_length=80)
                self.delete = gr.Button("Delete for good", variant="stop", scale=0)


class StudiesHandlers:
    """What is on the page, and what happens there: one call of the service each, which returns what changes."""

    def __init__(self, requesters: RequesterService, page: gr.Blocks) -> None:
        self.requesters = requesters
        gr.HTML(str(draw_masthead("Studies")), apply_default_css=False)
        address = gr.HTML("", js_on_load=ADDRESS, apply_default_css=False, elem_classes="nowhere")
        with gr.Column(elem_classes="requester-page") as study_list:
            with gr.Row(elem_classes="heading"):
                gr.HTML('<div class="look report"><h1>Studies</h1></div>', apply_default_css=False)
                new = gr.Button("New study", variant="primary", scale=0)
            self.find = gr.Textbox(
                label="Search", info="Name, task or state; “archived” shows what is in the archive", max_length=80
            )
            self.studies = gr.HTML(js_on_load=ACTS, apply_default_css=False)
        # Gradio looks for each input from the top of the page: the form, which sends the most of them, comes first.
        with gr.Column(elem_classes=["requester-page", "in-steps"], visible=False) as creating:
            self.form = form = StudyForm()
        with gr.Column(elem_classes="requester-page", visible=False) as opened:
            self.panel = panel = StudyPanel(requesters, address)
        self.timer, self.views = gr.Timer(EVERY), {"list": study_list, "study": opened, "form": creating}
        find, studies, timer = self.find, self.studies, self.timer
        seen = [*self.views.values(), find, studies, *panel.outputs]

        page.load(self.arrive, None, seen, **QUIETLY)
        gr.on([panel.back.click, form.cancel.click], self.home, find, seen, **QUIETLY)
        find.input(self.list_for, find, studies, trigger_mode="always_last", **AT_ONCE)
        new.click(lambda: self.view("form"), None, list(self.views.values()), **AT_ONCE)
        follow(form, new.click)
        form.create.click(self.create, form.inputs, [form.creation, *seen], trigger_mode="once", **QUIETLY)
        sent = [panel.name, panel.typed, find]
        panel.delete.click(self.delete, sent, [*seen, panel.typed], trigger_mode="once", **QUIETLY)
        for part in (panel.title, studies):
            part.pick(self.pick, None, seen, **QUIETLY)
        for button in (panel.switch, panel.pause, panel.archive):
            button.click(
                self.change, [panel.name, button], [*panel.outputs, panel.live], trigger_mode="once", **QUIETLY
            )
        panel.name.change(self.live, panel.name, panel.live, **AT_ONCE)
        panel.waits.admit(self.admit, panel.name, [panel.waits, panel.live], trigger_mode="once", **QUIETLY)
        panel.waits.go(self.go, None, panel.tabs, **AT_ONCE)
        tried = [panel.name, panel.pilot_items, panel.pilot_people]
        panel.pilot.click(self.pilot, tried, seen, trigger_mode="once", **QUIETLY)
        panel.rename.click(self.rename, [panel.name, panel.new_name], seen, trigger_mode="once", **QUIETLY)
        panel.copy.click(self.copy, [panel.name, panel.new_name], seen, trigger_mode="once", **QUIETLY)
        panel.name.change(self.leaks, panel.name, panel.leaks, **AT_ONCE)
        moving = {studies, panel.title, panel.waits, panel.facts, panel.live}
        timer.tick(self.tick, {panel.name, find, *moving}, [timer, *moving], **AT_ONCE)
        watching = gr.HTML(js_on_load=WATCHING, apply_default_css=False, elem_classes="nowhere")
        begins = [panel.name.change, panel.switch.click, panel.pause.click]
        gr.on(begins, lambda: gr.Timer(active=True), None, timer, **AT_ONCE)
        watching.back(lambda: gr.Timer(active=True), None, timer, **AT_ONCE)
        watching.left(lambda: gr.Timer(active=False), None, timer, **AT_ONCE)

    def arrive(self, request: gr.Request) -> Updates:
        """Show the study that the address names, or the list."""
        name = request.query_params.get("study")
        try:
            card = self.requesters.study(name) if name else None
        except UnknownName as error:
            gr.Warning(escaped(error))
            card = None
        # The list is in sight from the start; who was quick may have gone on from there.
        shown = self.view("study") | self.panel_of(card, request.query_params.get("tab", OVERVIEW)) if card else {}
        if card:
            worker = request.query_params.get("worker")
            shown[self.panel.worker] = gr.update(choices=[worker] if worker else [], value=worker)
            shown[self.panel.seen] = {card.study.name: items_asked(request.query_params)}
        words = "" if card else request.query_params.get("find", "")
        return {self.find: words, self.studies: self.list_for(words), **shown}

    def list_for(self, words: str) -> str:
        """Return the studies that are found by these words."""
        return str(draw_studies(self.requesters.studies(words), words))

    @errors_shown
    def pick(self, event: gr.EventData) -> Updates:
        """Show the study that was pressed."""
        sent = event_data(event)
        card = self.requesters.study(str(sent.get("study")))
        return self.view("study") | self.panel_of(card, str(sent.get("tab") or OVERVIEW))

    def go(self, event: gr.EventData) -> Any:
        """Show the tab where what waits is done."""
        return gr.update(selected=str(event_data(event).get("tab")))

    @in_study
    def pilot(self, name: str, items: float, people: float) -> Updates:
        """Try the draft in sight in a pilot, and show that."""
        made = self.requesters.changes.pilot(name, Pilot(int(items or 0), int(people or 0)))
        gr.Success(escaped(f"{made.name} is open. Send its link to {made.settings.overlap} people."))
        return self.panel_of(self.requesters.study(made.name))

    @in_study
    def rename(self, name: str, new: str, request: gr.Request) -> Updates:
        """Give the draft in sight another name."""
        self.requesters.changes.rename(name, new.strip(), who=str(request.username))
        return self.panel_of(self.requesters.study(new.strip()))

    @in_study
    def copy(self, name: str, new: str) -> Updates:
        """Make a draft like the study in sight, and show that."""
        made = self.requesters.changes.duplicate(name, new.strip())
        gr.Success(escaped(f"{made.name} is a draft with the items and settings of {name}."))
        return self.panel_of(self.requesters.study(made.name))

    def home(self, words: str) -> Updates:
        """Show the list."""
        return {
            **self.view("list"),
            self.studies: self.list_for(words),
            self.panel.name: None,
            self.panel.address: "",
            self.panel.tabs: gr.update(selected=OVERVIEW),
        }

    def create(self, values: dict[Any, Any]) -> Iterator[Updates]:
        """Create the study that the form describes, tell how far it is, and show it."""
        form = self.form
        for step in creation_progress(self.requesters, lambda: draft_of(form.by_name(values))):
            if isinstance(step, str):
                yield {form.creation: str(rendered("creation.html", sentence=step))}
            elif isinstance(step, StudyCard):
                gr.Success(escaped(f"{step.study.name} is a draft. Look it through, try it in a pilot, then open it."))
                yield {form.creation: "", **self.view("study"), **self.panel_of(step)}
            else:
                yield {form.creation: ""}
                raise gr.Error(escaped(step), print_exception=False) from step

    @errors_shown
    def change(self, name: str | None, word: str, request: gr.Request) -> Updates:
        """Pause, close or open a study: what the button said, whatever another manager did meanwhile."""
        if name is None or word not in (*BECOMES, ARCHIVE, UNARCHIVE):
            return UNCHANGED
        who = str(request.username)
        if word in BECOMES:
            card = self.requesters.set_status(name, BECOMES[word], who=who)
        else:
            card = self.requesters.archive(name, archived=word == ARCHIVE, who=who)
        return self.panel_of(card) | {self.panel.live: self.live(name)}

    @in_study
    def delete(self, name: str, typed: str, words: str) -> Updates:
        """Take away the study in sight, whose name was typed again, and show the list."""
        if typed.strip() != name:
            raise gr.Error("Type the name of the study to delete it.", print_exception=False)
        self.requesters.delete(name)
        gr.Success(escaped(f"{name} is deleted."))
        return self.home(words) | {self.panel.typed: ""}

    def live(self, name: str | None) -> Any:
        """Show how the study in sight is going."""
        return drawn_of(name, lambda of: draw_live(self.requesters.live(self.requesters.study(of))))

    @in_study
    def admit(self, name: str, request: gr.Request) -> Any:
        """Let more people into the study in sight than their addresses may send."""
        self.requesters.oversight.let_in(name, who=str(request.username))
        return {
            self.panel.waits: str(draw_waits(self.requesters.study(name))),
            self.panel.live: self.live(name),
        }

    def leaks(self, name: str | None) -> Any:
        """Show what the study in sight may have told its workers."""
        return drawn_of(name, lambda of: draw_leaks(leaks_of(self.requesters.database, of)))

    def tick(self, values: dict[Any, Any]) -> Updates:
        """Show how far everything is by now, where that is different; look no more where nothing can change."""
        panel, name = self.panel, values[self.panel.name]
        if name is None:
            cards = self.requesters.studies(values[self.find])
            updates = {self.studies: str(draw_studies(cards, values[self.find]))}
        else:
            try:
                cards = [self.requesters.study(name)]
            except UnknownName as error:  # somebody has deleted it meanwhile
                gr.Warning(escaped(error))
                return {self.timer: gr.Timer(active=False)}
            updates = {
                panel.title: str(rendered("title.html", card=cards[0])),
                panel.waits: str(draw_waits(cards[0])),
                panel.facts: str(draw_study(cards[0])),
                panel.live: str(draw_live(self.requesters.live(cards[0]))),
            }
        new = {part: now for part, now in updates.items() if now != values[part]}
        return {self.timer: gr.skip() if any(map(is_live, cards)) else gr.Timer(active=False), **new}

    def panel_of(self, card: StudyCard, tab: str = "") -> Updates:
        """Return what the panel shows of a study, in another `tab` where one is named."""
        panel, is_open, draft = self.panel, card.study.status == "open", card.study.status == "draft"
        return {
            panel.name: card.study.name,
            panel.address: str(rendered("address.html", name=card.study.name)),
            panel.tabs: gr.update(selected=tab) if tab in TABS else gr.skip(),
            panel.worker: None,
            panel.seen: {},
            panel.title: str(rendered("title.html", card=card)),
            panel.waits: str(draw_waits(card)),
            panel.facts: str(draw_study(card)),
            panel.link: str(draw_invitation(card, self.requesters.invitation(card))),
            panel.pause: gr.update(value=PAUSE if is_open else CLOSE, visible=card.study.status in ("open", "paused")),
            panel.switch: gr.update(value=END if is_open else BEGIN if draft else OPEN),
            panel.archive: UNARCHIVE if card.study.archived else ARCHIVE,
            panel.downloads: str(rendered("downloads.html", name=card.study.name)),
            panel.trying: gr.update(visible=draft),
            panel.new_name: "",
            panel.rename: gr.update(visible=draft),
            panel.deleting: gr.update(visible=not card.turnout.workers),
        }

    def view(self, which: str) -> Updates:
        """Return the visibility of the three views, of which one is in sight."""
        return {column: gr.update(visible=name == which) for name, column in self.views.items()}


def drawn_of(name: str | None, draw: Callable[[str], object]) -> str:
    """Return a drawing of the study in sight, "" where there is none or it was deleted in that moment."""
    with suppress(UnknownName):
        return str(draw(name)) if name else ""
    return ""


def is_live(card: StudyCard) -> bool:
    """Return whether the numbers of a study can still change by themselves."""
    return card.study.status == "open" and (card.coverage.filled < card.coverage.target or card.turnout.active > 0)
