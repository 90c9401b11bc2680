"""The checklist of a human baseline, A to L: filled from the database where it can be, a question where it cannot."""

from collections.abc import Iterable

import pandas as pd

from baseline.comparison.checklist_scores import aggregation, agreement, equality, scores, uncertainty
from baseline.comparison.document import Line, Section
from baseline.comparison.evidence import Evidence
from baseline.human.baseline_tables import joined, said
from data.numbers import number


def checklist(evidence: Evidence) -> tuple[Section, ...]:
    """Return a section for each letter, in order."""
    parts = (
        ("A. Items", _items(evidence)),
        ("B. People", _people(evidence)),
        ("C. Training and instructions", _training(evidence)),
        ("D. Pay and effort", _effort(evidence)),
        ("E. Quality control", _quality(evidence)),
        ("F. Overlap", _overlap(evidence)),
        ("G. Aggregation", aggregation(evidence)),
        ("H. Scores", scores(evidence)),
        ("I. Agreement", agreement(evidence)),
        ("J. Uncertainty and tests", uncertainty(evidence)),
        ("K. Are people and models asked the same?", equality(evidence)),
        ("L. Release", _release(evidence)),
    )
    quotes = {"C. Training and instructions": _texts(evidence)}
    return tuple(Section(f"Checklist {title}", tuple(lines), quotes=quotes.get(title, ())) for title, lines in parts)


def _texts(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Return what people and models read; an imported log does not hold what its people were told."""
    texts = [("The task's prompt for models", evidence.study.task.prompt)]
    if evidence.study.origin != "imported":
        texts.insert(0, ("The instruction people read", _instruction(evidence)))
    return tuple((name, text) for name, text in texts if text.strip())


def _instruction(evidence: Evidence) -> str:
    return evidence.study.task.instruction.within(evidence.study.settings.language)


def _items(evidence: Evidence) -> Iterable[Line]:
    task, people = evidence.study.task, evidence.full.human.panel
    source = f" Source: {task.source}." if task.source else ""
    yield Line(f"Benchmark: {task.title.en} ({task.id}), version {task.version} of its description.{source}")
    yield Line(
        f"{len(evidence.main)} items were given to people, {len(people.gold)} of them with gold; "
        f"{evidence.duplicates()} repeat the text of another. SHA-256 of ids and fields: {evidence.fingerprint()}."
    )
    if evidence.models:
        yield Line("Models were given these same items; how many enter each score stands beside it (n).")
    yield _asked("Which split and release is it, how many items does it have in full, and how were these sampled?")
    yield _asked("Which items were left out, and why? Where does the gold come from; which of its errors are known?")
    yield _asked("Was there a pilot, and what was changed after it?")


def _people(evidence: Evidence) -> Iterable[Line]:
    counts = evidence.full.human.panel.counts()["workers"]
    yield Line(f"Workers with a judgment: {joined(counts.items())}; {len(evidence.full.found.shut_out)} shut out.")
    if evidence.full.human.simulated:
        yield Line("Some or all judgments are simulated: programs answered, not people.")
    yield _asked("How many were invited and qualified? Which population do they stand for (language, education)?")
    yield _asked("Through which channel did they come, which test qualified them, and what share passed it?")
    yield _asked("Had they met the items before? Were authors among them? How were consent and ethics settled?")


def _training(evidence: Evidence) -> Iterable[Line]:
    study = evidence.study
    imported = study.origin == "imported"
    yield Line(f"Training items: {evidence.number('training')}.")
    if not imported:
        share = f"; share of the training to be right: {study.settings.training_pass:.0%}"
        share += f", in {study.settings.training_attempts} attempts" if study.settings.training_attempts > 1 else ""
        yield Line(f"Language: {study.settings.language}{share if evidence.number('training') else ''}.")
    if imported or not _instruction(evidence).strip():
        yield _asked("What did the instruction say, in full and with its examples?")
    yield _asked("Was the instruction changed on the way? Could training be repeated; did it tell the right answer?")
    yield _asked("Which tools (dictionary, search, language models) were allowed, and how was that enforced?")


def _effort(evidence: Evidence) -> Iterable[Line]:
    pay = evidence.full.human.pay
    if pay["total"] is None:
        yield _asked("What were people paid, and what did that come to in an hour? No price is stored.")
    else:
        yield Line(f"Pay: {joined(pay.items())}.")
    seconds = evidence.seconds()
    if len(seconds):
        low, middle, high = (f"{value:.1f}" for value in seconds.quantile([0.25, 0.5, 0.75]))
        yield Line(f"Seconds per judgment of a main item: median {middle}, middle half from {low} to {high}.")
    else:
        yield _asked("How long did an item take? No times are stored.")
    yield Line(f"Main items per worker: {_spread(evidence.per_worker('main'))}.")
    yield _asked("What was the unit of pay, was there a bonus, was training paid, was there a limit of time?")
    for row in evidence.models:
        settings = row.run.settings.items() if row.run else ()
        plain = [(name, value) for name, value in settings if isinstance(value, str | int | float)]
        yield Line(f"{row.name}: {joined(row.statuses.items())}{'; ' * bool(plain)}{joined(plain)}.")


def _quality(evidence: Evidence) -> Iterable[Line]:
    people = evidence.full.human.panel
    pool, least = evidence.number("control"), people.rules.control_min
    yield Line(f"Control items: {pool}. Control answers per worker: {_spread(evidence.per_worker('control'))}.")
    if len(people.controls):
        right, answered = int(people.controls["right"].sum()), int(people.controls["answered"].sum())
        yield Line(f"Of {answered} control answers {right} are right ({number(right / answered)}).")
    rule = "nobody is excluded by controls" if least is None else f"at least {said(100 * least)}% of controls right"
    yield Line(f"Rule: {rule}; no rule on time or on equal answers is applied to this report.")
    change = evidence.full.exclusions
    yield Line(
        f"Workers excluded: {len(change.excluded)}; items that lose all judgments: {len(change.unanswered)}, "
        f"their consensus: {len(change.undecided)}. Scores with and without them stand under Exclusions."
    )
    yield _asked("Were the exclusions decided before or after the scores were seen?")


def _overlap(evidence: Evidence) -> Iterable[Line]:
    if evidence.study.origin != "imported":
        yield Line(f"Planned: {evidence.study.settings.overlap} judgments per item; lapsed ones were offered again.")
    else:
        yield _asked("How many judgments per item were planned, and were missing ones collected anew?")
    realised = evidence.full.human.panel.counts()["overlap"].items()
    yield Line("Realised, votes:items: " + (", ".join(f"{n}:{items}" for n, items in realised) or "no votes") + ".")


def _release(evidence: Evidence) -> Iterable[Line]:
    days, licence = evidence.days(), evidence.study.task.licence
    yield Line(f"Collected from {days[0]} to {days[1]}.") if days else _asked("When were the judgments collected?")
    yield Line(f"Licence of the items: {licence}.") if licence else _asked("Under which licence are the items?")
    yield Line(f"One row per judgment: python app.py export {evidence.study.name} --what judgments --to FILE")
    if evidence.study.origin == "imported":
        yield _asked("Workers are named as the imported log names them: does that give anybody away?")
    yield _asked("Where are judgments, instruction and code published, and under which licence?")


def _spread(numbers: pd.Series) -> str:
    if not len(numbers):
        return "none"
    return f"least {numbers.min()}, median {numbers.median():g}, most {numbers.max()}, {len(numbers)} workers"


def _asked(text: str) -> Line:
    return Line(text, asked=True)
