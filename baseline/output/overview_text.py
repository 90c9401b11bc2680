"""The overview as files: JSON, CSV and Markdown, every score with its interval."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from baseline.comparison.overview import Overview, OverviewCell, OverviewRow
from baseline.output.markdown import markdown_table
from data.numbers import interval, number, points
from data.spreadsheet import guarded
from data.tables import Column, Table

REMARK = (
    "Score with its 95% interval; in brackets the difference from the people's majority in points, on the items "
    "both have, with * where it is significant among the models of the row (Holm, 0.05)."
)


@dataclass(frozen=True)
class OverviewScore:
    """One score of the overview: of which study, whose, and of what kind that is."""

    row: OverviewRow
    respondent: str
    kind: str
    cell: OverviewCell


SCORES: tuple[Column[OverviewScore], ...] = (
    Column("task", "task", "", lambda score: score.row.task),
    Column("study", "study", "", lambda score: score.row.study),
    Column("metric", "metric", "", lambda score: score.row.metric),
    Column("items", "items", "", lambda score: score.row.items),
    Column("respondent", "respondent", "", lambda score: score.respondent),
    Column("kind", "kind", "", lambda score: score.kind),
    Column("value", "value", "", lambda score: score.cell.as_dict()["value"]),
    Column("low", "low", "", lambda score: _end(score.cell, "ci", 0)),
    Column("high", "high", "", lambda score: _end(score.cell, "ci", 1)),
    Column("n", "n", "", lambda score: score.cell.n),
    Column("done", "done", "", lambda score: score.cell.done),
    Column("of", "of", "", lambda score: score.cell.of),
    Column("difference", "difference", "", lambda score: score.cell.apart),
    Column("difference_low", "difference_low", "", lambda score: _end(score.cell, "difference_ci", 0)),
    Column("difference_high", "difference_high", "", lambda score: _end(score.cell, "difference_ci", 1)),
    Column("p_holm", "p_holm", "", lambda score: score.cell.p),
    Column("note", "note", "", lambda score: score.cell.note),
    Column("imported", "imported", "", lambda score: score.cell.imported),
)


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
    scores = [
        OverviewScore(row, name, kinds.get(name, ""), cell) for row in found.rows for name, cell in row.cells.items()
    ]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([column.key for column in SCORES])
    for record in Table("", SCORES, scores).records:
        writer.writerow([guarded(value) if isinstance(value, str) else value for value in record.values()])
    return file.getvalue()


def as_markdown(found: Overview) -> str:
    """Return the table as Markdown: a score with its interval, and its difference from people in points."""
    columns: tuple[Column[OverviewRow], ...] = (
        Column("task", "task", "", lambda row: row.title),
        Column("study", "study", "", lambda row: row.study or "—"),
        *(Column(one.name, one.words, "", _cell_of(one.name)) for one in found.columns),
    )
    return f"{markdown_table(Table('', columns, found.rows))}\n\n{REMARK}\n"


def _end(cell: OverviewCell, name: str, place: int) -> float | None:
    ends = cell.as_dict()[name]
    return ends[place] if ends else None


def _cell_of(respondent: str) -> Callable[[OverviewRow], str]:
    return lambda row: cell_text(row, row.cells.get(respondent))


def cell_text(row: OverviewRow, cell: OverviewCell | None) -> str:
    """Return a cell in words: `0.812 (0.740–0.870) [−4.1*], 412 of 500`; a dash for none."""
    if cell is None:
        return "—"
    told = number(cell.value) + (f" ({interval(cell.ci)})" if cell.ci else "")
    told += f" [{points(cell.apart)}{'*' if cell.significant else ''}]" if cell.apart is not None else ""
    return told + (f", {cell.done} of {cell.of} {'tasks' if row.total else 'items'}" if cell.incomplete else "")
