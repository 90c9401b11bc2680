"""Markdown: texts escaped so that it shows them as they are, tables with notes below them, and reports."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from baseline.comparison.document import Document
from baseline.comparison.results import Results
from baseline.comparison.score_columns import result_notes, result_tables
from baseline.output.rendering import report_environment
from data.table_text import markdown_table
from data.tables import Table

SIGNS = re.compile(r"([\\`*_\[\]<>|#~$&])")


def results_markdown(results: Results) -> str:
    """Return people and models side by side, and how models stand to people."""
    return markdown(result_tables(results, "markdown"), result_notes(results))


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


def indented(text: str) -> str:
    """Return `text` as a block of code in Markdown, where nothing has a meaning."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def report_markdown(document: Document) -> str:
    """Return a report as Markdown."""
    return _environment().get_template("report.md.jinja").render(document=document)


@cache
def _environment() -> Environment:
    filters: dict[str, Callable[[Any], Markup]] = {
        "plain": Markup,
        "indented": lambda text: Markup(indented(text)),
        "markdown": lambda table: Markup(markdown_table(table, escaped)),
    }
    return report_environment(escaped, filters)
