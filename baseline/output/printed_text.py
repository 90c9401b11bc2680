"""What a paper prints of a task, for a terminal, as Markdown and for the results page."""

from typing import Any

from baseline.comparison.printed import PrintedTable, printed_of
from baseline.output.results_text import markdown_table
from data.console import table
from data.numbers import number
from data.task import Task
from eval.metrics.table import metric_named


def printed_text(found: PrintedTable | None, *, markdown: bool = False) -> str:
    """Return the printed rows for a terminal, or as Markdown; for a task of no family, a sentence."""
    if found is None:
        return "Nothing is published of this task: it belongs to no benchmark."
    rows = [
        [f"published: {row.respondent}", *(number(row.scores.get(name)) for name in found.metrics), row.table]
        for row in found.rows
    ]
    header = ["respondent", *found.metrics, "table"]
    drawn = markdown_table(header, rows) if markdown else table(header, rows)
    remarks = [f"Published: {found.family.source}; on other answers, never tested against ours."]
    remarks += [note.en for note in found.notes]
    sign = "- " if markdown else "note: "
    return "\n\n".join([*([drawn] if rows else []), "\n".join(sign + remark for remark in remarks)])


def printed_figures(task: Task) -> dict[str, Any] | None:
    """Return what the results page shows of a task's paper, by the names in its template; None where it has none."""
    found = printed_of(task)
    if found is None:
        return None
    return {
        "source": found.family.source,
        "names": [metric_named(name).title for name in found.metrics],
        "rows": [
            {
                "name": row.respondent,
                "cells": [number(row.scores.get(name)) for name in found.metrics],
                "table": row.table,
            }
            for row in found.rows
        ],
        "notes": [note.en for note in found.notes],
    }
