"""Commands about what people and models score: `human`, `results`, `score`, and `total` for a whole benchmark."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from baseline.commands.rule_options import ACCEPTED, DocumentForm, study_under, with_rules
from baseline.comparison import published_scores as paper
from baseline.comparison.report_evidence import evidence_of_report
from baseline.comparison.results import results as results_of
from baseline.comparison.run_pairs import pairs_dict
from baseline.comparison.score_breakdowns import NO_BREAKDOWNS, BrokenDown, breakdown_table, of_results, side_by_side
from baseline.comparison.score_columns import result_notes, result_tables, results_dict
from baseline.comparison.scoring_files import score_files
from baseline.comparison.totals import total_notes, total_tables, totals
from baseline.comparison.writer_scores import writer_records
from baseline.human.baseline import human_baseline
from baseline.human.detailed_baseline import detailed_baseline
from baseline.output.json import published_dict
from baseline.output.report_file import check_ending, document_text, rendered, text, write_report
from baseline.output.report_file import markdown as markdown_of
from baseline.output.study_report import people_document, results_document, study_report
from baseline.output.terminal import human_details
from data.catalogue.catalog import get_task
from data.catalogue.families import get_family
from data.commands.options import JSON, read_options, with_options
from data.console import print_json, print_result, print_text, tell
from data.declared import option, settings_of
from data.files.prediction_files import ACCEPT_UNREADABLE
from data.version import COMPUTATION
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study

Write = Callable[..., str]


AS_PUBLISHED = "Score as the authors' own script does, traps included"
DETAILS = "Print every table and note too"
BY_GROUP = "Add the score on every group of items that the task names"


class HumanOptions(BaseModel):
    """What `human` prints or writes beside the baseline."""

    report: Path | None = option("--report", None, "Write the baseline report: a file in .md, .html or .tex")
    as_published: bool = option("--as-published", False, AS_PUBLISHED)
    details: bool = option("--details", False, DETAILS)


@with_rules()
@with_options(settings_of(HumanOptions), both_ways=False)
def human(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Compute the human baseline of a study: scores, agreement, exclusions; or write its report."""
    asked, changes = read_options(HumanOptions, given)
    if asked.report:
        check_ending(asked.report)
    mode = _scored_as_published(asked.as_published)
    with study_under(study, changes, published=asked.as_published) as (session, chosen, rules):
        if asked.report:
            evidence = evidence_of_report(session, study=chosen, rules=rules)
            write_report(asked.report, study_report(session, evidence, with_models=False))
            tell(f"{asked.report}: the baseline report of {study}")
        if as_json:
            baseline = detailed_baseline(session, study=chosen, rules=rules)
            print_json(baseline.as_dict() | {"computation": COMPUTATION} | mode)
        elif not asked.report:
            known = human_baseline(session, study=chosen, rules=rules)
            rest = human_details(detailed_baseline(session, study=chosen, rules=rules)) if asked.details else []
            print_text("\n\n".join([document_text(people_document(session, chosen, known)), *rest]))


class ResultsOptions(DocumentForm):
    """What `results` adds, and how it is written."""

    margin: float | None = option(
        "--margin",
        None,
        "Equivalence: how far apart equals may be, 0.05 is 5 points; else the study's setting; without one no verdict",
    )
    epsilon: float | None = option(
        "--epsilon",
        None,
        "Alternative-annotator test: what a model is granted, 0.1 beside a crowd, 0.15 skilled annotators, 0.2 experts",
    )
    details: bool = option("--details", False, DETAILS)
    as_published: bool = option("--as-published", False, AS_PUBLISHED)
    published: bool = option(
        "--published",
        False,
        "Add the scores that its paper prints, people of the study beside its own; a report has them anyway",
    )
    breakdown: bool = option("--breakdown", False, BY_GROUP)
    beside: str | None = option("--beside", None, "Set scores by group beside those of a study in another language")


@with_rules()
@with_options(settings_of(ResultsOptions), both_ways=False)
def show_results(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Show people and models side by side on the items of a study."""
    asked, changes = read_options(ResultsOptions, given)
    with study_under(study, changes, published=asked.as_published) as (session, chosen, rules):
        reported = asked.report or asked.html or asked.latex
        terms: dict[str, Any] = {"study": chosen, "rules": rules, "margin": asked.margin, "epsilon": asked.epsilon}
        evidence = evidence_of_report(session, **terms) if reported else None
        results = evidence.results if evidence else results_of(session, **terms)
        groups = of_results(session, results) if asked.breakdown or asked.beside else None
        if groups and asked.beside:
            other = results_of(session, study=get_study(session, name=asked.beside), rules=rules)
            groups = side_by_side({study: groups, asked.beside: of_results(session, other)})
        document = study_report(session, evidence) if evidence else results_document(session, results)
        written = writer_records(session, results) if as_json else None
    if asked.report:
        write_report(asked.report, document)
        tell(f"{asked.report}: people and models on {study}")
    if as_json:
        printed = results_dict(results) | {"pairs": pairs_dict(results)} | ({"writers": written} if written else {})
        printed |= _scored_as_published(asked.as_published)
        printed |= {} if groups is None else {"breakdowns": [group.as_dict() for group in groups]}
        printed |= {"published": published} if asked.published and (published := published_dict(results)) else {}
        print_json(printed)
    elif asked.html or asked.latex:
        print_text(rendered(document, ".html" if asked.html else ".tex"))
    elif not asked.report:
        write = markdown_of if asked.markdown else text
        parts = [rendered(document, ".md") if asked.markdown else document_text(document)]
        parts += [write(result_tables(results), result_notes(results))] if asked.details else []
        parts += [] if groups is None else [groups_in(write, groups)]
        if asked.published:
            parts.append(published_in(write, paper.published_scores_of(chosen.task), paper.published_people(results)))
        print_text("\n\n".join(parts))


class ScoreOptions(BaseModel):
    """How `score` scores a file."""

    as_published: bool = option("--as-published", False, AS_PUBLISHED)
    breakdown: bool = option("--breakdown", False, BY_GROUP)
    accept_unreadable: bool = option(ACCEPT_UNREADABLE, False, ACCEPTED)


@with_options(settings_of(ScoreOptions), both_ways=False)
def score(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The id of a task of the catalogue.")],
    gold: Annotated[Path, typer.Option(help="File of items with their right answers.")],
    predictions: Annotated[
        Path, typer.Option(help="File of an id and an answer or a reply per record, or of the form of --gold.")
    ],
    *,
    as_json: JSON = False,
    **given: Any,
) -> None:
    """Score a file of predictions against a file of gold; no database is needed.

    A column `answer` is read in the coding of the file of gold, and only a text that is no answer in it ("Ответ: 1")
    as a model's reply. A column `raw`, `reply` or `response` holds whole replies, in which
    "1" is the first option.
    """
    asked, _ = read_options(ScoreOptions, given)
    scored_task = paper.as_published(get_task(task)) if asked.as_published else get_task(task)
    how = {"by_group": asked.breakdown, "accept_unreadable": asked.accept_unreadable}
    scored = score_files(scored_task, gold, predictions, **how)
    shown: dict[str, Any] = scored.as_dict() | _scored_as_published(asked.as_published)
    groups = "" if scored.breakdowns is None else f"\n\n{groups_in(text, scored.breakdowns)}"
    print_result(lambda: shown, lambda: f"{scored.head()}\n{text([scored.table()])}{groups}", as_json=as_json)


def total(
    benchmark: Annotated[str, typer.Argument(help="rsg, libra, ...")],
    studies: Annotated[list[str] | None, typer.Argument(help="A study of each task; else the newest ones.")] = None,
    as_json: JSON = False,
) -> None:
    """Show people and models over the tasks of a benchmark, with its total as its authors define it."""
    family = get_family(benchmark)
    with opened(Settings().database) as database, reading(database) as session:
        summed = totals(session, family=family, names=studies or ())
    print_result(summed.as_dict, lambda: text(total_tables(summed), total_notes(summed)), as_json=as_json)


def _scored_as_published(published: bool) -> dict[str, bool]:
    """Return what `--json` adds where scores are as published; a remark on standard error says so to people."""
    if published:
        tell("Scored as the authors' own script does, traps included; the score without --as-published is corrected.")
    return {"as_published": True} if published else {}


def published_in(
    write: Write, published: paper.PublishedScores | None, people: paper.PublishedPeople | None = None
) -> str:
    """Return what a paper prints, `people` of the study beside its own, as `write` writes tables; else a sentence."""
    if published is None:
        return paper.NOTHING_PUBLISHED
    tables = [*(people.tables if people else ()), *([paper.published_table(published)] if published.rows else [])]
    notes = [f"Published: {published.family.source}. {paper.UNTESTED}", *published.notes]
    return write([*tables, *paper.figure_tables(published)], notes)


def groups_in(write: Write, breakdowns: Sequence[BrokenDown]) -> str:
    """Return the breakdowns as `write` writes tables; a sentence where there are none."""
    notes = [each.left_out for each in breakdowns if each.left_out]
    return write([breakdown_table(each) for each in breakdowns], notes) if breakdowns else NO_BREAKDOWNS
