"""Templates filled in: parts of a page, plain text, and a figure as a file of its own."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from data.drawing.environment import STATIC, drawn

FIGURE_WIDTH, FIGURE_HEIGHT = 900, 300
"""Pixels of a figure that does not say its own."""
LETTER, LINE = 8, 20
"""Pixels that a letter above a figure is wide at most, on average, and that a line of them is high."""


def drawn_with(template: str, **seen: Any) -> Markup:
    """Return a template of results filled in, everything escaped."""
    return drawn(TEMPLATES, template, **seen)


def figure_file(figure: str) -> str | None:
    """Return a figure of a report as an SVG file of its own, with what stands above it; None without a drawing."""
    above, opening, rest = figure.partition("<svg ")
    if not opening:
        return None
    legend = above.partition("<p")[2].partition(">")[2].rpartition("</p>")[0]
    width, height = (re.search(rf'{name}="(\d+)"', rest.partition(">")[0]) for name in ("width", "height"))
    # A picture in a paper has the colours of the light look, whatever the reader's system prefers.
    sheets = styles()
    wide = int(width[1]) if width else FIGURE_WIDTH
    lines = _lines(legend.replace("span", "tspan"), wide // LETTER)
    return drawn_with(
        "figure.svg.jinja",
        drawing=Markup(f"{opening}{rest.rpartition('</svg>')[0]}</svg>"),
        legend=[(LINE * place - 4, Markup(line)) for place, line in enumerate(lines, 1)],
        top=LINE * len(lines) + 6 if lines else 0,
        width=wide,
        height=int(height[1]) if height else FIGURE_HEIGHT,
        light=sheets["look"].partition(":root {")[2].partition("}")[0],
        **sheets,
    )


def _lines(marked: str, letters: int) -> list[str]:
    """Return words, some of them marked, on lines of at most so many letters; what is marked stays together."""
    first, *others = marked.split("<tspan")
    words = first.split()
    for inner, _, rest in (other.partition("</tspan>") for other in others):
        words += [f"<tspan{inner}</tspan>", *rest.split()]
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and len(Markup(longer).striptags()) <= letters:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def styles() -> dict[str, Markup]:
    """Return the style sheets of a report and of a figure."""
    return {name: Markup((STATIC / f"{name}.css").read_text("utf8")) for name in ("look", "comparison")}


TEMPLATES = Path(__file__).parent / "templates"


def drawn_plain(template: str, **seen: Any) -> str:
    """Return a template of plain text filled in, where nothing is to be escaped."""
    return _plain().get_template(template).render(**seen)


def bare(text: str) -> str:
    """Return a text without the marks of HTML, where it has some."""
    return text.striptags() if isinstance(text, Markup) else text


@cache
def _plain() -> Environment:
    return Environment(loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=False)


def report_environment(escape: Callable[[object], str], filters: Mapping[str, Callable[..., Any]]) -> Environment:
    """Return an environment that escapes by `escape`; its signs are ones that neither Markdown nor LaTeX uses.

    What one of the `filters` has escaped already is marked, so that it is not escaped twice.
    """
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        finalize=lambda value: str(value) if isinstance(value, Markup) else escape(value),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    made.filters |= filters
    return made
