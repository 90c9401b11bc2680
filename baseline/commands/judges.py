"""Commands about judges: of models beside people, of replies by people, of pairs in a ranking, of the gold."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from baseline.commands.rule_options import DocumentForm, study_under, with_rules
from baseline.comparison.document import study_document
from baseline.comparison.item_index import gold_error_dict, gold_error_list, gold_error_section
from baseline.comparison.judging import JudgeQuestion, judge_dict, judge_section, judging
from baseline.comparison.pair_rankings import pair_rankings, ranking_dict, ranking_section
from baseline.comparison.results import results
from baseline.output.plots import ranking_figure
from baseline.output.report_file import markdown, section_text, text
from baseline.runs.reply_queue import ReplyQueue, queue_replies
from data.catalogue.task_files import read_task
from data.commands.options import BY_COMMAND, JSON, read_options, with_options
from data.console import print_result, print_text
from data.declared import option, settings_of
from data.errors import BadSetting, UnknownName
from db.engine import Session, opened
from db.items import list_items
from db.settings import Settings
from db.studies import Study
from eval.ranking.bradley_terry import TIES, Ties
from eval.ranking.ranking import DRAWS, RankingRules


class JudgeOptions(DocumentForm):
    """Which judges are looked at, by which number, and how it is written."""

    model: tuple[str, ...] = option("--model", (), "One judge; else all models", typed=list[str])
    points: tuple[str, ...] = option(
        "--points", (), "LABEL=NUMBER: what an answer is worth; else the share of each label", typed=list[str]
    )
    by: str | None = option("--by", None, "The field of items to group by: the system judged")
    sample: int | None = option("--sample", None, "Use people's answers to only this many random items")


@with_rules("control_min", "min_votes", "ties", "consensus", "seed")
@with_options(settings_of(JudgeOptions), both_ways=False)
def judge(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Set models beside people as judges: agreement, and the scores people would give, corrected by their answers."""
    asked, changes = read_options(JudgeOptions, given)
    with study_under(study, changes) as (session, chosen, rules):
        groups = groups_by(session, chosen, asked.by) if asked.by else {}
        question = JudgeQuestion(asked.model, points_of(asked.points), groups, asked.sample, rules.seed)
        judged = judging(results(session, study=chosen, rules=rules), question)
    section = judge_section(judged)
    asked.show(
        lambda: study_document("Judges of", chosen, section),
        lambda: section_text(section),
        judge_dict(judged) if as_json else None,
    )


class GoldErrorOptions(BaseModel):
    """How much of the list is printed, and in which form."""

    top: int = option("--top", 20, "Items that are printed, of those above 5%; --json has all", ge=1)
    markdown: bool = option("--markdown", False, "Print Markdown")


@with_rules("control_min", "seed")
@with_options(settings_of(GoldErrorOptions), both_ways=False)
def gold_errors(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """List the items whose gold people and models contradict, the most probably wrong first."""
    asked, changes = read_options(GoldErrorOptions, given)
    with study_under(study, changes) as (session, chosen, rules):
        doubted = gold_error_list(results(session, study=chosen, rules=rules))
    write, section = markdown if asked.markdown else text, gold_error_section(doubted, asked.top)
    print_result(lambda: gold_error_dict(doubted), lambda: write(section.tables, section.notes), as_json=as_json)


def points_of(options: tuple[str, ...]) -> dict[str, float]:
    """Return what `--points LABEL=NUMBER` options say; raises BadSetting."""
    points: dict[str, float] = {}
    for typed in options:
        label, equals, value = typed.rpartition("=")
        try:
            points[label] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise BadSetting(f"--points {typed!r}: write a label, '=' and what it is worth: tie=0.5")
    return points


def groups_by(session: Session, study: Study, field: str) -> Mapping[str, str]:
    """Return the value of a field for each main item that has one; raises UnknownName."""
    names = [each.name for each in study.task.fields]
    if field not in names:
        raise UnknownName("the field", field, names)
    main = [stored.item for stored in list_items(session, study=study, role="main")]
    return {item.id: value for item in main if (value := item.fields.get(field, ""))}


class ReplyOptions(BaseModel):
    """Which replies people judge, and how."""

    single: bool = option("--single", False, "An item for each reply, not each pair")
    run: tuple[int, ...] = option("--run", (), "A run; else those in results", typed=list[int])
    criterion: tuple[str, ...] = option(
        "--criterion", (), "Asked by each: a choice of a pair, a scale of a reply", typed=list[str]
    )
    task: Path | None = option("--task", None, "Your own task, with reply_1 and reply_2, or reply")
    overlap: int | None = option("--overlap", None, "Judgments of each item", ge=1, le=50)
    draft: bool = option("--draft", False, "Make a draft, to be edited and opened on /manage")


@with_options(settings_of(ReplyOptions), both_ways=False)
def judge_replies(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="The study that models answered.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the study for people is called.")],
    **given: Any,
) -> None:
    """Make a study in which people judge what models replied: blind, in pairs or one by one."""
    asked, _ = read_options(ReplyOptions, given)
    queue = ReplyQueue(
        source=study,
        name=name,
        shape="replies" if asked.single else "pairs",
        runs=asked.run,
        criteria=asked.criterion,
        task=read_task(asked.task) if asked.task else None,
        overlap=asked.overlap,
        opens=not asked.draft,
    )
    with opened(Settings().database) as database:
        print_text(str(queue_replies(database, queue, who=BY_COMMAND)))


class RankingOptions(DocumentForm):
    """How judgments become a ranking, and how it is written."""

    ties: Ties = option("--ties", "half", f"What a tie is, one of {', '.join(TIES)}")
    draws: int = option("--draws", DRAWS, "Samples that intervals are made of", ge=100)


@with_rules("control_min", "seed")
@with_options(settings_of(RankingOptions), both_ways=False)
def show_ranking(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Rank what was compared in pairs: strengths and ranks with intervals, by people and by each model that judged."""
    asked, changes = read_options(RankingOptions, given)
    with study_under(study, changes) as (session, chosen, rules):
        ranked = pair_rankings(
            session, results(session, study=chosen, rules=rules), RankingRules(asked.ties, asked.draws, rules.seed)
        )
    section = ranking_section(ranked)
    asked.show(
        lambda: study_document("Ranking of", chosen, replace(section, figure=ranking_figure(ranked))),
        lambda: section_text(section),
        ranking_dict(ranked) if as_json else None,
    )
