"""The score of respondents on each group of items, such as the items of one length or with one linguistic feature."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.ballots import Ballots
from eval.estimate import Estimate
from eval.gold import Gold
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.scoring import score


@dataclass(frozen=True)
class GroupScores:
    """One group: its name, the number of its items with gold, and the score of each respondent in their order."""

    group: str
    items: int
    scores: tuple[Estimate, ...]


def group_scores(
    metric: str,
    gold: Mapping[str, str],
    respondents: Sequence[Ballots],
    groups: Mapping[str, Sequence[str]],
    resampling: Resampling = SINGLE_ITEMS,
) -> tuple[GroupScores, ...]:
    """The metric on each group, in the order in which the groups first come among the items of `groups`.

    `groups` leads from an item to the groups it belongs to; an item in several counts in each of them, one in none
    nowhere, and one without gold is left out. Intervals are those of `score`. A metric that is a mean over published
    splits is the plain mean within a group.

    Returns:
        In units of the metric.

    >>> gold = {f"q{n}": "ab"[n % 2] for n in range(8)}
    >>> from eval.ballots import answers
    >>> model = answers(dict(gold, q1="a"), items=list(gold), labels=["a", "b"])
    >>> groups = {item: ["even" if int(item[1]) % 2 == 0 else "odd"] for item in gold}
    >>> [(group.group, group.scores[0].value) for group in group_scores("accuracy", gold, [model], groups)]
    [('even', 1.0), ('odd', 0.75)]
    """
    members: dict[str, list[str]] = {}
    for item, names in groups.items():
        for name in names if item in gold else ():
            members.setdefault(name, []).append(item)
    return tuple(
        GroupScores(name, len(items), tuple(_score(metric, gold, said, items, resampling) for said in respondents))
        for name, items in members.items()
    )


def _score(
    metric: str, gold: Mapping[str, str], said: Ballots, items: Sequence[str], resampling: Resampling
) -> Estimate:
    chosen = set(items)
    of_group = gold.on(chosen) if isinstance(gold, Gold) else {item: gold[item] for item in items}
    return score([metric], of_group, said.on(items), resampling)[metric]
