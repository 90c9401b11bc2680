"""Commands about what answers are worth: `human`, `results`, `score`, `export`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from baseline.commands.options import AsPublished, ByGroup, Consensus, ControlMin, Gold, MinVotes, Report, Seed, Ties
from baseline.comparison.breakdowns import of_results
from baseline.comparison.evidence import gathered
from baseline.comparison.printed import printed_of
from baseline.comparison.published import as_published, study_named, told
from baseline.comparison.results import results as results_of
from baseline.comparison.scoring_files import score_files
from baseline.comparison.standing import MARGIN
from baseline.human.baseline import changed_rules
from baseline.human.baseline_tables import human_text
from baseline.human.full import full_baseline
from baseline.output.baseline_report import check_ending, write_report
from baseline.output.baseline_report import report as baseline_report
from baseline.output.breakdowns_text import breakdowns_markdown, breakdowns_text
from baseline.output.document import drawn
from baseline.output.exports import EXPORTS
from baseline.output.printed_text import printed_text
from baseline.output.results_text import results_markdown, results_text
from baseline.output.study_report import study_report
from baseline.output.text import score_text
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
TOLOKA = {"toloka": "tsv"}
"""What the command calls a form that is known by its ending elsewhere."""


def human(
    study: str,
    control_min: ControlMin = None,
    min_votes: MinVotes = None,
    ties: Ties = None,
    consensus: Consensus = None,
    gold: Gold = None,
    seed: Seed = None,
    report: Report = None,
    published: AsPublished = False,
    as_json: JSON = False,
) -> None:
    """Compute the human baseline of a study: scores, agreement, exclusions; or write its report."""
    if report:
        check_ending(report)
    with opened(Settings().database) as database, reading(database) as session:
        chosen = study_named(session, study, published=published)
        rules = changed_rules(
            chosen, control_min=control_min, min_votes=min_votes, ties=ties, consensus=consensus, gold=gold, seed=seed
        )
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


def show_results(
    study: str,
    control_min: ControlMin = None,
    min_votes: MinVotes = None,
    ties: Ties = None,
    consensus: Consensus = None,
    gold: Gold = None,
    seed: Seed = None,
    margin: Annotated[float, typer.Option(help="Equivalence: how far apart equals may be, 0.05 is 5 points.")] = MARGIN,
    as_json: JSON = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print the report as a page of HTML.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print the report as LaTeX.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write the report the page offers: .md, .html or .tex.")] = None,
    published: AsPublished = False,
    printed: Annotated[bool, typer.Option("--published", help="Add the scores that its paper prints.")] = False,
    breakdown: ByGroup = False,
) -> None:
    """Show people and models side by side on the items of a study."""
    if report:
        check_ending(report)
    with opened(Settings().database) as database, reading(database) as session:
        chosen = study_named(session, study, published=published)
        rules = changed_rules(
            chosen, control_min=control_min, min_votes=min_votes, ties=ties, consensus=consensus, gold=gold, seed=seed
        )
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
        print_json(found.as_dict() | mode | broken | ({"published": paper.as_dict()} if paper else {}))
    elif document and (html or latex):
        print_text(drawn(document, ".html" if html else ".tex"))
    elif not report:
        print_text(results_markdown(found) if markdown else results_text(found))
        if groups is not None:
            print_text("\n" + (breakdowns_markdown(groups) if markdown else breakdowns_text(groups)))
        if printed:
            print_text("\n" + printed_text(printed_of(chosen.task), markdown=markdown))


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
        print_text(score_text(found))
        if found.breakdowns is not None:
            print_text("\n" + breakdowns_text(found.breakdowns))


def export(
    study: str,
    what: Annotated[str, typer.Option(help=WHAT)],
    to: Annotated[Path, typer.Option(help="The file to write.")],
    fmt: Annotated[
        str | None,
        typer.Option("--format", help="csv, jsonl, parquet, toloka for judgments, or another ending."),
    ] = None,
    respondent: Annotated[str | None, typer.Option(help="model:NAME; human as well, for a submission.")] = None,
    control_min: ControlMin = None,
    consensus: Consensus = None,
    min_votes: MinVotes = None,
    ties: Ties = None,
    gold: Gold = None,
    seed: Seed = None,
    also: Annotated[list[str] | None, typer.Option(help="One more study of the submission; may be repeated.")] = None,
    smoothing: Annotated[float, typer.Option(min=0, help="Of soft labels: added to the votes of every label.")] = 0,
) -> None:
    """Write what a study holds to a file: a table, a report, or what the leaderboard of its benchmark takes."""
    votes = {"consensus": consensus, "min_votes": min_votes, "ties": ties}
    changes = {"control_min": control_min, **votes, "gold": gold, "seed": seed}
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
