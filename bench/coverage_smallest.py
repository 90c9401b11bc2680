"""Power of the smallest difference that is printed, in the test that it is printed for: tables of coverage.py."""

from collections.abc import Iterator

import numpy as np

from bench.coverage_paired import DRAWS, Pair, Row, error
from bench.coverage_people import FEW, WORLDS, World, model, one_answer, population
from eval.ballots import answers
from eval.comparison.difference import difference
from eval.comparison.paired_proportions import PairedCounts
from eval.comparison.people_difference import ReferencePeople, wider_differences
from eval.comparison.smallest_difference import THESE_PEOPLE, people_spread, smallest_difference
from eval.intervals.clusters import Resampling
from eval.metrics.table import metric_named
from eval.votes import Votes

PRINTED = 40
"""So many studies of a world print their own smallest difference; the model is worse by their mean."""


INDEPENDENT = None
SHAPES = (
    (265, 0.985, False, INDEPENDENT),
    (500, 0.97, False, INDEPENDENT),
    (50, 0.8, False, INDEPENDENT),
    (265, 0.985, False, 0.5),
    (140, 0.83, False, 0.9),
    (50, 0.8, True, INDEPENDENT),
    (140, 0.83, True, 0.9),
    (500, 0.9, True, 0.5),
)
"""Items, people's accuracy, whether the model is above them, what the worse has right of what the better has not."""


def smallest(studies: int) -> Iterator[Row]:
    """Yield the power of the printed smallest difference in the test that is printed."""
    for n, people, above, share in SHAPES:
        gold = {f"q{place}": "a" for place in range(n)}
        said = {item: "b" if place < round(n * (1 - people)) else "a" for place, item in enumerate(gold)}
        ballots = answers(said, items=list(gold), labels=["a", "b"])
        found = smallest_difference("accuracy", gold, ballots, by_model=share, by_people=share)
        least = (found.above if above else found.value) if found else None
        right = sum(said[item] == "a" for item in gold) / n
        better, worse = (right + (least or 0.0), right) if above else (right, right - (least or 0.0))
        only_worse = (1 - better) * (worse if share is None else share)
        only = only_worse + better - worse, only_worse
        drawn = np.random.default_rng(7).multinomial(n, [*only, 1 - sum(only)], size=studies).tolist()
        shown = sum(PairedCounts(b, c, n).p < 0.05 for b, c, _ in drawn)
        together = "independent" if share is None else f"{share:.0%} of them"
        printed = "none" if least is None else f"{100 * least:.1f} {'above' if above else 'below'}"
        yield "accuracy", n, people, together, printed, error(shown / studies, studies)
    yield _smallest_macro_f1(studies)


def _smallest_macro_f1(studies: int) -> Row:
    """Every study prints its own smallest difference; the model is worse by their mean."""
    n, people, generator = 300, 0.8, np.random.default_rng(8)
    printed = []
    for seed in range(40):
        gold, one, _ = Pair.of(people, people, 0.0).study(n, generator)
        found = smallest_difference("macro_f1", gold, one, Resampling(seed=seed))
        printed += [found.value] if found and found.value else []
    least = float(np.mean(printed))
    worse = next(share for share in np.arange(people, 0.4, -0.001) if Pair.of(people, share, 0.0).truth >= least)
    pair, shown = Pair.of(people, float(worse), 0.0), 0
    for seed in range(studies):
        p = difference("macro_f1", *pair.study(n, generator), Resampling(draws=DRAWS, seed=seed)).p
        shown += p is not None and p < 0.05
    printed_least = f"{100 * least:.1f} below"
    return "macro-F1, classes .5/.3/.2", n, people, "independent", printed_least, error(shown / studies, studies)


def smallest_over_people(studies: int) -> Iterator[Row]:
    """Yield the power of the smallest difference of the test for other people too, and of that of the other test.

    In the last column each model is worse by what one study printed, and tested in another.
    """
    worlds = [(world, "accuracy") for world in (*WORLDS, World(20, 265, 5, 0.7, skill=3.0))]
    for number, (world, metric) in enumerate([*worlds, (WORLDS[0], "macro_f1")]):
        generator = np.random.default_rng(30 + number)
        known = population(world, np.random.default_rng(number))
        printed = np.array([_printed(world, metric, generator) for _ in range(PRINTED)])
        narrow, wide = np.nanmean(printed, axis=0)
        own = printed[~np.isnan(printed[:, 1]), 1]
        shown = []
        for study in range(studies):
            votes, gold, easy = world.study(world.skills(generator), world.items, generator)
            right = known.crowd(easy)
            people = _people(votes, gold, metric)
            said = [
                model(votes, gold, generator.random(world.items) < right * (1 - apart / known.truth["majority"]))
                for apart in (narrow, wide, own[study % len(own)])
            ]
            plain = [difference(metric, gold, each, people.people, FEW) for each in said]
            shown.append(
                [each.p < 0.05 for each in wider_differences(plain, said, people) if each and each.p is not None]
            )
        power = [error(float(share), studies) for share in np.mean(shown, axis=0)]
        points = (f"{100 * narrow:.1f}", power[0], f"{100 * wide:.1f}", power[1], f"{100 * own.std():.1f}")
        yield world.words, metric, *points, power[2]


def _printed(world: World, metric: str, generator: np.random.Generator) -> tuple[float, float]:
    """What one study prints for these people, and for other people too; NaN where all there is is too little."""
    votes, gold, _ = world.study(world.skills(generator), world.items, generator)
    people = _people(votes, gold, metric)
    both = THESE_PEOPLE, people_spread(people) or THESE_PEOPLE
    found = (smallest_difference(metric, gold, people.people, spread=spread) for spread in both)
    narrow, wide = (each.value if each else None for each in found)
    return narrow or np.nan, wide or np.nan


def _people(votes: Votes, gold: dict[str, str], metric: str) -> ReferencePeople:
    return ReferencePeople(metric_named(metric), gold, votes, one_answer(votes), one_answer)
