"""Consensus, agreement, bootstrap and Dawid-Skene against np.bincount of the same array, in one run.

    python bench/eval_speed.py [--sizes 10000,100000,1000000] [--crowdkit PYTHON]

PYTHON is the interpreter of an environment of its own that has crowd-kit; it never enters ours.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from eval.agreement.alpha import alpha, alpha_interval
from eval.arrays import Integers
from eval.consensus.dawid_skene import dawid_skene
from eval.consensus.majority import majority
from eval.intervals.clusters import Resampling
from eval.votes import Votes

LABELS = 4
GOALS = {"majority": 3, "alpha": 15}
CROWD_KIT = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np, pandas as pd
from crowdkit.aggregation import DawidSkene, MajorityVote
given = np.load(sys.argv[1])
frame = pd.DataFrame({"task": given[0], "worker": given[1], "label": given[2]})
start = time.perf_counter(); MajorityVote().fit_predict(frame); majority = time.perf_counter() - start
start = time.perf_counter(); model = DawidSkene(n_iter=100).fit(frame); skene = time.perf_counter() - start
np.save(sys.argv[2], model.probas_.sort_index().reindex(columns=sorted(model.probas_.columns)).to_numpy())
print(json.dumps({"majority": majority, "dawid-skene": skene, "iterations": len(model.loss_history_)}))
"""


def judgments(number: int, *, overlap: int = 5, seed: int = 1) -> tuple[Integers, Integers, Integers]:
    """Item, worker and label codes of so many judgments by workers of different skill, in random order."""
    generator = np.random.default_rng(seed)
    items, workers = number // overlap, max(20, number // 200)
    skill = np.clip(generator.beta(6, 2.2, workers), 0.2, 0.99)
    truth = generator.choice(LABELS, items, p=np.arange(LABELS, 0, -1) / (LABELS * (LABELS + 1) / 2))
    item = np.repeat(np.arange(items), overlap)
    steps = np.arange(overlap) * (workers // overlap)
    worker = ((generator.integers(0, workers, items)[:, None] + steps) % workers).ravel()
    right = generator.random(number) < skill[worker]
    label = np.where(right, truth[item], (truth[item] + generator.integers(1, LABELS, number)) % LABELS)
    order = generator.permutation(number)
    return item[order], worker[order], label[order]


def votes_of(item: Integers, worker: Integers, label: Integers) -> Callable[[], Votes]:
    """Makes fresh votes, so that nothing counted before is kept; their dictionaries are made once."""
    names = [tuple(map(str, range(int(codes.max()) + 1))) for codes in (item, worker, label)]
    codes = [each.astype(np.int32) for each in (item, worker, label)]
    return lambda: Votes(*names, *codes)  # type: ignore[arg-type]


def consensus(votes: Votes) -> tuple[int, int]:
    """Majority with ties as statuses, and how many items are unanimous."""
    found = majority(votes)
    sizes = votes.counts.sum(axis=1)
    return found.number("tied"), int((votes.counts.max(axis=1, initial=0) == sizes).sum())


def fastest(functions: dict[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """The shortest of several runs of each in seconds, taken in turn: other users of the machine slow all alike."""
    seconds = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return seconds


def measure(number: int, crowdkit: str | None) -> dict[str, float]:
    """Seconds by what was measured."""
    item, worker, label = judgments(number)
    make = votes_of(item, worker, label)
    cells = item * LABELS + label
    counts = make().counts
    quick: dict[str, Callable[[], object]] = {
        "bincount": lambda: np.bincount(cells),
        "majority": lambda: consensus(make()),
        "alpha": lambda: alpha(counts),
        "1000 intervals": lambda: alpha_interval(counts, Resampling(draws=1000)),
    }
    slow: dict[str, Callable[[], object]] = {
        "dawid-skene": lambda: dawid_skene(make()),
        "its stopping": lambda: dawid_skene(make(), prior_per_judgment=True),
    }
    seconds = fastest(quick, rounds=25) | fastest(slow, rounds=3)
    if crowdkit:
        seconds |= library(crowdkit, make(), np.stack([item, worker, label]))
    return seconds


def library(python: str, votes: Votes, given: Integers) -> dict[str, float]:
    """crowd-kit's seconds on the same judgments, and the largest difference of the posteriors."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "given.npy", Path(folder) / "posterior.npy"
        np.save(source, given)
        command = [python, "-c", CROWD_KIT, str(source), str(target)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        theirs = np.load(target)
    times = json.loads(printed.splitlines()[-1])
    ours = dawid_skene(votes, prior_per_judgment=True)
    apart = float(np.abs(theirs - ours.posterior).max())
    print(
        f"  crowd-kit: {times['iterations']} iterations, ours {len(ours.objective)}; posteriors differ by {apart:.1e}"
    )
    return {"crowd-kit majority": times["majority"], "crowd-kit dawid-skene": times["dawid-skene"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--crowdkit", metavar="PYTHON")
    options = parser.parse_args()
    for number in map(int, options.sizes.split(",")):
        print(f"{number} judgments, overlap 5, {LABELS} labels")
        seconds = measure(number, options.crowdkit)
        for name, value in seconds.items():
            ratio = value / seconds["bincount"]
            goal = f"  (goal {GOALS[name]} at 1000000)" if name in GOALS else ""
            print(f"  {name:24} {value * 1000:10.2f} ms {ratio:9.1f} x bincount{goal}")
        print(f"  {'1000 intervals':24} {seconds['1000 intervals'] / seconds['alpha']:10.1f} x one alpha (goal 5)")
        if options.crowdkit:
            faster = seconds["crowd-kit dawid-skene"] / seconds["its stopping"]
            print(f"  {'dawid-skene':24} {faster:10.1f} x faster than crowd-kit, same stopping (goal 10)")


if __name__ == "__main__":
    main()
