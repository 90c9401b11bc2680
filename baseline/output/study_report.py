"""The whole report of a study: people and models, the checklist, all it takes to repeat."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from baseline.comparison.against_people_table import TITLE as AGAINST_PEOPLE_TITLE
from baseline.comparison.against_people_table import against_people_notes, against_people_table
from baseline.comparison.baseline_report import about, filled, people_sections, score_section
from baseline.comparison.document import Document, Line, Section
from baseline.comparison.error_kinds import ErrorKinds, error_kinds, error_table
from baseline.comparison.gold_error_table import gold_error_section
from baseline.comparison.judge_tables import judge_section
from baseline.comparison.judging import judging, why_no_judges
from baseline.comparison.pair_rankings import rankings_or_none
from baseline.comparison.peer_sentences import peer_section
from baseline.comparison.published_people import published_section
from baseline.comparison.ranking_tables import ranking_section
from baseline.comparison.report_evidence import Evidence
from baseline.comparison.reporting_checklist import reporting_checklist
from baseline.comparison.results import Results, called
from baseline.comparison.run_pair_tables import models_section
from baseline.comparison.score_breakdowns import BrokenDown, breakdown_table, of_results
from baseline.comparison.score_columns import metrics_table, questions, score_table
from baseline.output.gold_section import gold_error_figure, gold_errors_or_none
from baseline.output.json import settings_dict
from baseline.output.judge_section import judge_figure
from baseline.output.peer_section import peer_figure
from baseline.output.ranking_figures import ranking_figure
from baseline.output.report_figures import score_figure
from baseline.runs.templates import NOT_STORED
from data.tables import Table
from db.engine import Session

IN_ORDER = "none: instruction, fields, question, options and the form of the answer follow one another"


def study_report(session: Session, evidence: Evidence) -> Document:
    """Return the report, section by section; one that has nothing to say is left out."""
    results = evidence.results
    sections = (
        Section("Notes", tuple(map(Line, (*evidence.baseline.notes(), *evidence.results.notes_of_runs())))),
        *_ranked(session, results),
        Section("Scores", tuple(map(Line, questions(results))), tuple(_scores(results)), figure=score_figure(results)),
        *_peers(results),
        _against_people(results),
        models_section(results),
        *_judges(results),
        *_doubted(results),
        *_groups(of_results(session, results)),
        *_mistakes(error_kinds(session, results)),
        score_section(evidence),
        published_section(results),
        *people_sections(evidence),
        reporting_checklist(evidence),
        _repeat(evidence),
    )
    return Document(f"People and models: {evidence.study.task.title.for_requesters}", about(evidence), filled(sections))


def _scores(results: Results) -> Iterator[Table[Any]]:
    """Yield the score of every respondent by the task's first metric, and by all of them where it has several."""
    if results.human.panel.gold or results.peers is None:
        yield score_table(results, "html")
    if every := metrics_table(results):
        yield every


def _against_people(results: Results) -> Section:
    return Section(
        AGAINST_PEOPLE_TITLE,
        tuple(map(Line, against_people_notes(results))),
        (against_people_table(results),) if results.models else (),
    )


def _peers(results: Results) -> Iterator[Section]:
    if results.peers:
        yield peer_section(results.peers, peer_figure(results.peers))


def _judges(results: Results) -> Iterator[Section]:
    if not why_no_judges(results):
        judged = judging(results)
        yield judge_section(judged, judge_figure(judged))


def _ranked(session: Session, results: Results) -> Iterator[Section]:
    """Yield the result of a study of pairs, which comes before everything else."""
    if rankings := rankings_or_none(session, results):
        yield ranking_section(rankings, ranking_figure(rankings))


def _doubted(results: Results) -> Iterator[Section]:
    if len(results.human.panel.votes) and (doubted := gold_errors_or_none(results)):
        yield gold_error_section(doubted, gold_error_figure(doubted))


def _groups(breakdowns: Sequence[BrokenDown]) -> Iterator[Section]:
    if breakdowns:
        notes = tuple(Line(each.left_out) for each in breakdowns if each.left_out)
        yield Section("By group", notes, tuple(map(breakdown_table, breakdowns)))


def _mistakes(kinds: ErrorKinds | None) -> Iterator[Section]:
    if kinds is None:
        return
    yield Section("What do they get wrong?", tables=(error_table(kinds),))


def _repeat(evidence: Evidence) -> Section:
    settings = settings_dict(evidence)
    task = settings.pop("task")
    return Section(
        "To repeat this",
        (
            Line(
                f"Task {task['id']}, version {task['version']}, SHA-256 of its snapshot {settings.pop('task_sha256')}."
            ),
            Line("The whole snapshot of the task stands in settings.json beside this report."),
        ),
        quotes=tuple((name, text) for name, text in _settings(settings)),
    )


def _settings(settings: dict[str, Any]) -> Iterable[tuple[str, str]]:
    runs = settings.pop("runs")
    yield "Study, rules, seeds, versions", json.dumps(settings, ensure_ascii=False, indent=1)
    for run in runs:
        prompts, examples = run.pop("prompts"), run.pop("examples")
        name = called(run["respondent"])
        yield f"The run of {name}", json.dumps(run, ensure_ascii=False, indent=1)
        yield from _prompts(name, {"": NOT_STORED} if prompts is None else prompts)
        if examples != []:
            text = json.dumps(examples, ensure_ascii=False, indent=1) if examples else NOT_STORED
            yield f"The worked examples of {name}", text


def _prompts(model: str, prompts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for value, template in prompts.items():
        yield f"The prompt of {model}{f' for {value}' if value else ''}, its template", template or IN_ORDER
