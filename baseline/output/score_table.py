"""The rows of the score table: who answered, what it scored, how far that is from people, what became of the rest."""

from collections.abc import Sequence
from typing import Any

from baseline.comparison.results import Respondent, Results
from baseline.comparison.score_columns import ScoreRow
from baseline.human.rules_and_agreement import TIE_WORDS
from baseline.output.figures import Axis, difference_title, estimate_title, p_words
from baseline.runs.stored import imported_words
from data.numbers import interval, number, points, points_interval
from data.tables import Table
from eval.metrics.table import metric_named
from eval.scoring import Estimate

CLASSES = {"human": "people", "model": "models", "naive": "naive"}
ALWAYS = ("respondent", "picture", "value", "vs_human")
"""The columns that a narrow screen shows too."""
UNSCORED = Estimate(float("nan"), (float("nan"), float("nan")), "item", "none", 0)
STATUSES = {"won": "clear", "tied": "tied", "short": "with too few votes", "empty": "without votes"}


def axis_of(metric: str) -> Axis:
    """Return the axis of a metric's scores."""
    return Axis(metric_named(metric).low, metric_named(metric).high)


def score_rows(results: Results, table: Table[ScoreRow]) -> list[dict[str, Any]]:
    """Return what the rows of the score table say, by the names of its template."""
    return [_row(row.respondent, results, table, words) for row, words in zip(table.rows, table.cells, strict=True)]


def _row(row: Respondent, results: Results, table: Table[ScoreRow], words: Sequence[object]) -> dict[str, Any]:
    primary = results.study.task.primary
    found, apart = row.scores.get(primary, UNSCORED), row.vs_human
    name = results.display_name(row)
    return {
        "name": name,
        "kind": CLASSES[row.kind],
        "simulated": row.kind == "human" and results.human.simulated > 0,
        "imported": imported_words(row.run),
        "statuses": _statuses(row, results),
        "others": row.other_runs(),
        "picture": _picture(found, name, CLASSES[row.kind], results.human.majority.get(primary), axis_of(primary)),
        "value": number(found.value),
        "interval": interval(found.ci),
        "n": row.n,
        "title": estimate_title(metric_named(primary), found) if row.scores else "There is no gold to score against",
        "apart": points(apart.value) if apart else "—",
        "apart_interval": points_interval(apart.ci) if apart else "",
        "apart_title": difference_title(apart) if apart else "",
        "p": p_words(apart.p) if apart else "—",
        "test": difference_title(apart) if apart else "",
        "words": dict(zip((column.key for column in table.columns), words, strict=True)),
    }


def scope_of(results: Results) -> list[dict[str, Any]]:
    """Return the two sets of items on which all may be scored, with their sizes; () where they are the same.

    The one is every item with gold, of which each respondent has the `n` of its row; the other those items alone for
    which people have one answer, so that people and models are scored on the very same.
    """
    human = results.human
    scored = human.panel.consensus.ballots.scored
    known = [item in human.panel.gold for item in human.panel.votes.items]
    kept, every = int((scored & known).sum()), len(human.panel.gold) + human.aside
    if not kept or (kept == every and not results.kept):
        return []
    return [
        {"name": "all", "words": "All items with gold", "number": every, "on": not results.kept},
        {"name": "kept", "words": "Items people have one answer to", "number": kept, "on": results.kept},
    ]


def metric_rows(results: Results) -> dict[str, Any] | None:
    """Return every metric of every respondent, for a task that has several; None where nobody is scored."""
    if not any(row.scores for row in results.rows):
        return None
    named = [metric_named(name) for name in results.study.task.metrics]
    return {
        "names": [metric.title for metric in named],
        "rows": [
            {
                "name": results.display_name(row),
                "kind": CLASSES[row.kind],
                "imported": imported_words(row.run),
                "cells": [
                    {"value": number(e.value), "interval": interval(e.ci), "title": estimate_title(metric, e)}
                    for metric in named
                    for e in [row.scores[metric.name]]
                ],
            }
            for row in results.rows
            if row.scores
        ],
    }


def _picture(found: Estimate, name: str, kind: str, crowd: Estimate | None, axis: Axis) -> dict[str, Any]:
    """Return the row's interval on the common axis, with the people's behind it."""
    behind = _places(axis, crowd) if crowd else None
    return {
        "label": f"{name}: {number(found.value)}, 95% interval {interval(found.ci)}",
        "kind": kind,
        "ends": (axis.at(axis.low), axis.at(axis.high)),
        "own": _places(axis, found),
        "people": behind | {"width": round(behind["high"] - behind["low"], 2)} if behind else None,
    }


def _places(axis: Axis, found: Estimate) -> dict[str, float] | None:
    if found.value != found.value:
        return None
    low, high = found.ci if found.ci[0] == found.ci[0] else (found.value, found.value)
    return {"at": axis.at(found.value), "low": axis.at(low), "high": axis.at(high)}


def _statuses(row: Respondent, results: Results) -> str:
    """Return what became of the answers, ties and missing ones included."""
    if row.name == "human:individual":
        return f"{row.statuses.get('ok', 0)} judgments"
    if row.kind == "human":
        ties = f" ({TIE_WORDS.get(results.human.panel.rules.ties, '')})"
        return ", ".join(f"{n} {STATUSES[s]}{ties if s == 'tied' else ''}" for s, n in row.statuses.items())
    parts = ["naive baseline"] if row.kind == "naive" else []
    parts += [f"{n} {'read' if status == 'ok' else status}" for status, n in row.statuses.items()]
    unscored = int((~row.ballots.scored).sum()) - row.statuses.get("error", 0)
    if unscored > 0:
        parts.append(f"{unscored} {'not in its log' if imported_words(row.run) else 'not asked'}")
    return ", ".join(parts)
