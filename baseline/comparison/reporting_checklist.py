"""The reporting checklist of Wei et al. 2025 (arXiv:2506.13776), in its own numbering: filled, or missing."""

from collections.abc import Iterator
from dataclasses import dataclass

from baseline.comparison.document import Line, Section
from baseline.comparison.report_evidence import Evidence
from data.numbers import counted
from data.tables import Column, Table
from data.wording import english_name
from db.pay_of_answers import pay_words, time_words
from db.study_description import NUMBERS, answered
from db.study_settings import SETTINGS

MISSING, NO_MODEL, NO_GOLD = "missing", "no model has answered", "nothing is scored against gold"
WITHOUT_ANSWER = (NO_MODEL, NO_GOLD)
"""What leaves an item without an answer although nobody has to say anything."""


@dataclass(frozen=True)
class ReportedItem:
    """One item of the checklist and what this study says to it."""

    number: str
    question: str
    answer: str


COLUMNS: tuple[Column[ReportedItem], ...] = (
    Column("number", "no.", "", lambda item: item.number),
    Column("asked", "item", "", lambda item: item.question),
    Column("answer", "this study", "", lambda item: item.answer),
)


def reporting_checklist(evidence: Evidence) -> Section:
    """Return the items in the order of their numbers, how many are answered and which are missing."""
    items = sorted([*_counted(evidence), *_stated(evidence)], key=lambda item: _place(item.number))
    missing = [item for item in items if item.answer == MISSING]
    to_say = [f"{item.number} {item.question}" for item in missing if item.number in NUMBERS.values()]
    not_stored = [f"{item.number} {item.question}" for item in missing if item.number not in NUMBERS.values()]
    absent = {why: [f"{item.number} {item.question}" for item in items if item.answer == why] for why in WITHOUT_ANSWER}
    answered = len(items) - len(missing) - sum(map(len, absent.values()))
    lines = [Line(f"{answered} of {len(items)} items are answered.")]
    lines += [Line(f"Not answered, as {why}: {'; '.join(named)}.") for why, named in absent.items() if named]
    if not_stored:
        lines.append(Line(f"Missing, as nothing of it is stored: {'; '.join(not_stored)}.", is_question=True))
    if to_say:
        how = f"say it under Settings, or with: python app.py describe {evidence.study.name}"
        lines.append(Line(f"Missing: {'; '.join(to_say)}. To answer, {how}", is_question=True))
    table = Table("Wei et al. 2025, Human Baselines Checklist, by its numbers", COLUMNS, items)
    return Section("Reporting checklist of Wei et al. 2025", tuple(lines), (table,))


def _stated(evidence: Evidence) -> Iterator[ReportedItem]:
    """Yield what people say of the study, each text under its numbers, with what the database adds to it.

    Texts that the report's own checklist asks for have a letter of it, and no place here.
    """
    known = {
        "language_read": _language(evidence),
        "how_trained": _training(evidence),
        "instructions": _instruction(evidence),
        "pay": pay_words(evidence.baseline.human.pay) or MISSING,
        "time_spent": time_words(evidence.baseline.human.pay) or MISSING,
        "instructed_alike": _instructed(evidence),
        "robustness": _robustness(evidence),
    }
    for name, place in NUMBERS.items():
        if place[0].isdigit():
            written, stored = getattr(evidence.study.settings, name), known.get(name, MISSING)
            texts = [written] * answered(written) + [stored] * (stored not in (MISSING, *WITHOUT_ANSWER))
            yield ReportedItem(place, SETTINGS[name].title, "; ".join(texts) or stored)


def _language(evidence: Evidence) -> str:
    """Return in which language pages were shown; that of a log is known to those alone who declare it."""
    collected = evidence.study.origin != "imported"
    return f"pages were shown in {english_name(evidence.study.settings.language)}" if collected else MISSING


def _training(evidence: Evidence) -> str:
    number = evidence.number("training")
    return f"{number} training items" if number or evidence.study.origin != "imported" else MISSING


def _instruction(evidence: Evidence) -> str:
    printed = evidence.study.origin != "imported" and evidence.instruction.strip()
    return "printed above, under C. Training and instructions" if printed else MISSING


def _counted(evidence: Evidence) -> Iterator[ReportedItem]:
    """Yield what the database tells of."""
    yield from _of_models(evidence)
    yield from _of_people(evidence)
    yield from _of_analysis(evidence)


def _of_models(evidence: Evidence) -> Iterator[ReportedItem]:
    """Yield what section 0 asks of the evaluation, and how many items and answers each model gave."""
    asked = sorted({f"{row.n}" for row in evidence.models}, key=int)
    samples = sorted({str(row.run.settings.get("samples") or 1) for row in evidence.models if row.run}, key=int)
    yield ReportedItem("0.6", "Mode of the evaluation", "text")
    yield ReportedItem("0.9", "Items given to models", " to ".join(asked[:1] + asked[1:][-1:]) or NO_MODEL)
    yield ReportedItem("0.10", "Answers of a model to an item", ", ".join(samples) or NO_MODEL)


def _of_people(evidence: Evidence) -> Iterator[ReportedItem]:
    """Yield who answered how much, for which pay, and who was left out."""
    people = evidence.baseline.human.panel
    counts = people.counts()
    overlap = ", ".join(f"{counted(items, 'item')} with {votes}" for votes, items in counts["overlap"].items())
    excluded = f"{counts['workers']['excluded']} of {counts['workers']['total']} workers excluded"
    least = people.rules.control_min
    yield ReportedItem("1.1", "Number of people", str(counts["workers"]["kept"]))
    yield ReportedItem("1.2", "Items given to people", str(counts["items"]["total"]))
    yield ReportedItem("1.3", "Answers to an item", overlap or MISSING)
    yield ReportedItem("1.4", "Items of one person", _median(evidence))
    rule = "nobody by controls" if least is None else f"below {least:.0%} of controls right"
    yield ReportedItem("3.2, 3.2.1, 3.2.2", "Quality control while answering", f"{rule}; {excluded}")


def _of_analysis(evidence: Evidence) -> Iterator[ReportedItem]:
    """Yield how people and models are compared."""
    scored, gold = bool(evidence.baseline.human.majority), bool(evidence.baseline.human.panel.gold)
    untested = NO_MODEL if not evidence.models else NO_GOLD if not evidence.are_compared else MISSING
    how = "paired, beside each model, which names the test" if gold else "paired, of agreement with people"
    yield ReportedItem("4.1, 4.1.1", "Test of significance", how if evidence.has_tests else untested)
    intervals = "points with 95% intervals" if evidence.has_intervals else MISSING
    yield ReportedItem("4.2, 4.2.1", "Uncertainty", intervals)
    alike = "one function scores people and models" if scored else "one function compares people and models with people"
    yield ReportedItem("4.3–4.5", "Metric and scoring alike", alike if evidence.are_compared else untested)


def _instructed(evidence: Evidence) -> str:
    """Return whether people and models were instructed alike, `MISSING` where it is not known of any model."""
    matters = dict(evidence.equality.matters if evidence.equality else ()).get("Instruction", ())
    if not evidence.models:
        return NO_MODEL
    verdicts = list(dict.fromkeys(stated.matter.verdict for stated in matters))
    return (
        MISSING if not verdicts or "not known" in verdicts else f"{', '.join(verdicts)}; reasons stand above, under K"
    )


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


def _place(text: str) -> tuple[int, ...]:
    """Return the first number of an item as it is ordered: 1.10 behind 1.9."""
    first = text.replace("–", ",").split(",")[0]
    return tuple(int(part) for part in first.split("."))
