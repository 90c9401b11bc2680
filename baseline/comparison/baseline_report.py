"""The baseline report of a study: its numbers with their intervals, its rules, and the checklist."""

from collections.abc import Iterable, Iterator
from typing import Any

from baseline.comparison.against_people_table import against_people_notes, against_people_table
from baseline.comparison.document import Document, Line, Section
from baseline.comparison.peer_sentences import peer_section
from baseline.comparison.published_people import published_section
from baseline.comparison.report_evidence import Evidence
from baseline.comparison.reporting_checklist import reporting_checklist
from baseline.comparison.score_columns import model_table, questions
from baseline.human.baseline_tables import (
    agreement_table,
    exclusion_table,
    joined,
    label_table,
    panel_table,
    part_table,
)
from baseline.human.procedure import procedure_source, procedure_table
from baseline.human.rules_and_agreement import gold_sentence
from baseline.human.sensitivity_strip import picture, strip_remarks, strip_table
from data.numbers import counted
from data.tables import Table, table_of
from db.pay_of_answers import pay_and_time


def report(evidence: Evidence) -> Document:
    """Return the report, section by section; one that has nothing to say is left out."""
    sections = (
        Section("Notes", tuple(Line(note) for note in (*evidence.baseline.notes(), *evidence.results.notes_of_runs()))),
        Section(
            "Scores",
            tuple(map(Line, (*questions(evidence.results), *against_people_notes(evidence.results)))),
            (panel_table(evidence.baseline), *_models_beside(evidence)),
        ),
        *_peers(evidence),
        published_section(evidence.results),
        *people_sections(evidence),
        reporting_checklist(evidence),
    )
    return Document(f"Human baseline of {evidence.study.task.title.for_requesters}", about(evidence), filled(sections))


def about(evidence: Evidence) -> str:
    """Return what stands under the title of a report: whose figures they are, and what they stand on."""
    panel = evidence.results.human.panel
    whose = f"Study {evidence.study.name}, task {evidence.study.task.id}, {counted(len(evidence.main), 'item')}"
    return f"{whose}. {gold_sentence(panel.rules, gold=bool(panel.gold))}"


def filled(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return the sections that have something to say."""
    return tuple(s for s in sections if s.lines or s.tables or s.quotes or s.drawing)


def score_section(evidence: Evidence) -> Section:
    """Return what people score in all its sides, without the models."""
    return Section("What people score", tables=(panel_table(evidence.baseline),))


def people_sections(evidence: Evidence) -> tuple[Section, ...]:
    """Return what the human side rests on: agreement, exclusions, sensitivity, pay and time, rules."""
    return (
        Section("Agreement", tables=_agreement(evidence)),
        _exclusions(evidence),
        _procedure(evidence),
        _sensitivity(evidence),
        _effort(evidence),
        Section("Rules", (Line(joined(evidence.baseline.human.panel.rules.as_dict().items())),)),
    )


def _peers(evidence: Evidence) -> Iterator[Section]:
    """Yield how models agree with people where there is no gold: then nothing else sets them beside people."""
    peers = evidence.results.peers if evidence.models and not evidence.baseline.human.panel.gold else None
    if peers:
        yield peer_section(peers)


def _models_beside(evidence: Evidence) -> Iterator[Table[Any]]:
    primary = evidence.study.task.primary
    if any(primary in row.scores for row in evidence.models):
        yield model_table(evidence.results)
    if evidence.models:
        yield against_people_table(evidence.results)


def _agreement(evidence: Evidence) -> tuple[Table[Any], ...]:
    baseline = evidence.baseline
    apart: Table[Any] = part_table(baseline) if baseline.agreement_by else label_table(baseline)
    return (agreement_table(baseline), *([apart] if apart.rows else []))


def _exclusions(evidence: Evidence) -> Section:
    baseline = evidence.baseline
    counts = baseline.human.panel.counts()
    tallies = [Line(f"{name.capitalize()}: {joined(counts[name].items())}.") for name in ("judgments", "items")]
    if not (table := exclusion_table(baseline)).rows:
        tallies.append(Line("Nobody is excluded, so there is nothing to compare everybody with."))
    return Section(
        "Exclusions and overlap",
        tuple(tallies),
        (
            *([table] if table.rows else []),
            table_of("Votes per item, after exclusions", ("votes", "items"), counts["overlap"].items()),
        ),
    )


def _procedure(evidence: Evidence) -> Section:
    procedure = evidence.baseline.procedure
    if procedure is None:
        return Section("Procedure")
    return Section("Procedure", (Line(procedure_source(procedure)),), (procedure_table(procedure),))


def _sensitivity(evidence: Evidence) -> Section:
    baseline = evidence.baseline
    if not baseline.human.panel.gold or not baseline.sensitivity:
        return Section("Sensitivity")
    own = baseline.human.panel.rules
    return Section(
        "Sensitivity",
        tuple(Line(remark) for remark in strip_remarks(baseline.sensitivity)),
        (strip_table(baseline.sensitivity, own),),
        picture=picture(baseline.sensitivity, own),
    )


def _effort(evidence: Evidence) -> Section:
    words = pay_and_time(evidence.baseline.human.pay)
    return Section("Pay and time", (Line(f"{words[0].upper()}{words[1:]}."),))
