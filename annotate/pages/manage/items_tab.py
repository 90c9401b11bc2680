"""The tabs about the items of one study: the table with its filters, the reports, and the item before an expert."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeGuard

import gradio as gr
from markupsafe import Markup

from annotate.pages.manage.study_drawing import TEMPLATES, rendered
from annotate.requesters.adjudication import PER_PAGE, Case, ItemLine, ItemsAsked, ItemTable, is_tied, most_first, queue
from annotate.requesters.requester_service import RequesterService
from data.answers.answer_options import Offered
from data.answers.answer_type import AnswerType
from data.drawing.answer_form import draw_form
from data.drawing.gradio_events import AT_ONCE, QUIETLY, UNCHANGED, Updates, event_data, in_study, whole_number
from data.errors import BadSetting
from data.limits import LONGEST_NOTE
from data.numbers import counted
from data.tables import Column, Table, chosen
from data.task import Task
from data.wording import Language, texts
from db.records import REASONS, REPORTS, Report

ITEMS_SCRIPT, DECIDE_SCRIPT = ((TEMPLATES.parent / f"{name}.js").read_text("utf8") for name in ("items", "decide"))
FILTERS = {
    "all": "All",
    "undecided": "To decide",
    "tied": "No majority",
    "disputed": "Split",
    "reported": "Reported",
    "decided": "Decided",
}
SORTS = {"": "As they come", "agreement": "Least agreement first", "-agreement": "Most agreement first"}
MOST_ANSWERS, LONGEST_ANSWER, LONGEST_TEXT = 4, 48, 160


ITEM_COLUMNS: tuple[Column[ItemLine], ...] = (
    Column("item", "item", "", lambda row: row.item.id),
    Column("votes", "votes", "", lambda row: most_first(row.review.votes), style="start wraps"),
    Column("agreement", "agreement", "Share of the leading answer", lambda row: row.review.agreement, "{:.0%}".format),
    Column("judgments", "judgments", "", lambda row: row.filled),
    Column("reports", "reports", "", lambda row: row.review.reports),
    Column("expert", "expert", "", lambda row: row.review.decision, style="start wraps"),
    Column("status", "status", "", lambda row: row.status),
)


def draw_items(seen: ItemTable, language: Language) -> Markup:
    """Return a page of the table of items, answers in the language of the study."""
    asked = seen.task.answer
    labels = asked.choices if isinstance(asked, Offered) and asked.choices else ()  # an item's own options are its own
    answers = {label: answer_words(asked, label, {}, language) for label in labels}

    def words(line: ItemLine, answer: str) -> str:
        fields = line.item.fields
        return _short(answer_words(seen.task.answer_for(fields), answer, fields, language))

    given = {"table": seen, "lines": Table("Items", ITEM_COLUMNS, seen.lines), "filters": FILTERS, "sorts": SORTS}
    shown = {"text": partial(item_text, seen.task), "words": words, "most": MOST_ANSWERS, "answers": answers}
    return rendered("items.html", **given, **shown, is_tied=is_tied)


def draw_reports(reports: list[Report]) -> Markup:
    """Return the list of reports."""
    item, reason, text, worker, at = chosen(REPORTS, "item", "reason", "text", "worker", "reported_at")
    gold = Column[Report](
        "gold", "right answer", "Of practice and controls", lambda one: "" if one.role.endswith("main") else one.gold
    )
    columns = (
        item,
        replace(reason, format=reasons().__getitem__, style="start"),
        replace(text, style="start why"),
        replace(gold, style="start wraps"),
        replace(worker, style="start"),
        replace(at, format="{:%-d %b %Y %H:%M}".format),
    )
    return rendered("reports.html", table=Table("Reports, the newest first", columns, reports))


def draw_case(case: Case | None, *, place: int = 0, number: int = 0) -> Markup:
    """Return an item before an expert, the `place`-th (from 0) of `number`; with nothing to decide, what to do."""
    if case is None:
        return rendered("case.html", case=None)
    asked, fields = case.task.answer_for(case.item.fields), case.item.fields
    given = case.decisions[-1].label if case.decisions else ""
    gold = "" if case.item.gold is None else asked.gold_words(case.item.gold, fields).within(case.language)
    words = partial(answer_words, asked, fields=fields, language=case.language)
    form = draw_form(case.task, case.item.public(), case.language, given=given)
    seen = {"case": case, "place": place, "number": number, "form": form, "words": words, "gold": gold}
    return rendered("case.html", **seen, tied=is_tied(case.votes), reasons=reasons(), longest=LONGEST_NOTE)


def reasons() -> Mapping[str, str]:
    """Return the words for the reasons that workers choose from, by code."""
    words: Mapping[str, str] = texts("en")["skip"]
    return {code: words[code] for code in REASONS}


def answer_words(asked: AnswerType, answer: str, fields: Mapping[str, str], language: Language) -> str:
    """Return a stored answer in words."""
    return asked.words(answer, fields).within(language)


def item_text(task: Task, fields: Mapping[str, str]) -> str:
    """Return an item by its texts, the beginning of long ones."""
    texts = [fields.get(each.name, "") for each in task.fields if each.kind != "hidden"]
    return _short(" · ".join(text[:LONGEST_TEXT] for text in texts if text), LONGEST_TEXT)


def _short(words: str, longest: int = LONGEST_ANSWER) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"


ITEMS, DECIDE = "items", "decide"
LONGEST_FIND = 200
Seen = dict[str, ItemsAsked]
NOWHERE: dict[str, Any] = {"study": "", "keys": [], "place": 0}


class ItemTabs:
    """The two tabs over the study that `name` holds, within its `tabs`, and what happens there.

    `seen` holds which items were asked for, by the study; `at` where the expert is: study, keys of the queue, the
    place among them.
    """

    def __init__(self, requesters: RequesterService, tabs: gr.Tabs, name: gr.State) -> None:
        self.requesters, self.tabs = requesters, tabs
        with gr.Tab("Items", id=ITEMS) as self.items_tab:
            self.items = gr.HTML(js_on_load=ITEMS_SCRIPT, apply_default_css=False)
            self.at, self.seen = gr.State(None), gr.State({})
        with gr.Tab("Decide", id=DECIDE) as self.decide_tab:
            self.case = gr.HTML(js_on_load=DECIDE_SCRIPT, apply_default_css=False)
        where, filled, before_expert = [name, self.at], [self.items, self.seen], [self.at, self.case]
        self.items_tab.select(self.table, [name, self.seen], filled, **AT_ONCE)
        self.decide_tab.select(self.begin, where, before_expert, **AT_ONCE)
        self.items.look(self.look, name, filled, trigger_mode="multiple", **QUIETLY)
        self.items.settle(self.settle, [name, self.seen], filled, trigger_mode="once", **QUIETLY)
        self.items.uphold(self.uphold, [name, self.seen], filled, trigger_mode="once", **QUIETLY)
        self.items.open(self.open, name, [tabs, *before_expert], **QUIETLY)
        # A drawing comes before its request has ended; a press that says where it leads may not be lost in between.
        self.case.walk(self.walk, where, before_expert, trigger_mode="multiple", **QUIETLY)
        self.case.decide(self.decide, where, self.case, trigger_mode="once", **QUIETLY)

    @in_study
    def table(self, name: str, seen: Seen) -> Updates:
        """Show the items as they were last asked for in this study, or in its address."""
        return self._table(name, seen.get(name, ItemsAsked()))

    @in_study
    def look(self, name: str, event: gr.EventData) -> Updates:
        """Show the items under another filter, found by words, in another order, or another page of them."""
        return self._table(name, items_asked(event_data(event)))

    @in_study
    def settle(self, name: str, seen: Seen, event: gr.EventData, request: gr.Request) -> Updates:
        """Store the same decision on the items that were chosen."""
        sent = event_data(event)
        chosen = sent.get("items")
        keys = [whole_number(key) for key in chosen[:PER_PAGE]] if isinstance(chosen, list) else []
        if not keys:
            raise BadSetting("Choose items first.")
        value, note, who = sent.get("value") or None, str(sent.get("note") or ""), str(request.username)
        self.requesters.oversight.decide(name, *keys, who=who, value=value, note=note, votes_seen=True)
        gr.Success(f"{counted(len(keys), 'item')} decided.")
        return self._table(name, seen.get(name, ItemsAsked()))

    @in_study
    def uphold(self, name: str, seen: Seen, event: gr.EventData, request: gr.Request) -> Updates:
        """Uphold the reports on an item, or let it count again."""
        sent = event_data(event)
        broken = sent.get("uphold") == "yes"
        self.requesters.oversight.uphold(name, whole_number(sent.get("of")), who=str(request.username), broken=broken)
        gr.Success("The item counts for nothing now; its reports are paid." if broken else "The item counts again.")
        return self._table(name, seen.get(name, ItemsAsked()))

    @in_study
    def begin(self, name: str, at: dict[str, Any] | None, request: gr.Request) -> Updates:
        """Show the first item that waits for a decision; who has begun already goes on where it was."""
        if here(at, name) and at["keys"]:
            return UNCHANGED
        return self._at(name, NOWHERE | {"study": name, "keys": self.requesters.oversight.read(name, queue)}, request)

    @in_study
    def open(self, name: str, event: gr.EventData, request: gr.Request) -> Updates:
        """Show the item that was pressed, before an expert; what waits for a decision comes after it."""
        key = whole_number(event_data(event).get("item"))
        rest = [line for line in self.requesters.oversight.read(name, queue) if line != key]
        at = self._at(name, NOWHERE | {"study": name, "keys": [key, *rest]}, request)
        return {self.tabs: gr.update(selected=DECIDE), **at}

    @in_study
    def walk(self, name: str, at: dict[str, Any] | None, event: gr.EventData, request: gr.Request) -> Updates:
        """Go to the place in the queue that was asked for."""
        if not here(at, name):
            return UNCHANGED
        place = whole_number(event_data(event).get("place"))
        return self._at(name, at | {"place": min(place, max(0, len(at["keys"]) - 1))}, request)

    @in_study
    def decide(self, name: str, at: dict[str, Any] | None, event: gr.EventData, request: gr.Request) -> Any:
        """Store what the expert decided and show the item with the votes."""
        if not here(at, name):
            return gr.skip()
        sent = event_data(event)
        key, who = whole_number(sent.get("item")), str(request.username)
        if not at["keys"] or at["keys"][at["place"]] != key:
            raise BadSetting("Another item is open now; open this one again.")
        note = str(sent.get("note") or "")
        case = self.requesters.oversight.decide(name, key, who=who, value=sent.get("value"), note=note)
        blind = case.decisions[-1].blind
        gr.Success("Now you see the votes. Confirm, change, or go on." if blind else "The decision counts from now on.")
        return str(draw_case(case, place=at["place"], number=len(at["keys"])))

    def _at(self, name: str, at: dict[str, Any], request: gr.Request) -> Updates:
        keys, place, who = at["keys"], at["place"], str(request.username)
        case = self.requesters.oversight.case(name, keys[place], who=who) if keys else None
        return {self.at: at, self.case: str(draw_case(case, place=place, number=len(keys)))}

    def _table(self, name: str, asked: ItemsAsked) -> Updates:
        oversight = self.requesters.oversight
        drawn = str(draw_items(oversight.items(name, asked), oversight.study(name).settings.language))
        reports = str(draw_reports(oversight.reports(name))) if asked.show == "reported" else ""
        return {self.items: drawn + reports, self.seen: {name: asked}}


def items_asked(given: Mapping[str, Any]) -> ItemsAsked:
    """Return which items an address or a press asks for."""
    show, find, sort = (str(given.get(name) or "")[:LONGEST_FIND] for name in ("show", "find", "sort"))
    return ItemsAsked(show, find, sort, whole_number(given.get("page")))


def here(at: dict[str, Any] | None, name: str) -> TypeGuard[dict[str, Any]]:
    """Return whether a place in a queue belongs to the study in sight, and not to the one before."""
    return at is not None and at["study"] == name
