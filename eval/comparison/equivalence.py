"""Equivalence: whether two respondents differ by less than an equivalence margin that was chosen beforehand.

"No significant difference" does not show that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from data.errors import BadSetting
from data.numbers import SIGNIFICANT
from eval.arrays import ends_or_none, number_or_none
from eval.ballots import Ballots
from eval.comparison.paired_bootstrap import compared
from eval.intervals.clusters import FEWEST_CLUSTERS, SINGLE_ITEMS, Resampling
from eval.intervals.wilson import UNDEFINED, Interval


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests (Schuirmann 1987) of a metric's difference a - b against a margin set beforehand.

    `ci` is the 90% interval of the difference, `p` the larger of the two one-sided p-values, `method` "score" or
    "bootstrap"; `equivalent` says that p < 0.05, which is that `ci` lies within the margin. `p_holm` is p adjusted for
    the other models of a table, None for a test by itself: then `equivalent` is that p_holm < 0.05. NaN, and never
    equivalent, without common items; without interval and test where these are in fewer than ten clusters. A
    difference may be significant and within the margin: it is there, and it is small.
    """

    value: float
    ci: Interval
    margin: float
    p: float
    equivalent: bool
    method: str
    n: int
    unit: str = "item"
    p_holm: float | None = None

    def adjusted(self, p_holm: float | None) -> "Equivalence":
        """The test as one of a table, with its adjusted p-value; None leaves it as it is."""
        return self if p_holm is None else replace(self, p_holm=p_holm, equivalent=p_holm < SIGNIFICANT)

    def as_dict(self) -> dict[str, object]:
        """The test as it stands in JSON; NaN becomes None."""
        shown: dict[str, object] = {"difference": number_or_none(self.value), "margin": self.margin}
        shown |= {"ci90": ends_or_none(self.ci), "p": number_or_none(self.p)}
        shown |= {} if self.p_holm is None else {"p_holm": self.p_holm}
        return shown | {"equivalent": self.equivalent, "method": self.method, "n": self.n, "unit": self.unit}


def equivalence(
    metric: str,
    gold: Mapping[str, str],
    a: Ballots,
    b: Ballots,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    margin: float,
) -> Equivalence:
    """Whether the metrics of `a` and `b` on the items both have scored differ by less than `margin`, either way.

    The tests are those of `difference`, one method for both (`paired_bootstrap`): two one-sided score tests where
    an item's one answer is right or wrong, else a paired bootstrap.

    Source: Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing
    the equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    >>> from eval.ballots import answers
    >>> gold = {f"q{n}": "a" for n in range(100)}
    >>> one, other = (answers(dict(gold, q0=label), items=list(gold), labels=["a", "b"]) for label in "ab")
    >>> equivalence("accuracy", gold, one, other, margin=0.1).equivalent
    True
    """
    if not 0 < margin < np.inf:
        raise BadSetting(f"The margin must be above 0, got {margin!r}; choose it before looking at the scores.")
    both = compared(metric, gold, a, b, resampling, fewest_clusters=FEWEST_CLUSTERS)
    value, known = both.first - both.second, both.known
    if known is None:
        return Equivalence(value, UNDEFINED, margin, float("nan"), False, "none", both.n, resampling.unit)
    p, method = known.p_within(margin), "score" if known.method == "mcnemar" else known.method
    return Equivalence(value, known.interval(0.9), margin, p, p < SIGNIFICANT, method, both.n, resampling.unit)
