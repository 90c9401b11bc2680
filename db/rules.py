"""The rules on workers of one study: what each looks at, and what follows when it finds somebody."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

Action = Literal["none", "flag", "pause", "exclude"]
STOPS: tuple[Action, ...] = ("pause", "exclude")


def _renamed(action: object) -> object:
    """Return the action by its present name: studies made earlier have "warn" for "flag"."""
    return "flag" if action == "warn" else action


Acting = Annotated[Action, BeforeValidator(_renamed)]


class _Rule(BaseModel):
    """`action`: "none" never looks, "flag" writes an event, the others stop the worker as well.

    Who is paused waits until somebody has looked, and the answers count; who is excluded leaves the items to others.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    action: Acting


class ControlRule(_Rule):
    """Control items: right out of answered, over the last `window` of them (None: all), from `minimum` answers on.

    The test "posterior" stops where P(accuracy > chance + (good - chance) / 2) < `doubt` (DECISIONS 23), "threshold"
    where less than the share `share` is right. The rule looks after every control, and who looks often finds a bad
    streak sooner or later: from 10 controls on it stops 0.2% of workers with 90%, from 5 on it would be 1.2%.
    """

    action: Acting = "exclude"
    test: Literal["posterior", "threshold"] = "posterior"
    good: float = Field(default=0.9, gt=0, le=1)
    doubt: float = Field(default=0.1, gt=0, lt=1)
    share: float = Field(default=0.5, ge=0, le=1)
    minimum: int = Field(default=10, ge=1, le=1000)
    window: int | None = Field(default=None, ge=1, le=1000)


class FastRule(_Rule):
    """At least `at_least` of the last `window` answers to main items took less than a limit.

    The limit is `seconds`, or the share `of_median` of the median of the study's own answers. Without either it does
    not look: how long an item takes is not known before somebody has tried. By seconds it looks after every quick
    answer; by the median after every `at_least` answers, and not before the study has 50 of them.
    """

    action: Acting = "flag"
    seconds: float | None = Field(default=None, gt=0, le=3600)
    of_median: float | None = Field(default=None, gt=0, lt=1)
    at_least: int = Field(default=5, ge=1, le=1000)
    window: int = Field(default=20, ge=1, le=1000)

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.seconds is not None and self.of_median is not None:
            raise ValueError("fill in the seconds or the share of the median, not both; leave one of them empty.")
        return self


class ConstantRule(_Rule):
    """One answer in `share` or more of at least `minimum` main items, where others give it less than `crowd`.

    It looks after every `minimum` answers.
    """

    action: Acting = "flag"
    share: float = Field(default=0.95, gt=0, le=1)
    minimum: int = Field(default=10, ge=2, le=1000)
    crowd: float = Field(default=0.8, gt=0, le=1)


class PatternRule(_Rule):
    """Answers, controls with them, that repeat with a period of 2 to `longest`, in `share` of at least `minimum`.

    It looks after every `minimum` answers. One answer all along is for the rule on constant answers.
    """

    action: Acting = "flag"
    longest: int = Field(default=4, ge=2, le=10)
    share: float = Field(default=0.95, gt=0, le=1)
    minimum: int = Field(default=20, ge=4, le=1000)


class SkipsRule(_Rule):
    """`in_a_row` items skipped one after another, or more than `share` of the last `window` of at least `minimum`.

    Items that were reported are no part of it: a report helps. It looks after every item skipped.
    """

    action: Acting = "flag"
    in_a_row: int = Field(default=5, ge=1, le=1000)
    share: float = Field(default=0.5, ge=0, le=1)
    window: int = Field(default=20, ge=1, le=1000)
    minimum: int = Field(default=10, ge=1, le=1000)


class DisagreementRule(_Rule):
    """Agreement with the others' majority so low that fewer than `tail` of such workers would have it by chance.

    Over the last `window` main items that others have answered too, at least `minimum` of which have a majority. It
    looks after every `minimum` answers, so of a hundred good workers who are looked at often more than one is found.
    """

    action: Acting = "flag"
    tail: float = Field(default=0.01, gt=0, lt=1)
    minimum: int = Field(default=20, ge=2, le=1000)
    window: int = Field(default=60, ge=2, le=1000)


class _OnlyFlags(BaseModel):
    """What it finds has honest reasons too: "none" never looks, "flag" writes an event, and nothing stops anybody."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    action: Literal["none", "flag"] = "flag"


class CopyingRule(_OnlyFlags):
    """The same departures from the others' majority as another worker, in `share` or more of at least `minimum`.

    Over the last `window` main items, looked at after every 30 answers. Nothing tells who copied from whom, so this
    only ever flags.
    """

    share: float = Field(default=0.8, gt=0, le=1)
    minimum: int = Field(default=6, ge=2, le=1000)
    window: int = Field(default=60, ge=2, le=1000)


class AttentionRule(_OnlyFlags):
    """More than `share` of the last `window` answers, at least `minimum`, pasted or given with the page out of sight.

    There are honest reasons for both, so this only ever flags.
    """

    share: float = Field(default=0.5, ge=0, lt=1)
    window: int = Field(default=20, ge=1, le=1000)
    minimum: int = Field(default=10, ge=1, le=1000)


class TrapRule(_Rule):
    """`wrong` or more wrong answers to control items that say themselves what to answer; `items` are their ids."""

    action: Acting = "pause"
    items: tuple[str, ...] = ()
    wrong: int = Field(default=1, ge=1, le=1000)


class QualityRules(BaseModel):
    """All the rules of a study."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    control: ControlRule = ControlRule()
    fast: FastRule = FastRule()
    constant: ConstantRule = ConstantRule()
    pattern: PatternRule = PatternRule()
    skips: SkipsRule = SkipsRule()
    disagreement: DisagreementRule = DisagreementRule()
    copying: CopyingRule = CopyingRule()
    attention: AttentionRule = AttentionRule()
    trap: TrapRule = TrapRule()
