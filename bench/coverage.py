"""How often intervals hold the truth and tests are wrong, as tables with their Monte Carlo error: about five minutes.

    python bench/coverage.py [--only score bootstrap] [--studies 300]

Each study draws items and workers from a known population; the truth is the mean over that population. Wanted is 95%
for what an interval claims to resample. "fixed crowd" keeps the workers, so only items vary; "new crowd" draws them
anew, which intervals over items alone do not claim to cover.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench import coverage_paired as paired
from bench.coverage_paired import error
from eval.agreement import alpha, alpha_interval
from eval.arrays import Floats, Mask
from eval.ballots import answers, individual
from eval.comparison import difference
from eval.consensus import majority
from eval.consensus_rules import MAJORITY
from eval.crossed import with_crossed
from eval.humans import leave_one_out
from eval.intervals import wilson
from eval.resampling import Clusters, Resampling
from eval.scoring import score
from eval.votes import Votes

DRAWS = 400


@dataclass(frozen=True)
class World:
    """Items have an easiness, workers a skill; a judgment is right with the logistic of their sum."""

    workers: int
    items: int
    overlap: int
    spread: float

    def skills(self, generator: np.random.Generator) -> Floats:
        return 1.0 + self.spread * generator.normal(size=self.workers)

    def study(self, skills: Floats, items: int, generator: np.random.Generator) -> tuple[Votes, dict[str, str]]:
        easy = generator.normal(size=items)
        worker = np.argsort(generator.random((items, self.workers)), axis=1)[:, : self.overlap]
        right = generator.random(worker.shape) < 1 / (1 + np.exp(-(skills[worker] + easy[:, None])))
        gold = generator.integers(0, 2, items)
        label = np.where(right, gold[:, None], 1 - gold[:, None])
        item = np.repeat(np.arange(items), self.overlap)
        names = tuple(f"q{n}" for n in range(items)), tuple(f"w{n}" for n in range(self.workers)), ("a", "b")
        votes = Votes(*names, item.astype(np.int32), worker.ravel().astype(np.int32), label.ravel().astype(np.int32))
        return votes, dict(zip(names[0], ("ab"[code] for code in gold), strict=True))


def humans(world: World, studies: int, *, new_crowd: bool, seed: int) -> dict[str, float]:
    """Coverage of the human panel's intervals."""
    generator = np.random.default_rng(seed)
    fixed = world.skills(generator)
    many = World(5000, 0, world.overlap, world.spread)
    pool = many.skills(generator)
    big, big_gold = (many.study(pool, 20_000, generator)) if new_crowd else (world.study(fixed, 60_000, generator))
    truth = {
        "majority": score(["accuracy"], big_gold, majority(big).ballots, Resampling(draws=2))["accuracy"].value,
        "individual": score(["accuracy"], big_gold, individual(big), Resampling(draws=2))["accuracy"].value,
        "leave-one-out": leave_one_out(big, Resampling(draws=2)).value,
        "alpha": alpha(big.counts),
    }
    truth |= {"majority crossed": truth["majority"], "individual crossed": truth["individual"]}
    hits = dict.fromkeys(truth, 0)
    for number in range(studies):
        skills = generator.choice(pool, world.workers, replace=False) if new_crowd else fixed
        votes, gold = world.study(skills, world.items, generator)
        for name, (low, high) in intervals(votes, gold, number).items():
            hits[name] += low <= truth[name] <= high
    return {name: hit / studies for name, hit in hits.items()}


def intervals(votes: Votes, gold: dict[str, str], seed: int) -> dict[str, tuple[float, float]]:
    found = {"alpha": alpha_interval(votes.counts, Resampling(draws=DRAWS, seed=seed))}
    found["leave-one-out"] = leave_one_out(votes, Resampling(draws=DRAWS, seed=seed)).ci
    for name, ballots in (("majority", majority(votes).ballots), ("individual", individual(votes))):
        plain = score(["accuracy"], gold, ballots, Resampling(draws=DRAWS, seed=seed))
        rule = MAJORITY if name == "majority" else None
        wide = with_crossed(plain, gold, votes, Resampling(draws=200, seed=seed), rule=rule)["accuracy"]
        found[name], found[f"{name} crossed"] = wide.ci, wide.ci_crossed or wide.ci
    return found


def models(items: int, studies: int, seed: int) -> dict[str, float]:
    """Coverage for a model: Wilson, macro-F1, clusters of ten, and the difference of two models."""
    generator = np.random.default_rng(seed)
    hits = dict.fromkeys(("wilson", "macro-F1", "clusters", "items, though clustered", "difference"), 0)
    names, labels = [f"q{n}" for n in range(items)], ["a", "b"]
    clusters = Clusters("passage", {name: f"p{n // 10}" for n, name in enumerate(names)})
    gold = {name: "ab"[n % 2] for n, name in enumerate(names)}

    def respond(right: Mask) -> dict[str, str | None]:
        return {name: gold[name] if hit else "ab"[gold[name] == "a"] for name, hit in zip(names, right, strict=True)}

    for number in range(studies):
        alone, other = (respond(generator.random(items) < share) for share in (0.8, 0.75))
        together = respond(generator.random(items) < np.repeat(generator.beta(8, 2, items // 10), 10))
        one, two, three = (answers(said, items=names, labels=labels) for said in (alone, other, together))
        right = sum(alone[name] == gold[name] for name in names)
        scored = score(["macro_f1"], gold, one, Resampling(draws=DRAWS, seed=number))["macro_f1"].ci
        passages, single = (
            score(["accuracy"], gold, three, Resampling(each, draws=DRAWS, seed=number))["accuracy"].ci
            for each in (clusters, None)
        )
        apart = difference("accuracy", gold, one, two, Resampling(draws=DRAWS, seed=number)).ci
        pairs = (wilson(right, items), 0.8), (scored, 0.8), (passages, 0.8), (single, 0.8), (apart, 0.05)
        for name, ((low, high), truth) in zip(hits, pairs, strict=True):
            hits[name] += low <= truth <= high
    return {name: hit / studies for name, hit in hits.items()}


def of_items(studies: int) -> Iterator[Sequence[object]]:
    """Yield the intervals of a model on 200 items."""
    yield from ((name, error(rate, studies)) for name, rate in models(200, studies, 1).items())


def of_people(studies: int) -> Iterator[Sequence[object]]:
    """Yield the intervals of people, where only items are drawn anew and where the crowd is as well."""
    world = World(workers=25, items=150, overlap=5, spread=0.7)
    fixed, new = (humans(world, studies, new_crowd=new_crowd, seed=2) for new_crowd in (False, True))
    yield from ((name, error(fixed[name], studies), error(new[name], studies)) for name in fixed)


PAIR = ("items", "accuracies", "correlation of errors", "just one right, expected")
SECTIONS: dict[str, tuple[str, Sequence[str], Callable[[int], Iterator[Sequence[object]]], int]] = {
    "items": ("A model on 200 items", ("interval", "coverage"), of_items, 300),
    "people": ("People", ("interval", "coverage, same crowd", "coverage, new crowd"), of_people, 300),
    "score": (
        "Paired shares of right answers: the score method",
        (*PAIR, "coverage", "told apart", "interval and test contradict"),
        paired.score_method,
        4000,
    ),
    "size": (
        "The score test's size, exact: the largest over shares of items on which the two differ",
        ("items", "they differ on half or fewer", "on any share"),
        paired.size,
        0,
    ),
    "bootstrap": (
        "Paired macro-F1: the bootstrap with a made-up item",
        (*PAIR, "coverage", "told apart", "width zero"),
        paired.bootstrap,
        1000,
    ),
    "clusters": (
        "Paired accuracy over passages of five items",
        ("passages", "spread of their easiness", "coverage", "told apart"),
        paired.clustered,
        1000,
    ),
    "equivalence": (
        "Two one-sided score tests, margin 5 points",
        ("items", "people", "truly apart, points", "called equivalent"),
        paired.equals,
        4000,
    ),
    "holm": ("Any of five models in 500 items", ("models", "each by itself", "with Holm"), paired.families, 2000),
    "smallest": (
        "The smallest difference that is printed",
        ("metric", "items", "people", "printed, points", "power in the test that is printed"),
        paired.smallest,
        2000,
    ),
    "worth": (
        "Accurate as a majority of k people, 500 items",
        ("people", "true k", "coverage", "stable: a number is told"),
        paired.worth,
        500,
    ),
}
"""A table each: its title, its columns, what computes its rows, and how many studies it simulates by itself."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, help="simulated studies for each row; each table has its own number")
    parser.add_argument("--only", choices=SECTIONS, nargs="+", default=list(SECTIONS))
    asked = parser.parse_args()
    for name in asked.only:
        title, columns, rows, usual = SECTIONS[name]
        studies = usual and (asked.studies or usual)
        simulated = f"{studies} studies a row; per cent ± Monte Carlo error" if studies else "per cent"
        print(f"\n{title}: {simulated}\n")
        print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
        for row in rows(studies):
            print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
