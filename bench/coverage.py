"""How often the intervals of eval hold the truth: a bounded simulation, about a minute.

    python bench/coverage.py [--studies 300]

Each study draws items and workers from a known population; the truth is the mean over that population. Wanted is 95%
for what an interval claims to resample. "fixed crowd" keeps the workers, so only items vary; "new crowd" draws them
anew, which intervals over items alone do not claim to cover.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=300)
    studies = parser.parse_args().studies
    print(f"{studies} studies each; 95% wanted, +-{196 * (0.95 * 0.05 / studies) ** 0.5:.1f} points of chance")
    print("models, 200 items:", shown(models(200, studies, 1)))
    world = World(workers=25, items=150, overlap=5, spread=0.7)
    for new_crowd in (False, True):
        print(
            "new crowd:  " if new_crowd else "fixed crowd:", shown(humans(world, studies, new_crowd=new_crowd, seed=2))
        )


def shown(rates: dict[str, float]) -> str:
    return ", ".join(f"{name} {100 * rate:.1f}%" for name, rate in rates.items())


if __name__ == "__main__":
    main()
