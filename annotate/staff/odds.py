"""How often the rules beside that on controls find whom at their first look, where that can be computed."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy.stats import binom

from annotate.staff.gates import GOOD, SIMULATED
from db.rules import CopyingRule, DisagreementRule, PatternRule, QualityRules

ATTENTIVE = 0.99  # how often somebody who reads the item answers a trap as it says


@dataclass(frozen=True)
class Odds:
    """One rule (as the settings name it), after so many answers: who guesses and is not found, who is good and is."""

    rule: str
    answers: int
    guesser_passes: float
    good_found: float


def odds(rules: QualityRules, labels: int) -> tuple[Odds, ...]:
    """Return what the rules do that are on, where one of `labels` answers is to be chosen, each right equally often.

    Guessers draw evenly; good workers are right in GOOD, their errors spread evenly and independent of each other's.
    For disagreement all the others agree in GOOD without a spread: in a crowd that differs, it finds fewer guessers.
    Speed, skipped items and attention have nothing to do with who is right: there is no number for them. Patterns are
    simulated (20,000 workers, seeded), the others are exact.
    """
    return tuple(_odds(rules, max(2, labels)))


def _odds(rules: QualityRules, labels: int) -> Iterator[Odds]:
    constant, pattern, disagreement, copying, trap = (
        rules.constant,
        rules.pattern,
        rules.disagreement,
        rules.copying,
        rules.trap,
    )
    if constant.action != "none":
        # One answer that is right as often as the others is given as often by who guesses and by who knows.
        found = _constant(constant.share, constant.minimum, labels)
        yield Odds("constant", constant.minimum, 1 - found, found)
    if pattern.action != "none":
        found = _pattern(pattern, labels)
        yield Odds("pattern", pattern.minimum, 1 - found, found)
    if disagreement.action != "none":
        bad, good = (_disagreement(disagreement, share) for share in (1 / labels, GOOD))
        yield Odds("disagreement", disagreement.minimum, 1 - bad, good)
    if copying.action != "none":
        bad, good = (_copying(copying, share, labels) for share in (1 / labels, GOOD))
        yield Odds("copying", copying.minimum, 1 - bad, good)
    if trap.action != "none" and trap.items:
        met = len(trap.items)
        bad, good = (float(binom.sf(trap.wrong - 1, met, 1 - share)) for share in (1 / labels, ATTENTIVE))
        yield Odds("trap", met, 1 - bad, good)


def _constant(share: float, answers: int, labels: int) -> float:
    """Return how often the most frequent of evenly drawn answers has the share, an upper bound for shares to a half."""
    return min(1.0, labels * float(binom.sf(ceil(share * answers - 1e-9) - 1, answers, 1 / labels)))


def _pattern(rule: PatternRule, labels: int) -> float:
    """Return how often evenly drawn answers repeat."""
    number = max(rule.minimum, 2 * rule.longest)
    drawn = np.random.default_rng(number).integers(labels, size=(SIMULATED, number))
    repeats = np.zeros(SIMULATED, dtype=bool)
    for period in range(2, rule.longest + 1):
        repeats |= (drawn[:, period:] == drawn[:, :-period]).mean(axis=1) >= rule.share
    top = np.stack([(drawn == label).sum(axis=1) for label in range(labels)]).max(axis=0)
    return float((repeats & (top < rule.share * number)).mean())


def _disagreement(rule: DisagreementRule, accuracy: float) -> float:
    """Return how often a worker is found who agrees in `accuracy` with a majority with which all others do in GOOD."""
    agreed = np.arange(rule.minimum + 1)
    few = binom.cdf(agreed, rule.minimum, GOOD) < rule.tail
    return float(binom.pmf(agreed[few], rule.minimum, accuracy).sum())


def _copying(rule: CopyingRule, accuracy: float, labels: int) -> float:
    """Return how often two who work apart have so many of the least number of departures in common."""
    wrong = 1 - accuracy
    together = wrong**2 / (labels - 1) / (1 - accuracy**2)
    return float(binom.sf(ceil(rule.share * rule.minimum - 1e-9) - 1, rule.minimum, together))
