"""Coverage of how far people agree: where all agree, label by label, and where a label is rare: tables of coverage.py.

Every study draws items and workers anew; the truth is that of the population, with as many answers to an item.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from bench.coverage_paired import Row, error
from bench.coverage_people import FEW, World
from eval.agreement.by_label import FIGURES, Category, categories
from eval.agreement.coefficients import agreement
from eval.agreement.of_votes import agreement_of
from eval.arrays import Floats, Integers
from eval.intervals.clusters import Resampling
from eval.votes import Votes

CAREFUL = (World(8, 40, 5, 1.0, 6.0), World(8, 40, 5, 2.0, 6.0), World(10, 150, 5, 1.0, 7.5), World(5, 20, 5, 1.0, 5.0))
"""People who are nearly always right, so that all agree in many studies."""


def of_careful(studies: int) -> Iterator[Row]:
    """Yield, where all agree in many studies, coverage of each coefficient, and that in the studies where they do."""
    for number, world in enumerate(CAREFUL):
        generator = np.random.default_rng(60 + number)
        many = replace(world, workers=5000)
        truth = agreement_of(many.study(many.skills(generator), 20_000, generator)[0], Resampling(draws=2)).values
        held, widths, all_agree = defaultdict(list), defaultdict(list), []
        for _ in range(studies):
            votes = world.study(world.skills(generator), world.items, generator)[0]
            agreed = agreement_of(votes, FEW, others=True)
            all_agree.append(agreed.alpha == 1)
            for name, (low, high) in agreed.cis.items():
                held[name].append(low <= (truth[name] or 0.0) <= high)
                widths[name].append(high - low)
        for name in ("pairwise", "alpha", "ac1", "fleiss"):
            there = np.array(held[name])[all_agree]
            yield (
                world.words,
                error(float(np.mean(all_agree)), studies),
                name,
                f"{truth[name]:.3f}",
                error(float(np.mean(held[name])), studies),
                f"{np.mean(widths[name]):.3f}",
                error(float(there.mean()), len(there)),
            )


@dataclass(frozen=True)
class Labelled:
    """Four labels; who is wrong takes another one, some of them more readily than others by a `lean` of their own."""

    workers: int
    items: int
    overlap: int
    spread: float = 0.7
    lean: float = 0.7
    shares = (0.5, 0.3, 0.15, 0.05)

    @property
    def words(self) -> str:
        """What the world is like, in a line."""
        return f"{self.workers} people, {self.items} items × {self.overlap}"

    def study(self, generator: np.random.Generator) -> Votes:
        """Draw items and workers."""
        easy, truth = generator.normal(size=self.items), generator.choice(4, self.items, p=self.shares)
        skill = 1.5 + self.spread * generator.normal(size=self.workers)
        likes = np.log(self.shares) + self.lean * generator.normal(size=(self.workers, 4))
        worker = np.argsort(generator.random((self.items, self.workers)), axis=1)[:, : self.overlap]
        wanted = likes[worker] + generator.gumbel(size=(*worker.shape, 4))
        wanted[np.arange(self.items), :, truth] = -np.inf
        right = generator.random(worker.shape) < 1 / (1 + np.exp(-(skill[worker] + easy[:, None])))
        label = np.where(right, truth[:, None], wanted.argmax(axis=2))
        return _votes(label, worker, self.workers)


def _votes(label: Integers, worker: Integers, workers: int) -> Votes:
    items, overlap = label.shape
    names = tuple(f"q{n}" for n in range(items)), tuple(f"w{n}" for n in range(workers)), tuple("abcd")
    item = np.repeat(np.arange(items, dtype=np.int32), overlap)
    return Votes(*names, item, worker.ravel().astype(np.int32), label.ravel().astype(np.int32))


def of_labels(studies: int) -> Iterator[Row]:
    """Yield, for each label and figure of it, coverage and width over items, and over people too."""
    for number, world in enumerate((Labelled(10, 150, 5), Labelled(6, 60, 3), Labelled(20, 300, 3))):
        generator = np.random.default_rng(70 + number)
        truth = categories(replace(world, workers=4000, items=20_000).study(generator), Resampling(draws=2))
        held: dict[tuple[int, str], list[Floats]] = defaultdict(list)
        for _ in range(studies):
            for place, found in enumerate(categories(world.study(generator), FEW, others=True)):
                for name in FIGURES:
                    held[place, name].append(_held(found, name, getattr(truth[place], name)))
        for (place, name), each in held.items():
            items, narrow, people, wide = np.nanmean(each, axis=0)
            label, value = truth[place], getattr(truth[place], name)
            among = f"{label.share:.0%} of answers", name, f"{value:.3f}"
            yield world.words, *among, error(items, studies), f"{narrow:.3f}", error(people, studies), f"{wide:.3f}"


def _held(found: Category, name: str, truth: float) -> Floats:
    """Whether the interval over items and that over people too hold the truth, and how wide each is."""
    ends = np.array([found.over_items.get(name, found.cis[name]), found.cis[name]])
    if np.isnan(ends).any():
        return np.full(4, np.nan)
    return np.column_stack([(ends[:, 0] <= truth) & (truth <= ends[:, 1]), ends[:, 1] - ends[:, 0]]).ravel()


def of_rare_labels(studies: int) -> Iterator[Row]:
    """Yield how often intervals of alpha and Fleiss' kappa hold the truth where one label is rare."""
    generator = np.random.default_rng(12)
    for items, overlap, share, wrong in ((100, 5, 0.01, 0.005), (100, 5, 0.03, 0.01), (300, 3, 0.01, 0.005)):

        def counts(number: int, *, people: int = overlap, rare: float = share, slip: float = wrong) -> Integers:
            rare_ones = (generator.random((number, 1)) < rare) ^ (generator.random((number, people)) < slip)
            given = rare_ones.sum(axis=1)
            return np.stack([people - given, given], axis=1)

        truth = agreement(counts(100_000), Resampling(draws=2))
        found = [agreement(counts(items), FEW) for _ in range(studies)]
        told = [f"{items} items × {overlap}, {share:.0%} rare", f"{truth.alpha:.3f}"]
        for name in ("alpha", "fleiss"):
            real = truth.values[name] or 0.0
            told.append(error(sum(each.cis[name][0] <= real <= each.cis[name][1] for each in found) / studies, studies))
        noted = sum(any("bear one label" in note for note in each.notes) for each in found)
        yield [*told, error(noted / studies, studies)]
