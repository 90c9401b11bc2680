"""People who sat an exam: a grade for each whole sitting, their mean and the histogram of their points."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.task import Item, Task
from eval.arrays import Floats, Integers
from eval.exam import Points, tally
from eval.intervals import Interval, percentile, resample
from eval.metrics.use_points import FULL, points

FEWEST = 2


@dataclass(frozen=True)
class Sitting:
    """What one person reached in one variant; `whole`: all of it was answered, and it is a complete variant."""

    worker: str
    variant: str
    points: Points

    @property
    def whole(self) -> bool:
        """Whether the sitting has a grade."""
        return self.points.whole


@dataclass(frozen=True)
class Grades:
    """The human row of an exam. `mean` is the mean of points / 34 over the `n` whole sittings, NaN where there is none.

    `ci` is a percentile bootstrap over the sittings, NaN below two of them. `histogram` leads from primary points to
    the number of sittings that reached them. `broken` counts the sittings without a grade.
    """

    mean: float
    ci: Interval
    n: int
    histogram: Mapping[int, int]
    broken: int


def sittings(task: Task, items: Sequence[Item], judgments: pd.DataFrame) -> list[Sitting]:
    """What every worker reached in every variant, from the counted judgments of main items that have gold.

    `judgments` has the columns item, worker, label and status, as `db.frames.judgments` gives them. An answer that was
    not given counts for nothing: the sitting is then no whole one.
    """
    known = {item.id: item for item in items if item.role == "main" and item.gold is not None}
    counted = judgments[(judgments["status"] == "counted") & judgments["item"].isin(list(known))]
    worths: dict[tuple[str, str], list[tuple[str, tuple[float, ...]]]] = {}
    for worker, name, label in counted[["worker", "item", "label"]].itertuples(index=False, name=None):
        item = known[name]
        worth = points(task.answer, item.fields, item.gold or "", label)
        variant = item.fields[task.cluster] if task.cluster else ""
        worths.setdefault((worker, variant), []).append((variant, worth))
    return [Sitting(worker, variant, tally(given)[variant]) for (worker, variant), given in sorted(worths.items())]


def grades(sat: Sequence[Sitting], *, draws: int = 2000, seed: int = 0) -> Grades:
    """The mean grade of the whole sittings with its interval, and the histogram of primary points."""
    reached = Counter(int(one.points.reached) for one in sat if one.whole)
    histogram = dict(sorted(reached.items()))
    number = reached.total()
    values = np.array(list(histogram), dtype=np.float64) / FULL
    times = np.array(list(histogram.values()), dtype=np.int64)
    mean = float(values @ times / number) if number else float("nan")

    def drawn(multiplicities: Integers) -> Floats:
        return np.asarray(multiplicities @ values / number)

    resampled = resample(times, drawn, draws=draws, generator=np.random.default_rng(seed)) if number >= FEWEST else None
    ci = (float("nan"), float("nan")) if resampled is None else percentile(resampled)
    return Grades(mean, ci, number, histogram, len(sat) - number)
