"""The units that people agree or disagree on inside one composite answer, and the answers their decision allows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod

import numpy as np

from eval.gold import TaskItems

_SLACK = 1e-9
_COMPLETIONS = 64

Camp = tuple[int, ...]
LEFT_OUT: Camp = ()


@dataclass(frozen=True)
class Layout:
    """The units of the different answers to one `item`.

    `labels` leads from a unit to its label in each answer, None where that leaves the unit out. `groups` are the units
    that the same camps of answers (tuples of their places) split alike: whoever wins one of a group wins them all.
    `scored` says of each group whether it is worth points; units with and without points are never in one group.
    """

    asked: TaskItems
    item: str
    labels: Mapping[str, tuple[str | None, ...]]
    groups: tuple[tuple[tuple[Camp, ...], tuple[str, ...]], ...]
    scored: tuple[bool, ...]
    _joined: dict[tuple[int, ...], str | None] = field(default_factory=dict)

    @property
    def unanimous(self) -> bool:
        """Whether all answers are the same in every unit that is worth points."""
        return all(len(camps) == 1 for (camps, _), scored in zip(self.groups, self.scored, strict=True) if scored)

    def joined(self, camps: Sequence[Camp]) -> str | None:
        """The answer that comes to be where each group follows the camp named for it; None where it is none.

        The empty camp leaves the units of its group out.
        """
        key = tuple(camp[0] if camp else -1 for camp in camps)
        if key not in self._joined:
            self._joined[key] = self.asked.join(self.item, self._completed(camps))
        return self._joined[key]

    def _completed(self, camps: Sequence[Camp]) -> dict[str, str]:
        """The units with their labels, those left out apart."""
        follows = {unit: camp[0] for camp, (_, units) in zip(camps, self.groups, strict=True) if camp for unit in units}
        chosen = {unit: labels[follows[unit]] for unit, labels in self.labels.items() if unit in follows}
        return {unit: label for unit, label in chosen.items() if label is not None}


@dataclass(frozen=True)
class DecidedUnits:
    """What votes decide: the camps on top in each group of units, one where it is decided, several where level.

    Level units that are worth no points are left out of the answer (the empty camp). `backing` is the smallest number
    of heads behind any unit with points.
    """

    layout: Layout
    level: tuple[tuple[Camp, ...], ...]
    backing: int

    @property
    def tied(self) -> bool:
        """Whether any unit is undecided."""
        return any(len(camps) > 1 for camps in self.level)

    def completions(
        self, generator: np.random.Generator, *, skills: Sequence[float] | None = None, number: int = _COMPLETIONS
    ) -> Iterator[str | None]:
        """The answers that the item may come to, None for what is none: every group follows one of its level camps.

        All of them where they are at most `number`, else so many draws. With `skills` (the skill behind each of the
        answers) only the camps with the largest sum are followed.
        """
        groups = self.level if skills is None else tuple(_skilled(camps, skills) for camps in self.level)
        if prod(map(len, groups)) <= number:
            return (self.layout.joined(way) for way in product(*groups))
        sampled = ([camps[generator.integers(len(camps))] for camps in groups] for _ in iter(int, 1))
        return (self.layout.joined(way) for way in islice(sampled, number))


def layout(asked: TaskItems, item: str, names: Sequence[str]) -> Layout | None:
    """The layout of the different answers to an item; None where each of them is one unit as a whole."""
    known: Layout | None = asked.once(("layout", item, *names), lambda: _layout(asked, item, names))
    return known


def decision(layout: Layout, scores: Sequence[float], heads: Sequence[int]) -> DecidedUnits:
    """The plurality in each unit by the score of each answer; `heads` are how many gave it.

    An answer that does not name a unit is for leaving it out. Scores level to a billionth are level.
    """
    level, backing = [], sum(heads)
    for (camps, _), scored in zip(layout.groups, layout.scored, strict=True):
        totals = [sum(scores[place] for place in camp) for camp in camps]
        backers = [sum(heads[place] for place in camp) for camp in camps]
        least = max(totals) * (1 - _SLACK)
        on_top = tuple(camp for camp, total, n in zip(camps, totals, backers, strict=True) if total >= least and n)
        if scored:
            backing = min(backing, max(n for camp, n in zip(camps, backers, strict=True) if camp in on_top))
        level.append(on_top if scored or len(on_top) == 1 else (LEFT_OUT,))
    return DecidedUnits(layout, tuple(level), backing)


def _layout(asked: TaskItems, item: str, answers: Sequence[str]) -> Layout | None:
    units = [asked.units(item, name) for name in answers]
    if all(list(each) == [""] for each in units):
        return None
    names = dict.fromkeys(unit for each in units for unit in each)
    labels = {unit: tuple(each.get(unit) for each in units) for unit in names}
    # Labels that fold to the same form are one camp, as whole answers are.
    folds = [asked.units(item, asked.folded(item, name)) for name in answers]
    groups: dict[tuple[bool, tuple[Camp, ...]], list[str]] = {}
    scored = asked.of(item).scored_unit
    for unit, given in labels.items():
        camps: dict[str | None, list[int]] = {}
        for place, label in enumerate(given):
            camps.setdefault(label and folds[place].get(unit, label), []).append(place)
        groups.setdefault((scored(unit), tuple(map(tuple, camps.values()))), []).append(unit)
    alike = tuple((camps, tuple(together)) for (_, camps), together in groups.items())
    return Layout(asked, item, labels, alike, tuple(worth for worth, _ in groups))


def _skilled(camps: Sequence[Camp], skills: Sequence[float]) -> tuple[Camp, ...]:
    skill = [sum(skills[place] for place in camp) for camp in camps]
    return tuple(camp for camp, each in zip(camps, skill, strict=True) if each >= max(skill) * (1 - _SLACK))
