"""HTML: templates filled in for the parts of a page, and a whole report as one file."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.output.rendering import TEMPLATES
from data.drawing.environment import STATIC, environment
from data.tables import Table


def drawn_with(template: str, **seen: Any) -> Markup:
    """Return a template filled in, everything escaped."""
    return Markup(environment(TEMPLATES).get_template(template).render(**seen))


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
    look, comparison = (Markup((STATIC / name).read_text("utf8")) for name in ("look.css", "comparison.css"))
    return (
        environment(TEMPLATES)
        .get_template("report.html.jinja")
        .render(document=document, look=look, comparison=comparison)
    )
