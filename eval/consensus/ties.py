"""What a tie is worth, and the ballots that follow from the scores of an item's labels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data.errors import BadSetting
from data.human_rules import TIES, USUAL
from eval.arrays import Bytes, Floats, Integers, Mask

DRAWN_ONCE = (
    "On {} items votes are level and one answer is drawn, once, by the seed {}: another seed gives other scores. Ties "
    "`fractional` share them out, and depend on no seed."
)
"""What is to be said of the ties `random`, with the number of items and the seed."""
STATUSES = ("short", "won", "tied", "empty", "below")
_SLACK = 1e-9


@dataclass(frozen=True)
class WinningRule:
    """What a label needs to win an item, and what the item is worth where several labels are level.

    `ties` is one of TIES: `drop` leaves a tied item out, `wrong` counts it as no answer, `fractional` gives 1 / |T| to
    each of the |T| level labels (the exact expectation of a random pick), `random` picks one by a seed in the order of
    the items, `skill` takes the level label whose voters have the largest sum of skills (labels level even then share).

    `min_votes`, 1 or more, is how many judgments the winner needs: a top count below it leaves the item out, or counts
    it as no answer under `wrong`. An item without votes is never scored. BadSetting for what is not allowed.

    >>> WinningRule("drop", min_votes=2)
    WinningRule(ties='drop', min_votes=2)
    """

    ties: str = USUAL["ties"]
    min_votes: int = USUAL["min_votes"]

    def __post_init__(self) -> None:
        if self.ties not in TIES:
            raise BadSetting(f"The rule for ties {self.ties!r} is not known; choose one of {', '.join(TIES)}.")
        if self.min_votes < 1:
            raise BadSetting(f"The winning answer must need at least 1 vote, got {self.min_votes!r}; give 1 or more.")


PLURALITY = WinningRule()
"""The label on top wins, whatever its votes, and level labels share the item."""


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """How the scores of N items came out.

    `level` (N, K) marks the labels on top; `answered`, `tied`, `few` (N,) say whether an item has votes, several labels
    on top, and too few votes for them; `weights` (N, K + 1) are the ballots that follow.
    """

    level: Mask
    answered: Mask
    tied: Mask
    few: Mask
    weights: Floats

    @cached_property
    def won(self) -> Mask:
        """Whether an item (N,) has one label on top with enough votes."""
        return np.asarray(self.answered & ~self.tied & ~self.few)

    @property
    def state(self) -> Bytes:
        """The place of each item's status (N,) in STATUSES."""
        # The three exclude each other, so their weighted sum is the place.
        return np.asarray(self.won + np.int8(2) * self.tied + np.int8(3) * ~self.answered)


def decide(
    scores: Floats | Integers,
    counts: Integers | Floats,
    rule: WinningRule,
    generator: np.random.Generator,
    skills: Floats | None = None,
    *,
    needed: Integers | Floats,
) -> Outcome:
    """The outcome of scores (N, K) where `counts` (N, K) heads gave each label; see `settle`.

    `needed` (N,) are the judgments that a winner needs (`Votes.needed`). `skills` (N, K), needed by the rule `skill`,
    are the summed skills of the voters behind each label.
    """
    top = scores.max(axis=1, initial=0)
    slack = 0 if np.issubdtype(scores.dtype, np.integer) else _SLACK
    least = np.where(top > 0, top * (1 - slack), 1) if slack else np.maximum(top, 1)
    # Label by label, as the counts of `Votes` are.
    wide = np.zeros((len(counts), counts.shape[1] + 1), dtype=bool, order="F")
    level = np.greater_equal(scores, least[:, None], out=wide[:, :-1])
    backing = top if scores is counts else np.where(level, counts, 0).max(axis=1, initial=0)
    answered = (top if scores is counts else counts.max(axis=1, initial=0)) > 0
    tied, few = answered & (level.sum(axis=1) > 1), backing < needed
    weights = wide.astype(np.float64)
    if len(rows := np.flatnonzero(tied)):
        best = level[rows] if skills is None else _by_skill(level[rows], skills[rows])
        weights[rows] = _shared_out(best, rule.ties, generator)
    weights[few] = 0
    if rule.ties == "wrong":
        weights[few & answered, -1] = 1
    return Outcome(level, answered, tied, few, weights)


def _by_skill(level: Mask, skills: Floats) -> Mask:
    """Of the level labels those whose voters have the largest sum of skills."""
    among = np.where(level, skills, -1)
    return np.asarray(among >= among.max(axis=1, initial=0, keepdims=True) * (1 - _SLACK))


def _shared_out(level: Mask, ties: str, generator: np.random.Generator) -> Floats:
    """What the rule for ties makes of items with these level labels (N, K), which `skill` has narrowed down already."""
    weights = np.zeros((len(level), level.shape[1] + 1))
    if ties == "wrong":
        weights[:, -1] = 1
    elif ties == "random":
        picked = np.where(level, generator.random(level.shape), -1).argmax(axis=1)
        weights[np.arange(len(level)), picked] = 1
    elif ties in ("fractional", "skill"):
        weights[:, :-1] = level / level.sum(axis=1, keepdims=True)
    return weights
