"""What functions return: rows with values and 95% intervals, as a small table, a frame, HTML and a figure."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import isfinite, isnan
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd

from data.errors import UnknownName
from data.numbers import DASH, number, p_value
from data.tables import aligned
from eval.estimate import Estimate, Interval

LONGEST = 12
"""Rows that are printed and drawn."""
ROW, NAME, AXIS, FIGURES = 22, 190, 300, 210  # pixels


def estimate_row(estimate: Estimate, *, of_people: bool = False) -> dict[str, Any]:
    """Return an estimate as a row: value, low, high, holds_for, n; `of_people`: it is a figure of people."""
    shown = ends(estimate.ci, estimate.unit, estimate.ci_items is not None, of_people=of_people)
    return {"value": estimate.value, **shown, "n": estimate.n}


def table(rows: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Return rows by name as a frame."""
    return pd.DataFrame(list(rows.values()), index=list(rows))


def ends(ci: Interval, unit: str = "item", others: bool = False, *, of_people: bool = True) -> dict[str, Any]:
    """Return the ends of an interval and what it holds for: other items, and other people or these."""
    holds_for = f"other people and {unit}s" if others else f"other {unit}s{', these people' * of_people}"
    return {"low": ci[0], "high": ci[1], "holds_for": "" if isnan(ci[0]) else holds_for}


@dataclass(frozen=True)
class Figure:
    """A drawing in SVG; a notebook shows it."""

    svg: str

    def save(self, path: str | Path) -> None:
        """Write it to a file, which any browser opens."""
        Path(path).write_text(self.svg, encoding="utf8")

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """Rows by name: `result["alpha"]` is one of them, `result["alpha"].value` its number. Read `notes` with them.

    >>> result = Result("Agreement", pd.DataFrame({"value": [0.5], "low": [0.25], "high": [0.75]}, index=["alpha"]))
    >>> result
    Agreement
           value  low    high
    alpha  0.500  0.250  0.750
    >>> result["alpha"].high
    0.75
    """

    title: str
    frame: pd.DataFrame
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Any:
        if name not in self.frame.index:
            raise UnknownName("the row", str(name), map(str, self.frame.index))
        return SimpleNamespace(
            **{str(key): value for key, value in self.frame.loc[[name]].to_dict("records")[0].items()}
        )

    def __repr__(self) -> str:
        rows = [[str(name), *_cells(row)] for name, row in self._shown.iterrows()]
        return "\n".join([self.title, aligned(["", *self._shown.columns], rows), *self._more, *self.notes])

    def _repr_html_(self) -> str:
        shown = self._shown.rename_axis(None).astype(object)
        for place, (_, row) in enumerate(self._shown.iterrows()):
            shown.iloc[place] = _cells(row)
        notes = "".join(f"<p>{escape(note)}</p>" for note in (*self._more, *self.notes))
        return f"<p><b>{escape(self.title)}</b></p>{shown.to_html(border=0, justify='left')}{notes}{self.figure().svg}"

    def to_frame(self) -> pd.DataFrame:
        """Return all rows as a frame of numbers."""
        return self.frame.copy()

    def figure(self) -> Figure:
        """Draw the values with their intervals."""
        return drawn(self.title, self._drawn)

    @property
    def _shown(self) -> pd.DataFrame:
        return self.frame.head(LONGEST)

    @property
    def _more(self) -> list[str]:
        hidden = len(self.frame) - len(self._shown)
        return [f"and {hidden} more rows; to_frame() has them all"] if hidden else []

    @property
    def _drawn(self) -> pd.DataFrame:
        return self.frame


@dataclass(frozen=True, eq=False, repr=False)
class Consensus(Result):
    """One answer to each task: `labels` by task, with missing values where nobody wins."""

    @property
    def labels(self) -> "pd.Series[Any]":
        """The winning label of each task."""
        return self.frame["label"]

    @property
    def _drawn(self) -> pd.DataFrame:
        return self.frame["label"].value_counts(normalize=True).rename("value").to_frame()


def _cells(row: "pd.Series[Any]") -> list[str]:
    """Return the cells of a row as people read them."""
    return [_cell(str(name), value) for name, value in row.items()]


def _cell(name: str, value: Any) -> str:
    if value is None or value != value:
        return DASH
    if not isinstance(value, float):
        return str(value)
    return p_value(value) if name.startswith("p_") else _written(value)


def _written(value: float) -> str:
    """Return a score with three decimals, a rating with one."""
    return number(value) if abs(value) < 100 else f"{value:.1f}"


def drawn(title: str, frame: pd.DataFrame) -> Figure:
    """Draw the first rows of a frame with `value` and perhaps `low`, `high`: dots, and lines between the ends."""
    rows = frame[frame["value"].notna()].head(LONGEST).reindex(columns=["value", "low", "high"]).astype(float)
    known = [float(end) for end in rows.to_numpy().ravel() if isfinite(end)]
    least, most = min(known, default=0.0), max(known, default=1.0)
    least, most = (min(0.0, least), 1.0) if most <= 1 else (least, most)
    height, width = ROW * (len(rows) + 1) + 20, NAME + AXIS + FIGURES

    def at(value: float) -> float:
        share = (min(max(value, least), most) - least) / ((most - least) or 1)
        return float(round(NAME + AXIS * share, 1))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        f'font-family="sans-serif" font-size="13" fill="currentColor" stroke-width="2"><title>{escape(title)}</title>'
    ]
    for tick in (least, (least + most) / 2, most):
        parts.append(
            f'<path d="M{at(tick)} 6V{height - 20}" stroke="currentColor" opacity=".2"/>'
            f'<text x="{at(tick)}" y="{height - 4}" text-anchor="middle">{tick:.4g}</text>'
        )
    for place, (name, value, low, high) in enumerate(rows.itertuples()):
        y = ROW * (place + 1)
        ends = "" if isnan(low) else f'<path d="M{at(low)} {y}H{at(high)}" stroke="currentColor"/>'
        shown = _written(value) if isnan(low) else f"{_written(value)} ({_written(low)} to {_written(high)})"
        parts.append(
            f'<text x="{NAME - 12}" y="{y + 4}" text-anchor="end">{escape(str(name)[:26])}</text>{ends}'
            f'<circle cx="{at(value)}" cy="{y}" r="4"/><text x="{NAME + AXIS + 12}" y="{y + 4}">{shown}</text>'
        )
    return Figure("".join([*parts, "</svg>"]))
