from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.agreement.alpha import alpha
from eval.agreement.coefficients import agreement
from eval.ballots import individual
from eval.comparison.majority_of_k import plurality_of
from eval.consensus.dawid_skene import dawid_skene, one_coin
from eval.consensus.majority import majority
from eval.consensus.ties import WinningRule
from eval.intervals.clusters import Resampling
from eval.metrics.table import METRICS
from eval.people_scores import leave_one_out
from eval.scoring import score
from eval.votes import Votes, code
from tests.helpers.pair_coefficients import ac1, fleiss

LISTED = [metric.name for metric in METRICS.values() if metric.of_confusion]
ITEMS, LABELS = [f"q{number}" for number in range(8)], ["a", "b", "c"]
CELLS = st.tuples(st.sampled_from(ITEMS), st.sampled_from(["ann", "bob", "cid"]), st.sampled_from(LABELS))
ROWS = st.lists(CELLS, min_size=1, max_size=40)
GOLD = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(LABELS), min_size=1)


def votes_of(rows: list[tuple[str, str, str]]) -> Votes:
    frame = pd.DataFrame(rows, columns=["item", "worker", "label"])
    return code(frame, items=sorted({*ITEMS, *frame["item"]}), labels=sorted({*LABELS, *frame["label"]}))


def numbers(votes: Votes, gold: dict[str, str]) -> dict[str, float]:
    """Every point value of a set of votes."""
    found = agreement(votes.counts, Resampling(draws=1))
    values = {"pairwise": found.pairwise, "alpha": found.alpha, "ac1": found.values["ac1"] or 0.0}
    values["leave_one_out"] = leave_one_out(votes, Resampling(draws=1)).value
    for name, ballots in {
        "individual": individual(votes),
        "majority": majority(votes, WinningRule("wrong")).ballots,
    }.items():
        values |= {
            f"{name} {metric}": e.value for metric, e in score(LISTED, gold, ballots, Resampling(draws=1)).items()
        }
    return values


@given(ROWS, GOLD, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(
    rows: list[tuple[str, str, str]], gold: dict[str, str], random: Random
) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)
    first, second = votes_of(rows), votes_of(shuffled)
    assert np.array_equal(first.counts, second.counts)
    for ties in ("fractional", "random"):
        one, other = majority(first, WinningRule(ties), seed=1), majority(second, WinningRule(ties), seed=1)
        estimates = [score(["accuracy", "mcc"], gold, each.ballots, Resampling(draws=5)) for each in (one, other)]
        assert repr(estimates[0]) == repr(estimates[1])


@given(ROWS, GOLD, st.permutations(["c", "a", "b"]))
def test_the_names_of_labels_and_workers_do_not_matter(
    rows: list[tuple[str, str, str]], gold: dict[str, str], names: list[str]
) -> None:
    new = dict(zip(LABELS, names, strict=True))
    renamed = votes_of([(item, worker[::-1], new[label]) for item, worker, label in rows])
    new_gold = {item: new[label] for item, label in gold.items()}
    assert numbers(renamed, new_gold) == pytest.approx(numbers(votes_of(rows), gold), nan_ok=True)


@given(GOLD, st.integers(2, 5))
def test_perfect_agreement_gives_one(gold: dict[str, str], overlap: int) -> None:
    votes = votes_of([(item, f"w{worker}", label) for item, label in gold.items() for worker in range(overlap)])
    assert alpha(votes.counts) == pytest.approx(1)
    assert ac1(votes.counts) == pytest.approx(1)
    assert fleiss(votes.counts) == (pytest.approx(1) if len(set(gold.values())) > 1 else None)
    assert leave_one_out(votes, Resampling(draws=2)).value == 1
    for ballots in (individual(votes), majority(votes).ballots):
        scores = score(["accuracy", "macro_f1"], gold, ballots, Resampling(draws=2))
        assert {name: estimate.value for name, estimate in scores.items()} == pytest.approx(
            {"accuracy": 1, "macro_f1": 1}
        )


@given(ROWS, GOLD)
def test_an_interval_holds_the_value_of_a_mean(rows: list[tuple[str, str, str]], gold: dict[str, str]) -> None:
    estimate = score(["accuracy"], gold, majority(votes_of(rows)).ballots)["accuracy"]
    if estimate.n:
        assert 0 <= estimate.ci[0] <= estimate.value + 1e-12
        assert estimate.value - 1e-12 <= estimate.ci[1] <= 1


@given(st.dictionaries(st.sampled_from(ITEMS), st.tuples(st.sampled_from(LABELS), st.integers(0, 2)), min_size=1))
def test_a_worker_who_repeats_the_clear_winner_never_lowers_leave_one_out(items: dict[str, tuple[str, int]]) -> None:
    # Each item has one more vote for its winner than for any other label.
    rows = [
        (item, f"{label}{vote}", label)
        for item, (winner, others) in items.items()
        for label in LABELS
        for vote in range(others + (label == winner))
    ]
    with_another = rows + [(item, "echo", winner) for item, (winner, _) in items.items()]
    before, after = (leave_one_out(votes_of(each), Resampling(draws=1)).value for each in (rows, with_another))
    assert np.isnan(before) or after >= before - 1e-12


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 4))
def test_independent_answers_give_alpha_near_zero(seed: int, labels: int, overlap: int) -> None:
    shares = np.random.default_rng(seed).dirichlet([5] * labels)
    counts = np.random.default_rng(seed).multinomial(overlap, shares, size=2000)
    assert abs(alpha(counts)) < 0.1
    assert abs(alpha(counts, level="ordinal")) < 0.1


@given(ROWS, st.permutations(["c", "a", "b"]), st.randoms(use_true_random=False))
def test_models_of_the_crowd_know_neither_rows_nor_names(
    rows: list[tuple[str, str, str]], names: list[str], random: Random
) -> None:
    new = dict(zip(LABELS, names, strict=True))
    shuffled = [(item, worker[::-1], new[label]) for item, worker, label in rows]
    random.shuffle(shuffled)
    first, second = votes_of(rows), votes_of(shuffled)
    columns = [second.labels.index(new[label]) for label in first.labels]
    for model in (dawid_skene, one_coin):
        one, other = model(first, iterations=10).posterior, model(second, iterations=10).posterior
        assert other[:, columns] == pytest.approx(one, abs=1e-6)
    for k in (1, 2, 3):
        one, other = plurality_of(first.counts, k), plurality_of(second.counts, k)
        assert other[:, columns] == pytest.approx(one, abs=1e-11)


@given(ROWS)
def test_the_chances_of_a_majority_of_k_are_probabilities(rows: list[tuple[str, str, str]]) -> None:
    counts = votes_of(rows).counts
    overlap = counts.sum(axis=1)
    for k in range(1, int(overlap.max()) + 1):
        chances = plurality_of(counts, k)
        assert (chances >= 0).all()
        assert chances.sum(axis=1) == pytest.approx((overlap >= k).astype(float))
        assert not chances[counts == 0].any()
    full = majority(votes_of(rows)).ballots.weights[:, :-1]
    everybody = np.array([plurality_of(row[None], max(1, int(row.sum())))[0] for row in counts])
    assert everybody == pytest.approx(full)
