"""The results page and its cache: studies and the overview are computed once, and kept until something changes."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from threading import Lock, Thread
from typing import Any, TypeVar
from urllib.parse import parse_qs, parse_qsl

import gradio as gr
from markupsafe import Markup
from starlette.types import ASGIApp, Receive, Scope, Send

from baseline.comparison.item_index import (
    ORDERS,
    PAIR_SHOWS,
    SHOWS,
    ItemChoice,
    ItemIndex,
    item_answers,
    item_index,
    item_rows,
    model_rows,
)
from baseline.comparison.overview import Overview, StudyScores, laid_out, study_scores
from baseline.comparison.results import Results, results
from baseline.human.baseline import stored_rules
from baseline.output.html import TEMPLATES, drawn_with
from baseline.output.item_drawing import LISTED, draw_item, draw_list
from baseline.output.overview_page import OverviewView, draw_overview
from baseline.output.result_tabs import ITEMS
from baseline.output.study_address import StudyAddress, read_address
from baseline.output.study_page import draw_message, draw_study
from data.declared import Setting
from data.drawing.gradio_events import QUIETLY, event_data
from data.drawing.page_header import draw_masthead
from data.errors import BadSetting, EtalonError, UnknownName
from data.human_rules import HUMAN_RULES
from data.log import LOG
from db.cache import Cache, fingerprints
from db.engine import Database, reading
from db.studies import Study, get_study, list_studies
from eval.named_rules import rules_named
from eval.panel import PanelRules

BETWEEN = 0.7
"""Seconds after which what is known so far is shown."""
MOST = 10_000
"""Studies that are kept: a few kilobytes each, numbers and words, no answers."""
KEPT = 3
"""Studies of which everything computed stays in memory, whoever looked at them last: megabytes each."""


T = TypeVar("T")


class NotComputed(EtalonError):
    """A study whose results the program fails to compute: its own fault, which the server's log tells in full."""


@dataclass(frozen=True, eq=False)
class Opened:
    """A study as it was computed; the index of its items is made when it is needed. `own` are its stored rules."""

    results: Results
    own: PanelRules
    database: Database

    @cached_property
    def index(self) -> ItemIndex:
        """What its items may be chosen by."""
        with reading(self.database) as session:
            return item_index(session, self.results)


@dataclass(frozen=True)
class StudyCache:
    """What the results page can look at; the studies last opened are kept until something of them changes."""

    database: Database
    opened: Cache = field(default_factory=lambda: Cache(KEPT))
    expecting: Lock = field(default_factory=Lock)

    def open(self, name: str, rules: Mapping[str, str] | None = None, *, kept: bool = False) -> Opened:
        """Return a study computed under its own rules with these changes; raises EtalonError.

        With `kept` everybody is scored on the items with one answer of people alone. One study at a time is computed:
        who asks for one that is being computed waits for it.
        """
        with reading(self.database) as session:
            study = get_study(session, name=name)
            own = stored_rules(study)
            under = changed(own, rules or {})

            def compute() -> Opened:
                computed = results(session, study=study, rules=under, consensus_only=kept)
                return Opened(computed, own, self.database)

            mark = fingerprints(session, study_id=study.id).get(study.id, ())
            return self.opened.get((name, under, kept), mark, lambda: computed_or_why(name, compute))

    def expect(self, name: str) -> None:
        """Begin to compute a study that will soon be opened; a name that is not known is told to whoever opens it.

        One at a time: who opens another one computes it then, and no crowd of threads waits here.
        """

        def begin() -> None:
            try:
                with suppress(EtalonError):
                    self.open(name)
            finally:
                self.expecting.release()

        if self.expecting.acquire(blocking=False):
            Thread(target=copy_context().run, args=(begin,), daemon=True).start()

    def draw(self, at: StudyAddress, refused: str = "") -> Markup:
        """Return what an address names of a study, or what is wrong with it.

        Where its rules are `refused`, the study is shown under its own, with the reason.
        """
        try:
            opened = self.open(at.study, at.rules, kept=bool(at.kept))
            items = self._items(opened, at) if at.item or at.tab == ITEMS else None
            if at.item and items:
                return items
            with reading(self.database) as session:
                return draw_study(session, opened.results, at, items=items, own=opened.own, refused=refused)
        except (UnknownName, BadSetting, NotComputed) as error:
            if isinstance(error, BadSetting) and at.rules and not at.item:
                return self.draw(replace(at, rules={}), refused=f"{_sentence(error)} The study’s own rules are used.")
            return nothing_open(error)

    def _items(self, opened: Opened, at: StudyAddress) -> Markup:
        """Return the item that an address names, else the page of the list; what is not offered becomes the first."""
        index, chosen = opened.index, _chosen(opened, at)
        selected = index.selected(chosen)
        if at.item:
            with reading(self.database) as session:
                seen = item_answers(session, index, at.item, selected)
            return draw_item(index, seen, chosen, replace(at, tab=ITEMS))
        at = replace(at, page=min(max(at.page, 0), max(0, (len(selected) - 1) // LISTED)))
        few = selected[at.page * LISTED : (at.page + 1) * LISTED]
        compared = [name for name in (chosen.model, chosen.other) if name]
        with reading(self.database) as session:
            views = item_rows(session, index, few, compared)
        return draw_list(index, views, chosen, at)


def _chosen(opened: Opened, at: StudyAddress) -> ItemChoice:
    """Return which items an address asks for; what was not offered is taken for the first."""
    models = [row.name for row in model_rows(opened.results)]
    model = at.model if at.model in models else models[0] if models else None
    other = at.other if at.other in models and at.other != model else None
    show = at.show if at.show in ((*SHOWS, *PAIR_SHOWS) if other else SHOWS) else SHOWS[0]
    return ItemChoice(show, model, at.order if at.order in ORDERS else ORDERS[0], other)


def computed_or_why(name: str, compute: Callable[[], T]) -> T:
    """Return what `compute` makes of a study; raises NotComputed with one sentence where the program breaks on it."""
    try:
        return compute()
    except EtalonError:
        raise
    except Exception as error:
        LOG.exception("a study could not be computed", extra={"study": name})
        raise NotComputed(
            f"the results of {name!r} cannot be computed ({type(error).__name__}): this is a fault of the program, and "
            "its answers are kept; the server's log has the cause, which belongs into a report of the fault"
        ) from error


def changed(rules: PanelRules, given: Mapping[str, str]) -> PanelRules:
    """Return rules as an address changes them: those of a published procedure, then single ones."""
    if procedure := given.get("procedure"):
        rules = rules_named(procedure).on(rules)
    return replace(
        rules, **{name: _value(HUMAN_RULES[name], text) for name, text in given.items() if name in HUMAN_RULES}
    )


def _value(rule: Setting, text: str) -> Any:
    """Return the value of a rule as it is written; raises BadSetting."""
    if not text and rule.optional:
        return None
    try:
        return rule.kind(text)
    except ValueError as error:
        raise BadSetting(f"{rule.title}: {text[:80]!r} is no {rule.allowed}") from error


def _sentence(mistake: EtalonError) -> str:
    return f"{str(mistake)[:300].rstrip(' .')}."


def nothing_open(mistake: EtalonError) -> Markup:
    """Return what is said where there is no study to show."""
    unknown = isinstance(mistake, UnknownName)
    heading = "There is no such study or item" if unknown else "This study cannot be shown"
    said = draw_message(heading, _sentence(mistake))
    return Markup('<div class="look report"><p class="back"><a href="/results/">← Results</a></p>{}</div>').format(said)


@dataclass(frozen=True)
class OverviewCache:
    """What the overview can look at: the scores of each study, computed anew when the study's mark is another one."""

    database: Database
    scores: Cache = field(default_factory=lambda: Cache(MOST))

    def steps(self) -> Iterator[Overview]:
        """Yield the overview: at once with what is known, then as more is, the whole of it last."""
        with reading(self.database) as session:
            studies, now = list_studies(session), fingerprints(session)
        kept = {study.id: self.scores.last(study.id, now[study.id]) for study in studies}
        known = {key: scores for key, scores in kept.items() if scores is not None}
        due = [study for study in studies if study.id not in known]
        failed: list[Study] = []
        if due:
            yield laid_out(studies, known)
        shown = time.monotonic()
        for number, study in enumerate(due, 1):
            try:
                known[study.id] = self.scores.get(study.id, now[study.id], partial(self._scores, study))
            except EtalonError:
                failed.append(study)
            if number < len(due) and time.monotonic() - shown > BETWEEN:
                yield self._laid_out(studies, known, failed)
                shown = time.monotonic()
        yield self._laid_out(studies, known, failed)

    def _laid_out(self, studies: list[Study], known: dict[int, StudyScores], failed: list[Study]) -> Overview:
        laid = laid_out([study for study in studies if study not in failed], known)
        return replace(laid, failed=tuple(study.name for study in failed))

    def drawings(self, view: OverviewView | None = None) -> Iterator[Markup]:
        """Yield what `steps` yields as HTML."""
        return (draw_overview(step, view) for step in self.steps())

    def html(self, view: OverviewView | None = None) -> Markup:
        """Return the whole overview as HTML."""
        *_, last = self.drawings(view)
        return last

    def _scores(self, study: Study) -> StudyScores:
        with reading(self.database) as session:
            return computed_or_why(study.name, lambda: study_scores(session, study))


PAGE = "/results/"


@dataclass(frozen=True)
class Prefetch:
    """ASGI middleware, to be put behind the guard: whoever comes here may open it."""

    app: ASGIApp
    studies: StudyCache

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin with the study in the address of a page, then hand the request on."""
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == PAGE:
            for study in asked_study(scope["query_string"]):
                self.studies.expect(study)
        await self.app(scope, receive, send)


def asked_study(query: bytes) -> list[str]:
    """Return the study that the query of an address names, nothing where it names none; a browser may send anything."""
    query_values = parse_qs(query[:2000].decode("latin-1"), errors="replace")
    return [name for name in query_values.get("study", [])[:1] if "\0" not in name]


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
        sent = event_data(event)
        asked = sent.get("asked")
        # Gradio draws only what differs, and the page waits for what it has asked.
        return f"{drawn(sent.get('query'))}<!-- {asked if isinstance(asked, int) else 0} -->"

    def open_overview(request: gr.Request) -> Iterator[str]:
        view = OverviewView.of(request.query_params)
        yield from [""] if request.query_params.get("study") else map(str, glance.drawings(view))

    def look_at_overview(event: gr.EventData) -> str:
        sent = event_data(event)
        return str(glance.html(OverviewView.of(dict(parse_qsl(str(sent.get("query", ""))[1:2000])))))

    with page:
        gr.HTML(draw_masthead("Results"), apply_default_css=False)
        overview = gr.HTML("", js_on_load=OVERVIEW, apply_default_css=False)
        shown = gr.HTML(drawn_with("waiting.html"), js_on_load=ACTS, apply_default_css=False)
        page.load(arrive, None, shown, **QUIETLY)
        page.load(open_overview, None, overview, **QUIETLY)
        shown.look(look, None, shown, queue=False, trigger_mode="always_last", **QUIETLY)
        overview.look(look_at_overview, None, overview, queue=False, **QUIETLY)
    return page
