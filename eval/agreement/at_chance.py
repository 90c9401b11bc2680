"""People whose answers agree with the others' no better than chance."""

import numpy as np

from eval.votes import Votes

LEAST_ITEMS = 30
"""Items a person must share with others to be looked at."""
ONE_SIDED = 1.6449
"""The normal quantile of a one-sided test at 0.05."""


def at_chance(votes: Votes) -> list[int]:
    """The codes of people whose agreement with the others' plurality is not significantly above chance.

    Cohen's kappa of a person's answers and the plurality of the others', level ones shared out, is tested against 0
    with its standard error under that hypothesis, one-sided at 0.05. Who always gives the answer that all others give
    is never named: chance explains nothing there.

    Source: Fleiss, Cohen and Everitt (1969), Large sample standard errors of kappa, Psychological Bulletin 72, 323-327.

    >>> from eval.votes import code
    >>> items = [f"q{n}" for n in range(40)]
    >>> rows = [(item, who, "ab"[n % 2]) for n, item in enumerate(items) for who in ("ann", "bob", "dan")]
    >>> rows += [(item, "eve", "ab"[n % 4 > 1]) for n, item in enumerate(items)]
    >>> votes = code(dict(zip(("item", "worker", "label"), zip(*rows), strict=True)))
    >>> [votes.workers[person] for person in at_chance(votes)]
    ['eve']
    """
    found = []
    order = np.argsort(votes.worker, kind="stable")
    for mine in np.split(order, np.flatnonzero(np.diff(votes.worker[order])) + 1):
        others = votes.counts[votes.item[mine]].astype(np.float64)
        others[np.arange(len(mine)), votes.label[mine]] -= 1
        shared = others.sum(axis=1) > 0
        if shared.sum() < LEAST_ITEMS:
            continue
        top = others[shared] == others[shared].max(axis=1, keepdims=True)
        plurality, label = top / top.sum(axis=1)[:, None], votes.label[mine][shared]
        n, given = len(label), np.bincount(label, minlength=plurality.shape[1])
        agreed = plurality[np.arange(n), label].mean()
        expected = float(given @ plurality.mean(axis=0)) / n
        if expected < 1 and agreed - expected < ONE_SIDED * np.sqrt(expected * (1 - expected) / n):
            found.append(int(votes.worker[mine[0]]))
    return found
