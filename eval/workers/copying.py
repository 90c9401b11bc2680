"""Copying: two workers depart from everybody else together, as who copies does, or one behind two names."""

from math import ceil

import numpy as np
from scipy.special import bdtrc

from data.declared import setting
from eval.arrays import Integers, Mask
from eval.votes import Votes
from eval.workers.frame import WorkerFrame
from eval.workers.rule import GOOD, SHARE, WHOLE, Chances, Finding, Flagging, Occasion, Power, StudyFacts, WorkerRule

EVERY = 30  # answers: comparing pairs of workers costs more than the other looks


class CopyingRule(WorkerRule):
    """The same departures from the others' majority as another worker, in `share` or more of at least `minimum`.

    Counted are the last `window` main items, looked at after every 30 answers, on which all but the two have one answer
    on top; who gives another one departs from it. Two people who work apart are rarely wrong together; being right
    together says nothing, so who copies from somebody who is always right is not found. Nothing tells who copied from
    whom, so this only ever flags.
    """

    key = "copying"
    title = "The same as another worker"
    explanation = (
        "Two workers disagree with the majority in the same way. The rule cannot know who copied, so nobody is "
        "stopped. It cannot find copies of somebody who is always right."
    )
    stopped_text = "copying"
    needs = ("others",)

    action: Flagging = "flag"
    share: float = setting(SHARE, 0.8, "Minimum share in common", "Of the departures of one of the two", gt=0, le=1)
    minimum: int = setting(
        WHOLE, 6, "Minimum departures", "From the others’ majority; fewer show nothing", ge=2, le=1000
    )
    window: int = setting(WHOLE, 60, "Latest items", "How many are considered", ge=2, le=1000)

    def due(self, occasion: Occasion) -> bool:
        """After every 30 answers."""
        return occasion.every(EVERY)

    def find(self, frame: WorkerFrame) -> Finding | None:
        """`value` is the share of the departures of the most alike pair; the evidence are the same ones, of both."""
        votes, keys = frame.others(last=self.window)
        if frame.worker not in votes.workers:
            return None
        place = votes.workers.index(frame.worker)
        mine, other, same = departures(votes, place)
        size = len(votes.workers)
        n = np.bincount(votes.worker[other], minlength=size)
        joint = np.bincount(votes.worker[other[same]], minlength=size)
        pairs = np.flatnonzero((n >= self.minimum) & (joint >= self.share * n)).tolist()
        if not pairs:
            return None
        pair = max(pairs, key=lambda row: (joint[row] / n[row], n[row]))
        shows = same & (votes.worker[other] == pair)
        rows = np.sort(np.concatenate([mine[shows], other[shows]])).tolist()
        departed, alike, name = int(n[pair]), int(joint[pair]), votes.workers[pair]
        reason = f"{alike} of {departed} departures from the others' majority are the same as those of {name}"
        return self.finding_of(frame, alike / departed, self.share, departed, [keys[row] for row in rows], reason)

    def sentence(self, facts: StudyFacts) -> str:  # noqa: ARG002
        """Name the share and the least number."""
        departures = f"{self.minimum} or more departures from the others' majority"
        return f"{self.share:.0%} of {departures} in the last {self.window} items the same as another worker's"

    def power(self, chances: Chances) -> tuple[Power, ...]:
        """How often two who work apart have so many of the least number of departures in common. Exact."""
        least = ceil(self.share * self.minimum - 1e-9)
        together = ((1 - share) ** 2 / (chances.labels - 1) / (1 - share**2) for share in (1 / chances.labels, GOOD))
        guesser, good = (float(bdtrc(least - 1, self.minimum, chance)) for chance in together)
        return (Power(self.minimum, 1 - guesser, good),)


def departures(votes: Votes, worker: int) -> tuple[Integers, Integers, Mask]:
    """The rows (P,) of a worker's and others' judgments on one item where one departs; whether both do alike."""
    own, theirs = (np.flatnonzero(mask) for mask in (votes.worker == worker, votes.worker != worker))
    first, second = np.nonzero(votes.item[own][:, None] == votes.item[theirs])
    mine, other = own[first].astype(np.int64), theirs[second].astype(np.int64)
    counts, row = votes.counts[votes.item[mine]], np.arange(len(mine))
    counts[row, votes.label[mine]] -= 1
    counts[row, votes.label[other]] -= 1
    top = counts.max(axis=1, initial=0)
    clear = ((counts == top[:, None]).sum(axis=1) == 1) & (top > 0)
    lead = counts.argmax(axis=1) if counts.shape[1] else row
    one, two = (clear & (votes.label[rows] != lead) for rows in (mine, other))
    alike, either = one & two & (votes.label[mine] == votes.label[other]), one | two
    return mine[either], other[either], alike[either]
