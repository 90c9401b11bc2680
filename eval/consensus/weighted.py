"""Weighted majority voting: a vote counts as its pool states its voter's skill, or as control items have shown it."""

import numpy as np
import pandas as pd

from eval.arrays import Floats
from eval.consensus.majority import Consensus, settle, skill_sums
from eval.consensus.ties import PLURALITY, WinningRule
from eval.votes import Votes


def weighted(votes: Votes, rule: WinningRule = PLURALITY, *, seed: int = 0, skills: Floats | None = None) -> Consensus:
    """The label of each item whose voters have the largest sum of `skills` (W,), each from 0 to 1.

    Sums that differ by rounding only are level. `rule` and `seed` mean what they mean for `majority`; the votes needed
    are heads, not weights, and the ties of `skill` have nothing to add, so they are shared out.
    """
    return settle(votes, skill_sums(votes, skills, "The consensus 'weighted'"), rule, seed=seed, skills=skills)


def voter_skills(votes: Votes, controls: pd.DataFrame) -> Floats | None:
    """Each voter's skill as `control_skills` says, (W,); 1/2 where only votes themselves state some.

    Returns:
        Between 0 and 1; None where nothing is stated and there are no controls.

    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1"], "worker": ["ann", "bob"], "label": ["a", "b"], "skill": [0.8, None]})
    >>> voter_skills(votes, pd.DataFrame())
    array([0.5, 0.5])
    """
    shown = control_skills(votes, controls)
    return np.full(len(votes.workers), 0.5) if shown is None and votes.skill is not None else shown


def control_skills(votes: Votes, controls: pd.DataFrame) -> Floats | None:
    """Each voter's smoothed control accuracy (right + 1) / (answered + 2), as an array (W,); None without controls.

    `controls` has the columns worker, answered, right. A voter who answered no control has 1/2, the mean of the
    uniform prior that does the smoothing.

    >>> from eval.votes import code
    >>> labels = ["a", "a", "a", "b"]
    >>> votes = code({"item": ["q1", "q1", "q2", "q2"], "worker": ["ann", "bob"] * 2, "label": labels})
    >>> controls = pd.DataFrame({"worker": ["ann"], "answered": [8], "right": [8]})
    >>> control_skills(votes, controls)
    array([0.9, 0.5])
    """
    if controls.empty:
        return None
    smoothed = (controls["right"] + 1) / (controls["answered"] + 2)
    known = dict(zip(controls["worker"], smoothed, strict=True))
    return np.array([known.get(worker, 0.5) for worker in votes.workers], dtype=np.float64)
