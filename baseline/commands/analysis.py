"""Commands that look at people's work: `quality`, `assessors`, and `plan` before there is any."""

from pathlib import Path
from typing import Annotated, Any

import typer

from baseline.commands.options import ControlMin, with_rules
from baseline.human.assessors import admit, assessors, check_corpus
from baseline.human.baseline import changed_rules
from baseline.human.plan import Wish, plan
from baseline.human.quality import ENOUGH, quality
from baseline.human.quality_checks import Checks
from baseline.output.assessors_text import assessors_text
from baseline.output.plan_text import plan_text
from baseline.output.quality_text import quality_text
from data.commands.options import JSON
from data.console import print_json, print_text, tell
from data.errors import BadSetting
from db.engine import opened, reading
from db.settings import Settings
from db.studies import get_study
from eval.workers import RULES

AUTO, OF_MEDIAN = "auto", 1 / 3
WINDOWS, SHARES = ("control.window", "fast.window"), ("constant.share", "pattern.share")
MINIMA = ("constant.minimum", "disagreement.minimum", "attention.minimum")
WISH = Wish()


@with_rules("min_votes", "ties", "consensus", "seed")
def show_quality(
    study: str,
    rule: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(RULES)}; again for another.")] = None,
    changed: Annotated[list[str] | None, typer.Option("--set", help="RULE.NUMBER=VALUE: skips.in_a_row=3.")] = None,
    control: Annotated[bool, typer.Option("--control", help="The rule on control items.")] = False,
    control_min: ControlMin = None,
    chance: Annotated[
        float | None, typer.Option(help="How often a guesser is right; else told by the answers.")
    ] = None,
    too_fast: Annotated[str | None, typer.Option(help="Seconds, or auto: a third of the study's median.")] = None,
    window: Annotated[int | None, typer.Option(min=1, help="How many of a worker's last answers count.")] = None,
    constant: Annotated[bool, typer.Option("--constant", help="One answer all along.")] = False,
    pattern: Annotated[bool, typer.Option("--pattern", help="Answers that repeat with a short period.")] = False,
    share: Annotated[float | None, typer.Option(help="Of constant answers or of a pattern, to be found.")] = None,
    disagreement: Annotated[bool, typer.Option("--disagreement", help="Seldom with the others' majority.")] = False,
    tail: Annotated[float | None, typer.Option(help="How unlikely the disagreement must be.")] = None,
    minimum: Annotated[int | None, typer.Option(min=1, help="Answers of a worker before such a rule acts.")] = None,
    least_votes: Annotated[int, typer.Option(min=1, help="Votes an item should keep.")] = ENOUGH,
    *,
    as_json: JSON = False,
    **changes: Any,
) -> None:
    """Show whom the rules of a study find and what leaving these out changes; no rule named: all of them.

    Each is applied with the study's own numbers, but for those that options name.
    """
    named = {
        "control": control or control_min is not None,
        "fast": too_fast is not None,
        "constant": constant,
        "pattern": pattern,
        "disagreement": disagreement,
    }
    names = (*(rule or ()), *(name for name, wanted in named.items() if wanted))
    numbers = _controls(control_min) | _limit(too_fast)
    for values in ((WINDOWS, window), (SHARES, share), (MINIMA, minimum), (("disagreement.tail",), tail)):
        numbers |= {} if values[1] is None else dict.fromkeys(*values)
    checks = Checks(names or tuple(RULES), numbers | dict(map(_number, changed or [])), chance)
    with opened(Settings().database) as database, reading(database) as session:
        chosen = get_study(session, name=study)
        rules = changed_rules(chosen, **changes)
        found = quality(session, study=chosen, checks=checks, rules=rules, least=least_votes)
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


def _controls(control_min: float | None) -> dict[str, Any]:
    """Return the numbers that make the rule on controls a plain threshold, as --control-min does."""
    plain = {"control.test": "threshold", "control.share": control_min, "control.minimum": 1}
    return {} if control_min is None else plain


def _limit(too_fast: str | None) -> dict[str, Any]:
    """Return the limit of the rule on speed that --too-fast names."""
    if too_fast is None:
        return {}
    if too_fast == AUTO:
        return {"fast.seconds": None, "fast.of_median": OF_MEDIAN}
    try:
        return {"fast.seconds": float(too_fast), "fast.of_median": None}
    except ValueError as error:
        raise BadSetting(f"--too-fast takes seconds or {AUTO}, got {too_fast!r}.") from error


def _number(typed: str) -> tuple[str, str | None]:
    """Return what `--set RULE.NUMBER=VALUE` gives; an empty value is none."""
    where, equals, value = typed.partition("=")
    if not equals or "." not in where:
        raise BadSetting(f"--set {typed!r}: write the rule, '.', its number, '=' and the value: skips.in_a_row=3")
    return where.strip().replace("-", "_"), value.strip() or None
