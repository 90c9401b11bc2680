"""Pictures of a ranking: a line of dots with intervals for each competitor."""

import numpy as np
from markupsafe import Markup

from baseline.comparison.pair_rankings import PairRankings
from baseline.comparison.ranking_columns import ranks_words, strength_words
from baseline.comparison.ranking_tables import competitors, ranking_notes, ranking_sentences, ranking_tables
from baseline.output.html import draw_order
from baseline.output.interval_rows import (
    MOST_ROWS,
    IntervalAxis,
    IntervalLegend,
    IntervalRow,
    drawn_rows,
    left_out,
    middle_of,
)

MOST_JUDGES = 3
FIRST_ROWS = 15
"""Competitors in the picture that is in sight at once; of more a second one, folded, has them all."""


def draw_ranking(rankings: PairRankings) -> Markup:
    """Return what the rankings say, the picture of those who come first, all of them and the tables folded."""
    many = len(rankings.names) > FIRST_ROWS
    return draw_order(
        ranking_sentences(rankings),
        ranking_figure(rankings, FIRST_ROWS),
        ranking_tables(rankings),
        ranking_notes(rankings),
        {f"All {len(rankings.names)} in one picture": ranking_figure(rankings)} if many else {},
    )


def ranking_figure(rankings: PairRankings, most: int = MOST_ROWS) -> Markup:
    """Return the first competitors by people's strengths, with the strengths that each judge gives beside."""
    judged = rankings.judged[: 1 + MOST_JUDGES]
    kinds = ("people", "models", "naive", "naive")
    everyone = competitors(rankings.first)
    shown = [row for row in everyone if np.isfinite(rankings.first.log[row.at])][:most]
    sizes = [_spread(ranking.ranking.log) for ranking in judged]
    values = [
        (ranking.ranking.log / size, ranking.ranking.ci / size) for ranking, size in zip(judged, sizes, strict=True)
    ]
    axis = IntervalAxis.around([end for logs, cis in values for row in shown for end in (logs[row.at], *cis[row.at])])
    rows = []
    for place, row in enumerate(shown):
        marks = [
            axis.mark(
                kind,
                logs[row.at],
                tuple(cis[row.at]),
                f"{rankings.names[row.at]}, by {ranking.words}: rank {ranking.ranking.rank[row.at]}, "
                f"{strength_words(ranking.ranking.log[row.at], tuple(ranking.ranking.ci[row.at]))}",
            )
            for kind, ranking, (logs, cis) in zip(kinds, judged, values, strict=False)
            if np.isfinite(logs[row.at])
        ]
        words = f"{row.ranking.rank[row.at]} ({ranks_words(row.ranks)})"
        rows.append(IntervalRow(rankings.names[row.at], words, middle_of(place), tuple(marks)))
    title = "further right is stronger, in standard deviations of each ranking" + left_out(everyone, shown)
    legend = [(kind, ranking.words) for kind, ranking in zip(kinds, judged, strict=False)]
    return drawn_rows(rows, axis, IntervalLegend(title, legend, "rank"))


def _spread(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.std()) or 1.0 if len(finite) else 1.0
