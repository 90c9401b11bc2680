"""The parts of the Unified State Exam: numbers of exam tasks, the skills they test, points tallied by any of these."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eval.metrics.use_points import FULL, NUMBER

SKILLS: Mapping[str, tuple[int, ...]] = {
    "orthoepy": (4,),
    "vocabulary": (3, 5, 6, 24),
    "grammar": (7, 8),
    "spelling": tuple(range(9, 16)),
    "punctuation": tuple(range(16, 22)),
    "text analysis": (1, 2, 3, *range(22, 27)),
}
"""What the exam tests by the number of its tasks (MERA's description of USE); tasks 3 and 24 test two things."""


@dataclass(frozen=True)
class Points:
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


def exam_task(fields: Mapping[str, str]) -> str:
    """The number of the exam task that an item belongs to: "8" for each of 8_0 to 8_4."""
    return fields[NUMBER].split("_")[0]


def skills(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The skills that an item tests, none for a number that is not of the exam."""
    number = exam_task(fields)
    return tuple(skill for skill, numbers in SKILLS.items() if number.isdecimal() and int(number) in numbers)


def tally(worths: Iterable[tuple[str, tuple[float, ...]]]) -> dict[str, Points]:
    """The points (reached, most) of answers added up under their keys, in the order in which the keys first come."""
    found: dict[str, Points] = {}
    for key, (reached, most) in worths:
        before = found.get(key, Points(0.0, 0.0))
        found[key] = Points(before.reached + reached, before.most + most)
    return found
