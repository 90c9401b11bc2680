"""The tabs about the items of one study: the table with its filters, the reports, and the item before an expert."""

from dataclasses import dataclass
from typing import Any, TypeGuard

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, UNCHANGED, Updates, event_data, in_study
from annotate.pages.manage.items_drawing import DECIDE_SCRIPT, ITEMS_SCRIPT, draw_case, draw_items, draw_reports
from annotate.requesters.requester_service import RequesterService
from data.errors import BadSetting

DECIDE = "decide"
NOWHERE: dict[str, Any] = {"study": "", "keys": [], "place": 0, "show": "undecided"}


@dataclass(frozen=True)
class ItemTabs:
    """What happens in the tabs; `at` holds where the expert is: study, keys of the queue, the place among them."""

    requesters: RequesterService
    tabs: gr.Tabs
    case: gr.HTML
    at: gr.State

    @in_study
    def table(self, name: str) -> Any:
        """Show the first items."""
        return self._table(name, "all", 0)

    @in_study
    def look(self, name: str, event: gr.EventData) -> Any:
        """Show the items under another filter, or another page of them."""
        sent = event_data(event)
        return self._table(name, str(sent.get("show")), number(sent.get("page")))

    @in_study
    def reports(self, name: str) -> Any:
        """Show the reports."""
        return str(draw_reports(self.requesters.oversight.reports(name)))

    @in_study
    def begin(self, name: str, at: dict[str, Any] | None, request: gr.Request) -> Updates:
        """Show the first item that waits for a decision; who has begun already goes on where it was."""
        if here(at, name) and at["keys"]:
            return UNCHANGED
        return self._at(name, NOWHERE | {"study": name, "keys": self.requesters.adjudication.queue(name)}, request)

    @in_study
    def open(self, name: str, event: gr.EventData, request: gr.Request) -> Updates:
        """Show the item that was pressed, before an expert; what waits for a decision comes after it."""
        key = number(event_data(event).get("item"))
        rest = [line for line in self.requesters.adjudication.queue(name) if line != key]
        at = self._at(name, NOWHERE | {"study": name, "keys": [key, *rest]}, request)
        return {self.tabs: gr.update(selected=DECIDE), **at}

    @in_study
    def walk(self, name: str, at: dict[str, Any] | None, event: gr.EventData, request: gr.Request) -> Updates:
        """Go to the place in the queue that was asked for."""
        if not here(at, name):
            return UNCHANGED
        place = number(event_data(event).get("place"))
        return self._at(name, at | {"place": min(place, max(0, len(at["keys"]) - 1))}, request)

    @in_study
    def decide(self, name: str, at: dict[str, Any] | None, event: gr.EventData, request: gr.Request) -> Any:
        """Store what the expert decided and show the item with the votes."""
        if not here(at, name):
            return gr.skip()
        sent = event_data(event)
        key, who = number(sent.get("item")), str(request.username)
        if not at["keys"] or at["keys"][at["place"]] != key:
            raise BadSetting("Another item is open now; open this one again.")
        note = str(sent.get("note") or "")
        case = self.requesters.adjudication.decide(name, key, who=who, value=sent.get("value"), note=note)
        blind = case.decisions[-1].blind
        gr.Success("Now you see the votes. Confirm, change, or go on." if blind else "The decision counts from now on.")
        return str(draw_case(case, place=at["place"], number=len(at["keys"])))

    def _at(self, name: str, at: dict[str, Any], request: gr.Request) -> Updates:
        keys = at["keys"]
        if not keys:
            return {self.at: at, self.case: str(draw_case(None, show=at["show"]))}
        case = self.requesters.adjudication.case(name, keys[at["place"]], who=str(request.username))
        return {self.at: at, self.case: str(draw_case(case, place=at["place"], number=len(keys)))}

    def _table(self, name: str, show: str, page: int) -> str:
        language = self.requesters.oversight.study(name).settings.language
        return str(draw_items(self.requesters.oversight.items(name, show=show, page=page), language))


def build_items(requesters: RequesterService, tabs: gr.Tabs, name: gr.State, at: gr.State) -> None:
    """Build the three tabs over the study that `name` holds, within its `tabs`, where nothing but tabs may be made."""
    with gr.Tab("Items") as items_tab:
        items = gr.HTML(js_on_load=ITEMS_SCRIPT, apply_default_css=False)
    with gr.Tab("Decide", id=DECIDE) as decide_tab:
        case = gr.HTML(js_on_load=DECIDE_SCRIPT, apply_default_css=False)
    with gr.Tab("Reports") as reports_tab:
        reports = gr.HTML(js_on_load=ITEMS_SCRIPT, apply_default_css=False)
    handlers, where = ItemTabs(requesters, tabs, case, at), [name, at]
    items_tab.select(handlers.table, name, items, **QUIETLY)
    reports_tab.select(handlers.reports, name, reports, **QUIETLY)
    decide_tab.select(handlers.begin, where, [at, case], **QUIETLY)
    items.look(handlers.look, name, items, **QUIETLY)
    for drawing in (items, reports):
        drawing.open(handlers.open, name, [tabs, at, case], **QUIETLY)
    # A drawing comes before its request has ended; a press that says where it leads may not be lost in between.
    case.walk(handlers.walk, where, [at, case], trigger_mode="multiple", **QUIETLY)
    case.decide(handlers.decide, where, case, trigger_mode="once", **QUIETLY)


def here(at: dict[str, Any] | None, name: str) -> TypeGuard[dict[str, Any]]:
    """Return whether a place in a queue belongs to the study in sight, and not to the one before."""
    return at is not None and at["study"] == name


def number(value: object) -> int:
    """Return a whole number from 0 on that a browser sent, 0 for anything else."""
    shown = str(value)
    return int(shown) if shown.isascii() and shown.isdecimal() and len(shown) < 16 else 0
