"""Commands that look at people's work: `quality`, `assessors`, and `plan` before there is any."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import BaseModel, create_model

from baseline.commands.rule_options import study_under, with_rules
from baseline.human.assessor_pairs import admit, assessors, check_corpus
from baseline.human.plan import PLAN_OPTIONS, PlanOptions, plan
from baseline.human.quality_afterwards import ENOUGH, Checks, quality
from baseline.output.terminal import assessors_text, plan_text, quality_text
from data.commands.options import JSON, read_options, with_options
from data.console import print_result, tell
from data.declared import Asked, Setting, option, settings_of
from data.errors import BadSetting
from eval.workers.control import ControlRule
from eval.workers.fast import AUTO, FastRule
from eval.workers.table import RULES


def _numbers_by_option() -> dict[str, dict[str, Setting]]:
    """Return the numbers that have an option of their own, by its name, then by RULE.NUMBER."""
    shared: dict[str, dict[str, Setting]] = {}
    for key, rule in RULES.items():
        for name, (number, asked) in rule.numbers().items():
            if asked.option:
                shared.setdefault(asked.option.strip("-").replace("-", "_"), {})[f"{key}.{name}"] = number
    return shared


SHARED = _numbers_by_option()


def _number_field(numbers: dict[str, Setting]) -> tuple[Any, Any]:
    """Return the field of an option that sets numbers of several rules: it says which, and has bounds of the first."""
    first = next(iter(numbers.values()))
    said = (
        f"{RULES[where.partition('.')[0]].title}: {number.title.lower()} ({number.help.lower()})"
        for where, number in numbers.items()
    )
    info = option(first.asked.option, None, "; ".join(said))
    info.metadata[:0] = [bound for bound in first.info.metadata if not isinstance(bound, Asked)]
    return first.kind | None, info


class _OwnOptions(BaseModel):
    """The options of `quality` that no rule declares for itself."""

    rule: tuple[str, ...] = option("--rule", (), f"One of {', '.join(RULES)}", typed=list[str])
    changed: tuple[str, ...] = option("--set", (), "RULE.NUMBER=VALUE: skips.in_a_row=3", typed=list[str])
    control_min: float | None = option(
        "--control-min", None, f"{ControlRule.title}: the share that must be right, in a plain test", ge=0, le=1
    )
    too_fast: str | None = option(
        "--too-fast", None, f"{FastRule.title}: seconds, or {AUTO}, a third of the study's median"
    )
    chance: float | None = option(
        "--chance", None, "Accuracy of a guesser on controls", "Otherwise estimated from the answers", ge=0, le=1
    )
    least_votes: int = option("--least-votes", ENOUGH, "Votes an item should keep", ge=1)

    def checks(self) -> Checks:
        """Return the rules that are meant, all where none is named, with their numbers; raises BadSetting."""
        numbers = dict(self._numbers()) | dict(map(_number, self.changed))
        return Checks((*self.rule, *self._switched()) or tuple(RULES), numbers, self.chance)

    def _switched(self) -> Iterator[str]:
        """Yield the rules that have their switch, or an option that means one alone."""
        meant = {ControlRule.key: self.control_min, FastRule.key: self.too_fast}
        yield from (key for key in RULES if getattr(self, key) or meant.get(key) is not None)

    def _numbers(self) -> Iterator[tuple[str, Any]]:
        """Yield the numbers that options name."""
        if self.control_min is not None:
            yield from _of(ControlRule.key, ControlRule.plain_share(self.control_min))
        if self.too_fast is not None:
            yield from _of(FastRule.key, _limit(self.too_fast))
        for name, numbers in SHARED.items():
            if (value := getattr(self, name)) is not None:
                yield from dict.fromkeys(numbers, value).items()


SWITCHES: dict[str, Any] = {
    key: (bool, option(f"--{key}", False, f"The rule “{rule.title}”")) for key, rule in RULES.items()
}
NUMBERS: dict[str, Any] = {name: _number_field(numbers) for name, numbers in SHARED.items()}
QualityOptions = create_model("QualityOptions", __base__=_OwnOptions, **SWITCHES, **NUMBERS)
"""The options of `quality`: a switch for each rule, and the numbers for which rules declare an option."""


def _of(rule: str, numbers: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from ((f"{rule}.{name}", value) for name, value in numbers.items())


def _limit(too_fast: str) -> dict[str, Any]:
    try:
        return FastRule.limit_named(too_fast)
    except ValueError as error:
        raise BadSetting(f"--too-fast takes seconds or {AUTO}, got {too_fast!r}.") from error


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
    print_result(planned.as_dict, lambda: plan_text(planned), as_json=as_json)
