"""The item page: the items of a study in a list that pages and filters, and one item with everybody's answers."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

import gradio as gr
from markupsafe import Markup

from baseline.comparison.item_answers import item_answers
from baseline.comparison.item_index import ORDERS, PAIR_SHOWS, SHOWS, ItemChoice, item_rows, model_rows
from baseline.output.html import drawn_with
from baseline.output.item_drawing import LISTED, draw_item, draw_list
from baseline.output.rendering import TEMPLATES
from baseline.output.study_page import draw_message, draw_waiting
from baseline.pages.shown_errors import QUIETLY
from baseline.pages.study_cache import Opened, StudyCache
from data.drawing.page_header import draw_masthead
from data.errors import UnknownName
from db.engine import Database, reading
from db.studies import list_studies

ACTS = (TEMPLATES / "item_acts.js").read_text("utf8")
LONGEST = 2_000  # characters of anything an address may name


@dataclass(frozen=True)
class ItemQuery:
    """What an address asks for; "" where it says nothing. A browser may send anything."""

    study: str = ""
    item: str = ""
    show: str = ""
    model: str = ""
    page: int = 0
    order: str = ""
    other: str = ""


@dataclass(frozen=True)
class ItemViews:
    """What the item page can look at: studies under their own rules, computed once until something of them changes."""

    studies: StudyCache

    @property
    def database(self) -> Database:
        """Where the studies are."""
        return self.studies.database

    def look(self, asked: ItemQuery) -> Markup:
        """Return the drawing of what an address asks for, or what is wrong with it and the studies there are."""
        if not asked.study:
            return self.choose()
        try:
            return self.draw(self.studies.open(asked.study), asked)
        except UnknownName as error:
            return self.choose(f"{str(error)[:300]}.")

    def draw(self, opened: Opened, asked: ItemQuery) -> Markup:
        """Return the item asked for, or the page of the list; what was not offered is taken for the first."""
        results, index = opened.results, opened.index
        models = [row.name for row in model_rows(results)]
        model = asked.model if asked.model in models else models[0] if models else None
        other = asked.other if asked.other in models and asked.other != model else None
        show = asked.show if asked.show in ((*SHOWS, *PAIR_SHOWS) if other else SHOWS) else SHOWS[0]
        chosen = ItemChoice(show, model, asked.order if asked.order in ORDERS else ORDERS[0], other)
        selected = index.selected(show, model, chosen.order, other)
        with reading(self.database) as session:
            if asked.item:
                seen = item_answers(session, results=results, index=index, item=asked.item, selected=selected)
                return draw_item(results, index, seen, chosen)
            page = min(max(asked.page, 0), max(0, (len(selected) - 1) // LISTED))
            few = selected[page * LISTED : (page + 1) * LISTED]
            compared = [name for name in (model, other) if name]
            views = item_rows(session, study=results.study, results=results, index=index, items=few, models=compared)
        return draw_list(results, index, views, chosen, page)

    def choose(self, mistake: str = "") -> Markup:
        """Return the studies to choose from, below what was wrong with the address."""
        with reading(self.database) as session:
            names = [study.name for study in list_studies(session)]
        if not names:
            nothing = "Create a study under Studies, and its items can be looked at here one by one."
            return drawn_with("item_studies.html", message=draw_message("No study yet", nothing), names=[])
        message = draw_message("There is no such study or item", mistake) if mistake else ""
        return drawn_with("item_studies.html", message=message, names=names)


def item_query(query: Any) -> ItemQuery:
    """Return what the query of an address asks for; NUL, which no text here may hold, is taken out."""
    text = query if isinstance(query, str) else ""
    parsed = parse_qs(text.removeprefix("?")[: 10 * LONGEST], errors="replace") if _few(text) else {}
    given = {name: values[0].replace("\0", "")[:LONGEST] for name, values in parsed.items()}
    page = given.get("page", "")
    return ItemQuery(
        study=given.get("study", ""),
        item=given.get("item", ""),
        show=given.get("show", ""),
        model=given.get("model", ""),
        other=given.get("other", ""),
        order=given.get("order", ""),
        page=int(page) if page.isascii() and page.isdecimal() and len(page) < 9 else 0,
    )


def _few(text: str) -> bool:
    """Return whether an address has so few parts that they may be read; more are nobody's."""
    return text[: 10 * LONGEST].count("&") < 20


def build_page(studies: StudyCache) -> gr.Blocks:
    """Return the page over the items of these studies; its address says which: study, item, show, model and page."""
    views = ItemViews(studies)
    page: gr.Blocks = gr.Blocks(title="Items · Etalon", analytics_enabled=False, fill_width=True)
    with page:
        gr.HTML(draw_masthead("Results"), apply_default_css=False)
        shown = gr.HTML(draw_waiting(), js_on_load=ACTS, apply_default_css=False)

        def arrive(request: gr.Request) -> str:
            return str(views.look(item_query(str(request.query_params))))

        def look(event: gr.EventData) -> str:
            return str(views.look(pressed_query(event)))

        page.load(arrive, None, shown, **QUIETLY)
        shown.look(look, None, shown, queue=False, trigger_mode="always_last", **QUIETLY)
    return page


def pressed_query(event: gr.EventData) -> ItemQuery:
    """Return what a press asks for; a browser may send anything."""
    sent: Any = event._data if isinstance(event._data, dict) else {}
    return item_query(sent.get("query"))
