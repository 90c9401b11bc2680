"""The section "Who takes what for what?": a matrix for each respondent, drawn."""

from typing import Any

import numpy as np
from markupsafe import Markup

from baseline.comparison.confusion import confusion_of
from baseline.comparison.results import Respondent, Results
from baseline.output.rendering import drawn_with
from baseline.output.score_table import CLASSES
from data.numbers import interval, number
from data.task import Task
from eval.arrays import Floats
from eval.intervals import wilson


def draw_confusion(results: Results) -> Markup:
    """Return a matrix for each respondent; the labels that stand in no gold and no answer are left out."""
    matrices = [(row, confusion_of(results, row.ballots)) for row in results.rows]
    every = np.sum([found for _, found in matrices], axis=0)
    labels = results.human.panel.votes.labels
    silent = bool(every[:, -1].any())
    kept = [place for place in range(len(labels)) if every[place].any() or every[:, place].any()]
    words = [_words(results.study.task, labels[place]) for place in kept]
    return drawn_with(
        "confusion.html",
        words=words,
        silent=silent,
        tables=[_table(results, row, found, kept, words, silent) for row, found in matrices],
    )


def _words(task: Task, label: str) -> str:
    """Return a label in words; a place among the item's own options by its number from one."""
    if getattr(task.answer, "option_fields", ()):
        return f"option {int(label) + 1}"
    return label.replace("_", " ")


def _table(
    results: Results, row: Respondent, found: Floats, kept: list[int], words: list[str], silent: bool
) -> dict[str, Any]:
    columns = [*kept, *([found.shape[1] - 1] if silent else [])]
    given = [*words, *(["no answer"] if silent else [])]
    lines = []
    for place, gold in zip(kept, words, strict=True):
        total = float(found[place].sum())
        cells = [
            _cell(float(found[place, column]), total, gold, said, right=place == column)
            for column, said in zip(columns, given, strict=True)
        ]
        lines.append({"words": gold, "total": f"{total:g}", "cells": cells})
    return {"name": results.display_name(row), "kind": CLASSES[row.kind], "lines": lines, "given": given}


def _cell(count: float, total: float, gold: str, said: str, *, right: bool) -> dict[str, Any]:
    if not total:
        return {"value": "", "count": "", "interval": "", "shade": 0, "right": right, "title": f"no item is {gold}"}
    share = count / total
    between = interval(wilson(min(count, total), max(1, round(total))) if share <= 1 else None)
    return {
        "value": number(share),
        "count": f"{count:.1f}".removesuffix(".0"),
        "interval": between,
        "shade": min(5, int(share * 5 + 0.999)) if count else 0,
        "right": right,
        "title": f"of {total:g} answers to items that are {gold}, {count:.1f} say {said}: {number(share)}, "
        f"95% interval {between}",
    }
