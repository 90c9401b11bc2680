"""Commands that look at people's work: `quality`, `assessors`, and `plan` before there is any."""

from pathlib import Path
from typing import Annotated, Any

import typer

from baseline.commands.options import ControlMin, with_rules
from baseline.commands.quality_options import QualityOptions
from baseline.human.assessors import admit, assessors, check_corpus
from baseline.human.baseline import changed_rules
from baseline.human.plan import Wish, plan
from baseline.human.quality import quality
from baseline.output.assessors_text import assessors_text
from baseline.output.plan_text import plan_text
from baseline.output.quality_text import quality_text
from data.commands.options import JSON
from data.commands.setting_options import read_options, with_options
from data.console import print_json, print_text, tell
from data.declared import settings_of
from data.errors import BadSetting
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study

WISH = Wish()


@with_options(settings_of(QualityOptions), both_ways=False)
@with_rules("min_votes", "ties", "consensus", "seed")
def show_quality(study: str, *, as_json: JSON = False, **given: Any) -> None:
    """Show whom the rules of a study find and what leaving these out changes; no rule named: all of them.

    Each is applied with the study's own numbers, but for those that options name.
    """
    options, changes = read_options(QualityOptions, given)
    checks = options.checks()
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=study)
        rules = changed_rules(chosen, **changes)
        found = quality(session, study=chosen, checks=checks, rules=rules, least=options.least_votes)
    if as_json:
        print_json(found.as_dict())
    else:
        print_text(quality_text(found))


def show_assessors(
    study: str,
    by: Annotated[str | None, typer.Option(help="The field to group by; genre where there is one.")] = None,
    to: Annotated[Path | None, typer.Option("--admit", help="Write the corpus both admit: .tsv or .txt.")] = None,
    as_json: JSON = False,
) -> None:
    """Compare the two assessors of each item: confusion tables, agreement, and the corpus that both admit."""
    if to:
        check_corpus(to)
    with opened(Settings().database) as database, reading(database) as session:
        found = assessors(session, study=get_study(session, name=study), by=by)
    if to:
        admit(found, to)
        tell(f"{to}: the corpus that both assessors of {study} admit")
    if as_json:
        print_json(found.as_dict())
    elif not to:
        print_text(assessors_text(found))


def show_plan(
    options: Annotated[str, typer.Option(help="Numbers of answers to an item.")] = "2,3,4",
    controls: Annotated[str, typer.Option(help="Numbers of control items.")] = "5,10,20,30",
    good: Annotated[float, typer.Option(help="The accuracy of a good worker.")] = WISH.good,
    control_min: ControlMin = None,
    passing: Annotated[float, typer.Option(help="The share of guessers that may pass.")] = WISH.passing,
    lost: Annotated[float, typer.Option(help="The share of good workers that may be excluded.")] = WISH.lost,
    person: Annotated[float, typer.Option(help="How often a person is right.")] = WISH.person,
    agreement: Annotated[float | None, typer.Option(help="Pairs that agree, in the place of --person.")] = None,
    votes: Annotated[str, typer.Option(help="Numbers of votes for each item.")] = "1,3,5,7",
    items: Annotated[str, typer.Option(help="Numbers of items.")] = "100,300,500,1000",
    difference: Annotated[float, typer.Option(help="The difference to be shown, 0.05 is 5 points.")] = WISH.difference,
    model: Annotated[float | None, typer.Option(help="How often the model is right, for its difference.")] = None,
    discordant: Annotated[float | None, typer.Option(help="Items that just one of both has right, as a share.")] = None,
    labels: Annotated[int, typer.Option(help="Answers to a main item.")] = WISH.labels,
    power: Annotated[float, typer.Option(help="How likely the difference is to be shown.")] = WISH.power,
    level: Annotated[float, typer.Option(help="The level of the test.")] = WISH.level,
    as_json: JSON = False,
) -> None:
    """Plan a study: what control items keep out and whom they cost, how many items and votes show a difference."""
    wish = Wish(
        options=_numbers("options", options),
        controls=_numbers("controls", controls),
        good=good,
        control_min=control_min,
        passing=passing,
        lost=lost,
        person=person,
        agreement=agreement,
        votes=_numbers("votes", votes),
        items=_numbers("items", items),
        difference=difference,
        model=model,
        discordant=discordant,
        labels=labels,
        power=power,
        level=level,
    )
    found = plan(wish)
    if as_json:
        print_json(found.as_dict())
    else:
        print_text(plan_text(found))


def _numbers(name: str, told: str) -> tuple[int, ...]:
    parts = [part.strip() for part in told.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise BadSetting(f"--{name} takes whole numbers separated by commas, such as 3,5,10; got {told!r}.")
    return tuple(map(int, parts))
