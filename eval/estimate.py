"""An estimate: a number with its 95% interval, what the interval resamples, and how many answers are behind it."""

from dataclasses import dataclass

from eval.arrays import ends_or_none, number_or_none
from eval.intervals.wilson import UNDEFINED, Interval


@dataclass(frozen=True)
class Estimate:
    """A number with its 95% interval.

    `unit` is what the interval resamples, `method` is "wilson", "bootstrap" or "none" (nothing to estimate, or all
    in one cluster), `n` the number of answers behind the number. `against` names the standard where that is not gold.
    `ci` holds for other items, given the people who answered; where it holds for other people too
    (`eval.intervals.other_people`) `ci_items` is the narrower one over items alone, else None.
    """

    value: float
    ci: Interval
    unit: str
    method: str
    n: int
    against: str | None = None
    ci_items: Interval | None = None

    @property
    def interval_method(self) -> str:
        """How `ci` was made: over items, and where it holds for other people too, over these as well.

        >>> Estimate(0.9, (0.8, 1.0), "item", "wilson", 40, ci_items=(0.85, 0.95)).interval_method
        'wilson, jackknife over people'
        """
        return self.method if self.ci_items is None else f"{self.method}, jackknife over people"

    def as_dict(self) -> dict[str, object]:
        """The estimate as it stands in JSON; NaN becomes None."""
        shown: dict[str, object] = {"value": number_or_none(self.value), "ci": ends_or_none(self.ci), "unit": self.unit}
        shown |= {"method": self.method, "n": self.n}
        if self.against is not None:
            shown["against"] = self.against
        if self.ci_items is not None:
            shown["ci_items"] = ends_or_none(self.ci_items)
        return shown


def nothing(unit: str, against: str | None = None) -> Estimate:
    """The estimate where there is nothing to estimate from: NaN with an interval of NaN.

    >>> nothing("item").n
    0
    """
    return Estimate(float("nan"), UNDEFINED, unit, "none", 0, against)
