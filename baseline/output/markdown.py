"""Markdown: texts escaped so that it shows them as they are, tables with notes below them, and reports."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.output.rendering import bare, report_environment
from data.tables import Table, markdown_table

SIGNS = re.compile(r"([\\`*_\[\]<>|#~$&])")


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
    filters: dict[str, Callable[[Any], str]] = {
        "plain": Markup,
        "bare": bare,
        "markdown": lambda table: Markup(markdown_table(table, escaped)),
    }
    return report_environment(escaped, filters)
