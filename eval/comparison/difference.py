"""Two respondents on the same items: how far they are apart, and whether chance explains it or they are equivalent.

Where several are compared, p-values are adjusted by Holm's correction for multiple comparisons. "No significant
difference" does not show that two differ by less than an equivalence margin, which is chosen beforehand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import BadSetting
from data.numbers import SIGNIFICANT
from eval.arrays import ends_or_none, number_or_none
from eval.ballots import Ballots
from eval.comparison.paired_bootstrap import PairedCounts, compared
from eval.estimate import UNDEFINED, Interval
from eval.intervals.clusters import FEWEST_CLUSTERS, SINGLE_ITEMS, Resampling
from eval.intervals.jackknife import LEAST_UNITS, p_of_interval


@dataclass(frozen=True)
class Difference:
    """The metric of a minus that of b over the `n` items both have scored.

    `ci` is its 95% interval and `p` the two-sided p-value, both of one method, `test`: "mcnemar" is the score method
    for answers that are right or wrong, "bootstrap" resamples `unit`s, "score" stands in for it where no sample
    differs; None for "none". `only` are the items that just a and just b has right where the method is the first,
    `of_b` is the metric of b over those n items.
    Where interval and p hold for other people too (test "people", `people_difference`) `over_items` is the
    difference as it holds for these people.
    """

    value: float
    ci: Interval
    p: float | None
    test: str
    n: int
    unit: str = "item"
    only: tuple[float, float] | None = None
    of_b: float = float("nan")
    over_items: "Difference | None" = None

    def as_dict(self) -> dict[str, object]:
        """The difference as it stands in JSON; NaN becomes None, and the unit is named where it is not the item."""
        shown: dict[str, object] = {"difference": number_or_none(self.value), "ci": ends_or_none(self.ci)}
        shown |= {"p": self.p, "test": self.test, "n": self.n}
        shown |= {"only_first": self.only[0], "only_second": self.only[1]} if self.only else {}
        shown |= {"over_items": self.over_items.as_dict()} if self.over_items else {}
        return shown if self.unit == "item" else shown | {"unit": self.unit}


def difference(
    metric: str, gold: Mapping[str, str], a: Ballots, b: Ballots, resampling: Resampling = SINGLE_ITEMS
) -> Difference:
    """The metric of `a` minus that of `b` on the items with gold that both have scored.

    Interval and test are one method, so they never contradict each other (`paired_bootstrap`): the score method
    (Tango 1998; its test is McNemar's without correction) where an item's one answer is right or wrong, else a paired
    bootstrap over items, or over the clusters of `resampling`. A single cluster has neither interval nor test. NaN
    without common items.

    >>> from eval.ballots import answers
    >>> gold = {f"q{n}": "a" for n in range(20)}
    >>> always, often = (answers(dict(gold, q0=label), items=list(gold), labels=["a", "b"]) for label in "ab")
    >>> found = difference("accuracy", gold, always, often)
    >>> round(found.value, 2), found.only, found.test
    (0.05, (1.0, 0.0), 'mcnemar')
    """
    both = compared(metric, gold, a, b, resampling)
    value, known = both.first - both.second, both.known
    if known is None:
        return Difference(value, UNDEFINED, None, "none", both.n, resampling.unit)
    only = None
    if isinstance(known, PairedCounts) and known.method == "mcnemar":
        only = known.only_first, known.only_second
    return Difference(value, known.interval(), known.p, known.method, both.n, resampling.unit, only, both.second)


def over_people(over_items: Difference, ci: Interval) -> Difference:
    """Return a difference with its interval over items and people, and the p-value of that; as it was without one."""
    if np.isnan(ci[0]) or over_items.n < LEAST_UNITS:
        return over_items
    p = max(p_of_interval(over_items.value, ci), over_items.p or 0.0)
    return replace(over_items, ci=ci, p=p, test="people", over_items=over_items)


BETTER, WORSE, UNCLEAR, AS_GOOD = "better", "worse", "no clear difference", "as good"


def verdict(difference: float, p: float | None, *, equal: bool = False) -> str:
    """What a difference from people comes to: `p` is adjusted over the models, `equal` says it is within the margin.

    >>> verdict(-0.1, 0.01), verdict(-0.1, 0.2), verdict(-0.01, 0.01, equal=True), verdict(0.1, None)
    ('worse', 'no clear difference', 'as good', '')
    """
    if equal or p is None:
        return AS_GOOD if equal else ""
    return UNCLEAR if p >= SIGNIFICANT else BETTER if difference > 0 else WORSE


def holm(p_values: Sequence[float | None], families: Sequence[str] = ()) -> list[float | None]:
    """Holm's adjusted p-values (1979) of a table of tests, in its order: below 0.05 means significant in the table.

    The chance of any false finding among them stays below the level. None stays None and is no test. With `families`
    (one name for each test) each family is a table of its own: naive baselines ask nothing of the models beside them.

    Args:
        p_values: From 0 to 1; None is no test.

    Source: Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6,
    65-70.

    >>> holm([0.01, 0.04, 0.03], ["model", "naive", "model"])
    [0.02, 0.04, 0.03]
    """
    if families:
        by_place: dict[int, float | None] = {}
        for family in set(families):
            places = [place for place, each in enumerate(families) if each == family]
            by_place |= zip(places, holm([p_values[place] for place in places]), strict=True)
        return [by_place[place] for place in range(len(p_values))]
    known = [(p, place) for place, p in enumerate(p_values) if p is not None]
    if wrong := [p for p, _ in known if not 0 <= p <= 1]:
        raise BadSetting(f"A p-value must lie between 0 and 1, got {wrong[0]!r}.")
    adjusted: list[float | None] = [None] * len(p_values)
    least = 0.0
    for rank, (p, place) in enumerate(sorted(known)):
        least = max(least, min(1.0, p * (len(known) - rank)))
        adjusted[place] = least
    return adjusted


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
