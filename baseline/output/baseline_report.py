"""The baseline report of a study: its numbers with their intervals, its rules, and the checklist."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from baseline.comparison.checklist import checklist
from baseline.comparison.document import Document, Grid, Line, Section
from baseline.comparison.evidence import Evidence
from baseline.comparison.standing_table import HEADER, standing_notes, standing_rows
from baseline.human.baseline_tables import (
    AGREEMENT,
    CROWDS,
    EXCLUSIONS,
    LABELS,
    PARTS,
    SCORES,
    agreement_rows,
    crowd_rows,
    exclusion_rows,
    joined,
    label_rows,
    part_rows,
    score_rows,
)
from baseline.human.sensitivity_strip import picture, strip_header, strip_remarks, strip_rows
from baseline.output.document import FORMATS, drawn
from baseline.output.grounds import grounds
from baseline.output.results_text import difference_text
from data.errors import BadSetting
from data.numbers import interval, number
from data.writing import write_to


def check_ending(path: Path) -> None:
    """Refuse (BadSetting) a file whose ending names no format, before anything is computed for it."""
    if path.suffix.lower() not in FORMATS:
        raise BadSetting(f"{path}: a report ends in {', '.join(FORMATS)}; name the file so.")


def write_report(path: Path, document: Document) -> None:
    """Write a report in the format that the file's ending names."""
    check_ending(path)
    write_to(path, drawn(document, path.suffix.lower()).encode())


def report(evidence: Evidence) -> Document:
    """Return the report, section by section; one that has nothing to say is left out."""
    sections = (
        Section("Notes", tuple(Line(note) for note in (*evidence.full.notes(), *evidence.results.notes_of_runs()))),
        Section(
            "Scores",
            tuple(Line(note) for note in standing_notes(evidence.results)),
            (*_people(evidence), *_models_beside(evidence)),
        ),
        *people_sections(evidence),
        *checklist(evidence),
    )
    return Document(f"Human baseline of {evidence.study.task.title.en}", about(evidence), filled(sections))


def about(evidence: Evidence) -> str:
    """Return what stands under the title of a report: whose figures they are, and what they stand on."""
    panel = evidence.results.human.panel
    whose = f"Study {evidence.study.name}, task {evidence.study.task.id}, {len(evidence.main)} items"
    return f"{whose}. {grounds(panel.rules, gold=bool(panel.gold))}"


def filled(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return the sections that have something to say."""
    return tuple(s for s in sections if s.lines or s.grids or s.quotes or s.drawing)


def score_section(evidence: Evidence) -> Section:
    """Return what people score in all its sides, without the models."""
    return Section("What people score", grids=_people(evidence))


def people_sections(evidence: Evidence) -> tuple[Section, ...]:
    """Return what the human side rests on: agreement, exclusions, sensitivity, pay and time, rules."""
    return (
        Section("Agreement", grids=_agreement(evidence)),
        _exclusions(evidence),
        _sensitivity(evidence),
        _effort(evidence),
        Section("Rules", (Line(joined(evidence.full.human.panel.rules.as_dict().items())),)),
    )


def _people(evidence: Evidence) -> tuple[Grid, ...]:
    full = evidence.full
    whole = grid("What people score, and how far they agree with their peers", SCORES, score_rows(full))
    if not full.majority_of_k:
        return (whole,)
    return (whole, grid("What a majority of k people would score", CROWDS, crowd_rows(full)))


def _models_beside(evidence: Evidence) -> Iterable[Grid]:
    if rows := _models(evidence):
        header = ("model", "metric", "value", "95% interval", "n", "minus people, points", "test")
        yield grid("Models on the same items, beside the majority of people", header, rows)
    if evidence.models:
        yield grid("How the models stand to people", HEADER, standing_rows(evidence.results))


def _models(evidence: Evidence) -> list[list[object]]:
    primary = evidence.study.task.primary
    return [
        [row.name, primary, number(e.value), interval(e.ci), e.n, *difference_text(row)]
        for row in evidence.models
        if (e := row.scores.get(primary))
    ]


def _agreement(evidence: Evidence) -> tuple[Grid, ...]:
    whole = grid("How far people agree with each other", AGREEMENT, agreement_rows(evidence.full))
    if evidence.full.agreement_by:
        caption = "Part by part: people who answered it, their answers to it equal or not"
        return (whole, grid(caption, PARTS, part_rows(evidence.full)))
    rows = label_rows(evidence.full)
    caption = "Label by label: how often another person gives it too, and alpha of this label against the rest"
    return (whole, grid(caption, LABELS, rows)) if rows else (whole,)


def _exclusions(evidence: Evidence) -> Section:
    full = evidence.full
    counts = full.human.panel.counts()
    tallies = [Line(f"{name.capitalize()}: {joined(counts[name].items())}.") for name in ("judgments", "items")]
    return Section(
        "Exclusions and overlap",
        tuple(tallies),
        (
            grid("With everybody, and with the kept workers", EXCLUSIONS, exclusion_rows(full)),
            grid("Votes per item, after exclusions", ("votes", "items"), counts["overlap"].items()),
        ),
    )


def _sensitivity(evidence: Evidence) -> Section:
    full = evidence.full
    if not full.human.panel.gold:
        return Section("Sensitivity")
    own = full.human.panel.rules
    caption = "Score (items scored) under other rules; the star marks the rules of this report"
    return Section(
        "Sensitivity",
        tuple(Line(remark) for remark in strip_remarks(full.sensitivity)),
        (grid(caption, strip_header(), strip_rows(full.sensitivity, own)),),
        picture=picture(full.sensitivity, own),
    )


def _effort(evidence: Evidence) -> Section:
    known = [(name, value) for name, value in evidence.full.human.pay.items() if value is not None]
    return Section("Pay and time", (Line(joined(known) or "Neither prices nor times are stored."),))


def grid(caption: str, header: Sequence[str], rows: Iterable[Iterable[object]]) -> Grid:
    """Return rows of anything as a table of texts."""
    return Grid(caption, tuple(header), tuple(tuple(str(cell) for cell in row) for row in rows))
