"""Breakdowns as tables: for a terminal, a Markdown file, or a report."""

from collections.abc import Sequence

from baseline.comparison.breakdowns import BrokenDown
from baseline.comparison.document import Grid, Section
from baseline.output.results_text import markdown_table
from data.console import table
from data.numbers import interval, number
from eval.metrics.table import metric_named
from eval.scoring import Estimate


def breakdowns_text(found: Sequence[BrokenDown]) -> str:
    """Return the breakdowns for a terminal, each under its caption; a sentence where there are none."""
    if not found:
        return NOTHING
    return "\n\n".join(f"{caption(one)}\n{table(_header(one), _rows(one))}" for one in found)


def breakdowns_markdown(found: Sequence[BrokenDown]) -> str:
    """Return the breakdowns as Markdown tables, each under its caption."""
    if not found:
        return NOTHING
    return "\n\n".join(f"**{caption(one)}**\n\n{markdown_table(_header(one), _rows(one))}" for one in found)


def breakdowns_section(found: Sequence[BrokenDown]) -> Section:
    """Return the breakdowns as a section of a report, without grids where there are none."""
    grids = (
        Grid(caption(one), tuple(_header(one)), tuple(tuple(map(str, row)) for row in _rows(one))) for one in found
    )
    return Section("By group", grids=tuple(grids))


def caption(one: BrokenDown) -> str:
    """Return what a breakdown shows: `Accuracy by question, with 95% intervals`."""
    return f"{metric_named(one.metric).title} by {one.breakdown.title.en.lower()}, with 95% intervals"


NOTHING = "The task names no groups of items, or no item has gold: there is nothing to break down."


def cell(found: Estimate) -> str:
    """Return a score with its interval: `0.812 (0.740–0.870)`."""
    return f"{number(found.value)} ({interval(found.ci)})" if found.n else "—"


def _header(one: BrokenDown) -> list[str]:
    return [one.breakdown.title.en.lower(), "items", *one.respondents]


def _rows(one: BrokenDown) -> list[list[object]]:
    return [[words.en, part.items, *map(cell, part.scores)] for words, part in zip(one.words, one.parts, strict=True)]
