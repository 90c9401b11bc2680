"""The overview's only way in: keeps what was computed of each study for as long as the study is what it was."""

import time
from collections.abc import Iterator
from threading import Lock

from markupsafe import Markup

from baseline.comparison.overview import Overview, StudyScores, laid_out, study_scores
from baseline.output.overview_page import draw_overview
from db.engine import Database, reading
from db.marks import Mark, marks
from db.studies import Study, list_studies

BETWEEN = 0.7
"""Seconds after which what is known so far is shown."""


class OverviewShelf:
    """What the overview can look at.

    It keeps a few kilobytes for each study that there is: numbers and words, no answers. They are computed anew when
    the study's mark (`db.marks`) is another one, so nothing has to be told that something has changed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[int, tuple[Mark, StudyScores]] = {}
        self._computing = Lock()

    def steps(self) -> Iterator[Overview]:
        """Yield the overview: at once with what is known, then as more is, the whole of it last."""
        with reading(self._database) as session:
            studies, now = list_studies(session), marks(session)
        self._kept = {key: kept for key, kept in self._kept.items() if kept[0] == now.get(key)}
        due = [study for study in studies if study.id not in self._kept]
        if due:
            yield self._laid_out(studies)
        shown = time.monotonic()
        for number, study in enumerate(due, 1):
            self._compute(study, now[study.id])
            if number < len(due) and time.monotonic() - shown > BETWEEN:
                yield self._laid_out(studies)
                shown = time.monotonic()
        yield self._laid_out(studies)

    def drawings(self) -> Iterator[Markup]:
        """Yield what `steps` yields as HTML."""
        return map(draw_overview, self.steps())

    def html(self) -> Markup:
        """Return the whole overview as HTML."""
        *_, last = self.drawings()
        return last

    def _compute(self, study: Study, mark: Mark) -> None:
        # One at a time: two who open the page at once need not compute the same twice.
        with self._computing:
            if study.id in self._kept and self._kept[study.id][0] == mark:
                return
            with reading(self._database) as session:
                self._kept[study.id] = mark, study_scores(session, study)

    def _laid_out(self, studies: list[Study]) -> Overview:
        return laid_out(studies, {key: found for key, (_, found) in self._kept.items()})
