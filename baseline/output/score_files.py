"""The score table of a study as data and for a paper: rows for CSV, one object for JSON, a table of LaTeX."""

from typing import Any

import pandas as pd

from baseline.comparison.evidence import Evidence
from baseline.comparison.repeating import to_repeat
from baseline.comparison.results import Respondent, Results
from baseline.human.released import pseudonyms, renamed
from baseline.output.document import latex
from baseline.output.results_text import difference_text
from data.numbers import interval, number
from eval.metrics.table import metric_named

COLUMNS = (
    "respondent", "kind", "metric", "value", "low", "high", "unit", "method", "n",
    "difference", "difference_low", "difference_high", "p", "p_holm", "statuses", "run", "other_runs",
)  # fmt: skip


def score_frame(results: Results) -> pd.DataFrame:
    """Return a row for each respondent and metric; the difference from people stands with the task's first metric."""
    rows = [values for row in results.rows for values in _rows(row, results)]
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)


def as_json(evidence: Evidence) -> dict[str, Any]:
    """Return people, models, the statement of equality and all settings as one object; workers go by numbers."""
    equal = evidence.equality
    numbers = pseudonyms(evidence.full.found.judgments["worker"], seed=evidence.study.seed)
    return {
        "results": renamed(evidence.results.as_dict(), numbers),
        "human": renamed(evidence.full.as_dict(), numbers),
        "equality": equal.as_dict() if equal else None,
        "repeat": to_repeat(evidence),
    }


def latex_table(results: Results) -> str:
    """Return the score table as a `tabular` with the rules of booktabs, to be put into a paper as it is."""
    title = metric_named(results.study.task.primary).title
    head = ("", title, "95\\% interval", "$n$", "minus people, points", "test")
    cells = [head] + [tuple(map(latex, _cells(row, results))) for row in results.rows]
    lines = [" & ".join(line) + r" \\" for line in cells]
    return "\n".join(
        (
            "% \\usepackage{booktabs}; Cyrillic needs \\usepackage[T2A]{fontenc}",
            r"\begin{tabular}{lrrrrr}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {note}" for note in results.notes_of_runs()),
            "",
        )
    )


def _cells(row: Respondent, results: Results) -> tuple[object, ...]:
    found = row.scores.get(results.study.task.primary)
    value = (number(found.value), interval(found.ci)) if found else ("—", "—")
    return (row.name, *value, row.n, *difference_text(row))


def _rows(row: Respondent, results: Results) -> list[dict[str, Any]]:
    apart, standing = row.vs_human, results.standings.get(row.name)
    about = {"respondent": row.name, "kind": row.kind, "n": row.n, "run": row.run.id if row.run else None}
    about["statuses"] = " ".join(f"{name}:{n}" for name, n in row.statuses.items())
    about["other_runs"] = " ".join(f"{one.run.id}:{one.state}" for one in row.chosen.others) if row.chosen else None
    found = []
    for name, estimate in row.scores.items():
        low, high = estimate.ci
        values = about | {"metric": name, "value": estimate.value, "n": estimate.n}
        values |= {"low": low, "high": high, "unit": estimate.unit, "method": estimate.method}
        if apart and name == results.study.task.primary:
            values |= {"difference": apart.value, "difference_low": apart.ci[0], "difference_high": apart.ci[1]}
            values |= {"p": apart.p, "p_holm": standing.p_holm if standing else None}
        found.append(values)
    return found or [about]
