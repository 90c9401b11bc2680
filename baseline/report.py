"""The baseline report of a study: its numbers with their intervals, its rules, and the checklist."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from baseline.checklist import checklist
from baseline.document import FORMATS, Document, Grid, Line, Section, drawn
from baseline.evidence import Evidence
from baseline.human_tables import (
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
from baseline.results_text import difference_text
from baseline.standing_text import HEADER, standing_notes, standing_rows
from baseline.strip import picture, strip_header, strip_remarks, strip_rows
from baseline.tables import interval, number
from data.errors import BadSetting
from data.writing import write_to


def check_ending(path: Path) -> None:
    """Refuse (BadSetting) a file whose ending names no format, before anything is computed for it."""
    if path.suffix.lower() not in FORMATS:
        raise BadSetting(f"{path}: a report ends in {', '.join(FORMATS)}; name the file so.")


def write_report(path: Path, evidence: Evidence) -> None:
    """Write the baseline report of a study in the format that the file's ending names."""
    check_ending(path)
    write_to(path, drawn(report(evidence), path.suffix.lower()).encode())


def report(evidence: Evidence) -> Document:
    """Return the report, section by section; one that has nothing to say is left out."""
    task, full = evidence.study.task, evidence.full
    about = f"Study {evidence.study.name}, task {task.id}, {len(evidence.main)} items"
    sections = (
        Section("Notes", tuple(Line(note) for note in full.notes())),
        Section("Scores", tuple(Line(note) for note in standing_notes(evidence.results)), _scores(evidence)),
        Section("Agreement", grids=_agreement(evidence)),
        _exclusions(evidence),
        _sensitivity(evidence),
        _effort(evidence),
        Section("Rules", (Line(joined(full.human.panel.rules.as_dict().items())),)),
        *checklist(evidence),
    )
    filled = tuple(s for s in sections if s.lines or s.grids or s.quotes)
    return Document(f"Human baseline of {task.title.en}", about, filled)


def _scores(evidence: Evidence) -> tuple[Grid, ...]:
    full = evidence.full
    grids = [_grid("What people score, and how far they agree with their peers", SCORES, score_rows(full))]
    if full.majority_of_k:
        grids.append(_grid("What a majority of k people would score", CROWDS, crowd_rows(full)))
    if rows := _models(evidence):
        header = ("model", "metric", "value", "95% interval", "n", "minus people, points", "test")
        grids.append(_grid("Models on the same items, beside the majority of people", header, rows))
    if evidence.models:
        grids.append(_grid("How the models stand to people", HEADER, standing_rows(evidence.results)))
    return tuple(grids)


def _models(evidence: Evidence) -> list[list[object]]:
    primary = evidence.study.task.primary
    return [
        [row.name, primary, number(e.value), interval(e), e.n, *difference_text(row)]
        for row in evidence.models
        if (e := row.scores.get(primary))
    ]


def _agreement(evidence: Evidence) -> tuple[Grid, ...]:
    whole = _grid("How far people agree with each other", AGREEMENT, agreement_rows(evidence.full))
    if evidence.full.agreement_by:
        caption = "Part by part: people who answered it, their answers to it equal or not"
        return (whole, _grid(caption, PARTS, part_rows(evidence.full)))
    rows = label_rows(evidence.full)
    caption = "Label by label: how often another person gives it too, and alpha of this label against the rest"
    return (whole, _grid(caption, LABELS, rows)) if rows else (whole,)


def _exclusions(evidence: Evidence) -> Section:
    full = evidence.full
    counts = full.human.panel.counts()
    tallies = [Line(f"{name.capitalize()}: {joined(counts[name].items())}.") for name in ("judgments", "items")]
    return Section(
        "Exclusions and overlap",
        tuple(tallies),
        (
            _grid("With everybody, and with the kept workers", EXCLUSIONS, exclusion_rows(full)),
            _grid("Votes per item, after exclusions", ("votes", "items"), counts["overlap"].items()),
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
        (_grid(caption, strip_header(), strip_rows(full.sensitivity, own)),),
        picture=picture(full.sensitivity, own),
    )


def _effort(evidence: Evidence) -> Section:
    known = [(name, value) for name, value in evidence.full.human.pay.items() if value is not None]
    return Section("Pay and time", (Line(joined(known) or "Neither prices nor times are stored."),))


def _grid(caption: str, header: Sequence[str], rows: Iterable[Iterable[object]]) -> Grid:
    return Grid(caption, tuple(header), tuple(tuple(str(cell) for cell in row) for row in rows))
