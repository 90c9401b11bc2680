"""The results page: all studies at a glance, or what its address names of one: a tab, an item, under which rules."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl

import gradio as gr

from baseline.output.html import TEMPLATES
from baseline.output.overview_page import OverviewView
from baseline.output.study_address import read_address
from baseline.output.study_page import draw_waiting
from baseline.pages.shown_errors import QUIETLY
from baseline.pages.study_cache import OverviewCache, StudyCache
from data.drawing.page_header import draw_masthead

ACTS = (TEMPLATES / "study.js").read_text("utf8")
OVERVIEW = (TEMPLATES / "overview.js").read_text("utf8")


def build_page(studies: StudyCache) -> gr.Blocks:
    """Return the page over these studies; its address is its whole state."""
    glance = OverviewCache(studies.database)
    page: gr.Blocks = gr.Blocks(title="Results · Etalon", analytics_enabled=False, fill_width=True)

    def drawn(query: Any) -> str:
        address = read_address(query)
        return str(studies.draw(address)) if address.study else ""

    def arrive(request: gr.Request) -> str:
        return drawn(str(request.query_params))

    def look(event: gr.EventData) -> str:
        sent: Any = event._data if isinstance(event._data, dict) else {}
        asked = sent.get("asked")
        # Gradio draws only what differs, and the page waits for what it has asked.
        return f"{drawn(sent.get('query'))}<!-- {asked if isinstance(asked, int) else 0} -->"

    with page:
        gr.HTML(draw_masthead("Results"), apply_default_css=False)
        overview = gr.HTML("", js_on_load=OVERVIEW, apply_default_css=False)
        shown = gr.HTML(draw_waiting(), js_on_load=ACTS, apply_default_css=False)
        page.load(arrive, None, shown, **QUIETLY)
        page.load(overview_event(glance), None, overview, **QUIETLY)
        shown.look(look, None, shown, queue=False, trigger_mode="always_last", **QUIETLY)
        overview.look(overview_as_asked(glance), None, overview, queue=False, **QUIETLY)
    return page


def overview_event(glance: OverviewCache) -> Callable[[gr.Request], Iterator[str]]:
    """Return what happens when the page is opened without a study: the overview, as fast as it is computed."""

    def look(request: gr.Request) -> Iterator[str]:
        if request.query_params.get("study"):
            yield ""
        else:
            yield from map(str, glance.drawings(OverviewView.of(request.query_params)))

    return look


def overview_as_asked(glance: OverviewCache) -> Callable[[gr.EventData], str]:
    """Return what happens when the address of the overview changes; a browser may send anything."""

    def look(event: gr.EventData) -> str:
        sent: Any = event._data if isinstance(event._data, dict) else {}
        return str(glance.html(OverviewView.of(dict(parse_qsl(str(sent.get("query", ""))[1:2000])))))

    return look
