"""The reporting checklist of Wei et al. 2025 (arXiv:2506.13776), in its own numbering: filled, or missing."""

from collections.abc import Mapping
from typing import Any

from baseline.comparison.document import Section
from baseline.comparison.given_differently import INSTRUCTION, NOT_KNOWN
from baseline.comparison.report_evidence import Evidence
from data.numbers import counted
from data.tables import Column, Table
from data.wording import english_name
from db.payments import pay_words, time_words
from db.study_settings import CHECKLIST, ChecklistItem, answered

MISSING, NO_MODEL, NO_GOLD = "missing", "no model has answered", "nothing is scored against gold"
WITHOUT_ANSWER = (NO_MODEL, NO_GOLD)
"""What leaves an item without an answer although nobody has to say anything."""


COLUMNS: tuple[Column[tuple[ChecklistItem, str]], ...] = (
    Column("number", "no.", "", lambda row: row[0].number),
    Column("asked", "item", "", lambda row: row[0].title),
    Column("answer", "this study", "", lambda row: row[1]),
)


def reporting_checklist(evidence: Evidence) -> Section:
    """Return the items in their order, how many are answered, and which are missing; then what differed for models."""
    known = _of_models(evidence) | _of_people(evidence) | _of_analysis(evidence)
    reported = [(item, _answer(evidence, item, known)) for item in CHECKLIST.values()]
    items = [(item, answer) for item, answer in reported if item.number]
    number = sum(answer not in (MISSING, *WITHOUT_ANSWER) for _, answer in items)
    lines = [f"{number} of {len(items)} items are answered."]
    if any(answer == MISSING and item.group for item, answer in items):
        how = f"under Settings, or with: python app.py describe {evidence.study.name}"
        lines.append(f"To be filled in by the author, where an item is missing: {how}")
    lines += [f"{item.title}: {answer}" for item, answer in reported if not item.number and answer != MISSING]
    table = Table("Wei et al. 2025, Human Baselines Checklist, by its numbers", COLUMNS, items)
    given = evidence.given
    tables: tuple[Table[Any], ...] = (table, *([given] if given and given.rows else []))
    return Section("Reporting checklist of Wei et al. 2025", lines=tuple(lines), tables=tables)


def _answer(evidence: Evidence, item: ChecklistItem, known: Mapping[str, str]) -> str:
    """Return what people say of an item, with what the database adds to it."""
    written = getattr(evidence.study.settings, item.name) if item.group else ""
    stored = known.get(item.name) or MISSING
    texts = [written] * answered(written) + [stored] * (stored not in (MISSING, *WITHOUT_ANSWER))
    return "; ".join(texts) or stored


def _language(evidence: Evidence) -> str:
    """Return in which language pages were shown; that of a log is known to those alone who declare it."""
    collected = evidence.study.origin != "imported"
    return f"pages were shown in {english_name(evidence.study.settings.language)}" if collected else MISSING


def _training(evidence: Evidence) -> str:
    number = evidence.number("training")
    return f"{number} training items" if number or evidence.study.origin != "imported" else MISSING


def _is_kept(evidence: Evidence) -> bool:
    """Return whether it is known what people read; an imported log does not hold what they were told."""
    return evidence.study.origin != "imported" and bool(evidence.instruction.strip())


def _of_models(evidence: Evidence) -> dict[str, str]:
    """Return what section 0 asks of the evaluation, and how many items and answers each model gave."""
    asked = sorted({f"{row.n}" for row in evidence.models}, key=int)
    samples = sorted({str(row.settings.get("samples") or 1) for row in evidence.models if row.run}, key=int)
    return {
        "mode": "text",
        "language_read": _language(evidence),
        "items_of_models": " to ".join(asked[:1] + asked[1:][-1:]) or NO_MODEL,
        "answers_of_models": ", ".join(samples) or NO_MODEL,
        "instructed_alike": _instructed(evidence),
    }


def _of_people(evidence: Evidence) -> dict[str, str]:
    """Return who answered how much, for which pay, and who was left out."""
    people, pay = evidence.baseline.human.panel, evidence.baseline.human.pay
    counts, least, days = people.counts(), people.rules.control_min, evidence.days()
    rule = "nobody by controls" if least is None else f"below {least:.0%} of controls right"
    when = f"collected from {days[0]} to {days[1]}" if days else ""
    return {
        "people": str(counts["workers"]["kept"]),
        "items": str(counts["items"]["total"]),
        "votes": ", ".join(f"{counted(items, 'item')} with {votes}" for votes, items in counts["overlap"].items()),
        "items_each": _median(evidence),
        "how_trained": _training(evidence),
        "instructions": "in settings.json of the package" if _is_kept(evidence) else MISSING,
        "pay": pay_words(pay),
        "time_spent": "; ".join(filter(None, (time_words(pay), when))),
        "items_licence": evidence.study.task.licence,
        "quality_control": f"{rule}; {counts['workers']['excluded']} of {counts['workers']['total']} workers excluded",
        "robustness": _robustness(evidence),
    }


def _of_analysis(evidence: Evidence) -> dict[str, str]:
    """Return how people and models are compared."""
    scored, gold = bool(evidence.baseline.human.majority), bool(evidence.baseline.human.panel.gold)
    untested = NO_MODEL if not evidence.models else NO_GOLD if not evidence.are_compared else MISSING
    how = "paired, beside each model, which names the test" if gold else "paired, of agreement with people"
    alike = "one function scores people and models" if scored else "one function compares people and models with people"
    return {
        "significance": how if evidence.has_tests else untested,
        "uncertainty": "points with 95% intervals" if evidence.has_intervals else MISSING,
        "scoring": alike if evidence.are_compared else untested,
    }


def _instructed(evidence: Evidence) -> str:
    """Return whether people and models were given the same, `MISSING` where the instruction of any is not known."""
    if not any(row.kind == "model" for row in evidence.models):
        return NO_MODEL
    if evidence.given is None:
        return MISSING
    given = [each for each, _ in evidence.given.rows]
    if any(each.what == INSTRUCTION and NOT_KNOWN in f"{each.people} {each.models}" for each in given):
        return MISSING
    different = ", ".join(dict.fromkeys(each.what for each in given))
    return f"different: {different}; the table below says how" if given else "people and models were given the same"


def _robustness(evidence: Evidence) -> str:
    """Return what the score is with and without those whom quality control excludes, `MISSING` where nothing checks."""
    if not evidence.baseline.human.majority:
        return NO_GOLD
    change = evidence.baseline.exclusions
    if change.excluded:
        return f"{len(change.excluded)} workers excluded; scores with and without them stand under Exclusions"
    return "checked by controls, nobody is excluded" if len(evidence.baseline.human.panel.controls) else MISSING


def _median(evidence: Evidence) -> str:
    numbers = evidence.per_worker("main")
    return f"median {numbers.median():g}, from {numbers.min()} to {numbers.max()}" if len(numbers) else MISSING
