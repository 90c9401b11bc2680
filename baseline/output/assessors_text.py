"""Two assessors as they are read in a terminal: confusion tables, shares, the items they doubt together."""

from collections.abc import Callable

from baseline.human.assessors import NEGATIVE, POSITIVE, Assessors
from data.numbers import number
from data.table_text import text_table
from data.tables import Column, Table
from data.task import Task
from eval.assessors import Assessment

MOST = 20  # items of a list that are read; --json has them all


def assessors_text(found: Assessors) -> str:
    """Return the tables of two assessors, of each group and of all items."""
    task = found.study.task
    parts = [f"{found.study.name}: two assessors of {task.title.en} ({task.id})"]
    if found.groups and found.breakdown:
        parts += [_table(_group(task, found.breakdown.field, name), each, found) for name, each in found.groups.items()]
    parts.append(_table("all items", found.whole, found))
    parts += [_doubted(found, label) for label in found.doubted]
    if found.admitted:
        rule = found.admitted
        parts.append(
            f"admitted to a corpus: {len(rule.positive)} positive (both {POSITIVE}), {len(rule.negative)} negative "
            f"(both {NEGATIVE}); {len(rule.rest)} stay out"
        )
    for votes, items in sorted(found.left_out.items()):
        parts.append(f"note: {items} items have {votes} judgments, not two, and are left out.")
    return "\n\n".join(parts)


def mark_words(found: Assessors, label: str) -> str:
    """Return a mark with its words, where the task has some: `2 (Incorrect)`."""
    words = found.marks.words.get(label, label)
    return label if words == label else f"{label} ({words})"


def _group(task: Task, field: str, name: str) -> str:
    return f"{field} {task.shown(field, name).en}" if name else f"{field} not stated"


def _table(name: str, assessed: Assessment, found: Assessors) -> str:
    shares = ", ".join(f"{assessed.share(label):.0%} both {label}" for label in assessed.labels)
    drawn = text_table(assessment_table(assessed, found))
    return f"{name}: {assessed.n}\n{drawn}\n{shares}; Cohen's kappa {number(assessed.kappa)}"


def assessment_table(assessed: Assessment, found: Assessors) -> Table[int]:
    """Return how many items have which two marks: a row for each mark of the first assessor, columns for the second."""
    columns: list[Column[int]] = [
        Column("first", "first \\ second", "", lambda row: mark_words(found, assessed.labels[row]))
    ]
    columns += [Column(label, label, "", _number(assessed, place)) for place, label in enumerate(assessed.labels)]
    return Table("", columns, range(len(assessed.labels)))


def _number(assessed: Assessment, place: int) -> Callable[[int], int]:
    return lambda row: int(assessed.matrix[row, place])


def _doubted(found: Assessors, label: str) -> str:
    items = found.whole.unanimous(label)
    more = f" and {len(items) - MOST} more; --json has them all" if len(items) > MOST else ""
    listed = ": " + ", ".join(items[:MOST]) + more if items else ""
    return f"both {mark_words(found, label)}: {len(items)} items{listed}"
