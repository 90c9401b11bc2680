"""What is read in a terminal: tables, each under its caption, and then the notes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from baseline.comparison.results import Results
from baseline.comparison.score_columns import result_notes, result_tables
from baseline.human.baseline_tables import human_tables, pairs
from baseline.human.full import FullBaseline
from baseline.human.sensitivity_strip import strip_remarks, strip_table
from data.table_text import text_table
from data.tables import Table


def text(tables: Iterable[Table[Any]], notes: Sequence[str] = (), *, captions: bool = True) -> str:
    """Return tables, each under its caption where it has one and `captions` are wanted, and then the notes."""
    parts = [
        f"{each.caption}\n{text_table(each)}" if captions and each.caption else text_table(each) for each in tables
    ]
    return "\n\n".join([*parts, *(["\n".join(f"note: {note}" for note in notes)] if notes else [])])


def results_text(results: Results) -> str:
    """Return people and models side by side, and how models stand to people."""
    head = f"{results.study.name}: {results.study.task.title.en}, {len(results.human.panel.votes.items)} items"
    return f"{head}\n\n{text(result_tables(results, 'text'), result_notes(results))}"


def human_text(full: FullBaseline) -> str:
    """Return the human baseline of a study."""
    shown, task = full.as_dict(), full.human.task
    overlap = ", ".join(f"{n} items with {votes}" for votes, n in shown["overlap"].items())
    parts = [
        f"{full.human.study}: the human baseline of {task.title.en} ({task.id})",
        *(pairs(name, shown[name]) for name in ("workers", "judgments", "items")),
        f"votes per item: {overlap or 'none'}",
        "",
        *(part for table in human_tables(full) for part in (text_table(table), "")),
        *_strip(full),
        pairs("rules", shown["rules"]),
        _effort(shown["pay"]),
        *(f"note: {note}" for note in shown["notes"]),
    ]
    return "\n".join(parts)


def _strip(full: FullBaseline) -> list[str]:
    if not full.human.panel.gold:
        return []
    stars = "score (items scored) under other rules; * these rules"
    rows = text_table(strip_table(full.sensitivity, full.human.panel.rules))
    return [stars, rows, *strip_remarks(full.sensitivity), ""]


def _effort(pay: Mapping[str, object]) -> str:
    known = {name: value for name, value in pay.items() if value is not None}
    return pairs("pay", known) if known else "pay: neither prices nor times are stored"
