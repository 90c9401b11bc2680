"""One answer per item out of many, or none: a tie is a result, not an accident."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from data.errors import BadSetting
from eval.arrays import Codes, Floats, Mask
from eval.ballots import Ballots
from eval.votes import Votes

TieRule = Callable[[Mask, np.random.Generator], Floats]


@dataclass(frozen=True, eq=False, repr=False)
class Consensus:
    """What became of each item's votes.

    `status` (N,) is "won" (one label on top with enough votes), "tied" (top labels level), "short" (one label on top
    with too few votes) or "empty" (no votes). `code` (N,) is the code of the winning label, -1 unless won. `ballots`
    is what is scored.
    """

    status: npt.NDArray[np.str_]
    code: Codes
    ballots: Ballots

    @cached_property
    def winner(self) -> tuple[str | None, ...]:
        """The winning label of each item, None unless its status is "won"."""
        return tuple(self.ballots.labels[code] if code >= 0 else None for code in self.code.tolist())

    def number(self, status: str) -> int:
        """How many items have this status."""
        return int((self.status == status).sum())


def _drop(level: Mask, _generator: np.random.Generator) -> Floats:
    return np.zeros((len(level), level.shape[1] + 1))


def _wrong(level: Mask, generator: np.random.Generator) -> Floats:
    weights = _drop(level, generator)
    weights[:, -1] = 1
    return weights


def _fractional(level: Mask, generator: np.random.Generator) -> Floats:
    weights = _drop(level, generator)
    weights[:, :-1] = level / level.sum(axis=1, keepdims=True)
    return weights


def _random(level: Mask, generator: np.random.Generator) -> Floats:
    weights = _drop(level, generator)
    picked = np.where(level, generator.random(level.shape), -1).argmax(axis=1)
    weights[np.arange(len(level)), picked] = 1
    return weights


_RULES: dict[str, TieRule] = {"drop": _drop, "wrong": _wrong, "fractional": _fractional, "random": _random}
TIES = tuple(_RULES)


def majority(votes: Votes, *, ties: str = "fractional", min_votes: int = 1, seed: int = 0) -> Consensus:
    """The plurality of each item's judgments.

    `ties` says what a tied item is worth: `drop` leaves it out, `wrong` counts it as no answer, `fractional` gives
    1 / |T| to each of the |T| level labels (the exact expectation of a random pick), `random` picks one by `seed` in
    the order of the items. A top count below `min_votes` leaves the item out, or counts it as no answer under
    `wrong`; a tie below `min_votes` has the status "tied" and the same fate. An item without votes is never scored.
    """
    check_rules(ties, min_votes)
    counts = votes.counts
    top = counts.max(axis=1, initial=0)
    level = (counts == top[:, None]) & (counts > 0)
    tied, few = level.sum(axis=1) > 1, top < min_votes
    status = np.select([top == 0, tied, few], ["empty", "tied", "short"], default="won")
    weights = np.zeros((len(counts), len(votes.labels) + 1))
    weights[:, :-1][status == "won"] = level[status == "won"]
    weights[tied] = _RULES[ties](level[tied], np.random.default_rng(seed))
    weights[few] = 0
    if ties == "wrong":
        weights[few & (top > 0), -1] = 1
    code = np.where(status == "won", level.argmax(axis=1) if level.size else -1, -1).astype(np.int32)
    return Consensus(status, code, Ballots(votes.items, votes.labels, weights))


def check_rules(ties: str, min_votes: int) -> None:
    """Refuse a tie rule that is not known and a number of votes below one."""
    if ties not in _RULES:
        raise BadSetting(f"The rule for ties {ties!r} is not known; choose one of {', '.join(TIES)}.")
    if min_votes < 1:
        raise BadSetting(f"The winning answer must need at least 1 vote, got {min_votes!r}; give 1 or more.")
