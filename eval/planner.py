"""Sample size, power and the smallest difference that a study shows, before it; what people would score."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, factorial, floor, sqrt

import numpy as np
import scipy
from scipy.special import bdtr, bdtrc, ndtri

from data.errors import BadSetting
from eval.intervals.beta_binomial import binomial

_MANY = 100_000
PERSON = 0.85
"""A person's accuracy where nothing is known of the task yet."""


@dataclass(frozen=True)
class CrowdPlan:
    """What `votes` judgments an item buy.

    `crowd` is the expected accuracy of their majority, `difference` the crowd's minus the model's, `discordant` the
    share of items that only one of the two has right; `items` are needed to show the difference, None where there is
    none, and `judgments` is items x votes.
    """

    votes: int
    crowd: float
    difference: float
    discordant: float
    items: int | None
    judgments: int | None


def power_of(items: int, only_better: float, only_worse: float, *, level: float = 0.05) -> float:
    """The probability that the score test (Tango 1998) tells two respondents apart on so many items.

    Just one of the two is right on the shares `only_better` and `only_worse` of all items (0 to 1 together). Exact: the
    items on which they differ are binomial, and how these fall is binomial given their number.

    >>> round(power_of(228, 0.2, 0.1), 3)
    0.799
    """
    shared = only_better + only_worse
    if items < 1 or not shared:
        return 0.0
    spread = 9 * sqrt(items * shared * (1 - shared)) + 10
    least, most = max(1, floor(items * shared - spread)), min(items, ceil(items * shared + spread))
    differing = np.arange(least, most + 1)
    bound = float(ndtri(1 - level / 2)) * np.sqrt(differing)
    above, below = np.floor((differing + bound) / 2), np.ceil((differing - bound) / 2) - 1
    better = min(1.0, only_better / shared)
    shown = bdtrc(above, differing, better) + np.where(below < 0, 0, bdtr(np.maximum(below, 0), differing, better))
    return float(binomial(differing, items, shared) @ shown)


def items_needed(difference: float, discordant: float, *, power: float = 0.8, level: float = 0.05) -> int:
    """How many items the score test needs to show a difference in accuracy between two respondents.

    The least number with at least this power for the difference d of the two accuracies and the share D of items that
    exactly one of them has right (|d| <= D <= 1): about (z_(1 - level / 2) + z_power)^2 (D - d^2) / d^2 of them, and
    just that many where it is more than 100,000, by when the two are the same.

    >>> items_needed(0.1, 0.3)
    229
    """
    _checked(power, level)
    apart = abs(difference)
    if not 0 < apart <= discordant <= 1:
        raise BadSetting(
            f"The difference {difference!r} must not be 0, nor larger than the share {discordant!r} of items that one "
            "of the two has right, nor that larger than 1."
        )
    about = float(ndtri(1 - level / 2) + ndtri(power)) ** 2 * (discordant - apart**2) / apart**2
    if about > _MANY:
        return ceil(about)
    only_better, only_worse = (discordant + apart) / 2, (discordant - apart) / 2
    most = 1
    while power_of(most, only_better, only_worse, level=level) < power:
        most *= 2
    return bisect_left(range(most), power, key=lambda n: power_of(n, only_better, only_worse, level=level))


def detectable(
    items: int,
    accuracy: float,
    *,
    reversals: Callable[[float], float] | None = None,
    power: float = 0.8,
    level: float = 0.05,
) -> float | None:
    """The smallest difference in accuracy that so many items show: `items_needed` the other way round.

    One respondent has this `accuracy`, the other less. The items on which just one is right grow with the difference:
    d and twice those that only the worse one has right. None where even the largest difference has less power.

    Args:
        reversals: The share of items, 0 to 1, that only the worse one has right, at a difference; without it errors are
            taken for independent, as `discordance` does.
        level: Between 0 and 1.

    >>> round(detectable(265, 0.985), 3)
    0.044
    """
    _checked(power, level)
    if items < 0 or not 0 <= accuracy <= 1:
        raise BadSetting(f"Items must be 0 or more and accuracy 0 to 1, got {items!r}, {accuracy!r}.")

    def lacking(difference: float) -> float:
        only_worse = (1 - accuracy) * (accuracy - difference) if reversals is None else reversals(difference)
        return power - power_of(items, min(1 - only_worse, difference + only_worse), only_worse, level=level)

    largest = accuracy if reversals is None else accuracy - reversals(accuracy)
    if largest <= 0 or lacking(largest) > 0:
        return None
    return float(scipy.optimize.brentq(lacking, 0, largest))


def discordance(first: float, second: float) -> float:
    """The share of items that exactly one of two respondents has right when their errors are independent.

    Real respondents fail on the same hard items, so they are less discordant and fewer items do: a safe assumption.
    """
    return first * (1 - second) + second * (1 - first)


def crowd_accuracy(person: float, votes: int, *, labels: int = 2) -> float:
    """The expected accuracy of the plurality of `votes` independent people, each right with probability `person`.

    Wrong answers are spread evenly over the other labels and ties shared out, so an even number helps as little as
    the odd one below. Real people share hard items: a study's own majority-of-k is the honest value.

    >>> round(crowd_accuracy(0.8, 3), 3)
    0.896
    """
    if not 0 <= person <= 1 or votes < 1 or labels < 2:
        raise BadSetting(
            f"A share from 0 to 1, 1 vote and 2 labels are the least, got {person!r}, {votes!r}, {labels!r}."
        )
    wrong, total = (1 - person) / (labels - 1), 0.0
    for right in range(1, votes + 1):
        table = np.zeros((votes - right + 1, labels))
        table[0, 0] = 1
        for _ in range(labels - 1):
            grown = np.zeros_like(table)
            for taken in range(min(right, votes - right) + 1):
                weight, ties = wrong**taken / factorial(taken), int(taken == right)
                grown[taken:, ties:] += weight * table[: len(table) - taken, : labels - ties]
            table = grown
        total += person**right / factorial(right) * float((table[-1] / np.arange(1, labels + 1)).sum())
    return factorial(votes) * total


def accuracy_of(pairwise: float, *, labels: int = 2) -> float:
    """The accuracy of people who agree in this share of pairs: equally good, and wrong in all ways alike.

    A = p^2 + (1 - p)^2 / (K - 1) solved for the larger p. Fewer equal pairs than chance gives, 1 / K, are refused.

    Args:
        pairwise: The share of equal pairs, 1 / K to 1.

    >>> round(accuracy_of(0.82), 3)
    0.9
    """
    if labels < 2 or not 1 / labels <= pairwise <= 1:
        raise BadSetting(
            f"Pairs agree in a share from 1 / K, which chance gives ({1 / max(labels, 2):.2f} here), to 1, and labels "
            f"are 2 or more; got {pairwise!r} over {labels!r}."
        )
    return float((1 + ((labels - 1) * (labels * pairwise - 1)) ** 0.5) / labels)


def crowd_plan(
    votes: int,
    majority: float,
    model: float,
    *,
    discordant: float | None = None,
    power: float = 0.8,
    level: float = 0.05,
) -> CrowdPlan:
    """What it takes to tell a crowd of this accuracy, a majority of `votes`, from a model of that one, each 0 to 1.

    Errors are independent unless `discordant`, from 0 to 1, says on which share of items just one of the two is right.
    BadSetting for accuracies and shares that cannot be.

    Args:
        majority, model: Accuracies, 0 to 1.
        level: Between 0 and 1.

    >>> crowd_plan(1, 0.9, 0.8, discordant=0.3).items
    229
    """
    if not 0 <= model <= 1:
        raise BadSetting(f"An accuracy lies from 0 to 1, got {model:.3f} for the model of {votes} votes.")
    difference = majority - model
    shared = discordance(majority, model) if discordant is None else discordant
    items = items_needed(difference, shared, power=power, level=level) if abs(difference) > 1e-9 else None
    return CrowdPlan(votes, majority, difference, shared, items, None if items is None else items * votes)


def _checked(power: float, level: float) -> None:
    if not 0 < level < 1 or not 0.5 <= power < 1:
        raise BadSetting(f"The power must lie from 0.5 to 1 and the level between 0 and 1, got {power!r}, {level!r}.")
