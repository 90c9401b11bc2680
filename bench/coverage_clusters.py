"""Coverage of agreement and of macro-F1 over few clusters of items, people held fixed: a table of coverage.py."""

from collections.abc import Iterator

import numpy as np

from bench.coverage_paired import DRAWS, Row, error
from bench.coverage_people import World
from eval.agreement.of_votes import agreement_of
from eval.arrays import Floats
from eval.ballots import individual
from eval.intervals.clusters import Clusters, Resampling
from eval.scoring import score
from eval.votes import Votes

ALIKE = World(60, 0, 4, 0.0, skill=1.5)
"""Sixty people who are alike, so that other people would change nothing."""
FIGURES = ("alpha", "pairwise", "macro-F1")


def of_clusters(studies: int) -> Iterator[Row]:
    """Yield coverage and width of the intervals over so many passages, whose items are easy or hard together."""
    generator = np.random.default_rng(70)
    for passages, each in ((2, 20), (3, 20), (5, 10), (5, 20), (8, 10), (10, 20), (20, 10), (40, 10)):
        votes, gold = study(3000, each, generator)
        truth = {name: value for name, (value, _) in figures_of(votes, gold, Resampling(draws=2)).items()}
        held = dict.fromkeys(FIGURES, 0)
        wide = dict.fromkeys(FIGURES, 0.0)
        for number in range(studies):
            votes, gold = study(passages, each, generator)
            clusters = Clusters("passage", {name: f"p{n // each}" for n, name in enumerate(votes.items)})
            for name, (_, (low, high)) in figures_of(votes, gold, Resampling(clusters, DRAWS, number)).items():
                held[name] += low <= truth[name] <= high
                wide[name] += high - low
        shares = (part for n in FIGURES for part in (error(held[n] / studies, studies), f"{wide[n] / studies:.3f}"))
        yield passages, each, *shares


def study(passages: int, each: int, generator: np.random.Generator) -> tuple[Votes, dict[str, str]]:
    items = passages * each
    easy: Floats = np.repeat(generator.normal(size=passages), each) + generator.normal(size=items)
    return ALIKE.answered(np.full(ALIKE.workers, ALIKE.skill), easy, generator)


def figures_of(
    votes: Votes, gold: dict[str, str], resampling: Resampling
) -> dict[str, tuple[float, tuple[float, float]]]:
    agreed = agreement_of(votes, resampling)
    scored = score(["macro_f1"], gold, individual(votes), resampling)["macro_f1"]
    coefficients = {name: (agreed.values[name] or 0.0, agreed.cis[name]) for name in ("alpha", "pairwise")}
    return {**coefficients, "macro-F1": (scored.value, scored.ci)}
