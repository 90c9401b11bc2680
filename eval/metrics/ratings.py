"""Metrics of ratings, whose points stand in order: weighted kappa, Spearman's rank correlation."""

from collections.abc import Mapping

import numpy as np

from data.answers.answer_type import AnswerType
from eval.arrays import Floats

DIGITS = 10  # points that a scale can have


def moments(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer: the one, the right point, the given one, and their products, of which variances are made."""
    right, said = _points(answer, fields, gold, given)
    return 1.0, right, said, right * right, said * said, right * said


def pair_of_points(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer: a 1 among DIGITS x DIGITS zeros, at the right point and the given one."""
    right, said = _points(answer, fields, gold, given)
    return tuple(float(place == DIGITS * right + said) for place in range(DIGITS**2))


def _points(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[int, int]:
    """Return the right point and the given one; no answer counts as the end of the scale that is farther off."""
    points, right = [int(label) for label in answer.of(fields).labels()], int(gold)
    return right, max(points[0], points[-1], key=lambda end: abs(end - right)) if given is None else int(given)


def weighted_kappa(sums: Floats) -> Floats:
    """Cohen's kappa with quadratic weights (Cohen 1968) of sums (..., 6) of `moments`, -1 to 1, 0 for chance.

    0 where all answers and gold are one point; NaN without answers. Equal to scikit-learn's `cohen_kappa_score` with
    `weights="quadratic"`.

    >>> from data.answers.rating import Rating
    >>> rows = [moments(Rating(), {}, right, said) for right, said in (("2", "2"), ("4", "5"), ("1", "3"))]
    >>> round(float(weighted_kappa(np.array(rows).sum(axis=0))), 4)
    0.5946
    """
    number, right, said, right_squared, said_squared, product = np.moveaxis(sums, -1, 0)
    many = np.maximum(number, np.finfo(float).tiny)
    apart = right_squared + said_squared - 2 * product
    by_chance = right_squared + said_squared - 2 * right * said / many
    value = 1 - np.divide(apart, by_chance, out=np.ones(number.shape), where=by_chance > 1e-12 * many)
    return np.where(number > 0, value.clip(-1, 1), np.nan)


def spearman(sums: Floats) -> Floats:
    """Spearman's rank correlation of sums (..., DIGITS²) of `pair_of_points`, -1 to 1.

    0 where the gold or the answers do not vary, NaN without answers. Ranks of equal points are their mean, as in
    SciPy's `spearmanr`.

    >>> from data.answers.rating import Rating
    >>> rows = [pair_of_points(Rating(), {}, right, said) for right, said in (("2", "2"), ("4", "5"), ("1", "3"))]
    >>> float(spearman(np.array(rows).sum(axis=0)))
    0.5
    """
    table = sums.reshape(*sums.shape[:-1], DIGITS, DIGITS)
    margins = table.sum(axis=-1), table.sum(axis=-2)
    total = margins[0].sum(axis=-1)
    # The mean rank of each point, less the mean of all ranks.
    ranks = [times.cumsum(axis=-1) - times / 2 - total[..., None] / 2 for times in margins]
    spread = np.prod([(times * own**2).sum(axis=-1) for times, own in zip(margins, ranks, strict=True)], axis=0)
    together = np.einsum("...ij,...i,...j->...", table, *ranks)
    value = np.divide(together, np.sqrt(spread), out=np.zeros(total.shape), where=spread > 1e-12)
    return np.where(total > 0, value.clip(-1, 1), np.nan)
