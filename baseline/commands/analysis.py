"""Commands that look at people's work: `quality`, `assessors`, and `plan` before there is any."""

from pathlib import Path
from typing import Annotated, Any

import typer

from baseline.commands.quality_options import QualityOptions
from baseline.commands.rule_options import with_rules
from baseline.human.assessor_pairs import admit, assessors, check_corpus
from baseline.human.baseline import changed_rules
from baseline.human.plan import PLAN_OPTIONS, PlanOptions, plan
from baseline.human.quality_afterwards import quality
from baseline.output.terminal import assessors_text, plan_text, quality_text
from data.commands.shared_options import JSON, read_options, with_options
from data.console import print_json, print_text, tell
from data.declared import settings_of
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study


@with_options(settings_of(QualityOptions), both_ways=False)
@with_rules("min_votes", "ties", "consensus", "seed")
def show_quality(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Show which workers the rules of a study flag and how leaving them out changes results (default: all rules).

    Each is applied with the study's own numbers, but for those that options name.
    """
    options, changes = read_options(QualityOptions, given)
    checks = options.checks()
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=study)
        rules = changed_rules(chosen, **changes)
        checked = quality(session, study=chosen, checks=checks, rules=rules, least=options.least_votes)
    if as_json:
        print_json(checked.as_dict())
    else:
        print_text(quality_text(checked))


def show_assessors(
    study: str,
    by: Annotated[str | None, typer.Option(help="The field to group by; by default genre, if there is one.")] = None,
    to: Annotated[Path | None, typer.Option("--admit", help="Write the corpus both admit: .tsv or .txt.")] = None,
    as_json: JSON = False,
) -> None:
    """Compare the two assessors of each item: confusion tables, agreement, and the corpus that both admit."""
    if to:
        check_corpus(to)
    with opened(Settings().database) as database, reading(database) as session:
        paired = assessors(session, study=get_study(session, name=study), by=by)
    if to:
        admit(paired, to)
        tell(f"{to}: the corpus that both assessors of {study} admit")
    if as_json:
        print_json(paired.as_dict())
    elif not to:
        print_text(assessors_text(paired))


@with_options(PLAN_OPTIONS)
def show_plan(*, as_json: JSON = False, **given: Any) -> None:
    """Plan a study: how well control items filter workers, how many items and votes reveal a difference."""
    wish, _ = read_options(PlanOptions, given)
    planned = plan(wish)
    if as_json:
        print_json(planned.as_dict())
    else:
        print_text(plan_text(planned))
