"""Clusters in scores and comparisons."""

import numpy as np
import pytest
from scipy.stats import norm

from eval.ballots import answers
from eval.comparison.difference import difference
from eval.estimate import wilson
from eval.intervals.clusters import Clusters, Resampling
from eval.scoring import score

ITEMS = [f"q{number:03}" for number in range(120)]
GOLD = dict(zip(ITEMS, ["a", "b"] * 60, strict=True))
PASSAGES = Clusters("passage", {item: f"p{number // 10}" for number, item in enumerate(ITEMS)})


def test_scores_over_clusters_have_the_same_value_and_a_wider_interval() -> None:
    said = answers(
        dict.fromkeys(ITEMS[:60], "a") | {item: GOLD[item] for item in ITEMS[60:]}, items=ITEMS, labels=["a", "b"]
    )
    for metric in ("accuracy", "macro_f1"):
        alone, together = score([metric], GOLD, said)[metric], score([metric], GOLD, said, Resampling(PASSAGES))[metric]
        assert together.value == pytest.approx(alone.value)
        method = "wilson" if metric == "accuracy" else "bootstrap"
        assert (together.unit, together.method, together.n) == ("passage", method, 120)
        assert together.ci[1] - together.ci[0] > alone.ci[1] - alone.ci[0]
    # All right: it is Wilson's over the twelve passages.
    perfect = answers(GOLD, items=ITEMS, labels=["a", "b"])
    assert score(["accuracy"], GOLD, perfect, Resampling(PASSAGES))["accuracy"].ci[0] == pytest.approx(0.7575, abs=5e-4)


def test_a_mean_over_clusters_is_as_certain_as_one_of_fewer_answers() -> None:
    generator = np.random.default_rng(3)
    good = generator.random(12) < 0.6
    given = {item: GOLD[item] if good[n // 10] or n % 3 == 0 else "a" for n, item in enumerate(ITEMS)}
    right = np.array([given[item] == GOLD[item] for item in ITEMS]).reshape(12, 10)
    said = answers(given, items=ITEMS, labels=["a", "b"])
    found = score(["accuracy"], GOLD, said, Resampling(PASSAGES))["accuracy"]
    # By hand, with a thirteenth passage in which all is wrong: how much more the passages vary than 130 coins would.
    rights = np.append(right.sum(axis=1), 0)
    share = rights.sum() / 130
    effect = ((rights - 10 * share) ** 2).sum() / (130 * share * (1 - share))
    assert effect > 2
    assert found.ci == pytest.approx(wilson(right.mean() * 120 / effect, 120 / effect))
    plain = [right[generator.integers(12, size=12)].mean() for _ in range(4000)]
    low, high = np.quantile(plain, [0.025, 0.975])
    assert found.ci[0] < low < high < found.ci[1] + 0.015


def test_clusters_are_resampled_whole_in_a_comparison() -> None:
    # One passage of ten items tells the two apart: by items z = sqrt(10), by passages no evidence at all.
    first = answers(GOLD, items=ITEMS, labels=["a", "b", "x"])
    second = answers(
        {item: "x" if n < 10 else GOLD[item] for n, item in enumerate(ITEMS)}, items=ITEMS, labels=["a", "b", "x"]
    )
    alone, together = (difference("accuracy", GOLD, first, second, Resampling(c)) for c in (None, PASSAGES))
    assert alone.test == "mcnemar"
    assert alone.p == pytest.approx(2 * norm.sf(10**0.5))
    assert (together.test, together.unit) == ("bootstrap", "passage")
    assert together.p is not None
    assert together.p > 0.3
    assert together.as_dict()["unit"] == "passage"
    assert "unit" not in alone.as_dict()
    assert together.ci[1] > alone.ci[1]
