"""The overview as files: JSON, CSV and Markdown, every score with its interval."""

import csv
import io
from typing import Any

from baseline.comparison.overview import Cell, Overview, Row
from baseline.output.results_text import markdown_table
from data.numbers import interval, number, points
from data.spreadsheet import guarded

FIELDS = ("task", "study", "metric", "items", "respondent", "kind", "value", "low", "high", "n", "done", "of")
APART = ("difference", "difference_low", "difference_high", "p_holm", "note", "imported")


def as_dict(found: Overview) -> dict[str, Any]:
    """Return the overview as it stands in JSON."""
    return {
        "columns": [{"respondent": one.name, "kind": one.kind} for one in found.columns],
        "waiting": found.waiting,
        "rows": [
            {
                "title": row.title,
                "task": row.task,
                "family": row.family,
                "study": row.study or None,
                "metric": row.metric,
                "items": row.items,
                "newest": row.newest,
                "state": row.state,
                "simulated": row.simulated,
                "scores": {name: cell.as_dict() for name, cell in row.cells.items()},
            }
            for row in found.rows
        ],
    }


def as_csv(found: Overview) -> str:
    """Return a line for each score; cells that a spreadsheet would take for a formula begin with an apostrophe."""
    kinds = {one.name: one.kind for one in found.columns}
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*FIELDS, *APART])
    for row in found.rows:
        for name, cell in row.cells.items():
            told = cell.as_dict()
            low, high = told["ci"] or (None, None)
            first, last = told["difference_ci"] or (None, None)
            values = [row.task, row.study, row.metric, row.items, name, kinds.get(name, ""), told["value"], low, high]
            values += [cell.n, cell.done, cell.of, cell.apart, first, last, cell.p, cell.note, cell.imported]
            writer.writerow([_plain(value) for value in values])
    return file.getvalue()


def as_markdown(found: Overview) -> str:
    """Return the table as Markdown: a score with its interval, and its difference from people in points."""
    header = ["task", "study", *(one.words for one in found.columns)]
    rows: list[list[object]] = [
        [row.title, row.study or "—", *(cell_text(row, row.cells.get(one.name)) for one in found.columns)]
        for row in found.rows
    ]
    remark = (
        "Score with its 95% interval; in brackets the difference from the people's majority in points, on the items "
        "both have, with * where it is significant among the models of the row (Holm, 0.05)."
    )
    return f"{markdown_table(header, rows)}\n\n{remark}\n"


def cell_text(row: Row, cell: Cell | None) -> str:
    """Return a cell in words: `0.812 (0.740–0.870) [−4.1*], 412 of 500`; a dash for none."""
    if cell is None:
        return "—"
    told = number(cell.value) + (f" ({interval(cell.ci)})" if cell.ci else "")
    told += f" [{points(cell.apart)}{'*' if cell.significant else ''}]" if cell.apart is not None else ""
    return told + (f", {cell.done} of {cell.of} {'tasks' if row.total else 'items'}" if cell.incomplete else "")


def _plain(value: object) -> object:
    return guarded(value) if isinstance(value, str) else value
