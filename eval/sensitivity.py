"""The score over every choice of rules: the same votes under other thresholds, tie rules and minima."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from data.errors import BadSetting
from eval.blocks import Clusters
from eval.gold import Asked
from eval.panel import Panel, Rules, consensus_under, panel
from eval.scoring import Estimate, score
from eval.ties import TIES


@dataclass(frozen=True)
class Choice:
    """One cell of the strip: the rules, what they score, and what becomes of the items.

    `estimate` is None without gold, or where `refused` says why these rules cannot be applied. `scored` items enter the
    score; `tied`, `short` and `empty` ones have no winner.
    """

    rules: Rules
    estimate: Estimate | None
    excluded: int
    scored: int
    tied: int
    short: int
    empty: int
    refused: str | None = None

    def as_dict(self) -> dict[str, object]:
        """The cell as it stands in JSON."""
        numbers = {name: getattr(self, name) for name in ("excluded", "scored", "tied", "short", "empty")}
        shown = None if self.estimate is None else self.estimate.as_dict()
        return {"rules": self.rules.as_dict(), "estimate": shown, **numbers, "refused": self.refused}


def sensitivity(
    metric: str,
    judgments: pd.DataFrame,
    items: pd.DataFrame,
    labels: Sequence[str] | None,
    rules: Rules,
    *,
    control_mins: Sequence[float | None] = (None, 0.5, 0.7, 0.9),
    ties: Sequence[str] = TIES,
    min_votes: Sequence[int] = (1, 2, 3),
    excluded: Collection[str] = (),
    asked: Asked | None = None,
    clusters: Clusters | None = None,
    draws: int = 1000,
) -> tuple[Choice, ...]:
    """The metric of the consensus for each threshold x tie rule x minimum of votes, in this order.

    What the three do not name (consensus, seed) is as in `rules`; the other words are those of `eval.panel.panel`. The
    votes are read once for each threshold. A rule that needs controls where nobody answered any gives a cell that says
    so.
    """
    found = []
    for control_min in control_mins:
        base = replace(rules, control_min=control_min, ties="fractional", min_votes=1, consensus="majority")
        people = panel(judgments, items, base, labels, excluded=excluded, asked=asked, draws=1)
        for tie in ties:
            chosen = (replace(rules, control_min=control_min, ties=tie, min_votes=least) for least in min_votes)
            found += [_choice(metric, people, each, clusters, draws) for each in chosen]
    return tuple(found)


def _choice(metric: str, people: Panel, rules: Rules, clusters: Clusters | None, draws: int) -> Choice:
    out = len(people.excluded)
    try:
        consensus = consensus_under(rules, people.votes, people.controls, people.decisions)
    except BadSetting as refusal:
        return Choice(rules, None, out, 0, 0, 0, 0, str(refusal))
    found = score([metric], people.gold, consensus.ballots, clusters=clusters, draws=draws, seed=rules.seed)
    tied, short, empty = (consensus.number(status) for status in ("tied", "short", "empty"))
    return Choice(rules, found.get(metric), out, int(consensus.ballots.scored.sum()), tied, short, empty)
