"""What `quality` takes: which rules, and numbers in the place of the study's own; both as the rules declare them."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, create_model

from baseline.human.quality_afterwards import ENOUGH, Checks
from data.declared import Asked, Setting, setting
from data.errors import BadSetting
from eval.workers import RULES
from eval.workers.control import ControlRule
from eval.workers.fast import AUTO, FastRule

RULE, NUMBER = "Rules", "Numbers"


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
    info = setting(Asked(NUMBER, option=first.asked.option), None, "; ".join(said))
    info.metadata[:0] = [bound for bound in first.info.metadata if not isinstance(bound, Asked)]
    return first.kind | None, info


class _OwnOptions(BaseModel):
    """The options of `quality` that no rule declares for itself."""

    rule: tuple[str, ...] = setting(Asked(RULE, option="--rule", typed=list[str]), (), f"One of {', '.join(RULES)}")
    changed: tuple[str, ...] = setting(
        Asked(NUMBER, option="--set", typed=list[str]), (), "RULE.NUMBER=VALUE: skips.in_a_row=3"
    )
    control_min: float | None = setting(
        Asked(NUMBER, option="--control-min"),
        None,
        f"{ControlRule.title}: the share that must be right, in a plain test",
        ge=0,
        le=1,
    )
    too_fast: str | None = setting(
        Asked(RULE, option="--too-fast"), None, f"{FastRule.title}: seconds, or {AUTO}, a third of the study's median"
    )
    chance: float | None = setting(
        Asked(NUMBER, option="--chance"),
        None,
        "Accuracy of a guesser on controls",
        "Otherwise estimated from the answers",
        ge=0,
        le=1,
    )
    least_votes: int = setting(Asked(NUMBER, option="--least-votes"), ENOUGH, "Votes an item should keep", ge=1)

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
        for option, numbers in SHARED.items():
            if (value := getattr(self, option)) is not None:
                yield from dict.fromkeys(numbers, value).items()


SWITCHES: dict[str, Any] = {
    key: (bool, setting(Asked(RULE, option=f"--{key}"), False, f"The rule “{rule.title}”"))
    for key, rule in RULES.items()
}
NUMBERS: dict[str, Any] = {option: _number_field(numbers) for option, numbers in SHARED.items()}
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
