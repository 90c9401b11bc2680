"""Majority vote (plurality): one answer per item out of many, or none; a tie is a result, not an accident."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from data.errors import BadSetting
from eval.arrays import Bytes, Codes, Floats, Integers
from eval.ballots import Ballots
from eval.consensus.composite import UnitRules, by_units
from eval.consensus.ties import PLURALITY, STATUSES, WinningRule, decide
from eval.votes import Votes


@dataclass(frozen=True, eq=False, repr=False)
class ConsensusAnswers:
    """What became of each item's votes.

    `status` (N,) is "won" (one label on top with enough votes), "tied" (top labels level), "short" (one label on top
    with too few votes), "empty" (no votes) or "below" (not agreed on, where a rule asks for agreement); `state` (N,) is
    its place in `eval.consensus.ties.STATUSES`. `code` (N,) is the column of the winning label in `ballots`, -1 unless
    won. `ballots` is what is scored. `notes` are for the reader of its numbers.
    """

    state: Bytes
    code: Codes
    ballots: Ballots
    notes: tuple[str, ...] = ()

    @cached_property
    def status(self) -> npt.NDArray[np.str_]:
        """What became of each item (N,), in a word."""
        return np.array(STATUSES)[self.state]

    @cached_property
    def winner(self) -> tuple[str | None, ...]:
        """The winning label of each item, None unless its status is "won"."""
        codes = enumerate(self.code.tolist())
        return tuple(self.ballots.named(row)[code] if code >= 0 else None for row, code in codes)

    def number(self, status: str) -> int:
        """How many items have this status."""
        return int(np.count_nonzero(self.state == STATUSES.index(status)))


def votes_for(found: ConsensusAnswers, votes: Votes) -> dict[str, Floats | Integers]:
    """Return of each item (N,) the `votes` for its winner and their `share`, 0 where there are none.

    Where nobody won, they are those of the answer given most.
    """
    counts, decided = votes.counts, found.code >= 0
    won = counts.max(axis=1, initial=0)
    won[decided] = counts[decided, found.code[decided]]
    return {"votes": won, "share": won / np.maximum(counts.sum(axis=1), 1)}


def majority(
    votes: Votes, rule: WinningRule = PLURALITY, *, seed: int = 0, skills: Floats | None = None
) -> ConsensusAnswers:
    """The plurality of each item's judgments.

    A tie below `rule.min_votes` has the status "tied" and is worth what an item with too few votes is. `seed` is for
    random ties; `skills` (W,) are those of the voters, as `voter_skills` gives them: only the ties of `skill` read
    them, and BadSetting says so where there are none.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> majority(votes).winner, majority(votes).status.tolist()
    (('a', None), ['won', 'tied'])
    """
    return settle(votes, votes.counts, rule, seed=seed, skills=skills)


def settle(
    votes: Votes,
    scores: Floats | Integers,
    rule: WinningRule = PLURALITY,
    *,
    seed: int = 0,
    skills: Floats | None = None,
    units: bool = True,
) -> ConsensusAnswers:
    """The consensus of items by the score (N, K), zero or more, of each label: the largest wins.

    Whole scores are level when equal, others when they differ by less than a billionth of the largest.
    `rule.min_votes` is of judgments whatever the score; an answer that nobody gave needs a score of 0.

    Open answers are settled within their item; composite ones unit by unit (`eval.consensus.composite.by_units`), as
    wholes where `units` is false.
    """
    label_skills = skill_sums(votes, skills, "The rule for ties 'skill'") if rule.ties == "skill" else None
    generator = np.random.default_rng(seed)
    outcome = decide(scores, votes.counts, rule, generator, label_skills, needed=votes.needed(rule.min_votes))
    code = np.where(outcome.won, outcome.level.argmax(axis=1) if votes.labels else 0, -1).astype(np.int32)
    ballots = Ballots(votes.items, votes.labels, outcome.weights, votes.names)
    if votes.names is None or not units:
        return ConsensusAnswers(outcome.state, code, ballots)
    return ConsensusAnswers(
        *by_units(votes, scores, outcome.state, code, ballots, UnitRules(rule, generator, label_skills))
    )


def skill_sums(votes: Votes, skills: Floats | None, what: str) -> Floats:
    """The sum of the voters' skills behind each label of each item, (N, K).

    Args:
        skills (W,): From 0 to 1, one to each voter, for votes without a skill of their own (`Votes.skill`).

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> skill_sums(votes, np.array([0.9, 0.6]), "This").round(2).tolist()
    [[1.5, 0.0], [0.9, 0.6]]
    """
    if skills is None:
        raise BadSetting(f"{what} needs answers to control items; choose another rule, or add controls.")
    if skills.shape != (len(votes.workers),):
        raise BadSetting(f"There are {len(votes.workers)} voters but {len(skills)} skills; give one to each voter.")
    weights = skills[votes.worker]
    if votes.skill is not None:
        weights = np.where(np.isnan(votes.skill), weights, votes.skill)
    totals = np.bincount(votes.flat_index, weights=weights, minlength=votes.counts.size)
    return votes.table(totals.astype(np.float64, copy=False))


def voter_skills(votes: Votes, controls: pd.DataFrame) -> Floats | None:
    """Each voter's smoothed control accuracy (right + 1) / (answered + 2), (W,); None where nothing tells of skills.

    `controls` has the columns worker, answered, right. A voter who answered no control has 1/2, the mean of the
    uniform prior that does the smoothing; so have all where only votes themselves state some skill.

    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1"], "worker": ["ann", "bob"], "label": ["a", "b"]})
    >>> voter_skills(votes, pd.DataFrame({"worker": ["ann"], "answered": [8], "right": [8]}))
    array([0.9, 0.5])
    """
    if controls.empty:
        return None if votes.skill is None else np.full(len(votes.workers), 0.5)
    smoothed = (controls["right"] + 1) / (controls["answered"] + 2)
    known = dict(zip(controls["worker"], smoothed, strict=True))
    return np.array([known.get(worker, 0.5) for worker in votes.workers], dtype=np.float64)
