"""`hb.consensus` and `hb.agreement` against crowd-kit and krippendorff on the same frame, by turns in one process.

    PYTHON bench/api_cost.py [--judgments 1000000] [--rounds 3]

PYTHON is the interpreter of an environment of its own that has crowd-kit, krippendorff and this package; crowd-kit
never enters ours.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parent.parent))

import human_baseline as hb

WORKERS, OVERLAP, LABELS = 100, 5, 4


def judgments(number: int) -> pd.DataFrame:
    """So many judgments of workers who know 7 of 10 answers and guess the others, numbers as ids, in random order."""
    generator = np.random.default_rng(1)
    task = np.repeat(np.arange(number // OVERLAP), OVERLAP)
    first = generator.integers(0, WORKERS, number // OVERLAP)
    worker = (
        np.repeat(first, OVERLAP) + np.tile(np.arange(OVERLAP) * (WORKERS // OVERLAP), number // OVERLAP)
    ) % WORKERS
    right = generator.random(number) < 0.7
    label = np.where(right, task % LABELS, generator.integers(0, LABELS, number))
    frame = pd.DataFrame({"task": task, "worker": worker, "label": label})
    return frame.iloc[generator.permutation(number)].reset_index(drop=True)


def texts_of(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with texts as ids and labels."""
    return frame.assign(**{name: name[0] + frame[name].astype(str) for name in ("task", "worker", "label")})


def ours(frame: pd.DataFrame) -> float:
    """The majority, four coefficients, and their intervals for other people and tasks."""
    hb.consensus(frame)
    return float(hb.agreement(frame)["alpha"].value)


def theirs(frame: pd.DataFrame) -> float:
    """The majority and alpha, which has no interval there."""
    import_module("crowdkit.aggregation").MajorityVote().fit_predict(frame)
    codes = frame.assign(label=frame["label"].astype("category").cat.codes.astype(float))
    matrix = codes.pivot(index="worker", columns="task", values="label").to_numpy()
    return float(import_module("krippendorff").alpha(matrix, level_of_measurement="nominal"))


def seconds(function: Callable[[pd.DataFrame], float], frame: pd.DataFrame) -> tuple[float, float]:
    """CPU seconds, and what came out."""
    start = time.process_time()
    value = function(frame)
    return time.process_time() - start, value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    numbers = judgments(options.judgments)
    for kind, make in {"numbers": lambda frame: frame, "texts": texts_of}.items():
        # Ours remembers columns of texts while they live: each round has new ones.
        frames = (make(numbers) for _ in range(options.rounds))
        rounds = [(*seconds(ours, frame), *seconds(theirs, frame)) for frame in frames]
        our, value, their, reference = map(statistics.median, zip(*rounds, strict=True))
        print(
            f"{kind:8} {our:6.2f} s of {their:6.2f} s: {our / their:.3f}; alphas differ by {abs(value - reference):.0e}"
        )


if __name__ == "__main__":
    main()
