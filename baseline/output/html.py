"""HTML: templates filled in for the parts of a page, and a whole report as one file."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.output.rendering import TEMPLATES
from data.drawing.environment import STATIC, environment
from data.tables import Table

FIGURE_WIDTH, FIGURE_HEIGHT = 900, 300
"""Pixels of a figure that does not say its own."""


def drawn_with(template: str, **seen: Any) -> Markup:
    """Return a template filled in, everything escaped."""
    return Markup(environment(TEMPLATES).get_template(template).render(**seen))


def figure_file(figure: str) -> str | None:
    """Return a figure of a report as an SVG file of its own, with what stands above it; None without a drawing."""
    above, opening, rest = figure.partition("<svg ")
    if not opening:
        return None
    legend = above.partition("<p")[2].partition(">")[2].rpartition("</p>")[0]
    width, height = (re.search(rf'{name}="(\d+)"', rest.partition(">")[0]) for name in ("width", "height"))
    return drawn_with(
        "figure.svg.jinja",
        drawing=Markup(f"{opening}{rest.rpartition('</svg>')[0]}</svg>"),
        legend=Markup(legend.replace("span", "tspan")),
        top=26 if legend else 0,
        width=int(width[1]) if width else FIGURE_WIDTH,
        height=int(height[1]) if height else FIGURE_HEIGHT,
        **_styles(),
    )


def draw_order(
    sentences: list[str],
    figure: Markup,
    tables: list[Table[Any]],
    notes: list[str],
    more: Mapping[str, Markup] | None = None,
) -> Markup:
    """Return who stands where: sentences, a picture, then `more` pictures, tables and notes folded."""
    bare = [(table.caption, replace(table, caption="")) for table in tables]
    return drawn_with(
        "ordered.html", sentences=sentences, figure=figure, tables=bare, notes=notes, more=(more or {}).items()
    )


def report_html(document: Document) -> str:
    """Return a report as one file of HTML that opens without a network."""
    return drawn_with("report.html.jinja", document=document, **_styles())


def _styles() -> dict[str, Markup]:
    return {name: Markup((STATIC / f"{name}.css").read_text("utf8")) for name in ("look", "comparison")}
