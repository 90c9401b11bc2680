"""A study before and after workers are excluded: score, agreement, and which items lose what they had."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from eval.agreement import Agreement
from eval.ballots import individual
from eval.humans import leave_one_out
from eval.panel import Panel, Rules, panel
from eval.scoring import Estimate, score


@dataclass(frozen=True, eq=False)
class Side:
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


@dataclass(frozen=True, eq=False)
class Effect:
    """What excluding workers changes.

    `excluded` are those the change adds. `unanswered` are items that had judgments and have none left; `undecided` had
    a consensus and have none, unanswered ones included; `decided` the other way round; `changed` have another winner.
    Agreement always rises when workers are excluded because they disagree: only controls are evidence of quality.
    """

    excluded: frozenset[str]
    before: Side
    after: Side
    unanswered: tuple[str, ...]
    undecided: tuple[str, ...]
    decided: tuple[str, ...]
    changed: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """The effect as it stands in JSON."""
        lists = {name: list(getattr(self, name)) for name in ("unanswered", "undecided", "decided", "changed")}
        return {
            "excluded": sorted(self.excluded),
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            **lists,
        }


def effect(
    judgments: pd.DataFrame,
    items: pd.DataFrame,
    labels: Sequence[str] | None,
    metrics: Sequence[str],
    *,
    before: Rules,
    after: Rules | None = None,
    excluded: Collection[str] = (),
    also: Collection[str] = (),
    draws: int = 2000,
) -> Effect:
    """The study under `before` without `excluded`, against `after` (None: the same rules) without `also` either.

    Frames and labels are those of `eval.panel.panel`; `also` are usually workers found by rules of `eval.quality`.
    """
    later, out = before if after is None else after, {*excluded, *also}
    one = panel(judgments, items, before, labels, excluded=excluded, draws=draws)
    two = panel(judgments, items, later, labels, excluded=out, draws=draws)
    had, has = (each.votes.counts.any(axis=1) for each in (one, two))
    won, wins = (each.consensus.status == "won" for each in (one, two))
    same = np.array([a == b for a, b in zip(one.consensus.winner, two.consensus.winner, strict=True)], dtype=bool)
    masks = had & ~has, won & ~wins, ~won & wins, won & wins & ~same
    names = [tuple(one.votes.items[row] for row in np.flatnonzero(mask).tolist()) for mask in masks]
    sides = _side(one, metrics, draws), _side(two, metrics, draws)
    return Effect(two.excluded - one.excluded, *sides, *names)


def _side(found: Panel, metrics: Sequence[str], draws: int) -> Side:
    seed = found.rules.seed
    return Side(
        panel=found,
        majority=score(metrics, found.gold, found.consensus.ballots, draws=draws, seed=seed),
        individual=score(metrics, found.gold, individual(found.votes), draws=draws, seed=seed),
        leave_one_out=leave_one_out(found.votes, draws=draws, seed=seed),
    )
