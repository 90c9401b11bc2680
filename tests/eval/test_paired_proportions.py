"""Tango's score interval and its tests: published worked examples, a second computation, and no contradictions."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from data.errors import BadSetting
from eval.comparison.paired_bootstrap import PairedCounts


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        (PairedCounts(1, 7, 21), -0.517, -0.026),  # Bentur et al. 2009 in Fagerland et al. 2014
        (PairedCounts(6, 16, 161), -0.1240, -0.0054),  # Cavo et al. 2012, there
    ],
)
def test_the_interval_is_that_of_the_worked_examples(counts: PairedCounts, low: float, high: float) -> None:
    assert counts.interval() == pytest.approx((low, high), abs=5e-4 if counts.n == 21 else 5e-5)


def test_the_test_of_no_difference_is_mcnemars_without_correction_as_published() -> None:
    found = PairedCounts(6, 16, 161)  # Cavo et al. 2012: Z = -2.132, P = 0.033006
    assert (found.statistic(), found.p) == pytest.approx((-2.132, 0.033006), abs=5e-4)
    assert found.p == pytest.approx(2 * norm.sf(10 / 22**0.5))


def test_the_ninety_percent_interval_is_that_of_another_program() -> None:
    # R, PropCIs: scoreci.mp(25, 28, 618, 0.90) is of the second minus the first.
    assert PairedCounts(28, 25, 618).interval(0.9) == pytest.approx((-0.0148, 0.0247), abs=5e-5)


def profile(counts: PairedCounts, difference: float) -> float:
    """Return the statistic with the variance at the likelihood's numeric maximum under that difference."""
    b, c, n = counts.only_first, counts.only_second, counts.n

    def surprise(second: float) -> float:
        first, rest = second + difference, 1 - 2 * second - difference
        return -float(b * np.log(max(first, 1e-300)) + c * np.log(max(second, 1e-300)) + (n - b - c) * np.log(rest))

    low, high = max(0.0, -difference), (1 - difference) / 2
    best = minimize_scalar(surprise, bounds=(low + 1e-12, high - 1e-12), method="bounded", options={"xatol": 1e-12}).x
    return float((b - c - n * difference) / (n * (2 * best + difference * (1 - difference))) ** 0.5)


@pytest.mark.parametrize("counts", [PairedCounts(12, 2, 50), PairedCounts(3, 9, 40), PairedCounts(1.5, 4, 30)])
@pytest.mark.parametrize("difference", [-0.3, -0.05, 0.04, 0.25])
def test_the_variance_is_that_of_the_likelihoods_maximum(counts: PairedCounts, difference: float) -> None:
    assert counts.statistic(difference) == pytest.approx(profile(counts, difference), rel=1e-4)


def test_interval_and_tests_never_contradict_each_other() -> None:
    for n, b in product((1, 5, 12, 30), range(31)):
        for c in range(n + 1 - b):
            found = PairedCounts(b, c, n)
            low, high = found.interval()
            assert low < high
            assert -1 <= low <= (b - c) / n <= high <= 1
            assert (found.p < 0.05) == (low > 0 or high < 0)
            low, high = found.interval(0.9)
            assert (found.p_within(0.1) < 0.05) == (low > -0.1 and high < 0.1)


def test_swapping_the_two_turns_the_sign() -> None:
    there, back = PairedCounts(4, 11.5, 60), PairedCounts(11.5, 4, 60)
    assert there.interval() == pytest.approx(tuple(-end for end in reversed(back.interval())))
    assert there.statistic(0.1) == pytest.approx(-back.statistic(-0.1))


def test_where_nobody_is_ahead_the_interval_is_that_of_what_could_have_been() -> None:
    bound = 1.959964**2 / (20 + 1.959964**2)
    assert PairedCounts(0, 0, 20).interval() == pytest.approx((-bound, bound))
    assert PairedCounts(0, 0, 20).p == 1
    assert PairedCounts(0, 0, 20, span=2).interval() == pytest.approx((-2 * bound, 2 * bound))
    assert PairedCounts(0, 0, 20, span=2).p_within(0.1) == PairedCounts(0, 0, 20).p_within(0.05)


@pytest.mark.parametrize("counts", [(3, 3, 5), (-1, 0, 5), (0, 0, 0)])
def test_what_counts_cannot_be(counts: tuple[int, int, int]) -> None:
    with pytest.raises(BadSetting, match="never more than all; got"):
        PairedCounts(*counts)


def test_a_confidence_in_percent_is_refused() -> None:
    with pytest.raises(BadSetting, match="Confidence must lie between 0 and 1, got 95"):
        PairedCounts(1, 2, 5).interval(95)
