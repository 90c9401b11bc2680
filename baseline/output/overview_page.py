"""The overview on a page: one sentence, one table, and what of it the address says; its files as links."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from baseline.comparison.overview import (
    ALONE,
    Overview,
    OverviewLine,
    nearest,
    overview_table,
    score_list,
)
from baseline.output.html import drawn_with
from baseline.output.latex import paper_table
from baseline.output.plots import CLASSES, shortened
from data.catalogue.families import families
from data.table_files import MEDIA_TYPES, write_table
from data.tables import Column, Table
from data.wording import in_sentence

HEAT, PUBLISHED = "heat", "published"
TASK = "task"
REMARK = (
    "Score and difference from people, times 100; * significant after Holm's correction over the models of a task, "
    "≈ as good within the margin."
)
VERDICT: Column[OverviewLine] = Column("verdict", "verdict", "", str)
"""On a phone, the verdict on the one model that stands beside people."""


@dataclass(frozen=True)
class OverviewView:
    """What the address says of the overview: which benchmark, by what it is sorted, and how it is shown.

    `show` is "heat" or "published"; `model` is the one beside people on a phone. Names that are not there mean nothing.
    """

    benchmark: str = ""
    sort: str = ""
    up: str = ""
    show: str = ""
    model: str = ""

    @staticmethod
    def of(query: Mapping[str, str]) -> "OverviewView":
        """Return the view that the query of an address asks for."""
        return OverviewView(**{name: query[name] for name in OverviewView.__annotations__ if name in query})

    def address(self, **changes: str) -> str:
        """Return the address of the page with these changes."""
        said = {name: value for name, value in vars(replace(self, **changes)).items() if value}
        return f"/results/{'?' * bool(said)}{urlencode(said)}"

    def shown(self, what: str) -> str:
        """Return the address of the page with or without what may be shown."""
        return self.address(show="" if self.show == what else what)

    def sorted_by(self, name: str) -> str:
        """Return the address of the page sorted by a column: best first, best last, then in its own order again."""
        if self.sort != name:
            return self.address(sort=name, up="")
        return self.address(sort="", up="") if self.up else self.address(up="1")

    def table(self, overview: Overview) -> Table[OverviewLine]:
        """Return the table in the order that is asked for; its summaries stay first."""
        table = overview_table(overview, published=self.show == PUBLISHED)

        def value(line: OverviewLine) -> float:
            score = line.row.scores.get(self.sort) if line.row else None
            return (
                float("-inf") if score is None else -score.value if line.row and line.row.scale.falls else score.value
            )

        summaries = [line for line in table.rows if not line.row]
        lines = [line for line in table.rows if line.row]
        if self.sort == TASK:
            lines.sort(key=lambda line: line.title, reverse=bool(self.up))
        elif self.sort in {column.key for column in table.columns}:
            lines.sort(key=value, reverse=not self.up)
        return replace(table, caption="People and models in every task", rows=[*summaries, *lines])


def draw_overview(every: Overview, view: OverviewView | None = None) -> Markup:
    """Return the overview; without any study, what to do next."""
    if not every.rows and not every.waiting and not every.failed:
        return drawn_with("overview_empty.html")
    view = view or OverviewView()
    names = dict.fromkeys(row.family for row in every.rows)
    benchmarks = {name: "Other tasks" if name == ALONE else families()[name].title for name in names}
    overview = every.within(view.benchmark) if view.benchmark in benchmarks else every
    table = view.table(overview)
    columns = {column.name: column for column in overview.columns if column.name in {c.key for c in table.columns}}
    others = [column for column in columns.values() if column.kind != "human"]
    chosen = view.model if view.model in columns else others[0].name if others else ""
    first, stands = nearest(overview)
    return drawn_with(
        "overview.html",
        table=replace(table, columns=[*table.columns, VERDICT]),
        view=view,
        first=first,
        stands=stands,
        columns=columns,
        kinds={name: CLASSES.get(column.kind, PUBLISHED) for name, column in columns.items()},
        others=others,
        chosen=chosen,
        benchmarks=benchmarks,
        metric=lambda line: in_sentence(line.row.scale.title) if line.row else "",
        published=any(column.kind == "published" for column in overview.columns),
        studies=len(every.rows) + every.waiting + len(every.failed),
        waiting=every.waiting,
        failed=every.failed,
        files=[] if every.waiting else _files(overview, view),
    )


def overview_latex(overview: Overview, view: OverviewView) -> bytes:
    """Return the table to be put into a paper."""
    return paper_table(view.table(overview), [REMARK]).encode()


def overview_figure(overview: Overview, view: OverviewView) -> bytes:
    """Return the table as a picture: people's scores, and every model's difference from them."""
    table = view.table(overview)
    heads = dict(zip((column.key for column in table.columns), shortened(table.header, 16), strict=True))
    titles = shortened([line.title for line in table.rows], 36)
    return drawn_with("overview_figure.svg.jinja", table=table, heads=heads, titles=titles).encode()


FILES: tuple[tuple[str, str, Callable[[Overview, OverviewView], bytes]], ...] = (
    ("CSV", "csv", lambda overview, _: write_table(score_list(overview), "csv")),
    ("LaTeX", "tex", overview_latex),
    ("Figure", "svg", overview_figure),
)
"""What the overview may be saved as: what it is called, the ending of its file, what writes it."""


def _files(overview: Overview, view: OverviewView) -> list[dict[str, Any]]:
    """Return the table as links that are the files themselves, so that what is seen is what is kept."""
    return [
        {
            "name": name,
            "file": f"overview.{ending}",
            "address": f"data:{MEDIA_TYPES[ending]};base64,{b64encode(write(overview, view)).decode()}",
        }
        for name, ending, write in FILES
    ]
