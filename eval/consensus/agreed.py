"""Item-level agreement: how many people gave an item's answer, and the consensus on items where enough of them did."""

from dataclasses import dataclass, replace

import numpy as np

from eval.arrays import Floats, Integers, Mask, share_of
from eval.consensus.majority import ConsensusAnswers
from eval.consensus.ties import STATUSES
from eval.votes import Votes


@dataclass(frozen=True, eq=False, repr=False)
class AnswerAgreement:
    """How many of an item's people gave the answer it has.

    `share` (N,) is of all kept answers to the item; that of the answer on top where the item has none; NaN where
    fewer than two people answered: one agrees with nobody. Items with a share below `least` are not agreed on. With an
    `allowed` share of such items a baseline that has more of them is void. `alone` items have one answer, and
    `certain` of the others so few labels that they are agreed on whatever people answer.
    """

    share: Floats
    least: float
    allowed: float | None = None
    alone: int = 0
    certain: int = 0

    @property
    def below(self) -> Mask:
        """Whether an item (N,) was answered and is not agreed on."""
        return np.asarray(self.share < self.least)

    @property
    def answered(self) -> int:
        """How many items were answered by two people or more."""
        return int(np.count_nonzero(~np.isnan(self.share)))

    @property
    def share_below(self) -> float:
        """The share of answered items that are not agreed on; NaN where none was answered."""
        return int(self.below.sum()) / self.answered if self.answered else float("nan")

    @property
    def void(self) -> bool | None:
        """Whether more items than allowed are not agreed on; None where nobody said how many may be."""
        return None if self.allowed is None or not self.answered else self.share_below > self.allowed

    @property
    def verdict(self) -> str:
        """How many items are not agreed on and what follows, in a sentence.

        >>> AnswerAgreement(np.array([0.4, 0.8]), 0.6, 0.1).verdict
        '1 of 2 answered items (50.0%) are below an agreement of 60%; 10.0% are allowed: the baseline is void.'
        """
        if not self.answered:
            return f"No item was answered{' twice' * bool(self.alone)}, so there is no agreement to judge."
        kind = f"items with two answers or more ({self.alone} have one)" if self.alone else "answered items"
        below = f"{int(self.below.sum())} of {self.answered} {kind} ({self.share_below:.1%})"
        said = f"{below} are below an agreement of {self.least:.0%}"
        if self.void is None:
            return f"{said} and are not scored; no allowed share was given, so there is no verdict.{self._sure}"
        if self.void:
            return f"{said}; {self.allowed:.1%} are allowed: the baseline is void.{self._sure}"
        return f"{said} and are not scored; {self.allowed:.1%} are allowed: the baseline holds.{self._sure}"

    @property
    def _sure(self) -> str:
        """On how many items agreement shows nothing, "" for none."""
        if not self.certain:
            return ""
        items = "all of them" if self.certain == self.answered else f"{self.certain} of them"
        return (
            f" On {items} this could not fail: of so few labels one always has {self.least:.0%} of so many answers, "
            "however people answer."
        )

    def as_dict(self) -> dict[str, object]:
        """The agreement as it stands in JSON."""
        return {
            "least": self.least,
            "answered": self.answered,
            "below": int(self.below.sum()),
            "share_below": self.share_below if self.answered else None,
            "allowed": self.allowed,
            "void": self.void,
        }


def answer_agreement(
    consensus: ConsensusAnswers,
    votes: Votes,
    least: float,
    allowed: float | None = None,
    *,
    by_votes: int | None = None,
) -> AnswerAgreement:
    """How many of an item's people gave the answer that a consensus of their votes takes.

    Args:
        least: The share from which on an item is agreed on, 0 to 1.
        allowed: The share of items, 0 to 1, that may be below it.

    >>> from eval.consensus.majority import majority
    >>> from eval.votes import code
    >>> votes = code({"item": ["q1"] * 3 + ["q2"], "worker": [*"abc", "a"], "label": [*"xxy", "y"]})
    >>> found = answer_agreement(majority(votes), votes, 0.8)
    >>> found.share.round(2).tolist(), found.share_below
    ([0.67, nan], 1.0)
    """
    sizes, given = votes.counts.sum(axis=1), votes.counts.max(axis=1, initial=0).astype(np.float64)
    for row in np.flatnonzero(consensus.code >= 0).tolist():
        given[row] = _supporters(consensus, votes, row)
    share = share_of(given, sizes, least=1)
    certain = 0 if by_votes is None or votes.names is not None else _certain(sizes, len(votes.labels), least, by_votes)
    return AnswerAgreement(share, least, allowed, int(np.count_nonzero(sizes == 1)), certain)


def _certain(sizes: Integers, labels: int, least: float, needed: int) -> int:
    """On how many items of these numbers of answers (N,) one of the labels always has the share and decides.

    >>> _certain(np.array([1, 3, 4, 5, 5]), 2, 0.6, 3)  # of five answers three agree; of three maybe two, too few
    2
    """
    several = sizes[sizes > 1]
    top = -(-several // labels)
    return int(np.count_nonzero((top / several >= least) & (2 * top > several) & (top >= needed)))


def only_agreed(consensus: ConsensusAnswers, answer_agreement: AnswerAgreement) -> ConsensusAnswers:
    """The consensus in which items that are not agreed on are "below", have no answer and are not scored.

    >>> from eval.consensus.majority import majority
    >>> from eval.votes import code
    >>> votes = code({"item": ["q1"] * 3 + ["q2"], "worker": [*"abc", "a"], "label": [*"xxy", "y"]})
    >>> only_agreed(majority(votes), answer_agreement(majority(votes), votes, 0.8)).winner
    (None, 'y')
    """
    state, code = consensus.state.copy(), consensus.code.copy()
    weights = consensus.ballots.weights.copy()
    below = answer_agreement.below
    state[below], code[below], weights[below] = STATUSES.index("below"), -1, 0
    return replace(consensus, state=state, code=code, ballots=replace(consensus.ballots, weights=weights))


def _supporters(consensus: ConsensusAnswers, votes: Votes, row: int) -> int:
    """How many gave the answer that an item has: nobody, where it was decided or joined of the parts of several."""
    asked, item, answer = votes.asked, votes.items[row], consensus.ballots.named(row)[consensus.code[row]]
    if votes.names is None or asked is None:
        same = [label == answer for label in votes.named(row)]
    else:
        form = asked.folded(item, answer)
        same = [asked.folded(item, name) == form for name in votes.named(row)]
    return int(votes.counts[row, : len(same)][same].sum())
