"""Item response theory: the one-parameter (Rasch) model by EM.

The chance of a right answer is the logistic of ability minus difficulty.

Abilities are normal in their population, whose spread is estimated too, and difficulties are held together loosely, so
that who has all or nothing right, and items that all or nobody have right, stay finite. Items differ in difficulty
alone: how well they tell respondents apart (a second parameter) and guessing (a third) are no part of it.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from data.errors import BadSetting
from eval.arrays import Floats
from eval.item_response.scored_responses import ScoredResponses

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(7)
STEPS, CLOSE = 25, 1e-8
"""Newton's steps to where a posterior is highest, at most, and when that is reached."""
FEWEST = 3
WIDE = 3.0
"""The standard deviation of difficulties around their mean before anybody answers: it keeps items finite, no more."""
LEAST = 0.05
"""The least standard deviation of a population: where nobody differs, EM would otherwise never end."""


@dataclass(frozen=True, eq=False, repr=False)
class Scale:
    """Abilities (N,) and difficulties (J,) in logits on one scale, whose zero is the mean ability of the respondents.

    `ability_error` and `difficulty_error` are their standard errors. `ability_mean` and `ability_spread` (the standard
    deviation) are of the population that respondents come from.
    """

    ability: Floats
    ability_error: Floats
    difficulty: Floats
    difficulty_error: Floats
    ability_mean: float = 0.0
    ability_spread: float = 1.0
    iterations: int = 0
    converged: bool = False

    @property
    def chances(self) -> Floats:
        """The chance that each respondent has each item right (N x J)."""
        return np.asarray(expit(self.ability[:, None] - self.difficulty))


def one_parameter(
    responses: ScoredResponses, *, tolerance: float = 1e-4, iterations: int = 500, start: Scale | None = None
) -> Scale:
    """The scale of the respondents and items.

    Parameters
    ----------
    responses
        Who had which item right, three respondents or more; what somebody was not asked says nothing.
    tolerance, iterations
        The largest change of a difficulty in an iteration with which it stops, in logits; how many there are at most.
    start
        A scale of the same items to begin with.

    Returns
    -------
    Scale
        In logits.

    Notes
    -----
    The E-step takes each ability's posterior at seven points of Gauss and Hermite around its own mode (adaptive
    quadrature), so that it is exact however many items there are; the M-step is one of Newton for each difficulty.

    Raises
    ------
    BadSetting
        Where there are fewer than two respondents, or no item.

    References
    ----------
    Bock and Aitkin (1981), Psychometrika 46, 443-459. Rasch (1960), Probabilistic models for some intelligence and
    attainment tests. Pinheiro and Bates (1995), Journal of Computational and Graphical Statistics 4, 12-35.

    Examples
    --------
    The second item is the harder one; the third person has the easy one wrong.

    >>> right = np.array([[1, 0], [1, 1], [0, 0]])
    >>> found = one_parameter(ScoredResponses(("a", "b", "c"), ("q1", "q2"), right))
    >>> bool(found.difficulty[0] < found.difficulty[1]), np.argsort(found.ability).tolist()
    (True, [2, 0, 1])
    """
    if len(responses.respondents) < FEWEST or not responses.items:
        raise BadSetting(f"A scale takes {FEWEST} respondents and an item, got {responses.right.shape!r}.")
    scale, change, number = start or _first(responses), np.inf, 0
    ability = np.zeros(len(responses.respondents))
    while change > tolerance and number < iterations:
        number += 1
        ability = _modes(responses, scale, ability)
        new = _maximised(responses, scale, ability)
        change = float(np.abs(new.difficulty - scale.difficulty).max())
        scale = new
    scale = scored(responses, scale)
    return replace(_shifted(scale, float(scale.ability.mean())), iterations=number, converged=change <= tolerance)


def scored(responses: ScoredResponses, scale: Scale) -> Scale:
    """The abilities of respondents by their answers to items of a known scale, beside it with all errors.

    An ability is the likeliest one given its answers and the population. Its error holds what its own answers leave
    open and what the errors of the difficulties add; that of a difficulty is made alike.
    """
    ability = _modes(responses, scale, np.zeros(len(responses.respondents)))
    chance = expit(ability[:, None] - scale.difficulty)
    vary = responses.answered * chance * (1 - chance)
    known, item_information = vary.sum(axis=1) + scale.ability_spread**-2, vary.sum(axis=0) + WIDE**-2
    of_items = (vary**2 / item_information).sum(axis=1) / known**2
    of_people = (vary**2 / known[:, None]).sum(axis=0) / item_information**2
    return replace(
        scale,
        ability=ability,
        ability_error=(1 / known + of_items) ** 0.5,
        difficulty_error=(1 / item_information + of_people) ** 0.5,
    )


def _shifted(scale: Scale, by: float) -> Scale:
    """The same scale with its zero elsewhere."""
    return replace(
        scale,
        ability=scale.ability - by,
        difficulty=scale.difficulty - by,
        ability_mean=scale.ability_mean - by,
    )


def _first(responses: ScoredResponses) -> Scale:
    """A scale to begin with: difficulties by the share of right answers."""
    asked = responses.answered.sum(axis=0)
    share = (responses.points.sum(axis=0) + 0.5) / (asked + 1)
    nothing = np.zeros(0)
    return Scale(nothing, nothing, logit(1 - share), nothing)


def _modes(responses: ScoredResponses, scale: Scale, ability: Floats) -> Floats:
    """Where the posterior of each ability is highest (N,), by Newton from `ability`."""
    prior = scale.ability_spread**-2
    for _ in range(STEPS):
        chance = expit(ability[:, None] - scale.difficulty)
        slope = (responses.points - responses.answered * chance).sum(axis=1) - (ability - scale.ability_mean) * prior
        step = slope / ((responses.answered * chance * (1 - chance)).sum(axis=1) + prior)
        ability = ability + np.clip(step, -1, 1)
        if np.abs(step).max() < CLOSE:
            break
    return ability


def _maximised(responses: ScoredResponses, scale: Scale, mode: Floats) -> Scale:
    """An iteration of EM: the posteriors at the scale, then the scale that they make likeliest."""
    asked, difficulty, prior = responses.answered, scale.difficulty, WIDE**-2
    chance = expit(mode[:, None] - difficulty)
    width = ((asked * chance * (1 - chance)).sum(axis=1) + scale.ability_spread**-2) ** -0.5
    at = mode[:, None] + width[:, None] * NODES
    weight = _posteriors(responses, scale, at)
    expected, vary = np.zeros(len(difficulty)), np.zeros(len(difficulty))
    for place in range(len(NODES)):
        chance = expit(at[:, [place]] - difficulty)
        expected += weight[:, place] @ (asked * chance)
        vary += weight[:, place] @ (asked * chance * (1 - chance))
    information = vary + prior
    slope = expected - responses.points.sum(axis=0) - (difficulty - difficulty.mean()) * prior
    new = difficulty + np.clip(slope / information, -1, 1)
    return replace(
        scale,
        difficulty=new,
        ability_spread=max(LEAST, float((weight * (at - scale.ability_mean) ** 2).sum(axis=1).mean()) ** 0.5),
    )


def _posteriors(responses: ScoredResponses, scale: Scale, at: Floats) -> Floats:
    """How likely each of the points `at` (N x Q) is to be the ability, given the answers; each row sums to one."""
    log = np.log(WEIGHTS) + NODES**2 / 2 - ((at - scale.ability_mean) / scale.ability_spread) ** 2 / 2
    for place in range(len(NODES)):
        advantage = at[:, [place]] - scale.difficulty
        log[:, place] += (responses.points * advantage - responses.answered * np.logaddexp(0, advantage)).sum(axis=1)
    weight = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))
