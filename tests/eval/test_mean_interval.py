"""One interval for every mean: over answers, parts of credit and clusters, and at 1.000 as elsewhere."""

import numpy as np
import pytest
from scipy.stats import binom

from eval.ballots import individual
from eval.comparison.majority_of_k import majority_of_k
from eval.consensus.majority import majority
from eval.estimate import median_interval, wilson
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.mean import mean_interval
from eval.people_scores import item_weighted
from eval.scoring import score
from tests.eval.test_equivalence import annotations


@pytest.mark.parametrize("n", range(6, 60))
def test_the_median_lies_outside_its_interval_in_at_most_one_of_twenty_samples(n: int) -> None:
    low, high = median_interval(np.arange(1.0, n + 1))
    assert low + high == n + 1
    # The number of values below the median is binomial; with the next value as an end it would be more than 2.5%.
    assert binom.cdf(low - 1, n, 0.5) <= 0.025 < binom.cdf(low, n, 0.5)


@pytest.mark.parametrize(("right", "n"), [(0, 7), (3, 10), (10, 20), (265, 265)])
def test_of_right_and_wrong_answers_it_is_wilsons(right: int, n: int) -> None:
    counts = np.array([right, n - right])
    assert mean_interval(np.array([1.0, 0.0]), np.ones(2), counts) == wilson(right, n)


def test_one_wrong_item_does_not_make_a_share_over_passages_much_more_certain_than_none() -> None:
    sizes, all_right = np.full(8, 5.0), np.full(8, 5.0)
    one_wrong = all_right - np.eye(8)[0]
    none, one = (mean_interval(totals, sizes, np.ones(8)) for totals in (all_right, one_wrong))
    assert none == pytest.approx(wilson(8, 8))
    assert one[0] == pytest.approx(none[0], abs=0.07)


def test_one_score_has_one_interval_wherever_it_stands() -> None:
    votes, names = annotations(5, items=60, people=3)
    gold = dict(zip(votes.items, names, strict=True))
    passages = Clusters("passage", {item: f"p{place // 5}" for place, item in enumerate(votes.items)})
    for resampling in (Resampling(), Resampling(passages)):
        curve = majority_of_k(["accuracy"], gold, votes, resampling)
        alone = score(["accuracy"], gold, individual(votes), resampling)["accuracy"]
        by_item = item_weighted(gold, votes, resampling)
        crowd = score(["accuracy"], gold, majority(votes).ballots, resampling)["accuracy"]
        assert by_item is not None
        assert curve[1]["accuracy"].ci == pytest.approx(alone.ci)
        assert curve[1]["accuracy"].ci == pytest.approx(by_item.ci)
        assert curve[3]["accuracy"].ci == pytest.approx(crowd.ci)
        assert {each["accuracy"].method for each in curve.values()} == {"wilson"}


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1", "mcc"])
def test_the_curve_of_majorities_begins_with_single_answers_and_ends_with_the_majority(metric: str) -> None:
    # Four people of three labels: many items on which two and two are level.
    votes, names = annotations(3, items=60, people=4)
    gold = dict(zip(votes.items, names, strict=True))
    passages = Clusters("passage", {item: f"p{place // 5}" for place, item in enumerate(votes.items)})
    for resampling in (Resampling(), Resampling(passages)):
        curve = majority_of_k([metric], gold, votes, resampling)
        crowd = majority(votes).ballots
        assert (crowd.weights % 1 != 0).any()
        for k, said in ((1, individual(votes)), (4, crowd)):
            alone = score([metric], gold, said, resampling)[metric]
            assert curve[k][metric].value == pytest.approx(alone.value, abs=1e-12)
            assert curve[k][metric].ci == pytest.approx(alone.ci, abs=1e-9)
            assert curve[k][metric].method == alone.method
