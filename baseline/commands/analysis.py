"""Commands that look at people's work: `quality`, `assessors`, and `plan` before there is any."""

from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel

from baseline.commands.rule_options import study_under, with_rules
from baseline.human.assessor_pairs import admit, assessors, check_corpus
from baseline.human.plan import PLAN_NOTES, PLAN_OPTIONS, PlanOptions, plan, plan_tables
from baseline.human.quality_afterwards import ENOUGH, Checks, quality
from baseline.output.report_file import text
from baseline.output.terminal import assessors_text, quality_text
from data.commands.options import JSON, read_options, with_options
from data.console import print_result, tell
from data.declared import option, settings_of
from data.errors import BadSetting
from eval.workers.table import RULES


class QualityOptions(BaseModel):
    """The options of `quality`."""

    rule: tuple[str, ...] = option(
        "--rule", (), f"One of {', '.join(f'{key} ({rule.title})' for key, rule in RULES.items())}", typed=list[str]
    )
    changed: tuple[str, ...] = option("--set", (), "RULE.NUMBER=VALUE: skips.in_a_row=3", typed=list[str])
    least_votes: int = option("--least-votes", ENOUGH, "Votes an item should keep", ge=1)

    def checks(self) -> Checks:
        """Return the rules that are meant, all where none is named, with their numbers; raises BadSetting."""
        return Checks(self.rule or tuple(RULES), dict(map(_number, self.changed)))


def _number(typed: str) -> tuple[str, str | None]:
    """Return what `--set RULE.NUMBER=VALUE` gives; an empty value is none."""
    where, equals, value = typed.partition("=")
    if not equals or "." not in where:
        raise BadSetting(f"--set {typed!r}: write the rule, '.', its number, '=' and the value: skips.in_a_row=3")
    return where.strip().replace("-", "_"), value.strip() or None


@with_options(settings_of(QualityOptions), both_ways=False)
@with_rules("min_votes", "ties", "consensus", "seed")
def show_quality(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Show which workers the rules of a study flag and how leaving them out changes results (default: all rules).

    Each is applied with the study's own numbers, but for those that options name.
    """
    options, changes = read_options(QualityOptions, given)
    checks = options.checks()
    with study_under(study, changes) as (session, chosen, rules):
        checked = quality(session, study=chosen, checks=checks, rules=rules, least=options.least_votes)
    print_result(checked.as_dict, lambda: quality_text(checked), as_json=as_json)


def show_assessors(
    study: str,
    by: Annotated[str | None, typer.Option(help="The field to group by; by default genre, if there is one.")] = None,
    to: Annotated[Path | None, typer.Option("--admit", help="Write the corpus both admit: .tsv or .txt.")] = None,
    as_json: JSON = False,
) -> None:
    """Compare the two assessors of each item: confusion tables, agreement, and the corpus that both admit."""
    if to:
        check_corpus(to)
    with study_under(study) as (session, chosen, _):
        paired = assessors(session, study=chosen, by=by)
    if to:
        admit(paired, to)
        tell(f"{to}: the corpus that both assessors of {study} admit")
    if as_json or not to:
        print_result(paired.as_dict, lambda: assessors_text(paired), as_json=as_json)


@with_options(PLAN_OPTIONS)
def show_plan(*, as_json: JSON = False, **given: Any) -> None:
    """Plan a study: how well control items filter workers, how many items and votes reveal a difference."""
    wish, _ = read_options(PlanOptions, given)
    planned = plan(wish)
    print_result(planned.as_dict, lambda: text(plan_tables(planned), PLAN_NOTES), as_json=as_json)
