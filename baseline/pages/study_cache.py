"""The cache of the results pages: studies and the overview, computed once and kept until something of them changes."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from threading import Lock, Thread
from typing import Any, TypeVar

from markupsafe import Markup

from baseline.comparison.item_index import SHOWS, ItemIndex, item_index, item_rows, model_rows
from baseline.comparison.overview import Overview, StudyScores, laid_out, study_scores
from baseline.comparison.pair_rankings import rankings_or_none
from baseline.comparison.results import Results, results
from baseline.human.baseline import stored_rules
from baseline.output.computed_exports import FOR_VIEWERS
from baseline.output.item_list import PER_PAGE
from baseline.output.overview_page import OverviewView, draw_overview
from baseline.output.sections import BY_NAME, draw_section
from baseline.output.study_page import draw_items, draw_message, draw_results
from data.errors import BadSetting, EtalonError
from data.log import LOG
from db.cache import Cache, Fingerprint, fingerprints
from db.engine import Database, reading
from db.items import coverage
from db.studies import Study, get_study, list_studies
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


@dataclass(frozen=True)
class StudyKey:
    """What is open in a tab: each keeps its own. `consensus_only`: only items people have one answer to."""

    name: str
    rules: PanelRules
    consensus_only: bool = False


@dataclass(frozen=True, eq=False)
class Opened:
    """A study as it was computed: its results, its report drawn; the index of its items is made when it is needed."""

    results: Results
    report: Markup
    database: Database

    @property
    def rules(self) -> PanelRules:
        """The rules it was computed under."""
        return self.results.human.panel.rules

    @property
    def key(self) -> StudyKey:
        """Where it is found again."""
        return StudyKey(self.results.study.name, self.rules, self.results.consensus_only)

    @cached_property
    def index(self) -> ItemIndex:
        """What its items may be chosen by."""
        with reading(self.database) as session:
            return item_index(session, study=self.results.study, results=self.results)


@dataclass(frozen=True)
class StudyCache:
    """What the results page can look at; the studies last opened are kept until something of them changes."""

    database: Database
    opened: Cache = field(default_factory=lambda: Cache(KEPT))
    expecting: Lock = field(default_factory=Lock)

    def studies(self) -> list[str]:
        """Return the names of all studies, the newest first."""
        with reading(self.database) as session:
            return [study.name for study in list_studies(session)]

    def open(self, name: str, rules: PanelRules | None = None, *, consensus_only: bool = False) -> Opened:
        """Return a study computed under `rules`, its own where none are given; raises EtalonError.

        With `consensus_only` everybody is scored on the items with one answer of people alone. One study at a time is
        computed: who asks for one that is being computed waits for it.
        """
        with reading(self.database) as session:
            study = get_study(session, name=name)
            key = StudyKey(name, rules or stored_rules(study), consensus_only)

            def compute() -> Opened:
                computed = results(session, study=study, rules=key.rules, consensus_only=consensus_only)
                report = draw_results(
                    computed,
                    coverage=coverage(session, study=study),
                    exports=FOR_VIEWERS.values(),
                    rankings=rankings_or_none(session, computed),
                )
                return Opened(computed, report, self.database)

            mark = fingerprints(session, study_id=study.id).get(study.id, ())
            return self.opened.get(key, mark, lambda: computed_or_why(name, compute))

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
            Thread(target=begin, daemon=True).start()

    def at(self, key: StudyKey) -> Opened:
        """Return what is open at a key as it was drawn there, computed anew where it is not kept any more."""
        known: Opened | None = self.opened.last(key)
        return known or self.open(key.name, key.rules, consensus_only=key.consensus_only)

    def section(self, opened: Opened, name: str, *, shown: bool = False) -> Markup:
        """Return a part of a study's results; it is computed only where it is to be `shown`."""
        if not shown:
            return draw_section(None, opened.results, BY_NAME[name])
        with reading(self.database) as session:
            return draw_section(session, opened.results, BY_NAME[name])

    def groups(self, opened: Opened, *, shown: bool = False) -> Markup:
        """Return the breakdowns of an opened study; they are computed only where they are to be `shown`."""
        return self.section(opened, "groups", shown=shown)

    def items(self, opened: Opened, *, show: str = "all", model: str = "", page: int = 0) -> Markup:
        """Return one page of the items of an opened study; what the page was not offered is taken for the first."""
        models = [row.name for row in model_rows(opened.results)]
        compared = model if model in models else models[0] if models else None
        shown = show if show in SHOWS else SHOWS[0]
        chosen = opened.index.selected(shown, compared)
        page = min(max(page, 0), max(0, (len(chosen) - 1) // PER_PAGE))
        with reading(self.database) as session:
            views = item_rows(
                session,
                study=opened.results.study,
                results=opened.results,
                index=opened.index,
                items=chosen[page * PER_PAGE : (page + 1) * PER_PAGE],
            )
        return draw_items(opened.results, opened.index, views, show=shown, model=compared, page=page)


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


def changed(rules: PanelRules, *, min_votes: float | None, **others: Any) -> PanelRules:
    """Return rules as the page's controls say them; an empty `control_min` excludes nobody."""
    if min_votes is None:
        raise BadSetting("the number of votes is empty; give 1 or more")
    return replace(rules, min_votes=int(min_votes), **others)


def nothing_open(asked: str | None, mistake: EtalonError | None = None) -> Markup:
    """Return what is said where there is no study to show."""
    if asked and isinstance(mistake, NotComputed):
        said = draw_message("This study cannot be shown", f"{mistake}.")
    elif asked and mistake:
        said = draw_message("There is no such study", f"{str(mistake)[:300]}. Choose one above.")
    else:
        said = draw_message(
            "No study yet",
            "Create one under Studies: choose a task, use its sample items, and send its invitation link to people. "
            "What is already collected elsewhere can be imported:",
            "python app.py import-log STUDY FILE",
        )
    return Markup('<div class="look report">{}</div>').format(said)


@dataclass(frozen=True)
class OverviewCache:
    """What the overview can look at: the scores of each study, computed anew when the study's mark is another one."""

    database: Database
    scores: Cache = field(default_factory=lambda: Cache(MOST))

    def steps(self) -> Iterator[Overview]:
        """Yield the overview: at once with what is known, then as more is, the whole of it last."""
        with reading(self.database) as session:
            studies, now = list_studies(session), fingerprints(session)
        known = self._known(studies, now)
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

    def _known(self, studies: list[Study], now: Mapping[int, Fingerprint]) -> dict[int, StudyScores]:
        known = {study.id: self.scores.last(study.id, now[study.id]) for study in studies}
        return {key: scores for key, scores in known.items() if scores is not None}

    def _scores(self, study: Study) -> StudyScores:
        with reading(self.database) as session:
            return computed_or_why(study.name, lambda: study_scores(session, study))
