"""Coverage of the mean over workers and of a majority of k people: tables of coverage.py.

Every study draws items and workers anew; the truth is what studies of as many answers have on average.
"""

from collections.abc import Iterator

import numpy as np

from bench.coverage_paired import Row, error
from bench.coverage_people import FEW, WORLDS, World
from eval.arrays import Floats
from eval.comparison.majority_of_k import crowd_of
from eval.estimate import Estimate
from eval.scoring import score
from eval.votes import Votes
from eval.workers.scores import worker_mean


class UnlikeLoads(World):
    """Some people answer far more items than others."""

    @property
    def words(self) -> str:
        return f"{super().words}, most by a few"

    def turns(self, items: int, generator: np.random.Generator) -> Floats:
        eager = np.exp(generator.normal(size=self.workers))
        return generator.exponential(size=(items, self.workers)) / eager


EVERYBODY = World(8, 100, 8, 0.7)
"""Everybody answers every item."""


def of_worker_scores(studies: int) -> Iterator[Row]:
    """Yield, for each world and figure, coverage and width of the interval over items and of the printed one."""
    unlike = (UnlikeLoads(10, 150, 5, 1.2), UnlikeLoads(20, 200, 3, 0.7), UnlikeLoads(12, 200, 3, 0.7, skill=3.0))
    for number, world in enumerate((*WORLDS, EVERYBODY, *unlike)):
        generator = np.random.default_rng(40 + number)
        estimates: dict[str, list[tuple[Estimate, Estimate]]] = {}
        for _ in range(studies):
            votes, gold, _ = world.study(world.skills(generator), world.items, generator)
            for name, pair in _figures(votes, gold).items():
                estimates.setdefault(name, []).append(pair)
        for name, pairs in estimates.items():
            truth = float(np.mean([items.value for items, _ in pairs]))
            ends = np.array([(*items.ci, *people.ci) for items, people in pairs])
            held = [(ends[:, low] <= truth) & (truth <= ends[:, low + 1]) for low in (0, 2)]
            wide = [f"{(ends[:, low + 1] - ends[:, low]).mean():.3f}" for low in (0, 2)]
            over_items, too = (error(float(each.mean()), studies) for each in held)
            yield world.words, name, f"{truth:.3f}", over_items, wide[0], too, wide[1]


def of_majorities(studies: int) -> Iterator[Row]:
    """Yield coverage and width of what a majority of k of these people scores, over new items."""
    sized = World(8, 60, 4, 0.7), World(8, 150, 4, 0.7), World(8, 150, 4, 0.7, skill=3.0)
    for number, world in enumerate(sized):
        generator = np.random.default_rng(60 + number)
        skills = world.skills(generator)
        estimates: dict[tuple[int, str], list[Estimate]] = {}
        for _ in range(studies):
            votes, gold, _ = world.study(skills, world.items, generator)
            for k in (1, 3, 4):
                for metric, estimate in score(["accuracy", "macro_f1"], gold, crowd_of(votes, k), FEW).items():
                    estimates.setdefault((k, metric), []).append(estimate)
        for (k, metric), found in estimates.items():
            truth, ends = float(np.mean([each.value for each in found])), np.array([each.ci for each in found])
            held = float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())
            yield world.words, k, metric, f"{truth:.3f}", error(held, studies), f"{np.ptp(ends, axis=1).mean():.3f}"


def _figures(votes: Votes, gold: dict[str, str]) -> dict[str, tuple[Estimate, Estimate]]:
    """Each figure with its interval over items, and with that over other people too."""
    found = {}
    for metric in ("accuracy", "macro_f1"):
        items, people = (worker_mean(metric, gold, votes, FEW, others=others) for others in (False, True))
        assert items is not None
        assert people is not None
        found[f"by worker, {metric}"] = items, people
    return found
