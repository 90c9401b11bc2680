"""How much too good people score who were chosen by controls that are scored as well: a table of coverage.py.

Each study draws people and their answers. The truth is what those who were not left out score when they answer the
same controls afresh.
"""

from collections.abc import Iterator

import numpy as np

from bench.coverage_paired import Row
from eval.arrays import Floats, Mask

WORKERS, VOTES = 20, 5
PEOPLE = {
    "all of .85": (0.85,),
    "one in five of .5, the others of .9": (0.5, 0.9, 0.9, 0.9, 0.9),
    "of .6, .7, .8, .9, .95": (0.6, 0.7, 0.8, 0.9, 0.95),
}
"""How often people are right, each kind as often as the others."""
SIZES = (40, 0), (10, 0), (5, 0), (10, 30), (10, 100)
"""Controls, which everybody answers, and other scored items, which five answer."""


def of_scored_controls(studies: int) -> Iterator[Row]:
    """Yield, for people, thresholds and numbers of items, in how many studies somebody fails and the bias in these."""
    for words, kinds in PEOPLE.items():
        for threshold in (0.5, 0.8):
            for controls, others in SIZES:
                generator = np.random.default_rng(0)
                studied = [_study(generator, kinds, threshold, controls, others) for _ in range(studies)]
                apart = 100 * np.array([each for each in studied if each is not None])
                few = len(apart) < studies / 20
                bias = [f"{each.mean():+z.1f} ±{1.96 * each.std() / len(each) ** 0.5:.1f}" for each in apart.T]
                shown = ["too few", "too few"] if few else bias
                yield f"{WORKERS} people, {words}", threshold, controls, others, f"{len(apart) / studies:.0%}", *shown


def _study(
    generator: np.random.Generator, kinds: tuple[float, ...], threshold: float, controls: int, others: int
) -> tuple[float, float] | None:
    """Return by how much single answers and the majority are too good, None where nobody fails, or all do."""
    right = np.array(kinds)[generator.integers(len(kinds), size=WORKERS)]
    items = controls + others
    first, afresh = (generator.random((items, WORKERS)) < right for _ in range(2))
    stay = first[:controls].mean(axis=0) >= threshold
    if stay.all() or not stay.any():
        return None
    afresh[controls:] = first[controls:]
    place = generator.random((items, WORKERS)).argsort(axis=1)
    given = stay & ((np.arange(items)[:, None] < controls) | (place < VOTES))
    (single, majority), (single_truth, majority_truth) = (_scores(hit, given) for hit in (first, afresh))
    return single - single_truth, majority - majority_truth


def _scores(hit: Mask, given: Mask) -> tuple[float, float]:
    """Return the mean over items of the share of right answers, and of the majority; level votes are half right."""
    votes = given.sum(axis=1)
    share: Floats = (hit & given).sum(axis=1)[votes > 0] / votes[votes > 0]
    return float(share.mean()), float(((np.sign(share - 0.5) + 1) / 2).mean())
