"""Numbers as a page writes them, and places on a common axis."""

from dataclasses import dataclass

from data.numbers import LONG_NUMBER, MINUS, interval, number
from eval.estimate import Estimate
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named

CLASSES = {"human": "people", "model": "models", "naive": "naive"}
"""The class of the colour of each kind of respondent."""
EDGE = 2.5  # per cent of the axis kept free on either side, so that a dot at the end is whole


def estimate_title(metric: Metric, estimate: Estimate) -> str:
    """Return what is said of a score on hover: its interval, how that was computed, of how many answers."""
    name = metric.title if estimate.against is None else f"Agreement with {estimate.against}"
    if estimate.method == "none":
        why = f"no interval, since there is only one {estimate.unit}" if estimate.n else "nothing to score"
        return f"{name} {number(estimate.value)}; {why}; n = {estimate.n}"
    how = "Wilson's" if estimate.method == "wilson" else estimate.method
    made = f"{how} over {estimate.unit}s"
    if estimate.ci_items is not None:
        made = f"for other people too; {made} alone {interval(estimate.ci_items)}"
    return f"{name} {number(estimate.value)}; 95% interval {interval(estimate.ci)} ({made}); n = {estimate.n}"


@dataclass(frozen=True)
class Axis:
    """The common axis of scores: all that the metric can be, never a part of it."""

    low: float
    high: float

    def at(self, value: float) -> float:
        """Return where a value stands, in per cent of the width."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(EDGE + share * (100 - 2 * EDGE), 2)

    def ticks(self) -> list[dict[str, object]]:
        """Return five marks with their words; three where these are long."""
        number_of = 4 if self.high < LONG_NUMBER else 2
        values = [self.low + part * (self.high - self.low) / number_of for part in range(number_of + 1)]
        return [{"at": self.at(value), "words": f"{value:g}".replace("-", MINUS)} for value in values]


def axis_of(metric: str) -> Axis:
    """Return the axis of a metric's scores."""
    return Axis(metric_named(metric).low, metric_named(metric).high)
