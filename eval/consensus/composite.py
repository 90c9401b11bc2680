"""Consensus of composite answers: the plurality in each of their units, put together again (DECISIONS 15)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product
from math import comb, prod

import numpy as np
import numpy.typing as npt

from eval.arrays import Bytes, Codes, Floats, Integers, Mask
from eval.ballots import Ballots
from eval.consensus.ties import STATUSES, WinningRule
from eval.gold import TaskItems
from eval.votes import Votes, asked_of

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


_SUBSETS = 32
_FEW_COMPLETIONS = 8


@dataclass(frozen=True)
class UnitRules:
    """How undecided units are settled; the words are those of `eval.consensus.majority.settle`."""

    winning: WinningRule
    generator: np.random.Generator
    skills: Floats | None


@dataclass(frozen=True)
class _Outcome:
    """One item: its status, the answers it may come to with their shares, and the share of "no answer"."""

    status: str
    shares: Mapping[str, float]
    nothing: float = 0.0


def by_units(
    votes: Votes, scores: Floats | Integers, state: Bytes, code: Codes, ballots: Ballots, rules: UnitRules
) -> tuple[Bytes, Codes, Ballots]:
    """State, winning code and ballots of votes, given those of whole answers, where composite ones go by units.

    In each unit the label with the largest score wins (with two labels that is the strict majority); an answer that
    does not name a unit is for leaving it out. An item with a level unit is "tied" (one that is worth no points is left
    out instead), and so is one whose decided units
    make no answer together. A unit with fewer than `min_votes` heads makes it "short".

    A tie under `fractional` is scored by the mean over the answers that the level units may come to, units on which the
    same people stand against each other falling together: all of them up to 64, else 64 draws. `random` takes one of
    them, `skill` those of the more skilled camp. Units that make no answer together count as no answer.
    """
    asked = asked_of(votes)
    state, code = state.copy(), code.copy()
    names, parts = list(ballots.names or ()), dict[int, _Outcome]()
    needed = votes.needed(rules.winning.min_votes)
    for row in np.flatnonzero(votes.counts.any(axis=1)).tolist():
        given = votes.named(row)
        units = layout(asked, votes.items[row], given)
        if units is None:
            continue
        width = len(given)
        decided = decision(units, scores[row, :width].tolist(), votes.counts[row, :width].tolist())
        skills = None if rules.skills is None else rules.skills[row, :width].tolist()
        few = bool(decided.backing < needed[row])
        outcome = _outcome(asked, votes.items[row], decided, rules, skills, few=few)
        state[row], code[row] = STATUSES.index(outcome.status), 0 if outcome.status == "won" else -1
        names[row], parts[row] = tuple(outcome.shares), outcome
    return state, code, _merged(ballots, names, parts)


def unanimous(votes: Votes) -> Mask:
    """Whether all answers to an item (N,) are equal, in the units worth points; false for fewer than two answers."""
    size = votes.counts.sum(axis=1)
    same = (size > 1) & (votes.counts.max(axis=1, initial=0) == size)
    if votes.names is not None:
        asked = asked_of(votes)
        for row in np.flatnonzero((size > 1) & ~same).tolist():
            given = [name for name, n in zip(votes.named(row), votes.counts[row].tolist(), strict=False) if n]
            units = layout(asked, votes.items[row], given)
            same[row] = units is not None and units.unanimous
    return np.asarray(same)


def crowd_by_units(votes: Votes, ballots: Ballots, k: int) -> Ballots:
    """The ballots of a plurality of k, given those of whole answers, where composite answers go by their units.

    The mean over the subsets of k of an item's judgments, ties shared out over at most 8 answers: all subsets where
    they are at most 32, else 32 seeded draws.
    """
    asked, generator = asked_of(votes), np.random.default_rng(k)
    names, parts = list(ballots.names or ()), dict[int, _Outcome]()
    for row in np.flatnonzero(votes.counts.sum(axis=1) >= k).tolist():
        units = layout(asked, votes.items[row], votes.named(row))
        if units is None:
            continue
        totals: dict[str | None, float] = {}
        subsets = list(_subsets(votes.counts[row, : len(votes.named(row))], k, generator))
        for heads in subsets:
            decided = decision(units, heads, heads)
            ways = list(decided.completions(generator, number=_FEW_COMPLETIONS))
            for name in ways:
                totals[name] = totals.get(name, 0.0) + 1 / len(ways) / len(subsets)
        parts[row] = _shared(asked, votes.items[row], totals)
        names[row] = tuple(parts[row].shares)
    return _merged(ballots, names, parts)


def _outcome(
    asked: TaskItems, item: str, decided: DecidedUnits, rules: UnitRules, skills: list[float] | None, *, few: bool
) -> _Outcome:
    ties = rules.winning.ties
    if not decided.tied:
        answer = next(decided.completions(rules.generator))
        if answer is not None and not few:
            return _Outcome("won", {answer: 1.0})
        if answer is not None:
            return _Outcome("short", {}, float(ties == "wrong"))
    if few or ties in ("drop", "wrong"):
        return _Outcome("tied", {}, float(ties == "wrong"))
    number = {"number": 1} if ties == "random" else {}
    skill = skills if ties == "skill" else None
    ways = list(decided.completions(rules.generator, skills=skill, **number))
    totals: dict[str | None, float] = {}
    for name in ways:
        totals[name] = totals.get(name, 0.0) + 1 / len(ways)
    return _shared(asked, item, totals)


def _shared(asked: TaskItems, item: str, totals: Mapping[str | None, float]) -> _Outcome:
    """A tie shared out: answers that fold to the same form are one; shares are made to sum to exactly one."""
    nothing = totals.get(None, 0.0)
    forms: dict[str, str] = {}
    shares: dict[str, float] = {}
    for name in sorted(name for name in totals if name is not None):
        first = forms.setdefault(asked.folded(item, name), name)
        shares[first] = shares.get(first, 0.0) + totals[name]
    total = sum(shares.values()) + nothing
    return _Outcome("tied", {name: share / total for name, share in shares.items()}, nothing / total)


def _merged(ballots: Ballots, names: list[tuple[str, ...]], parts: Mapping[int, _Outcome]) -> Ballots:
    """The ballots with the composite items replaced."""
    wide = ballots.widened(max(map(len, names), default=0))
    weights = wide.weights.copy()
    for row, outcome in parts.items():
        weights[row] = 0
        weights[row, : len(outcome.shares)] = list(outcome.shares.values())
        weights[row, -1] = outcome.nothing
    return replace(wide, weights=weights, names=tuple(names))


def _subsets(counts: Integers, k: int, generator: np.random.Generator) -> Iterable[list[int]]:
    """How often each answer is among k judgments: for every subset of them, or for seeded draws."""
    judgments = np.repeat(np.arange(len(counts)), counts)
    if comb(len(judgments), k) <= _SUBSETS:
        chosen: Iterable[npt.ArrayLike] = combinations(judgments.tolist(), k)
    else:
        chosen = islice((generator.choice(judgments, k, replace=False) for _ in iter(int, 1)), _SUBSETS)
    return [np.bincount(np.asarray(each, dtype=np.int64), minlength=len(counts)).tolist() for each in chosen]
