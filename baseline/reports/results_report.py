"""The results of a study as a document: people and models side by side, in Markdown, HTML or LaTeX."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from baseline.people.human_tables import joined
from baseline.report import check_ending
from baseline.reports.document import Document, Grid, Line, Section, drawn
from baseline.reports.results_text import HEADERS, score_lines
from baseline.reports.tables import interval, number
from baseline.results import Results
from baseline.side.breakdowns import BrokenDown
from baseline.side.breakdowns_text import breakdowns_section
from baseline.side.standing_text import HEADER, standing_notes, standing_rows
from data.writing import write_to
from eval.metrics.table import metric_named


def write_results(path: Path, results: Results, groups: Sequence[BrokenDown] = ()) -> None:
    """Write the results in the format that the file's ending names, as the human report does."""
    check_ending(path)
    write_to(path, results_drawn(results, path.suffix.lower(), groups).encode())


def results_drawn(results: Results, ending: str, groups: Sequence[BrokenDown] = ()) -> str:
    """Return the results in the format of a file's ending; `groups` are the breakdowns to be shown as well."""
    return drawn(results_document(results, groups), ending)


def results_document(results: Results, groups: Sequence[BrokenDown] = ()) -> Document:
    """Return the results, section by section; one that has nothing to say is left out."""
    study, people = results.study, results.human
    about = f"Study {study.name}, task {study.task.id}, {len(people.panel.votes.items)} items"
    sections = (
        Section("Scores", grids=tuple(score_grids(results))),
        Section("Models and people", tuple(map(Line, standing_notes(results))), tuple(standing_grids(results))),
        breakdowns_section(groups),
        Section("Notes", tuple(map(Line, results.notes()))),
        Section("Rules", (Line(joined(people.panel.rules.as_dict().items())),)),
    )
    filled = tuple(section for section in sections if section.lines or section.grids)
    return Document(f"People and models: {study.task.title.en}", about, filled)


def score_grids(results: Results) -> Iterable[Grid]:
    """Yield the score of every respondent by the task's first metric, and by all of them where it has several."""
    task = results.study.task
    title = metric_named(task.primary).title
    caption = f"{title} on the same items, with 95% intervals and the difference from people"
    yield _grid(caption, [HEADERS[0], task.primary, *HEADERS[1:]], score_lines(results))
    scored = [row for row in results.rows if row.scores]
    if len(task.metrics) > 1 and scored:
        rows = [
            [row.name, *(f"{number(e.value)} ({interval(e)})" for name in task.metrics for e in [row.scores[name]])]
            for row in scored
        ]
        yield _grid("Every metric, with 95% intervals", ["respondent", *task.metrics], rows)


def standing_grids(results: Results) -> Iterable[Grid]:
    """Yield how the models stand to people, where there are models."""
    if results.models:
        yield _grid("How the models stand to people", HEADER, standing_rows(results))


def _grid(caption: str, header: Sequence[str], rows: Iterable[Iterable[object]]) -> Grid:
    return Grid(caption, tuple(header), tuple(tuple(str(cell) for cell in row) for row in rows))
