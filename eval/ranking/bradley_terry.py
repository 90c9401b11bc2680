"""Bradley-Terry strengths by minorise-maximise: ties as half a win for each, or with Davidson's parameter.

The chance that i is chosen over j is p_i / (p_i + p_j); with Davidson's v it is p_i / (p_i + p_j + v (p_i p_j)^(1/2)),
and that of a tie is the rest.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from data.errors import BadSetting
from eval.arrays import Floats
from eval.ranking.pairs import Comparisons, Meetings

Ties = Literal["half", "davidson"]
TIES: tuple[Ties, ...] = ("half", "davidson")
FAR = 1e9
"""The strength of who never lost: as good as without end beside the others', who have about 1."""
LEAST = 1e-300


@dataclass(frozen=True, eq=False, repr=False)
class Tables:
    """The sums of B samples of the judgments: `points` (M x B), `games` of each couple (E x B), `ties` (B,)."""

    meetings: Meetings
    points: Floats
    games: Floats
    ties: Floats


@dataclass(frozen=True, eq=False, repr=False)
class Strengths:
    """The logarithms of the strengths of B samples (M x B), each column's finite ones with mean 0.

    -inf is who has not a point, inf who lost none, NaN who met nobody. `tie` (B,) is Davidson's parameter, 0 where ties
    are half wins. `converged` says whether the last iteration changed no strength by more than was allowed.
    """

    log: Floats
    tie: Floats
    converged: bool


def tables(comparisons: Comparisons) -> Tables:
    """The sums of the judgments as they are: one sample."""
    meetings = comparisons.meetings
    games = np.bincount(meetings.of, minlength=len(meetings.low)).astype(np.float64)
    points = comparisons.points()
    return Tables(meetings, points[:, None], games[:, None], np.array([float(comparisons.tied.sum())]))


def bradley_terry(
    given: Tables,
    *,
    ties: Ties = "half",
    tolerance: float = 1e-10,
    iterations: int = 10_000,
    start: Floats | None = None,
) -> Strengths:
    """The strengths under which the judgments are likeliest.

    Args:
        start: Logarithms to begin with (M,), each strength being 1 where none are given.

    Source: Hunter (2004), MM algorithms for generalized Bradley-Terry models, Annals of Statistics 32, 384-406.
    Davidson (1970), Journal of the American Statistical Association 65, 317-328; that a root of a product is at most a
    mean makes its likelihood fit for the same algorithm.

    Two wins of a against one of b: its strength is twice b's.

    >>> from eval.ranking.pairs import compared
    >>> found = bradley_terry(tables(compared(("a", "b"), [("a", "b", score, "q", "w") for score in (1, 1, 0)])))
    >>> round(float(np.exp(found.log[0, 0] - found.log[1, 0])), 6)
    2.0
    """
    if ties not in TIES:
        raise BadSetting(f"Ties are {ties!r}; use one of {', '.join(TIES)}.")
    met = given.meetings.added(given.games)
    strength = _first(given, met, start)
    tie = np.ones(len(given.ties)) * (given.ties > 0) if ties == "davidson" else np.zeros(len(given.ties))
    change, number = np.inf, 0
    while change > tolerance and number < iterations:
        number += 1
        new = _davidson(given, strength, tie) if ties == "davidson" else _half(given, strength)
        tie = _tie(given, new, tie) if ties == "davidson" else tie
        moving = (new > LEAST) & (new < FAR / 2)
        change = float(np.abs(np.log(new / strength, out=np.zeros_like(new), where=moving)).max(initial=0))
        strength = new
    return Strengths(_centred(given, strength, met), tie, change <= tolerance)


def _first(given: Tables, met: Floats, start: Floats | None) -> Floats:
    """The strengths to begin with: no point is 0, not a point lost is as good as without end."""
    known = np.zeros(len(given.points)) if start is None else np.where(np.isfinite(start), start, 0.0)
    strength = np.repeat(np.exp(known)[:, None], given.points.shape[1], axis=1)
    strength[(given.points >= met) & (met > 0)] = FAR
    strength[(given.points <= 0) & (met > 0)] = LEAST
    return strength


def _half(given: Tables, strength: Floats) -> Floats:
    meetings = given.meetings
    rate = strength.take(meetings.low, axis=0)
    rate += strength.take(meetings.high, axis=0)
    np.divide(given.games, rate, out=rate)
    return _raised(given.points, meetings.added(rate), strength)


def _davidson(given: Tables, strength: Floats, tie: Floats) -> Floats:
    """A step of the strengths, the tie parameter held.

    (p_i p_j)^(1/2) is at most half of p_i (q_j / q_i)^(1/2) + p_j (q_i / q_j)^(1/2) with q the strengths before.
    """
    root, rate = _chances(given, strength, tie)
    root *= rate
    shared = given.meetings.added(root) * (tie / 2)
    return _raised(given.points, given.meetings.added(rate) + shared / np.maximum(strength, LEAST), strength)


def _tie(given: Tables, strength: Floats, tie: Floats) -> Floats:
    """A step of the tie parameter, the strengths held."""
    root, rate = _chances(given, strength, tie)
    return np.asarray(given.ties / np.maximum(np.einsum("eb,eb->b", rate, root), LEAST))


def _chances(given: Tables, strength: Floats, tie: Floats) -> tuple[Floats, Floats]:
    """For each couple the root of the product of its strengths, and its games over what its chances are shares of."""
    low, high = (strength.take(codes, axis=0) for codes in (given.meetings.low, given.meetings.high))
    root = low * high
    np.sqrt(root, out=root)
    low += high
    low += np.multiply(root, tie, out=high)
    return root, np.divide(given.games, low, out=low)


def _raised(points: Floats, rate: Floats, strength: Floats) -> Floats:
    """Points over rates; who is at an end, or met nobody, stays there."""
    stays = (strength >= FAR) | (strength <= LEAST) | (rate <= 0)
    return np.divide(points, rate, out=strength.copy(), where=~stays)


def _centred(given: Tables, strength: Floats, met: Floats) -> Floats:
    log = np.log(strength)
    log[(given.points <= 0) | (given.points >= met)] = np.nan
    log -= finite_means(log)
    log[(given.points >= met) & (met > 0)] = np.inf
    log[(given.points <= 0) & (met > 0)] = -np.inf
    return log


def finite_means(log: Floats) -> Floats:
    """The mean of what is finite in each column (M x B) of logarithms, 0 where nothing is."""
    finite = np.isfinite(log)
    return np.asarray(np.where(finite, log, 0.0).sum(axis=0) / np.maximum(finite.sum(axis=0), 1))
