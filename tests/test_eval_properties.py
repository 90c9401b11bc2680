from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.agreement import ac1, agreement, alpha, fleiss
from eval.ballots import individual
from eval.consensus import majority
from eval.humans import leave_one_out
from eval.metrics.table import METRICS
from eval.scoring import score
from eval.votes import Votes, code

ITEMS, LABELS = [f"q{number}" for number in range(8)], ["a", "b", "c"]
CELLS = st.tuples(st.sampled_from(ITEMS), st.sampled_from(["ann", "bob", "cid"]), st.sampled_from(LABELS))
ROWS = st.lists(CELLS, min_size=1, max_size=40)
GOLD = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(LABELS), min_size=1)
FEW = settings(max_examples=60, deadline=None)


def votes_of(rows: list[tuple[str, str, str]]) -> Votes:
    frame = pd.DataFrame(rows, columns=["item", "worker", "label"])
    return code(frame, items=sorted({*ITEMS, *frame["item"]}), labels=sorted({*LABELS, *frame["label"]}))


def numbers(votes: Votes, gold: dict[str, str]) -> dict[str, float]:
    """Every point value of a set of votes."""
    found = agreement(votes.counts, draws=1)
    values = {"pairwise": found.pairwise, "alpha": found.alpha, "ac1": found.ac1}
    values["leave_one_out"] = leave_one_out(votes, draws=1).value
    for name, ballots in {"individual": individual(votes), "majority": majority(votes, ties="wrong").ballots}.items():
        values |= {f"{name} {metric}": e.value for metric, e in score(list(METRICS), gold, ballots, draws=1).items()}
    return values


@FEW
@given(ROWS, GOLD, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(
    rows: list[tuple[str, str, str]], gold: dict[str, str], random: Random
) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)
    first, second = votes_of(rows), votes_of(shuffled)
    assert np.array_equal(first.counts, second.counts)
    for ties in ("fractional", "random"):
        one, other = majority(first, ties=ties, seed=1), majority(second, ties=ties, seed=1)
        estimates = [score(["accuracy", "mcc"], gold, each.ballots, draws=5) for each in (one, other)]
        assert repr(estimates[0]) == repr(estimates[1])


@FEW
@given(ROWS, GOLD, st.permutations(["c", "a", "b"]))
def test_the_names_of_labels_and_workers_do_not_matter(
    rows: list[tuple[str, str, str]], gold: dict[str, str], names: list[str]
) -> None:
    new = dict(zip(LABELS, names, strict=True))
    renamed = votes_of([(item, worker[::-1], new[label]) for item, worker, label in rows])
    new_gold = {item: new[label] for item, label in gold.items()}
    assert numbers(renamed, new_gold) == pytest.approx(numbers(votes_of(rows), gold), nan_ok=True)


@FEW
@given(GOLD, st.integers(2, 5))
def test_perfect_agreement_gives_one(gold: dict[str, str], overlap: int) -> None:
    votes = votes_of([(item, f"w{worker}", label) for item, label in gold.items() for worker in range(overlap)])
    assert alpha(votes.counts) == pytest.approx(1)
    assert ac1(votes.counts) == pytest.approx(1)
    assert fleiss(votes.counts) == pytest.approx(1 if len(set(gold.values())) > 1 else np.nan, nan_ok=True)
    assert leave_one_out(votes, draws=2).value == 1
    for ballots in (individual(votes), majority(votes).ballots):
        scores = score(["accuracy", "macro_f1"], gold, ballots, draws=2)
        assert {name: estimate.value for name, estimate in scores.items()} == pytest.approx(
            {"accuracy": 1, "macro_f1": 1}
        )


@FEW
@given(ROWS, GOLD)
def test_an_interval_holds_the_value_of_a_mean(rows: list[tuple[str, str, str]], gold: dict[str, str]) -> None:
    estimate = score(["accuracy"], gold, majority(votes_of(rows)).ballots)["accuracy"]
    if estimate.n:
        assert 0 <= estimate.ci[0] <= estimate.value + 1e-12
        assert estimate.value - 1e-12 <= estimate.ci[1] <= 1
