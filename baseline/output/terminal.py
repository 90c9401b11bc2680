"""What is read in a terminal: results, a human baseline, a plan, the rules on workers and two assessors."""

from collections.abc import Sequence
from dataclasses import replace

from baseline.human.assessor_pairs import NEGATIVE, POSITIVE, Assessors, assessment_table, label_words
from baseline.human.detailed_baseline import DetailedBaseline, human_tables, pairs
from baseline.human.quality_afterwards import Quality, change_table, check_table, finding_table
from baseline.human.sensitivity_strip import procedure_source, procedure_table, strip_remarks, strip_table
from baseline.output.report_file import text
from data.numbers import counted, number
from data.tables import text_table
from data.task import Task
from eval.agreement.two_assessors import Assessment
from eval.reanalysis import Effect
from eval.workers.table import TITLES

LONGEST_LIST = 40
"""Rows and items of a list that are read; --json has them all."""


def human_details(baseline: DetailedBaseline) -> list[str]:
    """Return the rest of the human baseline of a study, part by part."""
    shown, procedure = baseline.as_dict(), baseline.procedure
    overlap = ", ".join(f"{counted(n, 'item')} with {votes}" for votes, n in shown["overlap"].items())
    counts = "\n".join(pairs(name, shown[name]) for name in ("workers", "judgments", "items"))
    rest = [pairs("rules", shown["rules"]), *(f"note: {note}" for note in shown["notes"])]
    return [
        f"{counts}\nvotes per item: {overlap or 'none'}",
        *(text([table]) for table in human_tables(baseline)),
        *([f"{procedure_source(procedure)}\n{text([procedure_table(procedure)])}"] if procedure else []),
        *([_sensitivity(baseline)] if baseline.human.panel.gold and baseline.sensitivity else []),
        "\n".join(rest),
    ]


def quality_text(quality: Quality) -> str:
    """Return what the rules on workers find in a study afterwards."""
    task, findings = quality.study.task, finding_table(quality)
    parts = [
        f"{quality.study.name}: the rules on workers of {task.title.for_requesters} ({task.id})",
        text_table(check_table(quality)),
    ]
    if findings.rows:
        hidden = len(findings.rows) - LONGEST_LIST
        more = f"\nand {hidden} more; --json has them all" if hidden > 0 else ""
        parts.append(text_table(replace(findings, rows=findings.rows[:LONGEST_LIST])) + more)
    parts.append(text_table(change_table(quality)))
    parts += [
        _losses(TITLES.get(name, "all together"), effect, quality.least) for name, effect in quality.after.items()
    ]
    return "\n\n".join([*parts, "\n".join(f"note: {note}" for note in quality.notes)])


def assessors_text(assessors: Assessors) -> str:
    """Return the tables of two assessors, of each group and of all items."""
    task = assessors.study.task
    parts = [f"{assessors.study.name}: two assessors of {task.title.for_requesters} ({task.id})"]
    if assessors.groups and assessors.breakdown:
        field = assessors.breakdown.field
        parts += [_assessment(_group(task, field, name), each, assessors) for name, each in assessors.groups.items()]
    parts.append(_assessment("all items", assessors.overall, assessors))
    for label in assessors.doubted:
        items = assessors.overall.unanimous(label)
        parts.append(f"both {label_words(assessors, label)}: {len(items)} items{': ' * bool(items)}{_names(items)}")
    if rule := assessors.admitted:
        parts.append(
            f"admitted to a corpus: {len(rule.positive)} positive (both {POSITIVE}), {len(rule.negative)} negative "
            f"(both {NEGATIVE}); {len(rule.rest)} stay out"
        )
    for votes, number_of in sorted(assessors.left_out.items()):
        parts.append(f"note: {number_of} items have {votes} judgments, not two, and are left out.")
    return "\n\n".join(parts)


def _sensitivity(baseline: DetailedBaseline) -> str:
    strip = strip_table(baseline.sensitivity, baseline.human.panel.rules)
    return "\n".join([text([strip]), *strip_remarks(baseline.sensitivity)])


def _losses(title: str, effect: Effect, least: int) -> str:
    below = effect.thinned(least)
    lines = [f"{title}: {len(effect.losses)} items lose votes, {len(below)} of them keep fewer than {least}"]
    if below:
        lines.append("  " + _names([f"{loss.item} ({loss.before} to {loss.after})" for loss in below]))
    for name, words in (("undecided", "lose their consensus"), ("changed", "get another answer")):
        if items := getattr(effect, name):
            lines.append(f"  {len(items)} {words}: {_names(list(items))}")
    return "\n".join(lines)


def _group(task: Task, field: str, name: str) -> str:
    return f"{field} {task.shown(field, name).for_requesters}" if name else f"{field} not stated"


def _assessment(name: str, assessed: Assessment, assessors: Assessors) -> str:
    shares = ", ".join(f"{assessed.share(label):.0%} both {label}" for label in assessed.labels)
    table = text_table(assessment_table(assessed, assessors))
    return f"{name}: {assessed.n}\n{table}\n{shares}; Cohen's kappa {number(assessed.kappa)}"


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - LONGEST_LIST} more; --json has them all" if len(names) > LONGEST_LIST else ""
    return ", ".join(names[:LONGEST_LIST]) + more
