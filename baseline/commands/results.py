"""Commands about what answers are worth: `human`, `results`, `score`, `export`."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from baseline.commands.options import AsPublished, ByGroup, Report, with_rules
from baseline.comparison.baseline_report import report as baseline_report
from baseline.comparison.breakdowns import NO_BREAKDOWNS, BrokenDown, breakdown_table, of_results
from baseline.comparison.evidence import gathered
from baseline.comparison.printed import NOTHING_PRINTED, PrintedTable, printed_notes, printed_of, printed_table
from baseline.comparison.published import as_published, study_named, told
from baseline.comparison.results import results as results_of
from baseline.comparison.score_columns import results_dict
from baseline.comparison.scoring_files import score_files
from baseline.comparison.standing import MARGIN
from baseline.human.baseline import changed_rules
from baseline.human.full import full_baseline
from baseline.output.exports import EXPORTS
from baseline.output.markdown import markdown as markdown_of
from baseline.output.markdown import results_markdown
from baseline.output.report_file import check_ending, drawn, write_report
from baseline.output.study_report import study_report
from baseline.output.text import human_text, results_text, text
from data.catalog import get_task
from data.commands.options import JSON
from data.console import print_json, print_text, tell
from data.errors import BadSetting
from data.submissions import family_of
from data.writing import write_to
from db.engine import opened, reading
from db.exports import ExportRequest
from db.settings import Settings
from db.studies import Study, get_study

WHAT = f"One of {', '.join(EXPORTS)}."
Write = Callable[..., str]
TOLOKA = {"toloka": "tsv"}
"""What the command calls a form that is known by its ending elsewhere."""


@with_rules()
def human(
    study: str,
    *,
    report: Report = None,
    published: AsPublished = False,
    as_json: JSON = False,
    **changes: Any,
) -> None:
    """Compute the human baseline of a study: scores, agreement, exclusions; or write its report."""
    if report:
        check_ending(report)
    with opened(Settings().database) as database, reading(database) as session:
        chosen = study_named(session, study, published=published)
        rules = changed_rules(chosen, **changes)
        found = gathered(session, study=chosen, rules=rules) if report else None
        baseline = found.full if found else full_baseline(session, study=chosen, rules=rules)
    mode = told(published)
    if report and found:
        write_report(report, baseline_report(found))
        tell(f"{report}: the baseline report of {study}")
    if as_json:
        print_json(baseline.as_dict() | mode)
    elif not report:
        print_text(human_text(baseline))


@with_rules()
def show_results(
    study: str,
    *,
    margin: Annotated[float, typer.Option(help="Equivalence: how far apart equals may be, 0.05 is 5 points.")] = MARGIN,
    as_json: JSON = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print the report as a page of HTML.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print the report as LaTeX.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the report the page offers: .md, .html or .tex.")] = None,
    published: AsPublished = False,
    printed: Annotated[bool, typer.Option("--published", help="Add the scores that its paper prints.")] = False,
    breakdown: ByGroup = False,
    **changes: Any,
) -> None:
    """Show people and models side by side on the items of a study."""
    if report:
        check_ending(report)
    with opened(Settings().database) as database, reading(database) as session:
        chosen = study_named(session, study, published=published)
        rules = changed_rules(chosen, **changes)
        whole = gathered(session, study=chosen, rules=rules, margin=margin) if report or html or latex else None
        found = whole.results if whole else results_of(session, study=chosen, rules=rules, margin=margin)
        groups = of_results(session, found) if breakdown else None
        document = study_report(session, whole) if whole else None
    mode = told(published)
    if document and report:
        write_report(report, document)
        tell(f"{report}: people and models on {study}")
    if as_json:
        broken = {} if groups is None else {"breakdowns": [one.as_dict() for one in groups]}
        paper = printed_of(chosen.task) if printed else None
        print_json(results_dict(found) | mode | broken | ({"published": paper.as_dict()} if paper else {}))
    elif document and (html or latex):
        print_text(drawn(document, ".html" if html else ".tex"))
    elif not report:
        write, shown = (markdown_of, results_markdown) if markdown else (text, results_text)
        parts = [shown(found)]
        parts += [] if groups is None else [groups_in(write, groups)]
        parts += [published_in(write, printed_of(chosen.task))] if printed else []
        print_text("\n\n".join(parts))


def score(
    task: str,
    gold: Annotated[Path, typer.Option(help="Items with their right answers.")],
    predictions: Annotated[Path, typer.Option(help="An id and an answer or a reply per record, or a file like GOLD.")],
    published: AsPublished = False,
    breakdown: ByGroup = False,
    as_json: JSON = False,
) -> None:
    """Score a file of predictions against a file of gold; no database is needed.

    An `answer` is read as the gold of the file is, in that file's own coding, and only a text that is no answer there
    as a reply ("Ответ: 1"); a column `raw`, `reply` or `response` holds whole replies, where "1" is the first option.
    """
    asked = as_published(get_task(task)) if published else get_task(task)
    found = score_files(asked, gold, predictions, by_group=breakdown)
    shown: dict[str, Any] = found.as_dict() | told(published)
    if as_json:
        print_json(shown)
    else:
        print_text(f"{found.head()}\n{text([found.table()])}")
        if found.breakdowns is not None:
            print_text("\n" + groups_in(text, found.breakdowns))


def published_in(write: Write, found: PrintedTable | None) -> str:
    """Return what a paper prints as `write` writes tables; a sentence where it prints nothing."""
    if found is None:
        return NOTHING_PRINTED
    return write([printed_table(found)] if found.rows else [], printed_notes(found))


def groups_in(write: Write, found: Sequence[BrokenDown]) -> str:
    """Return the breakdowns as `write` writes tables; a sentence where there are none."""
    return write([breakdown_table(one) for one in found]) if found else NO_BREAKDOWNS


@with_rules()
def export(
    study: str,
    what: Annotated[str, typer.Option(help=WHAT)],
    to: Annotated[Path, typer.Option(help="The file to write.")],
    fmt: Annotated[
        str | None,
        typer.Option("--format", help="csv, jsonl, parquet, toloka for judgments, or another ending."),
    ] = None,
    respondent: Annotated[str | None, typer.Option(help="model:NAME; human as well, for a submission.")] = None,
    *,
    also: Annotated[list[str] | None, typer.Option(help="One more study of the submission; may be repeated.")] = None,
    smoothing: Annotated[float, typer.Option(min=0, help="Of soft labels: added to the votes of every label.")] = 0,
    **changes: Any,
) -> None:
    """Write what a study holds to a file: a table, a report, or what the leaderboard of its benchmark takes."""
    names = [study, *(also or [])] if what == "submission" else [study]
    beside: list[str] = []
    with opened(Settings().database) as database, reading(database) as session:
        first, *others = (get_study(session, name=name) for name in names)
        form = form_of(first, what, fmt)
        asked = ExportRequest(session, first, respondent, changes, smoothing, others, beside.append)
        content = EXPORTS[what].forms[form](asked)
    write_to(to, content)
    tell(f"{to}: {what} of {', '.join(names)}, {len(content)} bytes")
    for sentence in beside:
        tell(sentence)


def form_of(study: Study, what: str, fmt: str | None) -> str:
    """Return in which form of an export a file is wanted: CSV where nothing is said and there is one.

    A submission has the one form that its leaderboard takes. Raises BadSetting for what there is not.
    """
    if what not in EXPORTS:
        raise BadSetting(f"--what {what!r} cannot be exported; use one of {', '.join(EXPORTS)}")
    if what == "submission":
        return "zip" if family_of(study.task.id).zipped else "tsv"
    forms = EXPORTS[what].forms
    form = TOLOKA.get(fmt, fmt) if fmt else next(usual for usual in ("csv", *forms) if usual in forms)
    if form not in forms:
        raise BadSetting(f"--format {fmt!r} is none of {what}; use one of {', '.join(forms)}")
    return form
