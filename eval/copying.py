"""Workers who depart from everybody else together: the trace of one who copies, or of one person behind two names."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.errors import BadSetting
from eval.arrays import Integers, Mask
from eval.gold import Asked
from eval.open_votes import code_answers
from eval.quality import counted
from eval.votes import Votes


@dataclass(frozen=True)
class Alike:
    """Two workers who give the same answer in `same` of the `n` items on which one of them departs from the others.

    `evidence` are the index labels of the judgments, of both, that depart and are the same. Nothing tells who copied.
    """

    workers: tuple[str, str]
    same: int
    n: int
    evidence: tuple[Hashable, ...]

    @property
    def share(self) -> float:
        """The share of the departures that they have in common."""
        return self.same / self.n


def copying(
    judgments: pd.DataFrame,
    *,
    share: float = 0.8,
    minimum: int = 6,
    asked: Asked | None = None,
) -> list[Alike]:
    """Pairs of workers who have `share` or more of at least `minimum` departures in common.

    Counted are main judgments on items where all but the two have one answer on top; who gives another one departs from
    it. Two people who work apart are rarely wrong together: being right together says nothing, so who copies from
    somebody who is always right is not found. Open answers, which `asked` tells, are equal where they mean the same.
    """
    main = counted(judgments, "main")
    votes = code_answers(main, items=None, labels=None, asked=asked)
    return copies(votes, main.index, share=share, minimum=minimum)


def copies(
    votes: Votes, keys: Sequence[Hashable] | pd.Index, *, share: float, minimum: int, worker: str | None = None
) -> list[Alike]:
    """Find in votes what `copying` finds in judgments; `keys` (J,) are what the evidence calls them by.

    `worker`: only the pairs of this one.
    """
    if minimum < 1 or not 0 < share <= 1:
        raise BadSetting(
            f"Copying is a share above 0 and up to 1 of 1 departure or more, got {share!r} and {minimum!r}."
        )
    first, second, same = _departures(votes, worker)
    number = max(1, len(votes.workers))
    low, high = (
        np.minimum(votes.worker[first], votes.worker[second]),
        np.maximum(votes.worker[first], votes.worker[second]),
    )
    pairs, place = np.unique(low.astype(np.int64) * number + high, return_inverse=True)
    n, joint = np.bincount(place, minlength=len(pairs)), np.bincount(place[same], minlength=len(pairs))
    found = []
    for pair in np.flatnonzero((n >= minimum) & (joint >= share * n)).tolist():
        shows = same & (place == pair)
        rows = np.sort(np.concatenate([first[shows], second[shows]]))
        names = votes.workers[int(pairs[pair]) // number], votes.workers[int(pairs[pair]) % number]
        found.append(Alike(names, int(joint[pair]), int(n[pair]), tuple(keys[row] for row in rows.tolist())))
    return found


def _departures(votes: Votes, worker: str | None) -> tuple[Integers, Integers, Mask]:
    """The rows of two judgments on one item of which at least one departs, (P,) each, and whether both do alike."""
    order = np.argsort(votes.item, kind="stable")
    most = int(np.bincount(votes.item).max(initial=0))
    mine = None if worker is None else votes.worker == (votes.workers.index(worker) if worker in votes.workers else -1)
    parts = []
    for shift in range(1, most):
        first, second = order[:-shift], order[shift:]
        here = (votes.item[first] == votes.item[second]) & (votes.worker[first] != votes.worker[second])
        if mine is not None:
            here &= mine[first] | mine[second]
        first, second = first[here], second[here]
        others, row = votes.counts[votes.item[first]], np.arange(len(first))
        others[row, votes.label[first]] -= 1
        others[row, votes.label[second]] -= 1
        top = others.max(axis=1, initial=0)
        clear = ((others == top[:, None]).sum(axis=1) == 1) & (top > 0)
        lead = others.argmax(axis=1) if others.shape[1] else row
        one, two = (clear & (votes.label[rows] != lead) for rows in (first, second))
        alike, either = one & two & (votes.label[first] == votes.label[second]), one | two
        parts.append((first[either], second[either], alike[either]))
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
    gathered = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return gathered[0].astype(np.int64), gathered[1].astype(np.int64), gathered[2].astype(bool)
