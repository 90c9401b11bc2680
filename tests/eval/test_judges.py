"""Judges: agreement with people, prediction-powered inference, and what they cover."""

from pathlib import Path

import numpy as np
import pytest

from bench.coverage_judges import POPULATIONS, coverage, yes_or_no
from data.errors import BadSetting
from eval.ballots import answers
from eval.consensus.majority import majority
from eval.estimate import Z, wilson
from eval.intervals.clusters import Clusters, Resampling
from eval.judges.agreement import alpha_beside, with_people
from eval.judges.ppi import (
    JudgedSample,
    PredictionPowered,
    corrected_score,
    judged_sample,
    people_alone,
    prediction_powered,
)
from eval.votes import code
from tests.helpers.pandalm import PEOPLE, judge, shares, votes

FEW = Resampling(draws=200)
PEOPLE_SAID = np.array([1.0, 0, 1, 1, 0, 1])
JUDGE_SAID = np.array([1.0, 0, 1, 0, 0, 1])
ALONE = np.array([1.0, 1, 0, 0, 1, 0, 1, 1, 0, 0])

# What ppi-python 0.2.3 gives (ppi_mean_pointestimate, ppi_mean_ci at alpha = 0.05, a normal interval) where people have
# judged the first n of PandaLM's items and GPT-3.5 all of them.
LIBRARY = {
    ("1", 100): (0.40484002, 0.32811933, 0.4815607),
    ("1", 300): (0.36051458, 0.31088047, 0.41014869),
    ("2", 100): (0.5365414, 0.45785057, 0.61523222),
    ("2", 300): (0.46239657, 0.41274786, 0.51204528),
    ("tie", 300): (0.19303337, 0.14842926, 0.23763748),
}


@pytest.mark.parametrize(("label", "n"), LIBRARY)
def test_the_corrected_share_is_that_of_the_authors_library(shared: Path, label: str, n: int) -> None:
    people, said = shares(shared, label)
    found = prediction_powered(JudgedSample(people[:n], said[:n], said[n:]))
    assert (found.value, *normal(found)) == pytest.approx(LIBRARY[label, n], abs=1e-8)
    assert found.ci == pytest.approx(LIBRARY[label, n][1:], abs=2 / n)  # Wilson's centre moves by z²/2 answers at most
    assert (found.method, found.n, found.alone) == ("ppi", n, 999 - n)


def normal(found: PredictionPowered) -> tuple[float, float]:
    return found.value - Z * found.error, found.value + Z * found.error


def test_the_corrected_mean_of_a_scale_is_that_of_the_authors_library() -> None:
    generator = np.random.default_rng(7)
    said = generator.integers(1, 6, 500).astype(float)
    people = np.clip(said[:80] + generator.integers(-1, 2, 80), 1, 5).astype(np.float64)
    found = prediction_powered(JudgedSample(people, said[:80], said[80:], 1, 5))
    assert (found.value, *normal(found)) == pytest.approx((3.05579829, 2.86273924, 3.24885735), abs=1e-8)


def test_a_small_sample_is_that_of_the_authors_library() -> None:
    found = prediction_powered(JudgedSample(PEOPLE_SAID, JUDGE_SAID, ALONE))
    assert (found.value, *normal(found)) == pytest.approx((0.66666667, 0.35363536, 0.97969798), abs=1e-8)
    answers = 2 / 9 / found.error**2  # so many of people alone, whose variance is 2/9, have this error
    assert found.ci == pytest.approx(wilson(2 / 3 * answers, answers), abs=1e-12)


def test_without_other_items_people_alone_are_what_counts() -> None:
    found = people_alone(JudgedSample(PEOPLE_SAID, JUDGE_SAID, ALONE))
    assert (found.weight, found.alone) == (0.0, 0)
    assert (found.value, found.worth) == pytest.approx((2 / 3, 6))
    assert found.ci == pytest.approx((0.29999, 0.90323), abs=5e-6)  # Wilson, 4 of 6


def test_a_judge_that_is_against_people_is_not_listened_to() -> None:
    found = prediction_powered(JudgedSample(PEOPLE_SAID, 1 - PEOPLE_SAID, ALONE))
    assert (found.weight, found.value, found.worth) == pytest.approx((0, 2 / 3, 6))


def test_people_who_all_say_the_same_have_wilsons_interval() -> None:
    found = prediction_powered(JudgedSample(np.ones(20), np.ones(20), np.array([1.0, 0])))
    assert found.method == "wilson"
    assert found.ci == pytest.approx((0.8389, 1.0), abs=5e-5)


def test_a_judge_never_seen_to_err_is_not_taken_for_one_that_cannot() -> None:
    people = np.array([1.0, 0] * 50)
    found = prediction_powered(JudgedSample(people, people, np.array([1.0, 0] * 5000)))
    # Two differing items more: a variance of at least 2 / 102 squared beside that of the many.
    assert found.ci[1] - found.ci[0] > 2 * 1.96 * 2**0.5 / 102 * 0.95
    assert found.worth < 10_000


def test_items_of_one_cluster_count_as_what_they_have_in_common() -> None:
    people, said = np.repeat(PEOPLE_SAID, 3), np.repeat(JUDGE_SAID, 3)
    groups, alone = np.repeat(np.arange(6), 3), np.repeat(np.arange(6, 16), 3)
    single = prediction_powered(
        JudgedSample(PEOPLE_SAID, JUDGE_SAID, ALONE, groups=np.arange(6), groups_alone=alone[::3])
    )
    found = prediction_powered(JudgedSample(people, said, np.repeat(ALONE, 3), groups=groups, groups_alone=alone))
    assert found.value == pytest.approx(single.value, abs=0.01)
    assert found.ci[1] - found.ci[0] == pytest.approx(single.ci[1] - single.ci[0], rel=0.05)


def test_the_number_of_answers_for_half_the_interval_gives_half_of_it(shared: Path) -> None:
    people, said = shares(shared, "2")
    generator = np.random.default_rng(0)
    orders = [generator.permutation(999) for _ in range(200)]

    def width(n: int) -> float:
        found = [prediction_powered(JudgedSample(people[o[:n]], said[o[:n]], said[o[n:]])).ci for o in orders]
        return float(np.mean([high - low for low, high in found]))

    needed = [prediction_powered(JudgedSample(people[o[:100]], said[o[:100]], said[o[100:]])).halving for o in orders]
    assert width(int(np.median([n for n in needed if n]))) == pytest.approx(width(100) / 2, rel=0.05)


def test_where_not_even_all_items_would_do_that_is_said() -> None:
    assert prediction_powered(JudgedSample(PEOPLE_SAID, JUDGE_SAID, ALONE)).halving is None
    assert people_alone(JudgedSample(PEOPLE_SAID, JUDGE_SAID, ALONE)).halving is None
    uncorrelated = JudgedSample(np.array([1.0, 1, 0, 0]), np.array([1.0, 0, 1, 0]), np.zeros(100))
    assert prediction_powered(uncorrelated).halving == 16  # people alone: four times as many


def test_people_and_judge_must_have_the_same_items() -> None:
    with pytest.raises(BadSetting, match=r"need the same items, got 6 and 10; what only the judge has"):
        JudgedSample(PEOPLE_SAID, ALONE, ALONE)


def test_pandalm_has_the_published_kappas_and_accuracy(shared: Path) -> None:
    said = votes(shared)
    single = [
        answers(
            {said.items[i]: said.labels[label] for i, label in zip(said.item[mine], said.label[mine], strict=True)},
            items=said.items,
            labels=said.labels,
        )
        for who in PEOPLE
        for mine in [said.worker == said.workers.index(who)]
    ]
    pairs = [with_people(single[a], single[b], FEW).kappa.value for a, b in ((0, 1), (0, 2), (1, 2))]
    assert pairs == pytest.approx([0.852, 0.879, 0.862], abs=5e-4)
    found = with_people(majority(said).ballots, judge(shared))
    assert found.equal.value == pytest.approx(0.698, abs=5e-4)
    assert found.equal.ci == pytest.approx((0.6685, 0.7254), abs=5e-5)  # Wilson, 697 of 999
    assert found.kappa.value == pytest.approx(0.476, abs=6e-4)
    assert (found.kappa.n, found.kappa.method) == (999, "bootstrap")
    assert found.kappa.ci[0] < 0.476 < found.kappa.ci[1]
    assert found.kappa.ci[1] - found.kappa.ci[0] == pytest.approx(0.09, abs=0.015)


def test_alpha_falls_where_the_judge_joins_people(shared: Path) -> None:
    found = alpha_beside(votes(shared), judge(shared), FEW)
    assert found.people.n == found.together.n == 974
    assert found.people.value > 0.85 > found.together.value


def test_items_of_which_people_have_no_answer_do_not_count() -> None:
    items, labels = ["a", "b", "c"], ["yes", "no"]
    people = answers({"a": "yes", "b": None}, items=items, labels=labels)
    said = answers({"a": "yes", "b": "yes", "c": "no"}, items=items, labels=labels)
    assert with_people(people, said, FEW).equal.n == 1
    sample = judged_sample(people, said, {"yes": 1})
    assert (sample.people.tolist(), sorted(sample.alone.tolist())) == ([1.0], [0.0, 1.0])


def test_without_common_items_there_is_nothing_to_agree_on() -> None:
    one, other = (answers({item: "yes"}, items=["a", "b"], labels=["yes", "no"]) for item in "ab")
    found = with_people(one, other, FEW)
    assert (found.equal.n, found.kappa.method) == (0, "none")
    assert corrected_score(judged_sample(one, other, {"yes": 1})).people.method == "none"


def test_a_tie_between_people_is_shared_out_and_counted() -> None:
    rows = [("a", "ann", "yes"), ("a", "bob", "yes"), ("b", "ann", "yes"), ("b", "bob", "no")]
    said = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=["yes", "no"])
    given = answers({"a": "yes", "b": "yes"}, items=said.items, labels=["yes", "no"])
    found = with_people(majority(said).ballots, given, FEW)
    assert (found.equal.value, found.equal.n, found.ties) == (0.75, 2, 1)


def test_with_clusters_agreement_resamples_them() -> None:
    items = [f"i{n}" for n in range(8)]
    people = answers(dict.fromkeys(items, "yes"), items=items, labels=["yes", "no"])
    said = answers({item: "yes" if n < 4 else "no" for n, item in enumerate(items)}, items=items, labels=["yes", "no"])
    passages = Resampling(Clusters("passage", {item: f"p{n // 2}" for n, item in enumerate(items)}), draws=200)
    found = with_people(people, said, passages)
    assert (found.equal.unit, found.equal.method) == ("passage", "wilson")
    # Of four passages two are all equal, two have none: they tell as much as four answers.
    assert found.equal.ci == pytest.approx(wilson(2, 4))


@pytest.mark.parametrize(
    ("points", "why"),
    [({"maybe": 1.0}, "'maybe', which is not one of 'yes', 'no'"), ({"yes": 1.0, "no": 1.0}, "tell labels apart")],
)
def test_points_that_make_no_sense_are_refused(points: dict[str, float], why: str) -> None:
    said = answers({"a": "yes"}, items=["a"], labels=["yes", "no"])
    with pytest.raises(BadSetting, match=why):
        judged_sample(said, said, points)


@pytest.mark.parametrize("population", ["yes or no, judge 90% right", "PandaLM, reply 2"])
def test_the_corrected_interval_holds_the_truth_as_often_as_it_says(shared: Path, population: str) -> None:
    found = coverage(POPULATIONS[population](shared), items=100, draws=400)
    assert 0.92 <= found.corrected <= 0.975  # the bench has 1,000 draws
    assert found.width < found.width_of_people


@pytest.mark.parametrize("share", [0.05, 0.9])
@pytest.mark.parametrize("right", [0.7, 0.95])
def test_the_interval_of_a_rare_label_holds_the_truth_from_five_expected_answers_on(share: float, right: float) -> None:
    found = coverage(yes_or_no(right, Path(), share), items=100, draws=2000)
    assert min(found.corrected, found.of_people) >= 0.93
    assert found.normal < found.corrected
    middle = coverage(yes_or_no(right, Path(), 0.5), items=100, draws=100)
    assert middle.width / middle.width_normal < 1.05


def test_items_of_one_cluster_alone_have_no_interval() -> None:
    sample = JudgedSample(PEOPLE_SAID, JUDGE_SAID, ALONE, groups=np.zeros(6, int), groups_alone=np.zeros(10, int))
    found = prediction_powered(sample)
    assert found.value == pytest.approx(2 / 3)
    assert np.isnan(found.ci).all()


def test_kappa_has_an_interval_where_all_agree_and_none_where_the_judge_always_says_the_same() -> None:
    items, labels = [f"i{n}" for n in range(20)], ["yes", "no"]
    people = answers({item: labels[n % 2] for n, item in enumerate(items)}, items=items, labels=labels)
    alike = with_people(people, people, FEW).kappa
    assert (alike.value, alike.ci[1]) == (1, 1)
    assert alike.ci[0] == pytest.approx(1 - (1 - wilson(20, 20)[0]) / 0.5)
    always = with_people(people, answers(dict.fromkeys(items, "yes"), items=items, labels=labels), FEW).kappa
    assert (always.value, always.method) == (0, "none")
    assert np.isnan(always.ci).all()
