"""The tabs about the items of one study: the table with its filters, the reports, and the item before an expert."""

from dataclasses import dataclass
from typing import Any, TypeGuard

import gradio as gr

from annotate.pages.manage.gradio_events import QUIETLY, errors_shown, escaped
from annotate.pages.manage.items_drawing import DECIDE_SCRIPT, ITEMS_SCRIPT, draw_case, draw_items, draw_reports
from annotate.requesters.requester_service import RequesterService
from data.errors import BadSetting

DECIDE = "decide"
NOWHERE: dict[str, Any] = {"study": "", "keys": [], "place": 0, "show": "undecided"}


@dataclass(frozen=True)
class ItemTabs:
    """The tabs and what is in them; `at` holds where the expert is: study, keys of the queue, the place among them."""

    items_tab: gr.Tab
    decide_tab: gr.Tab
    reports_tab: gr.Tab
    items: gr.HTML
    case: gr.HTML
    reports: gr.HTML
    at: gr.State


def build_items(at: gr.State) -> ItemTabs:
    """Return the three tabs, empty; to be called within the study's tabs, where nothing but tabs may be made."""
    with gr.Tab("Items") as items_tab:
        items = gr.HTML(js_on_load=ITEMS_SCRIPT, apply_default_css=False)
    with gr.Tab("Decide", id=DECIDE) as decide_tab:
        case = gr.HTML(js_on_load=DECIDE_SCRIPT, apply_default_css=False)
    with gr.Tab("Reports") as reports_tab:
        reports = gr.HTML(js_on_load=ITEMS_SCRIPT, apply_default_css=False)
    return ItemTabs(items_tab, decide_tab, reports_tab, items, case, reports, at)


def follow_items(seen: ItemTabs, tabs: gr.Tabs, requesters: RequesterService, name: gr.State) -> None:
    """Let the tabs do what their buttons say, over the study that `name` holds."""
    at = Items(requesters)
    where = [name, seen.at]
    seen.items_tab.select(at.table, name, seen.items, **QUIETLY)
    seen.reports_tab.select(at.reports, name, seen.reports, **QUIETLY)
    seen.decide_tab.select(at.begin, where, [seen.at, seen.case], **QUIETLY)
    seen.items.look(at.look, name, seen.items, **QUIETLY)
    for drawing in (seen.items, seen.reports):
        drawing.open(at.open, name, [tabs, seen.at, seen.case], **QUIETLY)
    # A drawing comes before its request has ended; a press that says where it leads may not be lost in between.
    seen.case.walk(at.walk, where, [seen.at, seen.case], trigger_mode="multiple", **QUIETLY)
    seen.case.decide(at.decide, where, seen.case, trigger_mode="once", **QUIETLY)


@dataclass(frozen=True)
class Items:
    """What happens in the tabs."""

    requesters: RequesterService

    @errors_shown
    def table(self, name: str | None) -> Any:
        """Show the first items."""
        return gr.skip() if name is None else self._table(name, "all", 0)

    @errors_shown
    def look(self, name: str | None, event: gr.EventData) -> Any:
        """Show the items under another filter, or another page of them."""
        asked = event_data(event)
        return gr.skip() if name is None else self._table(name, str(asked.get("show")), number(asked.get("page")))

    @errors_shown
    def reports(self, name: str | None) -> Any:
        """Show the reports."""
        return gr.skip() if name is None else str(draw_reports(self.requesters.oversight.reports(name)))

    @errors_shown
    def begin(self, name: str | None, at: dict[str, Any] | None, request: gr.Request) -> tuple[Any, Any]:
        """Show the first item that waits for a decision; who has begun already goes on where it was."""
        if name is None or (here(at, name) and at["keys"]):
            return gr.skip(), gr.skip()
        return self._at(name, NOWHERE | {"study": name, "keys": self.requesters.adjudication.queue(name)}, request)

    @errors_shown
    def open(self, name: str | None, event: gr.EventData, request: gr.Request) -> tuple[Any, Any, Any]:
        """Show the item that was pressed, before an expert; what waits for a decision comes after it."""
        if name is None:
            return (gr.skip(),) * 3
        key = number(event_data(event).get("item"))
        rest = [line for line in self.requesters.adjudication.queue(name) if line != key]
        at, html = self._at(name, NOWHERE | {"study": name, "keys": [key, *rest]}, request)
        return gr.update(selected=DECIDE), at, html

    @errors_shown
    def walk(
        self, name: str | None, at: dict[str, Any] | None, event: gr.EventData, request: gr.Request
    ) -> tuple[Any, Any]:
        """Go to the place in the queue that was asked for."""
        if name is None or not here(at, name):
            return gr.skip(), gr.skip()
        place = number(event_data(event).get("place"))
        return self._at(name, at | {"place": min(place, max(0, len(at["keys"]) - 1))}, request)

    @errors_shown
    def decide(self, name: str | None, at: dict[str, Any] | None, event: gr.EventData, request: gr.Request) -> Any:
        """Store what the expert decided and show the item with the votes."""
        if name is None or not here(at, name):
            return gr.skip()
        asked = event_data(event)
        key, who = number(asked.get("item")), str(request.username)
        if not at["keys"] or at["keys"][at["place"]] != key:
            raise BadSetting("This item is not the one in sight any more; open it again.")
        note = str(asked.get("note") or "")
        case = self.requesters.adjudication.decide(name, key, who=who, value=asked.get("value"), note=note)
        last = case.decisions[-1]
        said = "Now you see the votes: confirm, change, or go on." if last.blind else "The decision counts from now on."
        gr.Success(escaped(said))
        return str(draw_case(case, place=at["place"], number=len(at["keys"])))

    def _at(self, name: str, at: dict[str, Any], request: gr.Request) -> tuple[Any, Any]:
        keys = at["keys"]
        if not keys:
            return at, str(draw_case(None, show=at["show"]))
        case = self.requesters.adjudication.case(name, keys[at["place"]], who=str(request.username))
        return at, str(draw_case(case, place=at["place"], number=len(keys)))

    def _table(self, name: str, show: str, page: int) -> str:
        language = self.requesters.oversight.study(name).settings.language
        return str(draw_items(self.requesters.oversight.items(name, show=show, page=page), language))


def here(at: dict[str, Any] | None, name: str) -> TypeGuard[dict[str, Any]]:
    """Return whether a place in a queue belongs to the study in sight, and not to the one before."""
    return at is not None and at["study"] == name


def event_data(event: gr.EventData) -> dict[str, Any]:
    """Return what a press in a drawing says; a browser may send anything."""
    return event._data if isinstance(event._data, dict) else {}


def number(value: object) -> int:
    """Return a whole number from 0 on that a browser sent, 0 for anything else."""
    shown = str(value)
    return int(shown) if shown.isascii() and shown.isdecimal() and len(shown) < 16 else 0
