"""A document of sections and tables, whichever form it is written in."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from data.numbers import DASH, with_interval
from data.tables import Column, R, Table
from db.studies import Study
from eval.estimate import Estimate, Interval


@dataclass(frozen=True)
class Section:
    """A heading, then what is said first (`lead`), lines, notes, a figure and tables.

    HTML shows `figure`; `image` is the address of the figure as a file beside a report in Markdown.
    """

    title: str = ""
    lead: str = ""
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    tables: tuple[Table[Any], ...] = ()
    figure: str | None = None
    image: str = ""


@dataclass(frozen=True)
class Document:
    """A title, what stands under it, and the sections."""

    title: str
    about: str
    sections: tuple[Section, ...]


def study_document(title: str, study: Study, section: Section) -> Document:
    """Return one analysis of a study as a document of its own."""
    return Document(f"{title} {study.name}", f"{study.task.title.for_requesters} ({study.task.id})", (section,))


def estimate_words(estimate: Estimate | None) -> str:
    """Return an estimate with its interval, a dash where nothing is estimated."""
    return with_interval(estimate.value, estimate.ci) if estimate and estimate.n else DASH


def ends(
    interval: Callable[[R], Interval | None], before: str = "", *, forms: tuple[str, ...] = ("csv",)
) -> list[Column[R]]:
    """Return the two columns with the ends of an interval, empty where there is none and where it is infinite."""

    def end(place: int) -> Callable[[R], float | None]:
        return lambda row: (found := interval(row)) and (found[place] if isfinite(found[place]) else None)

    return [Column(f"{before}{name}", name, "", end(place), forms=forms) for place, name in enumerate(("low", "high"))]
