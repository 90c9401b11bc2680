"""A study before and after workers are excluded: score, agreement, and which items lose what they had."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eval.agreement.coefficients import Agreement
from eval.ballots import individual
from eval.estimate import Estimate
from eval.intervals.other_people import ONCE, wider, wider_scores
from eval.panel import Panel, PanelRules, StudyData, one_answer_is_mean, one_answer_of, panel
from eval.people_scores import leave_one_out
from eval.scoring import score


@dataclass(frozen=True, eq=False)
class Analysis:
    """A study's numbers under one set of excluded workers; `majority` and `individual` are {} without gold."""

    panel: Panel
    majority: dict[str, Estimate]
    individual: dict[str, Estimate]
    leave_one_out: Estimate

    @property
    def agreement(self) -> Agreement:
        """How far the kept workers agree."""
        return self.panel.agreement

    def as_dict(self) -> dict[str, object]:
        """Counts, agreement and scores as they stand in JSON."""
        scores: dict[str, object] = {
            "majority": {name: estimate.as_dict() for name, estimate in self.majority.items()},
            "individual": {name: estimate.as_dict() for name, estimate in self.individual.items()},
            "leave_one_out": self.leave_one_out.as_dict(),
        }
        return {**self.panel.counts(), "agreement": self.agreement.as_dict(), "scores": scores}


@dataclass(frozen=True)
class Loss:
    """An item that loses votes: how many it had and how many it keeps."""

    item: str
    before: int
    after: int


@dataclass(frozen=True, eq=False)
class Effect:
    """What excluding workers changes.

    `excluded` are those the change adds. `unanswered` are items that had judgments and have none left; `undecided` had
    a consensus and have none, unanswered ones included; `decided` the other way round; `changed` have another winner.
    Agreement always rises when workers are excluded because they disagree: only controls are evidence of quality.
    """

    excluded: frozenset[str]
    before: Analysis
    after: Analysis
    unanswered: tuple[str, ...]
    undecided: tuple[str, ...]
    decided: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The items that lose votes, in their order."""
        had, has = (each.panel.votes.counts.sum(axis=1).tolist() for each in (self.before, self.after))
        items = zip(self.before.panel.votes.items, had, has, strict=True)
        return tuple(Loss(item, before, after) for item, before, after in items if after < before)

    def thinned(self, least: int) -> tuple[Loss, ...]:
        """The items that had `least` votes or more and keep fewer."""
        return tuple(loss for loss in self.losses if loss.after < least <= loss.before)

    def as_dict(self) -> dict[str, object]:
        """The effect as it stands in JSON."""
        lists = {name: list(getattr(self, name)) for name in ("unanswered", "undecided", "decided", "changed")}
        both = {"before": self.before.as_dict(), "after": self.after.as_dict()}
        return {"excluded": sorted(self.excluded), **both, **lists}


def analysis(data: StudyData, metrics: Sequence[str], rules: PanelRules, *, draws: int = 2000) -> Analysis:
    """The numbers of a study under these rules, by `metrics` of the task, without the workers that it excludes."""
    return analysis_of(panel(data, rules, draws=draws), metrics)


def analysis_of(panel: Panel, metrics: Sequence[str]) -> Analysis:
    """The numbers of a panel by `metrics` of the task, with the intervals that its rules ask for."""
    gold, votes = panel.gold, panel.votes
    majority = score(metrics, gold, panel.consensus.ballots, panel.resampling)
    peers = leave_one_out(votes, panel.resampling)
    if panel.rules.interval == "people":
        majority = wider_scores(majority, gold, votes, one_answer_of(panel), panel.resampling.clusters)
        peers = wider(peers, votes, lambda rest: leave_one_out(rest, ONCE).value, panel.resampling.clusters)
    return Analysis(panel, majority, individual_scores(panel, metrics), peers)


def individual_scores(panel: Panel, metrics: Sequence[str]) -> dict[str, Estimate]:
    """The scores of a panel's single answers, with the intervals that its rules ask for; {} without gold."""
    scores = score(metrics, panel.gold, individual(panel.votes), panel.resampling)
    if panel.rules.interval == "items":
        return scores
    # One figure has one interval: where the one answer is the mean of single ones, who leaves changes both alike.
    answer = one_answer_of(panel) if one_answer_is_mean(panel) else individual
    return wider_scores(scores, panel.gold, panel.votes, answer, panel.resampling.clusters)


def effect(before: Analysis, after: Analysis) -> Effect:
    """What changes from one analysis of a study to another over the same items."""
    one, two = before.panel, after.panel
    had, has = (each.votes.counts.any(axis=1) for each in (one, two))
    won, wins = (each.consensus.status == "won" for each in (one, two))
    same = np.array([a == b for a, b in zip(_winners(one), _winners(two), strict=True)], dtype=bool)
    masks = had & ~has, won & ~wins, ~won & wins, won & wins & ~same
    names = [tuple(one.votes.items[row] for row in np.flatnonzero(mask).tolist()) for mask in masks]
    return Effect(two.excluded - one.excluded, before, after, *names)


def _winners(panel: Panel) -> list[str | None]:
    """The winning answer of each item, open ones in the form in which they are compared."""
    asked, winners = panel.votes.asked, zip(panel.votes.items, panel.consensus.winner, strict=True)
    return [name if asked is None or name is None else asked.folded(item, name) for item, name in winners]
