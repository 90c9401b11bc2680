"""The overview as HTML: a table whose cells are shaded by how far they are from people, with its files as links."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from baseline.comparison.overview import Overview, OverviewColumn, OverviewRow, OverviewScore
from baseline.comparison.overview_columns import NOT_ASKED, PlacedScore, overview_table
from baseline.output.csv import overview_csv
from baseline.output.html import drawn_with
from baseline.output.json import json_bytes, overview_dict
from baseline.output.markdown import overview_markdown
from baseline.output.page_numbers import CLASSES, p_words
from data.numbers import interval, number, points
from data.table_files import MEDIA_TYPES
from data.wording import in_sentence
from eval.metrics.table import METRICS

STEPS = (0.02, 0.05, 0.15, 0.30)
"""Differences from people, in units of the metric, from which the shade of a cell is one step deeper."""
FILES: tuple[tuple[str, str, Callable[[Overview], bytes]], ...] = (
    ("CSV", "csv", overview_csv),
    ("JSON", "json", lambda overview: json_bytes(overview_dict(overview))),
    ("Markdown", "md", lambda overview: overview_markdown(overview).encode()),
)
"""What the overview may be saved as: the name of the form, the ending of its file, what writes it."""


def draw_overview(overview: Overview) -> Markup:
    """Return the overview; without any study, what to do next."""
    if not overview.rows and not overview.waiting and not overview.failed:
        return drawn_with("overview_empty.html")
    families = dict.fromkeys(row.family for row in overview.rows if row.family)
    return drawn_with(
        "overview.html",
        table=replace(overview_table(overview, "page"), caption="Score of every respondent in every task"),
        kinds={column.name: _class(column) for column in overview.columns},
        drawn=_cell,
        metric=_metric,
        families=list(families),
        alone=any(not row.family for row in overview.rows),
        older=sum(not row.newest for row in overview.rows),
        tasks=len({row.task for row in overview.rows if not row.total}),
        studies=sum(not row.total for row in overview.rows) + overview.waiting + len(overview.failed),
        waiting=overview.waiting,
        failed=overview.failed,
        files=_files(overview),
    )


def _class(column: OverviewColumn) -> str:
    return "published" if column.kind == "published" else CLASSES[column.kind]


def _metric(row: OverviewRow) -> str:
    return in_sentence(METRICS[row.metric].title if row.metric in METRICS else row.metric)


def _cell(placed: PlacedScore) -> dict[str, Any]:
    row, column, score = placed.row, placed.column, placed.score
    if score.value != score.value:
        why = (
            "no score" if score is not NOT_ASKED else "not all tasks, or no total printed" if row.total else "not asked"
        )
        return {"value": "", "title": f"{column.words}: {why}", "shade": "", "sort": ""}
    return {
        "value": number(score.value),
        "sort": f"{score.value:.6f}",
        "interval": interval(score.ci) if score.ci else "",
        "apart": "" if score.apart is None else points(score.apart),
        "sign": "" if not score.significant or not score.apart else "▲" if score.apart > 0 else "▼",
        "shade": _shade(score),
        "lacking": f"{score.done} of {score.of} {placed.unit}" if score.incomplete else "",
        "imported": bool(score.imported),
        "title": _title(column, score),
    }


def _title(column: OverviewColumn, score: OverviewScore) -> str:
    title = f"{column.words}: {number(score.value)}"
    title += f", 95% interval {interval(score.ci)}" if score.ci else ""
    title += f", n = {score.n}" if score.n else ""
    title += f", imported from {score.imported}" if score.imported else ""
    if score.apart is not None:
        between = f" [{points(score.apart_ci[0])}, {points(score.apart_ci[1])}]" if score.apart_ci else ""
        title += f"; {points(score.apart)} points from people{between}, {p_words(score.p)} adjusted for the row (Holm)"
    return title + (f". {score.note}" if score.note else "")


def _shade(score: OverviewScore) -> str:
    """Return the class of a cell's shade: who is ahead, people or the model, and by how many steps."""
    if score.apart is None or score.apart != score.apart:
        return ""
    depth = sum(abs(score.apart) >= step for step in STEPS)
    return f"{'ahead' if score.apart > 0 else 'behind'}-{depth}" if depth else ""


def _files(overview: Overview) -> list[dict[str, str]]:
    """Return the table as links that are the files themselves, so that what is seen is what is kept."""
    if overview.waiting:
        return []
    return [
        {
            "name": name,
            "file": f"overview.{ending}",
            "address": f"data:{MEDIA_TYPES[ending]};base64,{b64encode(write(overview)).decode()}",
        }
        for name, ending, write in FILES
    ]
