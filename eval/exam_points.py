"""The points of the Unified State Exam, tallied by exam task, by skill or in all."""

from collections.abc import Iterable
from dataclasses import dataclass

from eval.metrics.use_points import FULL


@dataclass(frozen=True)
class ExamPoints:
    """Points reached, and the most that could be."""

    reached: float
    most: float

    @property
    def whole(self) -> bool:
        """Whether this is all of a variant: only then is there a grade."""
        return self.most == FULL

    @property
    def share(self) -> float:
        """The points reached over the most, 0 to 1; NaN where there was nothing to reach."""
        return self.reached / self.most if self.most else float("nan")


def tally(worths: Iterable[tuple[str, tuple[float, ...]]]) -> dict[str, ExamPoints]:
    """The points (reached, most) of answers added up under their keys, in the order in which the keys first come."""
    found: dict[str, ExamPoints] = {}
    for key, (reached, most) in worths:
        before = found.get(key, ExamPoints(0.0, 0.0))
        found[key] = ExamPoints(before.reached + reached, before.most + most)
    return found
