"""Whom the rules on workers find: a bounded simulation through the real service on SQLite, a few minutes.

    python bench/bad_workers.py [--crowds 20] [--items 60]

Crowds of good and bad workers answer side by side, one of two answers to each item, every fourth item a control. First
all rules only flag, which gives the share of each kind that a rule finds at least once with Wilson's 95% interval; for
controls beside what the planner says. Then the defaults hold and who fails the controls is excluded, which gives what
that saves and what it costs.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from db.engine import Database, opened
from eval.estimate import wilson
from eval.workers.control import Posterior, stopped_along
from tests.helpers.bad_workers import CROWD, TIRES, Outcome, play, rates

RULES = ("control", "fast", "constant", "pattern", "disagreement", "copying")

FLAGGED: dict[str, object] = {name: {"action": "flag"} for name in RULES} | {"fast": {"action": "flag", "seconds": 3}}
ACCURACY = {"90%": 0.9, "80%": 0.8, "copied": 0.7, "copying": 0.7}
CHANCE = 0.5


def predicted(kind: str, controls: int) -> float:
    """Return how often the planner expects the default rule on controls to find a worker of this kind."""
    before = TIRES // 4 if kind == "good, then bad" else 0
    accuracy = ACCURACY.get(kind, CHANCE)
    return stopped_along(Posterior(CHANCE, minimum=10), [0.9] * before + [accuracy] * (controls - before))


def crowds(database: Database, number: int, items: int, label: str, quality: dict[str, object]) -> list[Outcome]:
    """Let so many crowds work, each on a study of its own."""
    found = []
    for crowd in range(number):
        found += play(database, CROWD, name=f"{label}-{crowd}", main=items, quality=quality)
        print(f"{label}: {crowd + 1} of {number} crowds", file=sys.stderr, flush=True)
    return found


def show_rates(outcomes: Sequence[Outcome], items: int) -> None:
    """Print whom each rule finds, in percent."""
    print("found at least once, %, with 95% intervals; planner: what the control rule should find")
    print(f"{'kind':15}{'n':>4}{'planner':>9}" + "".join(f"{rule:>19}" for rule in RULES))
    by_rule = {rule: rates(outcomes, rule) for rule in RULES}
    for kind, (_, n) in by_rule[RULES[0]].items():
        met = [one.counted - items for one in outcomes if one.kind == kind]
        expected = sum(predicted(kind, controls) for controls in met) / n
        cells = []
        for rule in RULES:
            hit, low, high = by_rule[rule][kind][0], *wilson(by_rule[rule][kind][0], n)
            cells.append(f"{100 * hit / n:.0f} [{100 * low:.0f}, {100 * high:.0f}]")
        print(f"{kind:15}{n:>4}{100 * expected:>9.1f}" + "".join(f"{cell:>19}" for cell in cells))


def show_worth(outcomes: Sequence[Outcome]) -> None:
    """Print what excluding those who fail the controls saves and costs, in answers a worker."""
    print("\nexcluded by controls as by default; answers to main and control items, mean of a worker")
    print(f"{'kind':15}{'n':>4}{'excluded, %':>13}{'count':>9}{'made void':>11}{'never asked':>13}")
    usual = max(one.counted + one.void for one in outcomes)
    for kind in dict.fromkeys(one.kind for one in outcomes):
        mine = [one for one in outcomes if one.kind == kind]
        n = len(mine)
        out, count, void = (sum(map(float, column)) / n for column in zip(*map(_fate, mine), strict=True))
        print(f"{kind:15}{n:>4}{100 * out:>13.0f}{count:>9.1f}{void:>11.1f}{max(0.0, usual - count - void):>13.1f}")


def _fate(one: Outcome) -> tuple[float, float, float]:
    return float(one.stopped), one.counted, one.void


def main() -> None:
    """Read the arguments and print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crowds", type=int, default=20)
    parser.add_argument("--items", type=int, default=60, help="main items of each study")
    given = parser.parse_args()
    with TemporaryDirectory() as place, opened(f"sqlite:///{place}/crowds.db") as database:
        show_rates(crowds(database, given.crowds, given.items, "flagged", FLAGGED), given.items)
        show_worth(crowds(database, given.crowds, given.items, "excluded", {}))


if __name__ == "__main__":
    main()
