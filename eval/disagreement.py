"""Workers who agree with the others less than people differ: they guess, or they understood the task otherwise."""

from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from data.errors import BadSetting
from eval.arrays import Integers, Mask
from eval.beta_binomial import fit, lower_tail
from eval.gold import Asked
from eval.open_votes import code_answers
from eval.quality import Finding, counted
from eval.votes import Votes

ALIKE = 1e6  # a + b of a beta-binomial that is as good as binomial


def disagreement(
    judgments: pd.DataFrame, *, tail: float = 0.01, minimum: int = 10, asked: Asked | None = None
) -> list[Finding]:
    """Workers who agree with the others' plurality less than the spread between workers explains.

    Counted are main judgments on items where the others have one answer on top. How often workers agree follows a
    beta-binomial fitted to all of them; found is who has `minimum` such judgments and a chance below `tail` to agree as
    rarely or more rarely. The fit includes the worker, which is on the safe side. `value` is the share agreeing,
    `limit` the study's, the evidence the judgments that disagree. Open answers, which `asked` tells, are equal where
    they mean the same.
    """
    main = counted(judgments, "main")
    votes = code_answers(main, items=None, labels=None, asked=asked)
    return disagreeing(votes, main.index, tail=tail, minimum=minimum)


def disagreeing(
    votes: Votes, keys: Sequence[Hashable] | pd.Index, *, tail: float, minimum: int, worker: str | None = None
) -> list[Finding]:
    """Find in votes what `disagreement` finds in judgments; `keys` (J,) are what the evidence calls them by.

    `worker`: only this one is looked at, against a fit to the others alone (in a small crowd a fit to all explains its
    worst member too).
    """
    if not 0 < tail < 1:
        raise BadSetting(f"The tail must lie between 0 and 1, got {tail!r}; 0.01 finds about one in a hundred.")
    clear, agrees = _with_others(votes)
    trials, hits = (np.bincount(votes.worker[mask], minlength=len(votes.workers)) for mask in (clear, clear & agrees))
    if not trials.sum():
        return []
    looked = [place for place in np.flatnonzero(trials >= minimum).tolist() if worker in (None, votes.workers[place])]
    known = np.array([worker is None or name != worker for name in votes.workers])
    hit, total = int(hits[known].sum()), int(trials[known].sum())
    if not total or (
        worker is not None and not any(_doubtful(hits[at], trials[at], hit, total, tail) for at in looked)
    ):
        return []
    (a, b), limit = _fitted(hits[known], trials[known]), hit / total
    found = []
    for place in looked:
        agreed, n = int(hits[place]), int(trials[place])
        if lower_tail(agreed, n, a, b) < tail:
            apart = np.flatnonzero(clear & ~agrees & (votes.worker == place)).tolist()
            shown = tuple(keys[row] for row in apart)
            found.append(Finding("disagreement", votes.workers[place], agreed / n, limit, n, shown))
    return found


def _with_others(votes: Votes) -> tuple[Mask, Mask]:
    """Whether the others have one answer on top for the item of each judgment (J,), and whether it is the same."""
    others = votes.counts[votes.item]
    others[np.arange(len(votes)), votes.label] -= 1
    top = others.max(axis=1, initial=0)
    level = others == top[:, None]
    clear = (level.sum(axis=1) == 1) & (top > 0)
    return clear, level[np.arange(len(votes)), votes.label]


def _doubtful(agreed: int, n: int, hit: int, total: int, tail: float) -> bool:
    """Whether others who all agreed alike, in `hit` of `total`, would agree so rarely with a chance of about `tail`.

    Differences between them only make it likelier. The mean that is fitted is not quite this share: hence the 5.
    """
    share = (hit + 0.5) / (total + 1)
    return lower_tail(int(agreed), int(n), share * ALIKE, (1 - share) * ALIKE) < 5 * tail


def _fitted(hits: Integers, trials: Integers) -> tuple[float, float]:
    order = np.lexsort((trials, hits))
    return fit(hits[order], trials[order])
