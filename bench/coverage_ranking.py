"""Coverage of strengths, ranks and correlations of rankings from pairs: tables of coverage.py.

Every study draws pairs of texts and judges anew; a pair of texts leans to one of the two by a part of its own, a judge
has a taste for each competitor. The truth is what very many pairs and judges give.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from bench.coverage_paired import Row, error
from eval.arrays import Codes, Floats, Integers
from eval.ranking.bradley_terry import Ties, bradley_terry, tables
from eval.ranking.pairs import Comparisons
from eval.ranking.ranking import RankingRules, ranking, ranks
from eval.ranking.two_rankings import two_rankings

DRAWS = 300


@dataclass(frozen=True)
class Tournament:
    """So many competitors in so many pairs of texts, each judged by `overlap` of the judges."""

    competitors: int
    pairs: int
    judges: int
    overlap: int
    leaning: float
    taste: float
    tie: float = 1.0
    spread: float = 0.7

    @property
    def words(self) -> str:
        who = f"{self.judges} judges × {self.overlap}" if self.overlap > 1 else f"{self.judges} judges"
        what = f"{self.competitors} in {self.pairs} pairs, {who}"
        return f"{what}, strengths ± {self.spread:g}, pairs ± {self.leaning:g}, tastes ± {self.taste:g}"

    def study(self, strength: Floats, generator: np.random.Generator, first: Integers, second: Integers) -> Comparisons:
        """The judgments of one study about these pairs."""
        pair = np.repeat(np.arange(len(first)), self.overlap)
        asked = generator.random((len(first), self.judges)) if self.judges < 1000 else None
        if asked is None:
            judge = generator.integers(0, self.judges, len(pair))
        else:
            judge = np.argsort(asked, axis=1)[:, : self.overlap].ravel()
        taste = self.taste * generator.normal(size=(self.judges, self.competitors))
        one, other = first[pair], second[pair]
        ahead = strength[one] - strength[other] + self.leaning * generator.normal(size=len(first))[pair]
        root = np.exp((ahead + taste[judge, one] - taste[judge, other]) / 2)
        drawn = generator.random(len(pair)) * (root + 1 / root + self.tie)
        score = np.where(drawn < root, 1.0, np.where(drawn < root + 1 / root, 0.0, 0.5))
        names = tuple(map(str, range(self.competitors)))
        return Comparisons(names, _codes(one), _codes(other), score, _codes(pair), _codes(judge), len(first))

    def drawn(self, generator: np.random.Generator) -> tuple[Integers, Integers]:
        """The two of each pair."""
        first = generator.integers(0, self.competitors, self.pairs)
        return first, (first + generator.integers(1, self.competitors, self.pairs)) % self.competitors

    def truth(self, strength: Floats, generator: np.random.Generator, ties: Ties) -> Floats:
        """The strengths that very many pairs and judges give."""
        many = replace(self, pairs=200_000, judges=4000, overlap=1)
        return bradley_terry(tables(many.study(strength, generator, *many.drawn(generator))), ties=ties).log[:, 0]


WORLDS = (
    Tournament(10, 200, 20, 4, 0.5, 0.5),
    Tournament(10, 200, 60, 4, 0.0, 0.0),
    Tournament(20, 300, 40, 5, 1.0, 0.3),
    Tournament(10, 200, 8, 3, 0.5, 0.8),
    Tournament(5, 60, 10, 3, 0.5, 0.5),
    Tournament(10, 400, 1, 1, 1.0, 0.0),
    Tournament(10, 200, 20, 4, 0.5, 0.5, spread=0.1),
)


def _codes(codes: Integers) -> Codes:
    return codes.astype(np.int32)


def of_strengths(studies: int) -> Iterator[Row]:
    """Yield how often intervals of strengths and ranges of ranks hold the truth, and how wide they are."""
    for world in WORLDS:
        for ties in ("half", "davidson") if world is WORLDS[0] else ("half",):
            yield world.words, ties, *_coverage(world, ties, studies if ties == "half" else studies // 4)


def _coverage(world: Tournament, ties: Ties, studies: int) -> Row:
    generator = np.random.default_rng(1)
    strength = world.spread * generator.normal(size=world.competitors)
    truth = world.truth(strength, generator, ties)
    rank, held, width, ranked, places = ranks(truth), [], [], [], []
    for seed in range(studies):
        judged = world.study(strength, generator, *world.drawn(generator))
        found = ranking(judged, RankingRules(ties, DRAWS, seed))
        low, high = found.ci.T
        held.append(((low <= truth) & (truth <= high)).mean())
        width.append(np.median(high - low))
        ranked.append(((found.ranges[:, 0] <= rank) & (rank <= found.ranges[:, 1])).mean())
        places.append((found.ranges[:, 1] - found.ranges[:, 0] + 1).mean())
    return _share(held), f"{np.mean(width):.2f}", _share(ranked), f"{np.mean(places):.1f}"


def _share(held: list[float]) -> str:
    """A mean in per cent with its own Monte Carlo error: what belongs to one study goes together."""
    return f"{100 * np.mean(held):.1f} ±{196 * np.std(held) / len(held) ** 0.5:.1f}"


def of_two(studies: int) -> Iterator[Row]:
    """Yield coverage of the correlation of people's ranking with a judge's, and false findings of where they part."""
    world = Tournament(20, 600, 40, 4, 0.7, 0.3)
    judge = replace(world, judges=1, overlap=1, taste=0.0, tie=0.1)
    for alike in (1.0, 0.8, 0.4):
        generator = np.random.default_rng(2)
        found = []
        for seed in range(studies):
            strength = 0.7 * generator.normal(size=world.competitors)
            other = alike * strength + (1 - alike**2) ** 0.5 * 0.7 * generator.normal(size=world.competitors)
            first, second = world.drawn(generator)
            rules = RankingRules(draws=DRAWS, seed=seed)
            people = ranking(world.study(strength, generator, first, second), rules)
            two = two_rankings(people, ranking(judge.study(other, generator, first, second), rules))
            assert two is not None
            found.append((two.spearman, *two.ci, bool((two.p < 0.05).any())))
        rho, low, high, parts = np.array(found).T
        truth = np.tanh(np.arctanh(np.minimum(rho, 1 - 1e-9)).mean())
        held, false = ((low <= truth) & (truth <= high)).mean(), parts.mean()
        yield f"{alike:g}", f"{truth:.2f}", error(held, studies), error(false, studies) if alike == 1 else "-"
