"""Markdown: texts escaped so that it shows them as they are, tables with notes below them, and reports."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.comparison.overview import Overview
from baseline.comparison.overview_columns import overview_table
from baseline.output.rendering import bare, report_environment
from data.table_text import markdown_table
from data.tables import Table

OVERVIEW_NOTE = (
    "Score with its 95% interval; in brackets the difference from the people's majority in points, on the items "
    "both have, with * where it is significant among the models of the row (Holm, 0.05). Intervals of people, and of "
    "differences from them, hold for other people too where 5 of them answered 10 items or more."
)
SIGNS = re.compile(r"([\\`*_\[\]<>|#~$&])")


def overview_markdown(overview: Overview) -> str:
    """Return the table as Markdown: a score with its interval, and its difference from people in points."""
    return f"{markdown_table(overview_table(overview, 'markdown'))}\n\n{OVERVIEW_NOTE}\n"


def markdown(tables: Iterable[Table[Any]], notes: Sequence[str] = (), *, captions: bool = True) -> str:
    """Return tables, each under its caption where it has one and `captions` are wanted, and then the notes."""
    parts = [
        f"**{each.caption}**\n\n{markdown_table(each)}" if captions and each.caption else markdown_table(each)
        for each in tables
    ]
    return "\n\n".join([*parts, *(["\n".join(f"- {note}" for note in notes)] if notes else [])])


def escaped(text: object) -> str:
    """Return `text` so that Markdown shows it as it is, in a cell of a table too; line breaks become spaces."""
    return SIGNS.sub(r"\\\1", " ".join(str(text).split()))


def report_markdown(document: Document) -> str:
    """Return a report as Markdown."""
    return _environment().get_template("report.md.jinja").render(document=document)


@cache
def _environment() -> Environment:
    filters: dict[str, Callable[[Any], Markup]] = {
        "plain": Markup,
        "bare": bare,
        "markdown": lambda table: Markup(markdown_table(table, escaped)),
    }
    return report_environment(escaped, filters)
