"""The report of a study: the verdict with its figure and table, method, agreement, checklist, how to repeat it."""

from collections.abc import Iterator
from typing import Any

from baseline.comparison.document import Document, Section
from baseline.comparison.pair_rankings import ranking_section, rankings_or_none
from baseline.comparison.report_evidence import Evidence
from baseline.comparison.reporting_checklist import reporting_checklist
from baseline.comparison.results import Results
from baseline.comparison.score_columns import score_table
from baseline.comparison.verdicts import Standings, standing_table, standings
from baseline.human.baseline_tables import agreement_table, exclusion_table
from baseline.human.rules_and_agreement import rule_table
from baseline.output.difference_figure import difference_figure, difference_tikz
from baseline.output.headline import headline, score_notes
from baseline.output.json import settings_digest, versions
from baseline.output.method import method_paragraph
from baseline.output.people_section import MOST_NOTES, about, people_section
from baseline.output.result_parts import ranking_figure
from data.tables import Table, chosen
from data.version import COMPUTATION, PROGRAM
from db.engine import Session
from db.items import coverage

SHOWN = ("alpha", "pairwise", "similarity")
SKEWED = 0.8
"""With a label of a larger share AC1 stands beside alpha."""


def study_report(session: Session, evidence: Evidence, *, with_models: bool = True) -> Document:
    """Return the report of people and models, or of people alone."""
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
            reporting_checklist(evidence),
            Section("To repeat it", lines=tuple(_repeat(evidence))),
        ),
    )


def results_document(session: Session, results: Results) -> Document:
    """Return what `results` prints: the first section of the report."""
    title = f"People and models: {results.study.task.title.for_requesters}"
    about_it = about(results.study, len(results.human.panel.votes.items))
    return Document(title, about_it, (results_section(session, results, standings(results)),))


def results_section(session: Session, results: Results, compared: Standings | None) -> Section:
    """Return the verdict, what it rests on and what could change it, the figure and the table."""
    rankings = rankings_or_none(session, results)
    said = headline(results, compared, coverage(session, study=results.study), rankings)
    tables: list[Table[Any]] = [*ranking_section(rankings).tables[:1]] if rankings else []
    if compared:
        tables.append(standing_table(compared))
    elif any(row.scores for row in results.rows):
        tables.append(score_table(results, "text"))
    drawn = ranking_figure(rankings) if rankings else difference_figure(compared) if compared else None
    return Section(
        lead=said.verdict,
        lines=(said.grounds,),
        notes=(*said.warnings, *score_notes(results.human, results.study))[:MOST_NOTES],
        tables=tuple(tables),
        figure=drawn or None,
        tikz=difference_tikz(compared) if compared and not rankings else "",
    )


def _agreement(evidence: Evidence) -> Section:
    """Return how far people agree, under which rules, and what leaving people out changed."""
    baseline, coefficients = evidence.baseline, agreement_table(evidence.baseline)
    skewed = any(label.share > SKEWED for label in baseline.by_label)
    rows = [row for row in coefficients.rows if row.key in SHOWN or (skewed and row.key == "ac1")]
    small = Table("", chosen(coefficients.columns, "agreement", "value", "interval", "items"), rows)
    tables: tuple[Table[Any], ...] = (small, rule_table(baseline.human))
    changed = exclusion_table(baseline)
    return Section("Agreement and exclusions", tables=(*tables, changed) if changed.rows else tables)


def _repeat(evidence: Evidence) -> Iterator[str]:
    study, rules, known = evidence.study, evidence.baseline.human.panel.rules, versions()
    yield (
        f"Task {study.task.id}, version {study.task.version}; SHA-256 of its snapshot {settings_digest(study)}, of the "
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
