import krippendorff
import numpy as np
import pandas as pd
import pytest

from eval.agreement.alpha import LEVELS, Level, alpha, alpha_interval
from eval.agreement.coefficients import COEFFICIENTS, agreement
from eval.arrays import Integers
from eval.estimate import wilson
from eval.intervals.clusters import Resampling
from eval.people_scores import leave_one_out
from eval.votes import Votes, code
from tests.helpers.pair_coefficients import ac1, fleiss, pairwise

pytestmark = pytest.mark.wheel
# AAAB, BBBB, ABAB, CCCA, AAAA, BBCC over A, B, C.
SIX = np.array([[3, 1, 0], [0, 4, 0], [2, 2, 0], [1, 0, 3], [4, 0, 0], [0, 2, 2]])


def uneven(seed: int, items: int = 120) -> Integers:
    generator = np.random.default_rng(seed)
    sizes = generator.integers(0, 6, items)
    return np.array([generator.multinomial(size, generator.dirichlet([0.4] * 4)) for size in sizes])


def votes_of(counts: Integers) -> Votes:
    rows = [
        (f"q{item}", f"w{place}", f"l{label}")
        for item, row in enumerate(counts)
        for place, label in enumerate(np.repeat(np.arange(len(row)), row))
    ]
    labels = [f"l{label}" for label in range(counts.shape[1])]
    frame = pd.DataFrame(rows, columns=["item", "worker", "label"], dtype=object)
    return code(frame, items=[f"q{item}" for item in range(len(counts))], labels=labels)


def test_six_items_by_four_raters_have_the_published_coefficients() -> None:
    found = agreement(SIX)
    # Agreement with one peer at a time, the LOO pairwise of the notes, is the mean of equal pairs.
    assert found.pairwise == pytest.approx((0.5 + 1 + 1 / 3 + 0.5 + 1 + 1 / 3) / 6)
    assert found.pairwise == pytest.approx(0.61111, abs=5e-6)
    assert found.alpha == pytest.approx(0.41982, abs=5e-6)
    assert found.values["fleiss"] == pytest.approx(0.39459, abs=5e-6)
    assert found.values["ac1"] == pytest.approx(0.42711, abs=5e-6)
    assert found.notes == ()


@pytest.mark.parametrize("seed", range(4))
def test_our_formula_of_alpha_equals_the_package(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = uneven(seed)
    by_package = alpha(counts)
    assert by_package == pytest.approx(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    monkeypatch.setattr("eval.agreement.alpha._PACKAGE_ELEMENTS", 0)
    assert alpha(counts) == pytest.approx(by_package, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_without_the_package_alpha_is_the_same(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    values = (1.0, 2.0, 3.5, 7.0)
    for seed in range(20):
        by_package = alpha(uneven(seed), level=level, values=values)
        monkeypatch.setattr("eval.agreement.alpha.krippendorff", None)
        assert alpha(uneven(seed), level=level, values=values) == pytest.approx(by_package, abs=1e-12)
        monkeypatch.undo()


def test_the_interval_of_alpha_is_that_of_the_package_on_resampled_items() -> None:
    counts = uneven(9)
    paired = counts[counts.sum(axis=1) > 1]
    generator = np.random.default_rng(1)
    samples = (paired[generator.integers(len(paired), size=len(paired))] for _ in range(1500))
    values = [krippendorff.alpha(value_counts=sample, level_of_measurement="nominal") for sample in samples]
    assert alpha_interval(counts, Resampling(draws=4000)) == pytest.approx(
        tuple(np.quantile(values, [0.025, 0.975])), abs=0.015
    )


def test_answers_that_are_all_equal_agree_by_convention() -> None:
    counts = np.array([[3, 0], [2, 0]])
    found = agreement(counts)
    assert (found.pairwise, found.alpha, found.values["ac1"], found.values["fleiss"]) == (1, 1, 1, None)
    # Nothing shows how another label would come in, so there is no interval; of the share of equal pairs there is.
    assert np.isnan(found.alpha_ci).all()
    assert found.cis["pairwise"] == wilson(2, 2)
    assert found.notes == (
        "All answers are equal: alpha is 1 by convention, without an interval, and Fleiss' kappa is not defined.",
    )
    assert agreement(np.array([[2, 0], [2, 0]])).as_dict()["fleiss"] is None


def test_without_a_second_answer_agreement_is_not_defined() -> None:
    found = agreement(np.array([[1, 0], [0, 1], [0, 0]]))
    assert {"pairwise", "alpha", "ac1", "fleiss", "similarity"} <= set(COEFFICIENTS)
    nothing: dict[str, object] = dict.fromkeys(COEFFICIENTS)
    nothing |= {f"{name}_ci": [None, None] for name in COEFFICIENTS}
    nothing |= {"distance": "nominal", "unit": "item"}
    assert found.as_dict() == nothing
    assert found.notes == ("No item has two answers, so agreement is not defined.",)
    assert agreement(np.zeros((0, 0), dtype=np.int64)).as_dict() == nothing


def test_where_no_two_answers_differ_alpha_has_the_interval_of_the_share_of_equal_pairs() -> None:
    found = agreement(np.array([[3, 0], [0, 3], [2, 0]]))
    # Of the 56 pairs of the eight answers 5 * 4 + 3 * 2 are equal by chance.
    assert (found.alpha, found.alpha_ci[1]) == (1, 1)
    assert found.alpha_ci[0] == pytest.approx(max(-1, 1 - (1 - wilson(3, 3)[0]) / (1 - 26 / 56)))
    assert "follow from Wilson's" in found.notes[0]


def test_one_label_leaves_ac1_undefined() -> None:
    counts = np.array([[3], [2]])
    assert np.isnan(ac1(counts))
    assert "AC1 needs at least two labels." in agreement(counts).notes


def test_labels_nobody_gave_count_for_ac1_only() -> None:
    wider = np.hstack([SIX, np.zeros((6, 2), dtype=np.int64)])
    assert (alpha(wider), fleiss(wider)) == (alpha(SIX), fleiss(SIX))
    assert ac1(wider) > ac1(SIX)


def test_fleiss_needs_the_same_number_of_answers_everywhere() -> None:
    assert fleiss(np.array([[3, 0], [1, 1]])) is None
    assert fleiss(np.array([[1, 0], [0, 1]])) is None
    assert fleiss(np.vstack([SIX, np.zeros((2, 3), dtype=np.int64)])) == fleiss(SIX)


def test_singletons_do_not_count_for_pairs() -> None:
    assert pairwise(np.array([[1, 0], [1, 1], [2, 0]])) == 0.5


def test_a_judgment_is_measured_against_the_plurality_of_the_others() -> None:
    found = leave_one_out(votes_of(SIX))
    assert found.value == pytest.approx(0.58333, abs=5e-6)
    assert (found.n, found.unit, found.method, found.against) == (24, "item", "wilson", "peers")
    assert found.as_dict()["against"] == "peers"
    assert found.ci[0] < found.value < found.ci[1]


def slow_leave_one_out(counts: Integers) -> float:
    credits = []
    for row in counts:
        for label in np.repeat(np.arange(len(row)), row) if row.sum() > 1 else ():
            others = row - np.eye(len(row), dtype=np.int64)[label]
            credits.append((others[label] == others.max()) / (others == others.max()).sum())
    return float(np.mean(credits))


@pytest.mark.parametrize("seed", range(4))
def test_leave_one_out_equals_the_loop_over_judgments(seed: int) -> None:
    counts = uneven(seed)
    found = leave_one_out(votes_of(counts), Resampling(draws=10))
    assert found.value == pytest.approx(slow_leave_one_out(counts))
    assert found.n == counts[counts.sum(axis=1) > 1].sum()


def test_peers_need_two_judgments_and_unanimity_is_not_certainty() -> None:
    alone = leave_one_out(votes_of(np.array([[1, 0], [0, 1]])))
    assert alone.as_dict()["value"] is None
    assert (alone.n, alone.method) == (0, "none")
    agreed = leave_one_out(votes_of(np.array([[3, 0], [0, 2]])))
    assert (agreed.value, agreed.method) == (1.0, "wilson")
    assert agreed.ci[0] < 0.6
