"""Disagreement with others: workers who agree with the majority less than people differ."""

import numpy as np
from scipy.special import bdtr

from data.declared import setting
from eval.arrays import Integers, Mask
from eval.intervals.beta_binomial import fit, lower_tail
from eval.votes import Votes
from eval.workers.frame import WorkerFrame
from eval.workers.rule import GOOD, WHOLE, Acting, AskedNumber, Chances, Finding, Power, StudyFacts, WorkerRule

ALIKE = 1e6  # a + b of a beta-binomial that is as good as binomial


class DisagreementRule(WorkerRule):
    """Agreement with the others' majority so low that fewer than `tail` of such workers would have it by chance.

    Over the last `window` main items that others have answered too, at least `minimum` of which have a majority. How
    often workers agree follows a beta-binomial fitted to the others alone: in a small crowd a fit to all explains its
    worst member too. It looks after every `minimum` answers, so of a hundred good workers who are looked at often more
    than one is found. Open answers are equal where they mean the same.
    """

    key = "disagreement"
    title = "Disagreement with others"
    explanation = (
        "The worker agrees with the majority so rarely that chance, given how others differ, hardly explains "
        "it. The rule needs answers of others, but no controls."
    )
    stopped_text = "instruction"
    needs = ("others",)
    caution = (
        "Agreement always rises when people are left out because they disagree: only controls are evidence of bad work."
    )

    action: Acting = "flag"
    tail: float = setting(
        AskedNumber(step=0.01), 0.01, "Probability below", "Of agreeing so little by chance", gt=0, lt=1
    )
    minimum: int = setting(WHOLE, 20, "Answers between checks", "And before the first one", ge=2, le=1000)
    window: int = setting(WHOLE, 60, "Latest items", "How many are considered", ge=2, le=1000)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the share agreeing, `limit` that of the others, the evidence the judgments that disagree."""
        votes, keys = frame.others(last=self.window)
        if frame.worker not in votes.workers:
            return None
        place = votes.workers.index(frame.worker)
        clear, agrees = with_others(votes)
        size = len(votes.workers)
        trials, hits = (np.bincount(votes.worker[mask], minlength=size) for mask in (clear, clear & agrees))
        agreed, n = int(hits[place]), int(trials[place])
        others = (trials > 0) & (np.arange(size) != place)
        trials, hits = trials[others], hits[others]
        total, hit = int(trials.sum()), int(hits.sum())
        if n < self.minimum or not total or not self._doubtful(agreed, n, hit, total):
            return None
        if lower_tail(agreed, n, *_fitted(hits, trials)) >= self.tail:
            return None
        apart = np.flatnonzero(clear & ~agrees & (votes.worker == place)).tolist()
        share, limit = agreed / n, hit / total
        reason = f"agrees with the others' majority in {share:.0%} of {n} items, where the others do in {limit:.0%}"
        return self.finding_of(frame, share, limit, n, [keys[row] for row in apart], reason)

    def _doubtful(self, agreed: int, n: int, hit: int, total: int) -> bool:
        """Return whether others who all agreed alike, in `hit` of `total`, would agree so rarely by about `tail`.

        Differences between them only make it likelier. The mean that is fitted is not quite this share: hence the 5.
        """
        share = (hit + 0.5) / (total + 1)
        return lower_tail(agreed, n, share * ALIKE, (1 - share) * ALIKE) < 5 * self.tail

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name the chance."""
        return f"as rarely with the others' majority as chance {self.tail:g} allows, {self.minimum} items or more"

    @classmethod
    def power_note(cls) -> str:
        """Say what the others are taken for."""
        return (
            f"The number for disagreement takes all the others for workers who agree in {GOOD:.0%}: the more they "
            "differ, the fewer it finds."
        )

    def power(self, chances: Chances) -> tuple[Power, ...]:
        """At the first look, where all the others agree in 90%: the more they differ, the fewer it finds."""
        few = int((bdtr(np.arange(self.minimum + 1), self.minimum, GOOD) < self.tail).sum()) - 1
        guesser, good = (float(bdtr(few, self.minimum, share)) for share in (1 / chances.labels, GOOD))
        return (Power(self.minimum, 1 - guesser, good),)


def with_others(votes: Votes) -> tuple[Mask, Mask]:
    """Whether the others have one answer on top for the item of each judgment (J,), and whether it is the same."""
    others = votes.counts[votes.item]
    others[np.arange(len(votes)), votes.label] -= 1
    top = others.max(axis=1, initial=0)
    level = others == top[:, None]
    clear = (level.sum(axis=1) == 1) & (top > 0)
    return clear, level[np.arange(len(votes)), votes.label]


def _fitted(hits: Integers, trials: Integers) -> tuple[float, float]:
    order = np.lexsort((trials, hits))
    return fit(hits[order], trials[order])
