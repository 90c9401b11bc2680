"""The report of a study: the verdict with its figure and table, method, agreement, checklist, how to repeat it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from baseline.comparison.document import Document, Section
from baseline.comparison.pair_rankings import competitor_tables, rankings_or_none
from baseline.comparison.report_evidence import Evidence, reporting_checklist, versions
from baseline.comparison.results import Results
from baseline.comparison.score_columns import score_table
from baseline.comparison.verdicts import Scale, Standings, scale_of, standing_table, standings, whose_answer
from baseline.comparison.writer_scores import writer_scores
from baseline.human.baseline import HumanBaseline, distance_words, gold_sentence, rule_table
from baseline.human.detailed_baseline import agreement_table, exclusion_table
from baseline.output.headline import grounds, headline, people_warnings, score_notes, score_words
from baseline.output.plots import difference_figure, ranking_figure
from data.human_rules import TIES
from data.numbers import DASH, counted, interval, number
from data.tables import Table, chosen, table_of
from data.version import COMPUTATION, PROGRAM
from data.wording import enumerated
from db.engine import Session
from db.items import coverage
from db.payments import pay_and_time, pay_words, time_words
from db.studies import Study
from eval.comparison.difference import Equivalence
from eval.estimate import Estimate
from eval.metrics.table import metric_named
from eval.named_rules import NAMED_RULES, name_of_rules

SHOWN = ("alpha", "pairwise", "similarity")
SKEWED = 0.8
"""With a label of a larger share AC1 stands beside alpha."""


def study_report(session: Session, evidence: Evidence, *, with_models: bool = True) -> Document:
    """Return the report of people and models, or of people alone."""
    public = public_report(session, evidence, with_models=with_models)
    to_repeat = Section("To repeat it", lines=tuple(_repeat(evidence)))
    return replace(public, sections=(*public.sections, reporting_checklist(evidence), to_repeat))


def public_report(session: Session, evidence: Evidence, *, with_models: bool = True) -> Document:
    """Return what anybody may read of it: figures alone, and nothing that somebody wrote but names of models."""
    study, compared = evidence.study, standings(evidence.results)
    if with_models:
        first, title = results_section(session, evidence.results, compared), "People and models"
    else:
        first, title = people_section(session, study, evidence.baseline.human), "Human baseline"
    method = method_paragraph(evidence, compared, with_models=with_models)
    return Document(
        f"{title}: {study.task.title.for_requesters}",
        about(study, len(evidence.main)),
        (
            first,
            Section("Method", lines=(method,)),
            _agreement(evidence),
        ),
    )


def results_document(session: Session, results: Results) -> Document:
    """Return what `results` prints: the first section of the report."""
    title = f"People and models: {results.study.task.title.for_requesters}"
    about_it = about(results.study, len(results.panel.votes.items))
    return Document(title, about_it, (results_section(session, results, standings(results)),))


def results_section(session: Session, results: Results, compared: Standings | None) -> Section:
    """Return the verdict, what it rests on and what could change it, the figure and the table."""
    rankings = rankings_or_none(session, results)
    said = headline(results, compared, coverage(session, study=results.study), rankings)
    tables: list[Table[Any]] = [*competitor_tables(rankings, rankings.leading)] if rankings else []
    if written := writer_scores(session, results):
        tables.append(written.within("read"))
    if compared:
        tables.append(standing_table(compared))
    elif any(row.scores for row in results.rows):
        tables.append(score_table(results, "text"))
    drawn = ranking_figure(rankings) if rankings else difference_figure(compared) if compared else None
    notes = (*said.notes, *score_notes(results.human, results.study))[:MOST_NOTES]
    return replace(said, notes=notes, tables=tuple(tables), figure=drawn or None)


def _agreement(evidence: Evidence) -> Section:
    """Return how far people agree, under which rules, and what leaving people out changed."""
    baseline, coefficients = evidence.baseline, agreement_table(evidence.baseline.human)
    skewed = any(label.share > SKEWED for label in baseline.by_label)
    rows = [row for row in coefficients.rows if row.key in SHOWN or (skewed and row.key == "ac1")]
    small = Table("", chosen(coefficients.columns, "agreement", "value", "interval", "items"), rows)
    tables: tuple[Table[Any], ...] = (small, rule_table(baseline.human))
    changed = exclusion_table(baseline)
    return Section("Agreement and exclusions", tables=(*tables, changed) if changed.rows else tables)


def _repeat(evidence: Evidence) -> Iterator[str]:
    study, rules, known = evidence.study, evidence.baseline.human.panel.rules, versions()
    yield (
        f"Task {study.task.id}, version {study.task.version}; SHA-256 of its snapshot {evidence.task_digest()}, of the "
        f"items {evidence.fingerprint()}."
    )
    yield (
        f"Package: python app.py export {study.name} --what report --to {study.name}.zip; settings.json there has the "
        "task, rules, prompts and settings of every run, and results.json every figure."
    )
    yield (
        f"Etalon {PROGRAM}, computation {COMPUTATION}, Python {known['python']}, NumPy {known.get('numpy', '—')}, "
        f"SciPy {known.get('scipy', '—')}, seed {rules.seed}."
    )


MOST_NOTES = 3


def people_document(session: Session, study: Study, human: HumanBaseline) -> Document:
    """Return what `human` prints: what people score, the rules, pay and time."""
    effort = Section(lines=(f"Pay and time: {pay_and_time(human.pay)}.",), tables=(rule_table(human),))
    about_it = about(study, len(human.panel.votes.items))
    first = people_section(session, study, human)
    return Document(f"Human baseline: {study.task.title.for_requesters}", about_it, (first, effort))


def about(study: Study, items: int) -> str:
    """Return what stands under the title of a report."""
    return f"Study {study.name}, task {study.task.id}, {counted(items, 'item')}"


def people_section(session: Session, study: Study, human: HumanBaseline) -> Section:
    """Return what people score, and how far they agree, with the rules that this stands on."""
    warnings = (*people_warnings(human, study, coverage(session, study=study)), *score_notes(human, study))
    return Section(
        lead=people_words(human),
        lines=(grounds(human),) if len(human.panel.votes) else (),
        notes=warnings[:MOST_NOTES],
        tables=(table_of("", ["", "value", "95% interval", "over"], _figures(human)),),
    )


def people_words(human: HumanBaseline) -> str:
    """Return what people score together and one alone; without gold how often one gives the answer of most others."""
    if not len(human.panel.votes):
        return "Nobody has answered yet."
    primary = human.task.primary
    if primary in human.majority:
        scale = scale_of(human.task)
        people, alone = (score_words(scale, each[primary]) for each in (human.majority, human.individual))
        return Markup('<b class="people">People: {}{}</b>{}. One person alone: {}{}{}.').format(*people, *alone)
    share = score_words(Scale("", ""), human.leave_one_out)
    return Markup('<b class="people">One person gives the answer of most others: {}{}</b>{}.').format(*share)


def _figures(human: HumanBaseline) -> Iterator[tuple[str, str, str, str]]:
    """Yield each figure of people: its value, its interval and over how much."""
    metric, agreement = metric_named(human.task.primary), human.panel.agreement
    scale = scale_of(human.task)
    if metric.name in human.majority:
        yield _score(f"{whose_answer(human)}, {scale.name}", scale, human.majority[metric.name], "item")
        yield _score(f"one person alone, {scale.name}", scale, human.individual[metric.name], "judgment")
    else:
        alone = "one person with most others, %"
        yield _score(alone, Scale("", ""), human.leave_one_out, "judgment")
    for name, key in (("Krippendorff’s alpha", "alpha"), ("pairwise agreement", "pairwise")):
        over = counted(human.panel.votes.compared, "item")
        value, ends = number(agreement.values[key]), interval(agreement.cis[key])
        yield name, value, agreement.why_not.get(key, ends), over


def _score(name: str, scale: Scale, score: Estimate, of: str) -> tuple[str, str, str, str]:
    value = scale.score(score.value) if score.n else DASH
    return name, value, scale.between(score.ci) or DASH, counted(score.n, of)


INTERVALS = {"wilson": "Wilson’s method", "bootstrap": "a bootstrap"}
"""How intervals are made, by the method of an estimate."""
TESTS = {
    "mcnemar": "the paired score test (McNemar)",
    "bootstrap": "a paired bootstrap",
    "score": "the paired score test",
    "people": "the interval over items and people (a delete-one jackknife)",
}
"""By what a difference is tested, by its `test`."""


def method_paragraph(evidence: Evidence, standings: Standings | None, *, with_models: bool = True) -> str:
    """Return who answered what, under which rules, how far they agree, and how intervals and tests were made."""
    sentences = [*_people(evidence), *_rules(evidence), *_agreement_sentence(evidence), *_intervals(evidence)]
    if with_models and standings and standings.models:
        sentences += _models(evidence, standings)
    return " ".join(sentences)


def _people(evidence: Evidence) -> Iterator[str]:
    human, task = evidence.baseline.human, evidence.study.task
    counts, each = human.panel.counts(), evidence.per_worker("main")
    items, sizes = counted(counts["items"]["answered"], "item"), sorted(map(int, counts["overlap"]))
    if not sizes:
        yield f"Nobody has answered the items of {task.title.for_requesters} ({task.id}) yet."
        return
    overlap = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    simulated = " (simulated: programs answered)" if human.simulated else ""
    yield (
        f"{counted(counts['workers']['total'], 'person', 'people').capitalize()}{simulated} answered {items} of "
        f"{task.title.for_requesters} ({task.id}), {overlap} to an item and a median of {each.median():g} "
        f"(from {each.min()} to {each.max()}) each."
    )
    if days := evidence.days():
        yield f"Answers were collected from {days[0]} to {days[1]}."
    if evidence.number("training"):
        yield f"Each first solved {counted(evidence.number('training'), 'training item')} with explanations."
    if effort := "; ".join(filter(None, (pay_words(human.pay), time_words(human.pay)))):
        yield f"Pay and time: {effort}."


def _rules(evidence: Evidence) -> Iterator[str]:
    panel = evidence.baseline.human.panel
    counts, rules = panel.counts(), panel.rules
    excluded = counts["workers"]["excluded"]
    who = f"{excluded} of {counted(counts['workers']['total'], 'person', 'people')}" if excluded else "Nobody"
    why = "" if rules.control_min is None else f"; at least {rules.control_min:.0%} of control items had to be right"
    yield f"{who} {'were' if excluded > 1 else 'was'} excluded{why}."
    if name := name_of_rules(rules):
        yield f"The rules follow {NAMED_RULES[name].title}."
    yield gold_sentence(rules, gold=bool(panel.gold))
    yield f"Ties are {TIES[rules.ties]}{f'; an item needs {rules.min_votes} answers' * (rules.min_votes > 1)}."


def _agreement_sentence(evidence: Evidence) -> Iterator[str]:
    agreed = evidence.baseline.human.panel.agreement
    figures = [
        f"{name} {number(value)}{f' (95% CI {interval(agreed.cis[key])})' * (agreed.cis[key][0] == agreed.cis[key][0])}"
        for name, key in ((f"Krippendorff’s alpha ({distance_words(agreed)})", "alpha"), ("pairwise", "pairwise"))
        if (value := agreed.values[key]) is not None and value == value
    ]
    if figures:
        yield f"Agreement between people: {enumerated(figures)}."


def _intervals(evidence: Evidence) -> Iterator[str]:
    human = evidence.baseline.human
    scored = [*human.majority.values(), *human.individual.values()] or [human.leave_one_out]
    known = [each for each in scored if each.n and each.method != "none"]
    if not known:
        return
    ways = list(dict.fromkeys(INTERVALS.get(each.method, each.method) for each in known))
    wider = any(each.ci_items is not None for each in known)
    people = "widened for other people by a delete-one jackknife over people" if wider else "for these people"
    yield f"Intervals are 95%, by {enumerated(ways)} over {known[0].unit}s, {people}."


def _models(evidence: Evidence, standings: Standings) -> Iterator[str]:
    results = evidence.results
    models, metric = standings.models, metric_named(evidence.study.task.primary)
    tests = dict.fromkeys(TESTS.get(row.difference.test, row.difference.test) for row in models if row.p is not None)
    by = metric.title if standings.reference == "people" else standings.scale.title
    yield (
        f"{counted(len(models), 'model')} answered the same items and {'was' if len(models) == 1 else 'were'} scored "
        f"by the same function ({by}); differences from {standings.reference} are paired over the items of both."
    )
    if tests:
        yield f"P-values come from {enumerated(list(tests))}, corrected over the models by Holm’s method, at 0.05."
    if any(isinstance(each.equivalence, Equivalence) for each in results.against_people.values()):
        yield (
            f"A model is as good as people where two one-sided tests place the difference within ±"
            f"{100 * (results.margin or 0):g} points (Holm)."
        )
