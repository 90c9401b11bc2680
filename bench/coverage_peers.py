"""Coverage and size of agreement with people, where they are the standard: tables of coverage.py.

Every study draws items and workers anew. The truth is that of a large population: what the average person, or one
model, has there beside as many other people of an item.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from bench.coverage_paired import DRAWS, Row, error
from bench.coverage_people import World
from data.answers.number import Number
from data.answers.text import Text
from eval.agreement.beside_people import PeerMeasure, everybody, measure_of, single_rows
from eval.agreement.peer_figures import peer_figures
from eval.arrays import Floats, Integers
from eval.ballots import Ballots, answers
from eval.comparison.difference import Difference
from eval.comparison.peer_difference import between, from_one_person
from eval.estimate import Estimate
from eval.gold import TaskItems
from eval.intervals.clusters import Resampling
from eval.votes import Votes, code_open

FEW = Resampling(draws=DRAWS)
SCALE = ("1", "2", "3", "4", "5")
MANY_ITEMS, MANY_WORKERS = 20_000, 4_000
"""How large the study is in which the truth is read."""
LIKE, BETTER = "as good as the average person", "better than the average person"


@dataclass(frozen=True)
class PeerStudy:
    """What people answered, and models: two as good as the average person, who answer apart, and a better one."""

    votes: Votes
    like: Ballots
    also: Ballots
    better: Ballots
    scale: tuple[float, ...] | None = None

    @property
    def measure(self) -> PeerMeasure:
        """What is measured of its answers."""
        return measure_of(self.votes, self.scale)


class PeerWorld(Protocol):
    """Where studies are drawn from."""

    @property
    def words(self) -> str: ...

    @property
    def large(self) -> "PeerWorld": ...

    def study(self, generator: np.random.Generator) -> PeerStudy: ...


@dataclass(frozen=True)
class Labelled:
    """Two labels; who is as good as the average person has another person's skill on every item."""

    people: World

    @property
    def words(self) -> str:
        """What the world is like, in a line."""
        return self.people.words

    @property
    def large(self) -> "Labelled":
        """The world with so many items and workers that a study of it is the population."""
        return Labelled(replace(self.people, workers=MANY_WORKERS, items=MANY_ITEMS))

    def study(self, generator: np.random.Generator) -> PeerStudy:
        """Draw items, workers and models."""
        world = self.people
        votes, gold, easy = world.study(world.skills(generator), world.items, generator)
        truth = np.array([gold[item] == "b" for item in votes.items], dtype=np.int64)

        def model(skill: Floats | float) -> Ballots:
            hit = generator.random(world.items) < 1 / (1 + np.exp(-(skill + easy)))
            return said_by(votes, np.where(hit, truth, 1 - truth))

        each = world.skill + world.spread * generator.normal(size=(2, world.items))
        return PeerStudy(votes, model(each[0]), model(each[1]), model(world.skill + 1.5))


@dataclass(frozen=True)
class Rated:
    """Five points of a scale; people are strict or kind by `lean`, and off by `noise` on an item."""

    workers: int
    items: int
    overlap: int
    lean: float
    noise: float = 0.7

    @property
    def words(self) -> str:
        """What the world is like, in a line."""
        return f"{self.workers} people who rate 1 to 5, lean ± {self.lean:g}, {self.items} items × {self.overlap}"

    @property
    def large(self) -> "Rated":
        """The world with so many items and workers that a study of it is the population."""
        return replace(self, workers=MANY_WORKERS, items=MANY_ITEMS)

    def study(self, generator: np.random.Generator) -> PeerStudy:
        """Draw items, workers and models."""
        level = generator.uniform(1, 5, self.items)
        leans = self.lean * generator.normal(size=self.workers)
        worker = np.argsort(generator.random((self.items, self.workers)), axis=1)[:, : self.overlap]

        def rate(lean: Floats, noise: float) -> Integers:
            felt = level.reshape(-1, *[1] * (lean.ndim - 1)) + lean + noise * generator.normal(size=lean.shape)
            return np.clip(np.rint(felt), 1, 5).astype(np.int64) - 1

        votes = votes_of(rate(leans[worker], self.noise), worker, self.workers, SCALE)
        anybody = self.lean * generator.normal(size=(2, self.items))
        like, also = (said_by(votes, rate(each, self.noise)) for each in anybody)
        better = said_by(votes, rate(np.zeros(self.items), self.noise / 3))
        return PeerStudy(votes, like, also, better, tuple(map(float, SCALE)))


@dataclass(frozen=True)
class Written:
    """Texts of ten words; a person keeps each word of the item with a chance of their own, else takes another."""

    workers: int
    items: int
    overlap: int
    spread: float = 0.15

    @property
    def words(self) -> str:
        """What the world is like, in a line."""
        return f"{self.workers} people who write, care ± {self.spread:g}, {self.items} items × {self.overlap}"

    @property
    def large(self) -> "Written":
        """The world with so many items and workers that a study of it is the population."""
        return replace(self, workers=600, items=4000)

    def study(self, generator: np.random.Generator) -> PeerStudy:
        """Draw items, workers and models."""
        care = self._care(generator, self.workers)
        worker = np.argsort(generator.random((self.items, self.workers)), axis=1)[:, : self.overlap]
        names = [f"q{n}" for n in range(self.items)]
        rows = [(names[i], f"w{w}", _text(care[w], generator)) for i, each in enumerate(worker) for w in each.tolist()]
        frame = dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True))
        votes = code_open(frame, items=names, asked=TaskItems(Text(), {name: {} for name in names}))

        def model(cares: Floats) -> Ballots:
            return answers(
                {n: _text(c, generator) for n, c in zip(names, cares, strict=True)}, items=names, labels=None
            )

        like, also = (model(self._care(generator, self.items)) for _ in range(2))
        return PeerStudy(votes, like, also, model(np.full(self.items, 0.85)))

    def _care(self, generator: np.random.Generator, number: int) -> Floats:
        return np.clip(0.6 + self.spread * generator.normal(size=number), 0.1, 0.95)


@dataclass(frozen=True)
class Numbered:
    """Numbers around 50 to 150; people lie too high or too low by `lean`, and are off by `noise` on an item."""

    workers: int
    items: int
    overlap: int
    lean: float
    noise: float = 10.0

    @property
    def words(self) -> str:
        """What the world is like, in a line."""
        return f"{self.workers} people who write numbers, lean ± {self.lean:g}, {self.items} items × {self.overlap}"

    @property
    def large(self) -> "Numbered":
        """The world with so many items and workers that a study of it is the population."""
        return replace(self, workers=600, items=4000)

    def study(self, generator: np.random.Generator) -> PeerStudy:
        """Draw items, workers and models."""
        level = generator.uniform(50, 150, self.items)
        leans = self.lean * generator.normal(size=self.workers)
        worker = np.argsort(generator.random((self.items, self.workers)), axis=1)[:, : self.overlap]
        names = [f"q{n}" for n in range(self.items)]
        given = level[:, None] + leans[worker] + self.noise * generator.normal(size=worker.shape)
        rows = [
            (names[i], f"w{w}", f"{said:.1f}")
            for i in range(self.items)
            for w, said in zip(worker[i].tolist(), given[i].tolist(), strict=True)
        ]
        frame = dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True))
        votes = code_open(frame, items=names, asked=TaskItems(Number(), {name: {} for name in names}))

        def model(lean: Floats | float, noise: float) -> Ballots:
            said = level + lean + noise * generator.normal(size=self.items)
            return answers({n: f"{s:.1f}" for n, s in zip(names, said.tolist(), strict=True)}, items=names, labels=None)

        like, also = (model(self.lean * generator.normal(size=self.items), self.noise) for _ in range(2))
        return PeerStudy(votes, like, also, model(0.0, self.noise / 3))


def _text(care: float, generator: np.random.Generator) -> str:
    kept = generator.random(10) < care
    return " ".join(f"word{n}" if keep else f"other{generator.integers(40)}" for n, keep in enumerate(kept))


def votes_of(given: Integers, worker: Integers, workers: int, labels: tuple[str, ...]) -> Votes:
    items, overlap = given.shape
    names = tuple(f"q{n}" for n in range(items)), tuple(f"w{n}" for n in range(workers)), labels
    item = np.repeat(np.arange(items), overlap)
    return Votes(*names, item.astype(np.int32), worker.ravel().astype(np.int32), given.ravel().astype(np.int32))


def said_by(votes: Votes, codes: Integers) -> Ballots:
    given = {item: votes.labels[code] for item, code in zip(votes.items, codes.tolist(), strict=True)}
    return answers(given, items=votes.items, labels=votes.labels)


WORLDS: tuple[PeerWorld, ...] = (
    Labelled(World(10, 150, 5, 0.7)),
    Labelled(World(5, 40, 3, 1.0)),
    Labelled(World(10, 265, 5, 0.7, skill=3.0)),
    Rated(10, 100, 4, 0.3),
    Rated(6, 60, 6, 0.6),
    Written(8, 40, 4),
    Numbered(10, 100, 4, 5.0),
    Numbered(6, 60, 6, 6.0),
    Numbered(6, 60, 6, 10.0),
)


def of_peers(studies: int) -> Iterator[Row]:
    """Yield, for each world and figure of agreement, coverage and width over items and over people too."""
    for number, world in enumerate(WORLDS):
        generator = np.random.default_rng(number)
        truth = {key: found.value for key, found in _figures(world.large.study(generator), over_people=False).items()}
        held = defaultdict(list)
        for _ in range(studies):
            for key, found in _figures(world.study(generator)).items():
                held[key].append(_held(found, truth[key]))
        for (who, name), each in held.items():
            yield world.words, who, name, f"{truth[who, name]:.3f}", *_shares(each, studies)


def _figures(study: PeerStudy, *, over_people: bool = True) -> dict[tuple[str, str], Estimate]:
    whose = {"one person": everybody(study.votes, study.measure)}
    whose["a model"] = single_rows(study.votes, study.better, study.measure)
    return {
        (who, name): found
        for who, rows in whose.items()
        for name, found in peer_figures(rows, study.votes, FEW, other_people=over_people).items()
    }


def of_peer_differences(studies: int) -> Iterator[Row]:
    """Yield, for each world, differences in agreement: how often they are told from 0, and hold the truth."""
    for number, world in enumerate(WORLDS):
        generator = np.random.default_rng(50 + number)
        truth = {
            key: found.value for key, found in _differences(world.large.study(generator), over_people=False).items()
        }
        truth |= dict.fromkeys((key for key in truth if LIKE in key), 0.0)
        found = defaultdict(list)
        for _ in range(studies):
            for key, one in _differences(world.study(generator)).items():
                found[key].append((one, truth[key]))
        for key, each in found.items():
            told = error(float(np.mean([one.p is not None and one.p < 0.05 for one, _ in each])), studies)
            yield (
                world.words,
                key,
                f"{truth[key]:+.3f}",
                told,
                *_shares([_held(one, true) for one, true in each], studies),
            )


def _differences(study: PeerStudy, *, over_people: bool = True) -> dict[str, Difference]:
    votes, measure = study.votes, study.measure
    pooled = everybody(votes, measure)
    like, also, better = (single_rows(votes, each, measure) for each in (study.like, study.also, study.better))
    differences = {
        f"one person, and a model {LIKE}": from_one_person(votes, like, pooled, FEW, other_people=over_people),
        f"one person, and a model {BETTER}": from_one_person(votes, better, pooled, FEW, other_people=over_people),
        f"two models, both {LIKE}": between(votes, like, also, FEW, other_people=over_people),
        f"two models, one {BETTER}": between(votes, better, like, FEW, other_people=over_people),
    }
    if measure.limit == 1:
        return differences
    return {key: _in_numbers(found, measure.span) for key, found in differences.items()}


def _in_numbers(found: Difference, span: float) -> Difference:
    """The difference in numbers: in parts of how far people's lie apart it would depend on who answered."""
    narrow = found.over_items and _in_numbers(found.over_items, span)
    ends = found.ci[0] * span, found.ci[1] * span
    return replace(found, value=found.value * span, ci=ends, over_items=narrow)


def _held(found: Estimate | Difference, truth: float) -> tuple[bool, float, bool, float]:
    """Whether the interval over items and that over people too hold the truth, and how wide each is."""
    narrow = found.over_items.ci if isinstance(found, Difference) and found.over_items else found.ci
    if isinstance(found, Estimate) and found.ci_items is not None:
        narrow = found.ci_items
    (low, high), (lowest, highest) = narrow, found.ci
    return low <= truth <= high, high - low, lowest <= truth <= highest, highest - lowest


def _shares(held: list[tuple[bool, float, bool, float]], studies: int) -> Row:
    items, narrow, people, wide = np.array(held, dtype=float).mean(axis=0)
    return error(items, studies), f"{narrow:.3f}", error(people, studies), f"{wide:.3f}"
