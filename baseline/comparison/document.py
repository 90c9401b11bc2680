"""A document of sections and tables, whichever form it is written in."""

from dataclasses import dataclass
from typing import Any

from data.tables import Table


@dataclass(frozen=True)
class Section:
    """A heading, then what is said first (`lead`), lines, notes, a figure and tables.

    HTML shows `figure`, LaTeX `tikz`, the same drawing; `image` is the address of the figure as a file beside a report
    in Markdown.
    """

    title: str = ""
    lead: str = ""
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    tables: tuple[Table[Any], ...] = ()
    figure: str | None = None
    tikz: str = ""
    image: str = ""


@dataclass(frozen=True)
class Document:
    """A title, what stands under it, and the sections."""

    title: str
    about: str
    sections: tuple[Section, ...]
