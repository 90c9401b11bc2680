"""How often the alternative-annotator test lets a model take an annotator's place: tables of coverage.py.

A model that is exactly as good as people answers as one more of them would, apart from them.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product

import numpy as np

from bench.coverage_paired import Row, error
from bench.coverage_peers import MANY_ITEMS, Labelled, PeerStudy, PeerWorld, Rated
from bench.coverage_people import World
from eval.comparison.alt_test import AlternativeTest, alternative_annotator, worse_by_less

EPSILONS = 0.1, 0.15, 0.2
PEOPLE, VOTES = (3, 5, 10, 20), 5
ITEMS = 10, 20, 50, 100, 200, 400
"""How many items a person has beside the model, on average."""


def of_one_person(studies: int) -> Iterator[Row]:
    """Yield the test of one person: how often a model wins that is worse by the margin, and one as good."""
    generator = np.random.default_rng(11)
    for items, epsilon, level in product((10, 29, 30, 100, 400), EPSILONS, (0.9, 0.7, 0.4)):
        rates = []
        for worse in (epsilon, 0.0):
            shares = (level, (1 - level + worse) / 2, (1 - level - worse) / 2)
            if shares[2] < -1e-9:
                rates.append("cannot be")
                continue
            apart = generator.choice([0.0, 1.0, -1.0], size=(studies, items), p=np.maximum(shares, 0))
            won = sum(worse_by_less(each, epsilon)[1] < 0.05 for each in apart)
            rates.append(error(won / studies, studies))
        yield items, "wilcoxon" if items < 30 else "t", epsilon, f"{level:.0%}", *rates


def of_whole_test(studies: int, *, worse: bool = False) -> Iterator[Row]:
    """Yield, for worlds of equally good people, how often a model that is as good as they are passes the whole test.

    `worse`: instead one that agrees with people less than one of them does, by epsilon, as it errs on some items.
    """
    for (words, made), items in product(WORLDS.items(), ITEMS):
        passed, level = np.zeros((len(EPSILONS), len(PEOPLE))), 0.0
        for column, people in enumerate(PEOPLE):
            generator, votes = np.random.default_rng(0), min(VOTES, people)
            world = made(people, items * people // votes, votes)
            errs = _errs(made(people, MANY_ITEMS, votes)) if worse else dict.fromkeys(EPSILONS, 0.0)
            for _ in range(studies):
                study = world.study(generator)
                tests = [_test(study, each, errs[each], generator) for each in EPSILONS]
                passed[:, column] += [bool(test.passed) for test in tests]
                level += _level(tests[0]) / studies / len(PEOPLE)
        for epsilon, row in zip(EPSILONS, passed / studies, strict=True):
            yield words, f"{level:.0%}", items, epsilon, *(error(each, studies) for each in row)


def _errs(world: PeerWorld) -> dict[float, float]:
    """Return on what share of items a model has to err, to agree by each epsilon less than one of the people does."""
    generator = np.random.default_rng(1)
    wins = _test(world.study(generator), 0.1, 1.0, generator).wins
    return {epsilon: epsilon / float(wins.human.mean() - wins.model.mean()) for epsilon in EPSILONS}


def _level(test: AlternativeTest) -> float:
    return float((test.wins.human & test.wins.model).mean())


def _test(study: PeerStudy, epsilon: float, errs: float, generator: np.random.Generator) -> AlternativeTest:
    """Return the test of a model that gives another answer than people's on such a share of items, at random."""
    labels = len(study.like.labels)
    code = study.like.weights.argmax(axis=1)
    other = (code + generator.integers(1, labels, len(code))) % labels
    code = np.where(generator.random(len(code)) < errs, other, code)
    given = {item: study.like.labels[each] for item, each in zip(study.like.items, code.tolist(), strict=True)}
    return alternative_annotator(study.votes, given, epsilon=epsilon, scale=study.scale)


def _labelled(people: int, items: int, votes: int, skill: float) -> PeerWorld:
    return Labelled(World(people, items, votes, 0.0, skill=skill))


WORLDS: Mapping[str, Callable[[int, int, int], PeerWorld]] = {
    "two labels, skill 3": partial(_labelled, skill=3.0),
    "two labels, skill 1": partial(_labelled, skill=1.0),
    "rating 1 to 5": partial(Rated, lean=0.0),
}
"""What people, so many, answer, on so many items with so many votes each."""
