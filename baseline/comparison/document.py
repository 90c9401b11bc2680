"""A document of sections, tables and questions, whichever form it is written in."""

from dataclasses import dataclass
from typing import Any

from baseline.human.sensitivity_strip import Picture
from data.tables import Table


@dataclass(frozen=True)
class Line:
    """A statement; with `is_question`, a question that only a person can answer."""

    text: str
    is_question: bool = False


@dataclass(frozen=True)
class Section:
    """A heading, then lines, tables and texts as they were read (`quotes`: name and text).

    In HTML a `figure` stands under the heading, and a `drawing` in the place of all the rest, both as they are: what
    they show is in the lines, tables and texts as well. `image` is the address of the figure as a file beside a
    report that links it.
    """

    title: str
    lines: tuple[Line, ...] = ()
    tables: tuple[Table[Any], ...] = ()
    quotes: tuple[tuple[str, str], ...] = ()
    picture: Picture | None = None
    figure: str | None = None
    drawing: str | None = None
    image: str = ""


@dataclass(frozen=True)
class Document:
    """A title, what stands under it, and the sections."""

    title: str
    about: str
    sections: tuple[Section, ...]
