"""The human panel: item-weighted, leave-one-out, the ceiling."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom

from data.errors import BadSetting
from eval.intervals.beta_binomial import fit, lower_tail
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.wilson import wilson
from eval.people_scores import ceiling, item_weighted, leave_one_out
from eval.votes import Votes, code

GOLD = {"q1": "a", "q2": "b", "q3": "a", "q5": "z"}


def study(rows: str, items: list[str] | None = None) -> Votes:
    """Rows like "q1:aab q2:abb", the workers by their places; a dot is no judgment."""
    given = [row.split(":") for row in rows.split()]
    cells = [(item, f"w{place}", label) for item, said in given for place, label in enumerate(said) if label != "."]
    frame = pd.DataFrame(cells, columns=["item", "worker", "label"], dtype=object)
    return code(frame, items=items, labels=["a", "b", "c"])


VOTES = study("q1:aab q2:ab. q3:bbc q4:abc q5:a..", items=["q1", "q2", "q3", "q4", "q5"])


def test_every_item_weighs_the_same() -> None:
    # Right: 2 of 3, 1 of 2, 0 of 3; q4 has no gold, and nobody could give q5's.
    estimate = item_weighted(GOLD, VOTES)
    assert estimate is not None
    assert estimate.value == pytest.approx((2 / 3 + 1 / 2 + 0 + 0) / 4)
    assert (estimate.n, estimate.unit, estimate.method) == (4, "item", "wilson")


def test_the_ceiling_is_the_mean_of_the_largest_shares() -> None:
    estimate = ceiling(VOTES)
    assert estimate.value == pytest.approx((2 / 3 + 1 / 2 + 2 / 3 + 1 / 3) / 4)
    assert (estimate.n, estimate.against) == (4, "peers")
    assert ceiling(study("q1:a q2:b")).as_dict()["value"] is None


def test_without_gold_there_is_nothing_to_be_right_about() -> None:
    assert item_weighted({}, VOTES) is None
    unanswered = item_weighted({"q9": "a"}, study("q1:ab", items=["q1", "q9"]))
    assert unanswered is not None
    assert unanswered.as_dict()["value"] is None


def test_clusters_are_resampled_whole() -> None:
    votes = study(" ".join(f"q{n}:{'aaa' if n % 40 < 20 else 'bbb'}" for n in range(200)))
    gold = {f"q{n}": "a" for n in range(200)}
    passages = Clusters("passage", {f"q{n}": f"p{n // 20}" for n in range(200)})
    alone, together = item_weighted(gold, votes), item_weighted(gold, votes, Resampling(passages))
    assert alone is not None
    assert together is not None
    assert alone.value == together.value == 0.5
    # Ten passages that are all right or all wrong: sqrt(20) times the width.
    width, wide = alone.ci[1] - alone.ci[0], together.ci[1] - together.ci[0]
    assert wide / width == pytest.approx(20**0.5, rel=0.15)
    assert together.unit == "passage"
    assert leave_one_out(votes, Resampling(passages)).ci == pytest.approx(wilson(10, 10))
    with pytest.raises(BadSetting, match="The item 'q1' has no passage"):
        item_weighted(gold, votes, Resampling(Clusters("passage", {"q0": "p"})))


def test_the_fit_finds_the_beta_the_workers_came_from() -> None:
    trials = np.full(4000, 40)
    right = np.asarray(betabinom.rvs(trials, 6, 2, random_state=1))
    assert fit(right, trials) == pytest.approx((6, 2), rel=0.1)
    assert fit(np.array([]), np.array([])) == (0.5, 0.5)


def test_the_tail_is_that_of_scipy() -> None:
    assert lower_tail(7, 20, 6.5, 2.5) == pytest.approx(betabinom.cdf(7, 20, 6.5, 2.5))
    assert lower_tail(20, 20, 6.5, 2.5) == pytest.approx(1)
