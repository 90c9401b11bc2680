"""Sensitivity to the rules: the score of the same votes under other thresholds, tie rules and minima."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from data.errors import BadSetting
from data.human_rules import TIES
from eval.estimate import Estimate
from eval.panel import Panel, PanelRules, StudyData, agreed_under, panel
from eval.scoring import score


@dataclass(frozen=True)
class SensitivityCell:
    """One cell of the strip: the rules, what they score, and what becomes of the items.

    `estimate` is None without gold, or where `refused` says why these rules cannot be applied. `scored` items enter the
    score; `tied`, `short`, `empty` and `below` ones have no winner.
    """

    rules: PanelRules
    estimate: Estimate | None
    excluded: int
    scored: int
    tied: int
    short: int
    empty: int
    below: int = 0
    refused: str | None = None

    def as_dict(self) -> dict[str, object]:
        """The cell as it stands in JSON."""
        numbers = {name: getattr(self, name) for name in ("excluded", "scored", "tied", "short", "empty", "below")}
        shown = None if self.estimate is None else self.estimate.as_dict()
        return {"rules": self.rules.as_dict(), "estimate": shown, **numbers, "refused": self.refused}


def rule_grid(
    rules: PanelRules,
    *,
    control_mins: Sequence[float | None] = (None, 0.5, 0.7, 0.9),
    min_votes: Sequence[int] = (1, 2, 3),
) -> list[PanelRules]:
    """The rules with each threshold x tie rule x minimum of votes, in this order; the rest is as in `rules`.

    Args:
        control_mins: Shares from 0 to 1.

    >>> len(rule_grid(PanelRules(), control_mins=(None, 0.5)))
    30
    """
    return [
        replace(rules, control_min=control_min, ties=tie, min_votes=least)
        for control_min, tie, least in product(control_mins, TIES, min_votes)
    ]


def without_steps(rules: PanelRules) -> dict[str, PanelRules]:
    """The rules as they are, "", and without each of their steps, by the name of the field that would be missing.

    Of rules that decide in turn ("then") those from one on are left out, the last first, and each but the last by
    itself ("only").

    >>> list(without_steps(PanelRules(control_min=0.5, min_votes=3, then=("weighted",))))
    ['', 'control_min', 'min_votes', 'then weighted']
    """
    plain = PanelRules()
    single = {
        name: replace(rules, **{name: getattr(plain, name)})
        for name in ("control_min", "min_votes")
        if getattr(rules, name) != getattr(plain, name)
    }
    then_rules = {f"then {name}": replace(rules, then=rules.then[:place]) for place, name in enumerate(rules.then)}
    alone = {
        f"only {name}": replace(rules, then=rules.then[:place] + rules.then[place + 1 :])
        for place, name in enumerate(rules.then[:-1])
    }
    variants = {"": rules} | single | dict(reversed(then_rules.items())) | alone
    if rules.agreement_min is not None:
        variants["agreement_min"] = replace(rules, agreement_min=None, allowed_share=None)
    return variants


def sensitivity(
    metric: str, data: StudyData, grid: Iterable[PanelRules], *, draws: int = 1000
) -> tuple[SensitivityCell, ...]:
    """The metric of the consensus under each of the rules of a `rule_grid`, with intervals of `draws` samples.

    The votes are read once for each threshold. A rule that needs controls where nobody answered any gives a cell that
    says so.
    """
    people: dict[PanelRules, Panel] = {}
    estimates = []
    for rules in grid:
        base = PanelRules(control_min=rules.control_min, seed=rules.seed, gold=rules.gold, interval=rules.interval)
        if base not in people:
            people[base] = panel(data, base, draws=draws)
        estimates.append(_cell(metric, people[base], rules))
    return tuple(estimates)


def _cell(metric: str, people: Panel, rules: PanelRules) -> SensitivityCell:
    out = len(people.excluded)
    try:
        consensus, _ = agreed_under(rules.applied, people.votes, people.skills_of(people.votes), people.decisions)
    except BadSetting as refusal:
        return SensitivityCell(rules, None, out, 0, 0, 0, 0, refused=str(refusal))
    scores = score([metric], people.gold, consensus.ballots, people.resampling)
    scored = int(consensus.ballots.scored.sum())
    tied, short, empty, below = (consensus.number(status) for status in ("tied", "short", "empty", "below"))
    return SensitivityCell(rules, scores.get(metric), out, scored, tied, short, empty, below)
