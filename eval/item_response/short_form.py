"""Short forms: a few items from which the score on all of them can be told, and how exactly."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from eval.arrays import Floats, Integers
from eval.intervals.wilson import Interval
from eval.item_response.item_fit import item_fit
from eval.item_response.one_parameter import Scale, one_parameter, scored
from eval.item_response.scored_responses import ScoredResponses

REFIT = 1e-3
"""How exactly a scale without one respondent is computed, in logits: it begins at that of all."""


DRAWS = 20
"""How many forms at random the form is compared with for each respondent."""


@dataclass(frozen=True, eq=False)
class ShortForm:
    """A form of `size` items: how far the score it tells lies from that on all items, for each of N respondents.

    `errors` (N,) are those with each respondent left out of all that the form is made from, `at_random` (N,) those of
    as many items at random read through the same scale, and `at_guess` (N,) those of the mean of the others, which
    takes no item at all. `plain` is the mean error of the raw share of right answers on as many items at random.
    `items` are the places of those that all respondents together choose.
    """

    size: int
    errors: Floats
    at_random: Floats
    at_guess: Floats
    plain: float
    items: Integers

    @property
    def error(self) -> float:
        """The mean error over respondents."""
        return _mean(self.errors)

    @property
    def ci(self) -> Interval:
        """The 95% interval of the mean error over respondents."""
        low, high = _interval(self.errors)
        return max(0.0, low), high

    @property
    def random(self) -> float:
        """The mean error of as many items at random, read through the same scale."""
        return _mean(self.at_random)

    @property
    def guess(self) -> float:
        """The mean error of telling everybody the mean of the others."""
        return _mean(self.at_guess)

    @property
    def below_random(self) -> Interval:
        """The 95% interval over respondents of how much larger the error of items at random is."""
        return _interval(self.at_random - self.errors)

    @property
    def below_guess(self) -> Interval:
        """The 95% interval over respondents of how much larger the error of no item at all is."""
        return _interval(self.at_guess - self.errors)


def short_forms(responses: ScoredResponses, scale: Scale, sizes: Sequence[int]) -> list[ShortForm]:
    """A form of each size below the number of items, with its mean absolute error by leaving one respondent out.

    Items that tell respondents apart less than the scale expects are not taken. The score is told in two steps: items
    of the form count as they were answered and all others as likely as ability and difficulty say; a straight line
    through what this gives for the others, and what they scored, corrects it. Items at random are read the same way,
    so that the two differ in the choice alone. Who was asked none of them is left out.

    Parameters
    ----------
    responses : ScoredResponses
        Who had which item right, N respondents and M items.
    scale : Scale
        Abilities and difficulties, in logits.
    sizes : sequence of int
        Numbers of items.

    Returns
    -------
    list of ShortForm
        With errors as shares of items.

    References
    ----------
    Maia Polo et al. (2024), tinyBenchmarks: evaluating LLMs with fewer examples, ICML (the first step).

    Examples
    --------
    >>> from eval.item_response.one_parameter import one_parameter
    >>> from eval.item_response.scored_responses import responses_of
    >>> responses = responses_of({f"r{n}": {f"q{k}": float(k <= n) for k in range(6)} for n in range(6)})
    >>> [len(form.items) for form in short_forms(responses, one_parameter(responses), [2, 4])]
    [2, 4]
    """
    wanted = sorted({size for size in sizes if 0 < size < len(responses.items)})
    every = chosen_items(responses, scale, max(wanted, default=0))
    wanted = [size for size in wanted if size <= len(every)]
    scores, generator = shares(responses), np.random.default_rng(0)
    rows: dict[int, list[tuple[float, float, float]]] = {size: [] for size in wanted}
    for left_out in range(len(responses.respondents)):
        others = responses.without(left_out)
        known = one_parameter(others, tolerance=REFIT, start=scale)
        chosen = chosen_items(others, known, max(wanted, default=0))
        left_respondent = ScoredResponses(("",), responses.items, responses.right[[left_out]])
        orders = [generator.permutation(len(responses.items)) for _ in range(DRAWS)]
        guess = abs(float(scores[left_out] - np.delete(scores, left_out).mean()))
        for size in wanted:
            if left_respondent.answered[0, chosen[:size]].any():
                at_random_items = [order[:size] for order in orders if left_respondent.answered[0, order[:size]].any()]
                at_random = np.array([_error(left_respondent, others, known, form) for form in at_random_items])
                rows[size].append((_error(left_respondent, others, known, chosen[:size]), _mean(at_random), guess))
    made = []
    for size in wanted:
        errors, at_random, at_guess = np.array(rows[size]).reshape(-1, 3).T
        made.append(ShortForm(size, errors, at_random, at_guess, _plain(responses, size), every[:size]))
    return made


def chosen_items(responses: ScoredResponses, scale: Scale, size: int) -> Integers:
    """The places of so many items, or of all that tell respondents apart, in the order in which they are chosen.

    Each next one lowers the mean variance of the abilities most: it is near to where respondents are.
    """
    chance = scale.chances
    vary = chance * (1 - chance)
    known = np.full(len(scale.ability), scale.ability_spread**-2)
    free = item_fit(responses, scale).score >= 0
    chosen = np.zeros(min(size, int(free.sum())), dtype=np.int64)
    for place in range(len(chosen)):
        variance = (1 / (known[:, None] + vary)).sum(axis=0)
        chosen[place] = np.where(free, variance, np.inf).argmin()
        free[chosen[place]] = False
        known = known + vary[:, chosen[place]]
    return chosen


def told_scores(responses: ScoredResponses, scale: Scale, form: Integers) -> Floats:
    """The shares of right answers (N,) on all that each was asked, told by the answers to the items of a form alone."""
    ability = scored(responses.on(form), replace(scale, difficulty=scale.difficulty[form])).ability
    chance = expit(ability[:, None] - scale.difficulty)
    chance[:, form] = np.where(responses.answered[:, form] > 0, responses.points[:, form], chance[:, form])
    return np.asarray((chance * responses.answered).sum(axis=1) / responses.answered.sum(axis=1))


def shares(responses: ScoredResponses) -> Floats:
    """The share of right answers of each respondent (N,) on what it was asked.

    Parameters
    ----------
    responses : ScoredResponses
        Who had which item right, N respondents and M items.

    Returns
    -------
    (N,) floats
        From 0 to 1.

    Examples
    --------
    >>> from eval.item_response.scored_responses import responses_of
    >>> shares(responses_of({"ann": {"q1": 1.0, "q2": 0.0}, "ben": {"q1": 1.0, "q2": 1.0}})).tolist()
    [0.5, 1.0]
    """
    return np.asarray(responses.points.sum(axis=1) / responses.answered.sum(axis=1))


def _error(responses: ScoredResponses, others: ScoredResponses, scale: Scale, form: Integers) -> float:
    """How far what a form tells of somebody lies from what they scored."""
    estimated = _corrected(others, scale, form, told_scores(responses, scale, form))
    return float(np.abs(estimated - shares(responses))[0])


def _corrected(others: ScoredResponses, scale: Scale, form: Integers, estimates: Floats) -> Floats:
    """What is told, on the line through what is told of the others and what they scored."""
    theirs, scores = told_scores(others, scale, form), shares(others)
    vary = ((theirs - theirs.mean()) ** 2).sum()
    rise = ((theirs - theirs.mean()) * (scores - scores.mean())).sum() / vary if vary > 0 else 0.0
    return np.asarray(np.clip(scores.mean() + rise * (estimates - theirs.mean()), 0, 1))


def _mean(values: Floats) -> float:
    """The mean of what is known, NaN where nothing is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def _interval(values: Floats) -> Interval:
    """The 95% interval of the mean of what is known."""
    known = values[~np.isnan(values)]
    half = 1.96 * float(known.std(ddof=1)) / len(known) ** 0.5 if len(known) > 1 else float("nan")
    return _mean(values) - half, _mean(values) + half


def _plain(responses: ScoredResponses, size: int) -> float:
    """The mean absolute error of the share of right answers on `size` of the items at random, by the normal curve."""
    number, share = responses.answered.sum(axis=1), shares(responses)
    sizes = np.minimum(size, number)
    varies = share * (1 - share) / sizes * (number - sizes) / np.maximum(number - 1, 1)
    return float(((2 / np.pi) ** 0.5 * varies**0.5).mean())
