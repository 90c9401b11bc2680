"""The checklist of a human baseline, A to L: filled from the database where it can be, a question where it cannot."""

from collections.abc import Iterable, Mapping

import pandas as pd

from baseline.comparison.checklist_of_scores import aggregation, agreement, scores
from baseline.comparison.document import Line, Section
from baseline.comparison.published_scores import published_scores_of
from baseline.comparison.report_evidence import Evidence
from baseline.comparison.results import called
from baseline.human.baseline_tables import joined
from baseline.runs.prompt_languages import prompt_language
from data.numbers import counted, number
from data.wording import english_name, enumerated
from db.pay_of_answers import pay_words, time_words
from db.study_description import NUMBERS
from db.study_settings import SETTINGS
from eval.intervals.jackknife import why_these_people

ASKED_OF_ITEMS = {
    "full_size": "How many items does the whole evaluation have?",
    "sampling": "Out of which split and release were these items sampled, how, and which were left out, and why?",
    "pilot": "Was there a pilot, and what was changed after it?",
}
ASKED_OF_PEOPLE = {
    "population": "Which population do they stand for (language, education)?",
    "recruitment": "Through which channel did they come, how many were invited, and how many passed which test?",
    "met_before": "Had they met the items before?",
    "authors_answered": "Were authors among them?",
    "ethics": "How were consent and ethics settled?",
}
SAID_BY = {"Order of options": "option_order"}
"""The text of the description that says whether a matter was the same where nothing stored does."""
ABOVE = ("Items", "Metric", "Number of answers")
"""What the statement of equality says of these stands in lines of their own."""


def checklist(evidence: Evidence) -> tuple[Section, ...]:
    """Return a section for each letter, in order."""
    parts = (
        ("A. Items", _items(evidence)),
        ("B. People", _people(evidence)),
        ("C. Training and instructions", _training(evidence)),
        ("D. Pay and effort", _effort(evidence)),
        ("E. Quality control", _quality(evidence)),
        ("F. Overlap", _overlap(evidence)),
        ("G. Aggregation", aggregation(evidence.baseline)),
        ("H. Scores", scores(evidence.baseline)),
        ("I. Agreement", agreement(evidence.baseline)),
        ("J. Uncertainty and tests", _uncertainty(evidence)),
        ("K. Are people and models asked the same?", _equality(evidence)),
        ("L. Release", _release(evidence)),
    )
    quotes = {"C. Training and instructions": _texts(evidence)}
    return tuple(
        Section(f"Checklist {title}", (*lines, *_description_lines(evidence, title[0])), quotes=quotes.get(title, ()))
        for title, lines in parts
    )


def _description_lines(evidence: Evidence, letter: str) -> Iterable[Line]:
    """Yield what people say of the study under a letter, where the checklist of Wei et al. has no place for it."""
    for name, place in NUMBERS.items():
        if place == letter and not evidence.unanswered(name):
            yield Line(f"{SETTINGS[name].title}: {getattr(evidence.study.settings, name)}")


def _texts(evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Return what people and models read; an imported log does not hold what its people were told."""
    texts = [("The task's prompt for models", evidence.study.task.own_prompt(prompt_language(evidence.study)))]
    if evidence.study.origin != "imported":
        texts.insert(0, ("The instruction people read", evidence.instruction))
    return tuple((name, text) for name, text in texts if text.strip())


def _items(evidence: Evidence) -> Iterable[Line]:
    task, people = evidence.study.task, evidence.baseline.human.panel
    source = f" Source: {task.source}." if task.source else ""
    yield Line(
        f"Benchmark: {task.title.for_requesters} ({task.id}), version {task.version} of its description.{source}"
    )
    yield Line(
        f"{counted(len(evidence.main), 'item')} given to people, {len(people.gold or people.right_numbers)} of them "
        f"with gold; {evidence.duplicates()} repeat the text of another. SHA-256 of ids and fields: "
        f"{evidence.fingerprint()}."
    )
    if evidence.models:
        yield Line("Models were given these same items; how many enter each score stands beside it (n).")
    if evidence.unanswered("gold_source"):
        yield _question("Where does the gold come from; which of its errors are known?")
    yield from _open_questions(evidence, ASKED_OF_ITEMS)


def _people(evidence: Evidence) -> Iterable[Line]:
    counts, excluded = evidence.baseline.human.panel.counts()["workers"], evidence.baseline.collected.excluded
    yield Line(f"Workers with a judgment: {joined(counts.items())}; {len(excluded)} shut out.")
    if evidence.baseline.human.simulated:
        yield Line("Some or all judgments are simulated: programs answered, not people.")
    yield from _open_questions(evidence, ASKED_OF_PEOPLE)


def _training(evidence: Evidence) -> Iterable[Line]:
    study = evidence.study
    imported = study.origin == "imported"
    yield Line(f"Training items: {evidence.number('training')}.")
    if not imported:
        share = f"; share of the training to be right: {study.settings.training_pass:.0%}"
        share += f", in {study.settings.training_attempts} attempts" if study.settings.training_attempts > 1 else ""
        read = english_name(study.settings.language)
        yield Line(f"Language of the pages: {read}{share if evidence.number('training') else ''}.")
    if evidence.unanswered("instructions") and (imported or not evidence.instruction.strip()):
        yield _question("What did the instruction say, in full and with its examples?")
    if evidence.unanswered("how_trained"):
        yield _question(
            "Was the instruction changed on the way? Could training be repeated; did it tell the right answer?"
        )
    if evidence.unanswered("tools"):
        yield _question("Which tools (dictionary, search, language models) were allowed, and how was that enforced?")


def _effort(evidence: Evidence) -> Iterable[Line]:
    pay = evidence.baseline.human.pay
    if pay["total"] is not None:
        yield Line(f"Pay: {pay_words(pay)}.")
    elif evidence.unanswered("pay"):
        yield _question("What were people paid, and what did that come to in an hour? No price is stored.")
    seconds = evidence.seconds()
    if len(seconds):
        low, high = (f"{value:.2f}" for value in seconds.quantile([0.25, 0.75]))
        yield Line(f"Time: {time_words(pay)}, middle half from {low} to {high}.")
    elif evidence.unanswered("time_spent"):
        yield _question("How long did an item take? No times are stored.")
    yield Line(f"Main items per worker: {_spread(evidence.per_worker('main'))}.")
    if evidence.unanswered("pay_policy"):
        yield _question("What was the unit of pay, was there a bonus, was training paid, was there a limit of time?")
    for row in evidence.models:
        settings = row.run.settings.items() if row.run else ()
        plain = [(name, value) for name, value in settings if isinstance(value, str | int | float)]
        yield Line(f"{called(row.name)}: {'; '.join(filter(None, (joined(row.statuses.items()), joined(plain))))}.")


def _quality(evidence: Evidence) -> Iterable[Line]:
    people = evidence.baseline.human.panel
    pool, least = evidence.number("control"), people.rules.control_min
    yield Line(f"Control items: {pool}. Control answers per worker: {_spread(evidence.per_worker('control'))}.")
    if len(people.controls):
        right, answered = int(people.controls["right"].sum()), int(people.controls["answered"].sum())
        yield Line(f"Of {answered} control answers {right} are right ({number(right / answered)}).")
    rule = "nobody is excluded by controls" if least is None else f"at least {100 * least:g}% of controls right"
    yield Line(f"Rule: {rule}; no rule on time or on equal answers is applied to this report.")
    change = evidence.baseline.exclusions
    yield Line(
        f"Workers excluded: {len(change.excluded)}; items that lose all judgments: {len(change.unanswered)}, "
        f"their consensus: {len(change.undecided)}. Scores with and without them stand under Exclusions."
    )
    if evidence.unanswered("preregistration"):
        yield _question("Were the exclusions decided before or after the scores were seen?")


def _overlap(evidence: Evidence) -> Iterable[Line]:
    if evidence.study.origin != "imported":
        yield Line(f"Planned: {evidence.study.settings.overlap} judgments per item; lapsed ones were offered again.")
    elif evidence.unanswered("planned_overlap"):
        yield _question("How many judgments per item were planned, and were missing ones collected later?")
    realised = evidence.baseline.human.panel.counts()["overlap"].items()
    yield Line("Realised, votes:items: " + (", ".join(f"{n}:{items}" for n, items in realised) or "no votes") + ".")


def _release(evidence: Evidence) -> Iterable[Line]:
    days, licence = evidence.days(), evidence.study.task.licence
    if days:
        yield Line(f"Collected from {days[0]} to {days[1]}.")
    elif evidence.unanswered("time_spent"):
        yield _question("When were the judgments collected?")
    if licence:
        yield Line(f"Licence of the items: {licence}.")
    elif evidence.unanswered("items_licence"):
        yield _question("Under which licence are the items?")
    yield Line(f"One row per judgment: python app.py export {evidence.study.name} --what judgments --to FILE")
    if evidence.study.origin == "imported" and evidence.unanswered("worker_names"):
        yield _question("Workers are named as the imported log names them: does that give anybody away?")
    if evidence.unanswered("availability"):
        yield _question("Where are judgments, instruction and code published, and under which licence?")


def _spread(numbers: pd.Series) -> str:
    if not len(numbers):
        return "none"
    return f"least {numbers.min()}, median {numbers.median():g}, most {numbers.max()}, {len(numbers)} workers"


def _open_questions(evidence: Evidence, questions: Mapping[str, str]) -> Iterable[Line]:
    """Yield the questions, by the text of the study's description that answers each, that it leaves open."""
    return (_question(question) for name, question in questions.items() if evidence.unanswered(name))


def _question(text: str) -> Line:
    return Line(text, is_question=True)


def _uncertainty(evidence: Evidence) -> Iterable[Line]:
    """What the intervals hold for, which figures have none, and which difference these items could show."""
    if not evidence.has_intervals:
        yield Line("No figure above has an interval; the notes say why.")
        return
    panel = evidence.baseline.human.panel
    yield Line(
        f"Intervals are 95%, for other {panel.resampling.unit}s; the tables of scores say by which method. A dash "
        f"stands where there is none; {_without_interval(evidence)}."
    )
    if evidence.for_other_people:
        yield Line(
            "Intervals that hold for other people too join the one over items to a jackknife that leaves out one "
            "person after the other; the tables say which ones do."
        )
    elif panel.rules.interval == "people" and (why := why_these_people(panel.votes, panel.resampling.clusters)):
        yield Line(f"No interval above holds for other people: {why}")
    if evidence.has_tests:
        yield Line("Models against people: paired tests on the items both have; p-values also adjusted by Holm.")


def _without_interval(evidence: Evidence) -> str:
    """Return which scores of a report stand without an interval although they are scores."""
    rows = ["counts"]
    if evidence.baseline.human.panel.gold and evidence.baseline.sensitivity:
        rows.append("scores under other rules (Sensitivity)")
    if published_scores_of(evidence.study.task):
        rows.append("what papers print without one")
    return f"{enumerated(rows)} have none"


def _equality(evidence: Evidence) -> Iterable[Line]:
    """Whether people and models had the same items, metric and number of answers."""
    if not evidence.models:
        yield Line("No model has answered these items yet.")
        return
    yield Line(_same_items(evidence))
    if evidence.are_compared:
        yield Line("Same metric: yes.")
    overlap = ", ".join(evidence.baseline.human.panel.counts()["overlap"]) or "no"
    yield Line(f"Same number of answers: people {overlap} votes an item; compare a model's one answer with one person.")
    yield from _stated(evidence)


def _stated(evidence: Evidence) -> Iterable[Line]:
    """Yield what the statement of equality says beyond items, metric and number; what is not known is asked."""
    matters = evidence.equality.matters if evidence.equality else ()
    stated = [(name, matter) for name, several in matters for matter in several if name not in ABOVE]
    for name, stated_matter in stated:
        whose = f" ({', '.join(stated_matter.models)})" if stated_matter.models else ""
        if stated_matter.matter.verdict == "not known":
            if not evidence.unanswered(SAID_BY.get(name, "instructed_alike")):
                continue
            yield Line(f"{name} the same{whose}? It is not known: {stated_matter.matter.reason}.", is_question=True)
        else:
            yield Line(f"{name} the same{whose}: {stated_matter.matter.verdict}; {stated_matter.matter.reason}.")
    if not stated and evidence.unanswered("instructed_alike", "option_order"):
        yield Line("Same instruction, same context, same order of options: yes, partly or no?", is_question=True)


def _same_items(evidence: Evidence) -> str:
    """Return whether each model is scored on as many items as the majority: rules that drop items make it easier."""
    majority = evidence.baseline.human.majority.get(evidence.study.task.primary)
    people = majority.n if majority else len(evidence.main)
    apart = [f"{row.called} on {row.n}" for row in evidence.models if row.n != people]
    return (
        f"Same items: partly; the majority is scored on {people}, {', '.join(apart)}." if apart else "Same items: yes."
    )
