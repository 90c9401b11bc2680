"""The rules on workers as a study meets them: with which numbers, whom they find, or why they cannot be applied."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd

from baseline.human.baseline import Collected
from data.errors import BadSetting
from eval import guessing
from eval.control_rules import ControlRule, Posterior, Threshold
from eval.disagreement import disagreement
from eval.quality import (
    Finding,
    constant_answers,
    control_accuracy,
    repeating_pattern,
    too_fast,
)
from eval.quality_events import inattention, skips

OF_MEDIAN = 1 / 3
TITLES = {
    "control_accuracy": "control items",
    "too_fast": "too fast",
    "constant_answers": "one answer all along",
    "repeating_pattern": "repeating pattern",
    "disagreement": "disagreement with others",
    "skips": "skipped items",
    "inattention": "paste and hidden page",
}
RULES = tuple(TITLES)
NOT_APPLIED = "not applied, see the notes"
NOT_HANDED = "no item was handed out here, as in an imported log, so nothing tells what was skipped."
UNWATCHED = "the page was not watched while these answers were given, so nobody can be told apart."


@dataclass(frozen=True)
class Checks:
    """Which of RULES are applied, and with which numbers.

    `control_min` puts a plain threshold in the place of the default rule (DECISIONS 23), `chance` the accuracy of a
    guesser in the place of what the answers say. `seconds` is the limit of `too_fast`; None takes OF_MEDIAN of the
    study's median. `window` is how many of the last answers count for these two rules, None for what is usual. For
    skipped items the numbers are those of the study's own rule.
    """

    names: tuple[str, ...] = RULES
    control_min: float | None = None
    chance: float | None = None
    seconds: float | None = None
    window: int | None = None
    constant: float = 0.95
    minimum: int = 10
    tail: float = 0.01

    def __post_init__(self) -> None:
        if unknown := [name for name in self.names if name not in RULES]:
            raise BadSetting(f"The rule {unknown[0]!r} is not known; choose from {', '.join(RULES)}.")
        if not 0 < self.constant <= 1 or self.minimum < 1:
            raise BadSetting(
                f"A constant share lies above 0 and up to 1 and asks for 1 judgment or more, got {self.constant!r} and "
                f"{self.minimum!r}."
            )
        if self.seconds is not None and not self.seconds > 0:
            raise BadSetting(f"Too fast must be more than 0 seconds, got {self.seconds!r}.")


@dataclass(frozen=True)
class Check:
    """One rule: how it was applied, whom it found, or the sentence that says why it could not be applied."""

    name: str
    how: str
    findings: tuple[Finding, ...] = ()
    refused: str = ""

    @property
    def title(self) -> str:
        """What the rule is called in a table."""
        return TITLES[self.name]


def checked(found: Collected, checks: Checks) -> tuple[Check, ...]:
    """Return what each of the rules says of a study; workers whom the study has shut out are not looked at."""
    judgments = found.judgments
    met = None if found.met is None else found.met[~found.met["worker"].isin(found.shut_out)]
    seen = replace(found, judgments=judgments[~judgments["worker"].isin(found.shut_out)], met=met)
    return tuple(_APPLY[name](seen, checks) for name in RULES if name in checks.names)


def guess(found: Collected) -> float:
    """Return how often someone who guesses is right on a control: 1 / K, the mean over items that bring their own.

    0 where answers cannot be listed.
    """
    controls = found.items[(found.items["role"] == "control") & found.items["gold"].notna()]
    asked = [] if found.labels else controls["item"].tolist()
    return guessing.guess(found.asked.answer, [found.asked.fields_of(item) for item in asked])


def _control(found: Collected, checks: Checks) -> Check:
    name = "control_accuracy"
    known = found.items["item"][(found.items["role"] == "control") & found.items["gold"].notna()]
    judgments = found.judgments
    answered = judgments[(judgments["status"] == "counted") & judgments["item"].isin(known)]
    if answered.empty:
        return Check(name, NOT_APPLIED, refused="nobody answered a control item whose gold is known.")
    chance = guess(found) if checks.chance is None else checks.chance
    if checks.control_min is None and chance >= Posterior.good:
        return Check(name, NOT_APPLIED, refused="whoever guesses is right, so controls tell nobody apart.")
    rule: ControlRule = Posterior(chance) if checks.control_min is None else Threshold(checks.control_min)
    window = "" if checks.window is None else f", the last {checks.window}"
    how = (
        f"P(accuracy > {rule.limit:.2f}) below {rule.doubt:g}, {rule.minimum} controls or more{window}"
        if isinstance(rule, Posterior)
        else f"less than {rule.limit:.0%} right{window}"
    )
    findings = control_accuracy(judgments, found.items, rule, window=checks.window, asked=found.asked)
    return Check(name, how, tuple(findings))


def _fast(found: Collected, checks: Checks) -> Check:
    judgments = found.judgments
    main = judgments[(judgments["status"] == "counted") & (judgments["role"] == "main")]
    times = pd.to_numeric(main["seconds"]).dropna()
    if times.empty:
        return Check("too_fast", NOT_APPLIED, refused="no judgment has a time, so nobody's speed can be told.")
    limit = checks.seconds or float(times.median() * OF_MEDIAN)
    source = "" if checks.seconds else f", a third of the median of {times.median():.1f} s"
    window = checks.window or 20
    how = f"5 or more of the last {window} under {limit:.1f} s{source}"
    findings = too_fast(judgments, seconds=limit, window=window) if limit > 0 else []
    return Check("too_fast", how, tuple(findings))


def _constant(found: Collected, checks: Checks) -> Check:
    how = f"one answer in {checks.constant:.0%} of {checks.minimum} or more, where others give it less than 80%"
    findings = constant_answers(found.judgments, share=checks.constant, minimum=checks.minimum)
    return Check("constant_answers", how, tuple(findings))


def _pattern(found: Collected, checks: Checks) -> Check:
    how = f"a period of 2 to 6 answers in {checks.constant:.0%} of 20 or more"
    return Check("repeating_pattern", how, tuple(repeating_pattern(found.judgments, share=checks.constant)))


def _disagreement(found: Collected, checks: Checks) -> Check:
    how = f"as rarely with the others' majority as chance {checks.tail:g} allows, {checks.minimum} items or more"
    findings = disagreement(found.judgments, tail=checks.tail, minimum=checks.minimum, asked=found.asked)
    return Check("disagreement", how, tuple(findings))


def _skips(found: Collected, _checks: Checks) -> Check:
    if found.met is None or found.met.empty:
        return Check("skips", NOT_APPLIED, refused=NOT_HANDED)
    rule = found.study.settings.quality.skips
    least = min(rule.minimum, rule.window)
    how = f"{rule.in_a_row} in a row, or more than {rule.share:.0%} of the last {rule.window}, {least} items or more"
    findings = skips(found.met, in_a_row=rule.in_a_row, share=rule.share, window=rule.window, minimum=least)
    return Check("skips", how, tuple(findings))


def _inattention(found: Collected, checks: Checks) -> Check:
    if found.study.origin == "imported":
        return Check("inattention", NOT_APPLIED, refused=UNWATCHED)
    answered = found.judgments[found.judgments["status"] == "counted"]
    events = answered[["worker", "pasted"]].assign(hidden=answered["away"])
    how = f"more than 20% of {checks.minimum} or more pasted, or given after the page was left"
    return Check("inattention", how, tuple(inattention(events, minimum=checks.minimum)))


_APPLY: dict[str, Callable[[Collected, Checks], Check]] = {
    "control_accuracy": _control,
    "too_fast": _fast,
    "constant_answers": _constant,
    "repeating_pattern": _pattern,
    "disagreement": _disagreement,
    "skips": _skips,
    "inattention": _inattention,
}
