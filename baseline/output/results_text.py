"""The results of a study for a terminal or a Markdown file: people and models side by side, and how models stand."""

from collections.abc import Sequence

from baseline.comparison.results import Respondent, Results
from baseline.comparison.standing_table import HEADER, standing_notes, standing_rows
from data.console import table
from data.numbers import interval, number, p_sign, points, points_interval

HEADERS = ("respondent", "95% interval", "n", "vs people, points", "test", "statuses")
"""The columns of the side-by-side table; after the first stands the task's first metric."""


def results_text(results: Results) -> str:
    """Return the side-by-side tables for a terminal."""
    head = f"{results.study.name}: {results.study.task.title.en}, {len(results.human.panel.votes.items)} items"
    tables = [table(_header(results), score_lines(results))]
    if results.models:
        tables.append(table(HEADER, standing_rows(results)))
    return "\n\n".join([head, *tables, "\n".join(_remarks(results))])


def results_markdown(results: Results) -> str:
    """Return the side-by-side tables as Markdown."""
    tables = [markdown_table(_header(results), score_lines(results))]
    if results.models:
        tables.append(markdown_table(HEADER, standing_rows(results)))
    return "\n\n".join([*tables, "\n".join(f"- {remark.removeprefix('note: ')}" for remark in _remarks(results))])


def difference_text(row: Respondent) -> tuple[str, str]:
    """Return how far a row is from people in points with its interval, and the p-value with its test's name."""
    apart = row.vs_human
    if apart is None:
        return "—", "—"
    p = "—" if apart.p is None else p_sign(apart.p)
    return f"{points(apart.value)} {points_interval(apart.ci)}".rstrip(), p


def markdown_table(header: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """Return rows under a header as a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def _header(results: Results) -> list[str]:
    return [HEADERS[0], results.study.task.primary, *HEADERS[1:]]


def score_lines(results: Results) -> list[list[object]]:
    """Return a row for each respondent: its score by the first metric, and how far that is from people."""
    rows: list[list[object]] = []
    for row in results.rows:
        estimate = row.scores.get(results.study.task.primary)
        value, ends = (number(estimate.value), interval(estimate.ci)) if estimate else ("—", "—")
        statuses = ", ".join(f"{name} {n}" for name, n in row.statuses.items())
        rows.append([row.name, value, ends, row.n, *difference_text(row), statuses])
    return rows


def _remarks(results: Results) -> list[str]:
    return [f"note: {note}" for note in (*results.notes(), *standing_notes(results))]
