"""Item fit: how well items fit a scale; where able respondents fail and others pass, the gold may be wrong."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammainc, gammaincc, ndtr, ndtri

from data.numbers import SIGNIFICANT
from eval.arrays import Floats, Integers
from eval.comparison.difference import holm
from eval.item_response.one_parameter import Scale
from eval.item_response.scored_responses import ScoredResponses


@dataclass(frozen=True, eq=False, repr=False)
class ItemFit:
    """Of each item (J,) how it tells respondents apart.

    `outfit` is the mean of squared standardised residuals and `infit` the same weighted by information: 1 where an item
    fits, above where it surprises. `score` is the standardised score of how steeply the chance of a right answer rises
    with ability: 0 is expected on the scale, below it rises less or falls. `slope` is the test of it, the standard
    normal z with the tail that `score` has, its skewness heeded. `p` is the one-sided p-value of this z, that it rises
    less, corrected by Holm over all items. All three are NaN where everybody asked answered alike or fewer than five
    were asked.
    """

    outfit: Floats
    infit: Floats
    score: Floats
    slope: Floats
    p: Floats

    @property
    def suspects(self) -> Integers:
        """The places of items whose p is below 0.05, the most suspicious first."""
        order = np.argsort(self.slope, kind="stable")
        return np.asarray(order[np.nan_to_num(self.p[order], nan=1.0) < SIGNIFICANT])


FEWEST = 5
"""Of an item that fewer were asked nothing is said."""


def item_fit(responses: ScoredResponses, scale: Scale) -> ItemFit:
    """The fit of each item.

    An ability is taken without the item itself, which else would agree with its own part in it.

    Parameters
    ----------
    responses : ScoredResponses
        Who had which item right, N respondents and M items.
    scale : Scale
        Abilities and difficulties, in logits.

    Returns
    -------
    ItemFit
        One number of each kind for each item.

    References
    ----------
    Wright and Masters (1982), Rating scale analysis (outfit and infit). Glas (1999), Modification indices for the 2-PL
    and the nominal response model, Psychometrika 64, 273-294 (the score test).

    Examples
    --------
    >>> import numpy as np
    >>> from eval.item_response.one_parameter import one_parameter
    >>> from eval.item_response.scored_responses import responses_of
    >>> right = {f"r{n}": {f"q{k}": float(k <= n) for k in range(6)} for n in range(6)}
    >>> fit = item_fit(responses_of(right), one_parameter(responses_of(right)))
    >>> bool(np.nanmax(fit.outfit) < 1)
    True
    """
    chance = scale.chances
    asked, apart = responses.answered, responses.points - responses.answered * chance
    vary = chance * (1 - chance)
    known = (asked * vary).sum(axis=1) + scale.ability_spread**-2
    alone = scale.ability[:, None] - apart / (known[:, None] - asked * vary)
    number, information = asked.sum(axis=0), (asked * vary).sum(axis=0)
    middle = (asked * vary * alone).sum(axis=0) / np.maximum(information, 1e-12)
    away = asked * (alone - middle)
    error = np.maximum((vary * away**2).sum(axis=0), 1e-12) ** 0.5
    score = (apart * away).sum(axis=0) / error
    skew = (vary * (1 - 2 * chance) * away**3).sum(axis=0) / error**3
    points = responses.points.sum(axis=0)
    tested = (number >= FEWEST) & (points > 0) & (points < number)
    slope = standard_normal(score, skew)
    p = holm([float(each) if known else None for each, known in zip(ndtr(slope), tested, strict=True)])
    return ItemFit(
        outfit=(apart**2 / vary).sum(axis=0) / np.maximum(number, 1),
        infit=(apart**2).sum(axis=0) / np.maximum(information, 1e-12),
        score=np.where(tested, score, np.nan),
        slope=np.where(tested, slope, np.nan),
        p=np.array([np.nan if each is None else each for each in p]),
    )


def standard_normal(z: Floats, skew: Floats) -> Floats:
    """The standard normal z with the tail of a standardised sum whose skewness is known (Pearson's curve of type III).

    A sum beyond the end of that curve stays as it is.
    """
    size = np.maximum(np.abs(skew), 1e-3)
    shape, mirrored = 4 / size**2, np.where(skew < 0, -z, z)
    at = np.maximum(0, shape + mirrored * shape**0.5)
    below, above = gammainc(shape, at), gammaincc(shape, at)
    normal = np.where(below < above, ndtri(below), -ndtri(above))
    return np.asarray(np.where(np.isfinite(normal), np.where(skew < 0, -normal, normal), z))
