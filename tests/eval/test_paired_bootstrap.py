"""The bootstrap of a difference: against one item by item, where nothing differs, and its tests beside its interval."""

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from eval.agreement.beside_people import single_rows
from eval.arrays import Integers
from eval.ballots import Ballots, answers, individual
from eval.comparison.difference import difference, equivalence
from eval.comparison.paired_bootstrap import PairedDraws
from eval.comparison.peer_difference import between
from eval.consensus.majority import majority
from eval.intervals.clusters import Clusters, Resampling
from eval.votes import code
from tests.helpers.measuring import evaluate

LABELS = ["a", "b", "c"]


def said(codes: Integers) -> Ballots:
    items = [f"q{n}" for n in range(len(codes))]
    given: dict[str, str | None] = dict(zip(items, (LABELS[code] for code in codes), strict=True))
    return answers(given, items=items, labels=LABELS)


def drawn(seed: int, items: int, first: float, second: float) -> tuple[Integers, Integers, Integers]:
    """Return codes of gold and of two respondents who are right with these probabilities, else one label further on."""
    generator = np.random.default_rng(seed)
    truth = generator.choice(3, items, p=[0.5, 0.3, 0.2])
    one, other = (np.where(generator.random(items) < share, truth, (truth + 1) % 3) for share in (first, second))
    return truth, one, other


def gold_of(truth: Integers) -> dict[str, str]:
    return {f"q{n}": LABELS[code] for n, code in enumerate(truth)}


def test_the_interval_is_that_of_a_bootstrap_item_by_item_with_one_made_up() -> None:
    truth, one, other = drawn(3, 40, 0.9, 0.8)
    found = difference("macro_f1", gold_of(truth), said(one), said(other))
    generator = np.random.default_rng(11)
    differing = np.flatnonzero(one != other)
    gaps = []
    for _ in range(1500):
        # One of 41 places is the made-up item: one on which they differ, swapped in half of the cases.
        place = generator.integers(41, size=41)
        item = np.where(place < 40, place, generator.choice(differing, 41))
        swapped = (place == 40) & (generator.random(41) < 0.5)
        first, second = np.where(swapped, other[item], one[item]), np.where(swapped, one[item], other[item])
        names = [[LABELS[code] for code in codes] for codes in (truth[item], first, second)]
        gaps.append(evaluate("macro_f1", names[0], names[1]) - evaluate("macro_f1", names[0], names[2]))
    assert found.test == "bootstrap"
    assert found.ci == pytest.approx(tuple(np.quantile(gaps, [0.025, 0.975])), abs=0.02)
    expected = 2 * np.mean(np.array(gaps) <= 0) if found.value > 0 else 2 * np.mean(np.array(gaps) >= 0)
    assert found.p == pytest.approx(expected, abs=0.05)


def test_the_made_up_item_keeps_an_interval_of_one_differing_item_from_zero_width() -> None:
    # Without it (1 - 1/20)^20 = 36% of samples lack the item, and 0 is an end of the interval; so is it of the truth.
    truth = np.arange(20) % 3
    other = truth.copy()
    other[4] = (truth[4] + 1) % 3
    found = difference("macro_f1", gold_of(truth), said(truth), said(other))
    assert found.ci[0] < 0 < found.value < found.ci[1]
    assert found.p is not None
    assert found.p > 0.2


@pytest.mark.parametrize("metric", ["macro_f1", "mcc"])
def test_two_who_never_differ_have_the_interval_of_what_could_have_been(metric: str) -> None:
    truth = np.arange(30) % 3
    found = difference(metric, gold_of(truth), said(truth), said(truth))
    span = 1 if metric == "macro_f1" else 2
    bound = span * 1.959964**2 / (30 + 1.959964**2)
    assert (found.value, found.test, found.p) == (0, "score", 1)
    assert found.ci == pytest.approx((-bound, bound))
    assert equivalence(metric, gold_of(truth), said(truth), said(truth), margin=0.05).method == "score"


def test_clusters_that_never_differ_count_as_clusters() -> None:
    truth = np.arange(30) % 3
    passages = Resampling(Clusters("passage", {f"q{n}": f"p{n // 3}" for n in range(30)}))
    found = difference("accuracy", gold_of(truth), said(truth), said(truth), passages)
    bound = 1.959964**2 / (10 + 1.959964**2)
    assert (found.unit, found.test) == ("passage", "score")
    assert found.ci == pytest.approx((-bound, bound))


def test_agreement_with_people_who_agree_over_few_clusters_has_the_interval_of_accuracy_against_them() -> None:
    truth, one, other = drawn(7, 40, 0.95, 0.7)
    passages = Resampling(Clusters("passage", {f"q{n}": f"p{n // 8}" for n in range(40)}))
    rows = [(item, worker, label) for item, label in gold_of(truth).items() for worker in ("ann", "bob")]
    votes = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=LABELS)
    beside = [single_rows(votes, said(each).on(votes.items)) for each in (one, other)]
    agreed = between(votes, beside[0], beside[1], passages)
    scored = difference("accuracy", gold_of(truth), said(one), said(other), passages)
    assert (agreed.value, agreed.n) == pytest.approx((scored.value, scored.n))
    assert agreed.ci == pytest.approx(scored.ci, abs=0.02)
    # Percentiles as they are would lie within 1.96 standard errors; these are as t of 4 degrees of freedom has them.
    rates = np.array([(one == truth)[n : n + 8].mean() - (other == truth)[n : n + 8].mean() for n in range(0, 40, 8)])
    assert agreed.ci[1] - agreed.ci[0] > 2 * 2.3 * rates.std(ddof=1) / 5**0.5


@pytest.mark.parametrize("metric", ["macro_f1", "mcc", "accuracy"])
@pytest.mark.parametrize("clustered", [False, True])
def test_interval_and_tests_are_never_of_two_minds(metric: str, clustered: bool) -> None:
    clusters = Clusters("passage", {f"q{n}": f"p{n // 2}" for n in range(60)}) if clustered else None
    for seed in range(25):
        truth, one, other = drawn(seed, 60, 0.95, 0.8 + 0.006 * seed)
        resampling = Resampling(clusters, draws=300, seed=seed)
        found = difference(metric, gold_of(truth), said(one), said(other), resampling)
        assert found.p is not None
        assert (found.p < 0.05) == (found.ci[0] > 0 or found.ci[1] < 0)
        equal = equivalence(metric, gold_of(truth), said(one), said(other), resampling, margin=0.15)
        assert equal.equivalent == (equal.ci[0] > -0.15 and equal.ci[1] < 0.15)


def test_the_ends_of_the_interval_are_the_last_values_that_the_test_does_not_reject() -> None:
    found = PairedDraws(np.sort(np.random.default_rng(2).normal(1, 1, 1999)))
    for level in (0.05, 0.1, 0.32):
        low, high = found.interval(1 - level)
        assert (low, high) == pytest.approx(norm.interval(1 - level, 1, 1), abs=0.15)
        for end, inside in ((low, 1e-6), (high, -1e-6)):
            assert PairedDraws(found.ordered - end - inside).p >= level
            assert PairedDraws(found.ordered - end + inside).p < level


def test_a_difference_beyond_all_draws_has_a_p_value_that_survives_many_comparisons() -> None:
    draws = np.sort(np.random.default_rng(3).normal(0.43, 0.04, 2000))
    assert PairedDraws(draws).p == pytest.approx(2 * norm.sf(0.43 / 0.04), rel=10)
    assert PairedDraws(draws).p_within(0.1) > 0.99
    # Ten clusters: draws that were expanded to t's width have its tail.
    wide = np.sort(0.43 + (draws - 0.43) * student.ppf(0.975, 9) / norm.ppf(0.975))
    assert PairedDraws(wide, degrees=9).p == pytest.approx(2 * student.sf(0.43 / 0.04, 9), rel=0.5)
    assert PairedDraws(np.arange(1.0, 41.0)).p <= 2 / 41


def test_people_who_are_all_of_one_mind_are_compared_alike_as_one_and_as_many() -> None:
    rows = [(f"q{n:02}", worker, "b" if n < 15 else "a") for n in range(21) for worker in "xyz"]
    columns = dict(zip(("item", "worker", "label"), map(list, zip(*rows, strict=True)), strict=True))
    votes, gold = code(columns), {f"q{n:02}": "b" for n in range(21)}
    model = answers({f"q{n:02}": "a" if n < 15 else "b" for n in range(21)}, items=votes.items, labels=["a", "b"])
    one, many = (difference("accuracy", gold, people, model) for people in (majority(votes).ballots, individual(votes)))
    assert (many.value, many.ci, many.p, many.test) == (one.value, one.ci, one.p, one.test)
    assert one.test == "mcnemar"
