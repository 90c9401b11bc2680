"""Coverage of the winning rate where many people answer few items each: a table of coverage.py."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bench.coverage_paired import DRAWS, Row, error
from bench.coverage_peers import said_by, votes_of
from eval.arrays import Integers
from eval.ballots import Ballots
from eval.comparison.alt_test import alternative_annotator
from eval.comparison.alt_test_intervals import alternative_estimates
from eval.estimate import Estimate
from eval.intervals.clusters import Resampling
from eval.votes import Votes

FEW = Resampling(draws=DRAWS)
PAGE, OVERLAP, MODELS = 5, 3, (0.8, 0.9, 0.96)


@dataclass(frozen=True)
class InPages:
    """Two labels, in pages of five items for three people each; some people take far more pages than others."""

    workers: int
    items: int
    skill: float
    spread: float

    @property
    def words(self) -> str:
        """What the world is like, in a line."""
        each = OVERLAP * self.items / self.workers
        who = f"{self.workers} people of skill {self.skill:g} ± {self.spread:g}"
        return f"{who}, {self.items} items × {OVERLAP} in pages, {each:.1f} items each"

    def study(self, generator: np.random.Generator) -> tuple[Votes, dict[float, Ballots]]:
        """Draw items, workers, and models by the share of items that they have right."""
        worker = np.repeat(self._pages(generator), PAGE, axis=0)
        easy, truth = generator.normal(size=self.items), generator.integers(0, 2, self.items)
        skills = self.skill + self.spread * generator.normal(size=self.workers)
        hit = generator.random(worker.shape) < 1 / (1 + np.exp(-(skills[worker] + easy[:, None])))
        votes = votes_of(np.where(hit, truth[:, None], 1 - truth[:, None]), worker, self.workers, ("a", "b"))
        right = {share: generator.random(self.items) < share for share in MODELS}
        return votes, {share: said_by(votes, np.where(each, truth, 1 - truth)) for share, each in right.items()}

    def _pages(self, generator: np.random.Generator) -> Integers:
        """Who answers each page (P, 3), three different people; everybody answers one at least, or nearly so."""
        pages = self.items // PAGE
        eager = generator.lognormal(0, 0.6, self.workers)
        more = generator.choice(self.workers, OVERLAP * pages - self.workers, p=eager / eager.sum())
        taken = generator.permutation(np.concatenate([np.arange(self.workers), more])).reshape(pages, OVERLAP)
        for page in np.flatnonzero([len(set(each)) < OVERLAP for each in taken.tolist()]):
            taken[page] = generator.choice(self.workers, OVERLAP, replace=False)
        return np.asarray(taken)


def of_winning_rates(studies: int) -> Iterator[Row]:
    """Yield, for each world and model, coverage and width of the winning rate over items, and over people too.

    The truth is what studies of the same size have on average: five times as many of them.
    """
    for world in (InPages(111, 500, 3.6, 0.7), InPages(30, 200, 2.0, 0.7)):
        generator = np.random.default_rng(7)
        rates: dict[float, list[float]] = defaultdict(list)
        estimates: dict[float, list[Estimate]] = defaultdict(list)
        for each in range(5 * studies):
            votes, models = world.study(generator)
            for share, said in models.items():
                test = alternative_annotator(votes, said.single_answers)
                rates[share].append(test.winning_rate or 0.0)
                if each < studies:
                    estimates[share].append(alternative_estimates(test, votes, FEW)["winning_rate"])
        for share, values in rates.items():
            truth = float(np.mean(values))
            ends = np.array([(*(one.ci_items or one.ci), *one.ci) for one in estimates[share]])
            held = [(ends[:, low] <= truth) & (truth <= ends[:, low + 1]) for low in (0, 2)]
            over_items, too = (error(float(each.mean()), studies) for each in held)
            widths = [f"{(ends[:, low + 1] - ends[:, low]).mean():.3f}" for low in (0, 2)]
            yield world.words, f"{share:g}", f"{truth:.3f}", over_items, widths[0], too, widths[1]
