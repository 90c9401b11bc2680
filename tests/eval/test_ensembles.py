"""Majority-of-k: the exact chances against enumeration, by hand, and against the published gain of a majority."""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest

from data.errors import BadSetting
from eval.arrays import Floats, Integers
from eval.comparison.majority_of_k import crowd_of, majority_of_k, plurality_of
from eval.consensus.majority import majority
from eval.consensus.ties import WinningRule
from eval.intervals.clusters import Resampling
from eval.people_scores import item_weighted
from eval.scoring import score
from eval.votes import Votes, code


def enumerated(row: Integers, k: int) -> Floats:
    """Every way to draw k of the judgments, one after the other."""
    judgments = np.repeat(np.arange(len(row)), row)
    total = np.zeros(len(row))
    for drawn in combinations(range(len(judgments)), k):
        counts = np.bincount(judgments[list(drawn)], minlength=len(row))
        top = counts == counts.max()
        total += top / top.sum()
    return total / comb(len(judgments), k)


@pytest.mark.parametrize("k", range(1, 8))
def test_the_chances_are_those_of_every_draw(k: int) -> None:
    generator = np.random.default_rng(k)
    counts = np.array([generator.multinomial(size, [0.4, 0.3, 0.2, 0.1]) for size in (3, 5, 7, 7, 7, 8, 9)])
    found = plurality_of(counts, k)
    for row, chances in zip(counts, found, strict=True):
        expected = enumerated(row, k) if row.sum() >= k else np.zeros(4)
        assert chances == pytest.approx(expected, abs=1e-11)


def test_two_against_one_by_hand() -> None:
    # Of a, a, b: two drawn are aa (1 of 3) or ab (2 of 3, a tie).
    assert plurality_of(np.array([[2, 1]]), 2)[0] == pytest.approx([2 / 3, 1 / 3])
    assert plurality_of(np.array([[2, 1]]), 3)[0].tolist() == [1, 0]
    assert plurality_of(np.array([[2, 1]]), 4)[0].tolist() == [0, 0]


def test_fifty_judgments_over_twenty_labels_are_no_trouble() -> None:
    counts = np.random.default_rng(1).multinomial(50, [1 / 20] * 20, size=30)
    chances = plurality_of(counts, 25)
    assert chances.sum(axis=1) == pytest.approx(np.ones(30))
    assert (chances >= 0).all()


@pytest.mark.parametrize(("p", "three", "five"), [(0.70, 0.784, 0.837), (0.75, 0.844, 0.896), (0.80, 0.896, 0.942)])
def test_independent_people_gain_what_is_published(p: float, three: float, five: float) -> None:
    # An endless crowd in which a share p is right: drawing without replacement is then independent.
    crowd = np.array([[round(p * 10**6), round((1 - p) * 10**6)]])
    assert plurality_of(crowd, 3)[0, 0] == pytest.approx(three, abs=5e-4)
    assert plurality_of(crowd, 5)[0, 0] == pytest.approx(five, abs=5e-4)


@pytest.fixture
def votes() -> Votes:
    generator = np.random.default_rng(4)
    rows = [
        (f"q{item:02}", f"w{worker}", "abc"[item % 3] if generator.random() < 0.6 else "abc"[generator.integers(3)])
        for item in range(60)
        for worker in range(5 if item < 50 else 3)
    ]
    return code(pd.DataFrame(rows, columns=["item", "worker", "label"]))


GOLD = {f"q{item:02}": "abc"[item % 3] for item in range(60)}


def test_one_person_is_the_item_weighted_individual_and_all_are_the_majority(votes: Votes) -> None:
    found = majority_of_k(["accuracy", "macro_f1"], GOLD, votes, Resampling(draws=300))
    alone, full = item_weighted(GOLD, votes), score(["accuracy"], GOLD, majority(votes.keep(votes.item < 50)).ballots)
    assert alone is not None
    assert found[1]["accuracy"].value == pytest.approx(alone.value)
    assert found[5]["accuracy"].value == pytest.approx(full["accuracy"].value)
    assert {k: estimates["accuracy"].n for k, estimates in found.items()} == {1: 60, 2: 60, 3: 60, 4: 50, 5: 50}
    assert all(0 < estimates["macro_f1"].value < 1 for estimates in found.values())
    assert {scores["accuracy"].method for scores in found.values()} == {"wilson"}


def test_a_metric_of_the_corpus_is_near_its_mean_over_draws_of_k_people(votes: Votes) -> None:
    generator = np.random.default_rng(0)
    labels = np.array([np.repeat(np.arange(3), row) for row in votes.counts[:50]])
    values = []
    for _ in range(300):
        picked = np.array([generator.choice(row, 3, replace=False) for row in labels])
        one = code(
            pd.DataFrame(
                [(f"q{i:02}", f"w{n}", "abc"[label]) for i, row in enumerate(picked) for n, label in enumerate(row)],
                columns=["item", "worker", "label"],
            )
        )
        ballots = majority(one, WinningRule("random"), seed=int(generator.integers(10**6))).ballots
        values.append(score(["macro_f1"], GOLD, ballots, Resampling(draws=1))["macro_f1"].value)
    first = {item: label for item, label in GOLD.items() if item < "q50"}
    exact = majority_of_k(["macro_f1"], first, votes, Resampling(draws=2))[3]["macro_f1"].value
    assert exact == pytest.approx(np.mean(values), abs=0.02)


def test_no_gold_gives_nothing_and_nobody_is_no_crowd(votes: Votes) -> None:
    assert majority_of_k(["accuracy"], {}, votes) == {}
    assert score(["accuracy"], {"q00": "a"}, crowd_of(votes, 9))["accuracy"].method == "none"
    assert crowd_of(votes, 5).scored.sum() == 50
    with pytest.raises(BadSetting, match="at least 1 person"):
        plurality_of(votes.counts, 0)
