"""Coverage of what a majority of k people scores: a table of coverage.py.

Every study draws items and workers anew; the truth is what studies of as many answers have on average.
"""

from collections.abc import Iterator

import numpy as np

from bench.coverage_paired import Row, error
from bench.coverage_people import FEW, World
from eval.comparison.majority_of_k import majority_of_k
from eval.estimate import Estimate


def of_majorities(studies: int) -> Iterator[Row]:
    """Yield coverage and width of what a majority of k of these people scores, over new items."""
    sized = World(8, 60, 4, 0.7), World(8, 150, 4, 0.7), World(8, 150, 4, 0.7, skill=3.0)
    for number, world in enumerate(sized):
        generator = np.random.default_rng(60 + number)
        skills = world.skills(generator)
        estimates: dict[tuple[int, str], list[Estimate]] = {}
        for _ in range(studies):
            votes, gold, _ = world.study(skills, world.items, generator)
            for k, scores in majority_of_k(["accuracy", "macro_f1"], gold, votes, FEW, sizes=(1, 3, 4)).items():
                for metric, estimate in scores.items():
                    estimates.setdefault((k, metric), []).append(estimate)
        for (k, metric), found in estimates.items():
            truth, ends = float(np.mean([each.value for each in found])), np.array([each.ci for each in found])
            held = float(((ends[:, 0] <= truth) & (truth <= ends[:, 1])).mean())
            yield world.words, k, metric, f"{truth:.3f}", error(held, studies), f"{np.ptp(ends, axis=1).mean():.3f}"
