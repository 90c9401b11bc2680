"""How often the corrected score of a judge holds the truth: 1,000 draws of 100 items with people's answers.

    python bench/coverage_judges.py [--draws 1000] [--items 100]
    python bench/coverage_judges.py --shares [--draws 1000]

Each draw takes items from a population anew, with replacement; people have answered the first of them and the judge
all. The truth is the mean of people's answers over the population. With `--shares` the populations are shares from .05
to .95, of which people answer 100, 200 and 400 items, and judges that are right on 70% to 95% of them.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from data.console import print_text  # noqa: E402
from data.tables import table_of, text_table  # noqa: E402
from eval.arrays import Floats  # noqa: E402
from eval.estimate import Z  # noqa: E402
from eval.judges.ppi import JudgedSample, people_alone, prediction_powered  # noqa: E402
from tests.helpers.pandalm import shares  # noqa: E402


@dataclass(frozen=True)
class Population:
    """What people and a judge say of each item, between `low` and `high`."""

    people: Floats
    judge: Floats
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class Coverage:
    """How often each interval held the truth, and how wide it was.

    `normal` is the corrected score with 1.96 standard errors to either side, within the range of the points.
    """

    corrected: float
    of_people: float
    normal: float
    width: float
    width_of_people: float
    width_normal: float


def yes_or_no(right: float, _: Path, share: float = 0.6) -> Population:
    """Return 2,000 items, a share of which people say yes to, and a judge that agrees with them this often."""
    generator = np.random.default_rng(1)
    people = (generator.random(2000) < share).astype(float)
    return Population(people, np.where(generator.random(2000) < right, people, 1 - people))


def ratings(highest: float, _: Path) -> Population:
    """Return 2,000 ratings from 1 to 5, this part of them 5, the others level, that a judge misses by at most one."""
    generator = np.random.default_rng(2)
    people = 1 + generator.choice(5, 2000, p=[*[(1 - highest) / 4] * 4, highest]).astype(np.float64)
    return Population(people, np.clip(people + generator.integers(-1, 2, 2000), 1, 5), 1, 5)


def pandalm(label: str, shared: Path) -> Population:
    """Return the choice of most people and of GPT-3.5 between two replies, as the share of one label."""
    return Population(*shares(shared, label))


SHARES, LABELLED, RIGHT = (0.05, 0.1, 0.5, 0.9, 0.95), (100, 200, 400), (0.7, 0.8, 0.9, 0.95)
POPULATIONS: Mapping[str, Callable[[Path], Population]] = {
    "PandaLM, reply 1": partial(pandalm, "1"),
    "PandaLM, reply 2": partial(pandalm, "2"),
    "PandaLM, tie": partial(pandalm, "tie"),
    "yes or no, judge 70% right": partial(yes_or_no, 0.7),
    "yes or no, judge 90% right": partial(yes_or_no, 0.9),
    "yes or no, judge 99% right": partial(yes_or_no, 0.99),
    "ratings 1 to 5": partial(ratings, 0.2),
    "ratings 1 to 5, 90% of them 5": partial(ratings, 0.9),
}


def coverage(population: Population, *, items: int, draws: int) -> Coverage:
    """Return how often the intervals hold the truth where people judge so many of the items."""
    generator, size = np.random.default_rng(0), len(population.people)
    truth = float(population.people.mean())
    found: dict[str, list[tuple[float, float]]] = {"corrected": [], "people": [], "normal": []}
    for _ in range(draws):
        drawn = generator.integers(0, size, size)
        people, judge = population.people[drawn[:items]], population.judge[drawn]
        sample = JudgedSample(people, judge[:items], judge[items:], population.low, population.high)
        corrected = prediction_powered(sample)
        found["corrected"].append(corrected.ci)
        low, high = (corrected.value + side * Z * corrected.error for side in (-1, 1))
        found["normal"].append((max(low, population.low), min(high, population.high)))
        found["people"].append(people_alone(sample).ci)
    held = {name: np.mean([low <= truth <= high for low, high in each]) for name, each in found.items()}
    width = {name: np.mean([high - low for low, high in each]) for name, each in found.items()}
    return Coverage(*map(float, held.values()), *map(float, width.values()))


def print_shares(draws: int) -> None:
    """Print a row for each share and number of items, with the coverage for each judge."""
    rows = []
    for share in SHARES:
        for items in LABELLED:
            found = [coverage(yes_or_no(right, ROOT, share), items=items, draws=draws) for right in RIGHT]
            narrowest, widest = min(one.normal for one in found), max(one.width / one.width_normal for one in found)
            shown = (*(one.corrected for one in found), found[0].of_people, narrowest)
            rows.append((f"{share:g}", items, *(f"{each:.3f}" for each in shown), f"{widest:.2f}"))
    judges = tuple(f"judge {right:.0%} right" for right in RIGHT)
    header = ("share", "items of people", *judges, "people alone", "lowest of normal ones", "width beside theirs")
    print_text(text_table(table_of("", header, rows)))


def main() -> None:
    """Print a row for each population that can be had, or for each share."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--shares", action="store_true")
    asked = parser.parse_args()
    if asked.shares:
        print_shares(asked.draws)
        return
    shared = Path(os.environ.get("ETALON_SHARED", ROOT.parent / "shared")) / "data"
    rows = []
    for name, made in POPULATIONS.items():
        if name.startswith("PandaLM") and not shared.is_dir():
            continue
        one = coverage(made(shared), items=asked.items, draws=asked.draws)
        shown = (one.corrected, one.of_people, one.width, one.width_of_people)
        rows.append((name, *(f"{each:.3f}" for each in shown)))
    header = ("population", "corrected holds", "people alone", "width", "people alone")
    print_text(text_table(table_of("", header, rows)))


if __name__ == "__main__":
    main()
