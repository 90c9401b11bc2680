from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)

from data.answers.rating import Rating
from data.errors import UnknownName
from eval.metrics.metric import Metric
from eval.metrics.ratings import moments, pair_of_points, spearman, weighted_kappa
from eval.metrics.table import METRICS, metric_named
from tests.helpers.measuring import evaluate

LABELS = ["a", "b", "c"]


def sample(seed: int, given: Sequence[str | None]) -> tuple[list[str], list[str | None]]:
    generator = np.random.default_rng(seed)
    gold = [str(label) for label in generator.choice(LABELS, 80, p=[0.6, 0.3, 0.1])]
    places = generator.integers(len(given), size=80)
    return gold, [
        right if generator.random() < 0.5 else given[place] for right, place in zip(gold, places, strict=True)
    ]


@pytest.mark.parametrize("given", [["a", "b", "c"], ["a"], ["a", "c", None], [None]])
@pytest.mark.parametrize("seed", range(5))
def test_metrics_equal_those_of_scikit_learn(seed: int, given: list[str | None]) -> None:
    gold, answered = sample(seed, given)
    named = [label or "no answer" for label in answered]
    macro: dict[str, Any] = {"labels": sorted({*gold}), "average": "macro", "zero_division": 0}
    expected = {
        "accuracy": accuracy_score(gold, named),
        "macro_f1": f1_score(gold, named, **macro),
        "macro_precision": precision_score(gold, named, **macro),
        "macro_recall": recall_score(gold, named, **macro),
        "mcc": matthews_corrcoef(gold, named),
    }
    assert {name: evaluate(name, gold, answered) for name in expected} == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", [m for m in METRICS.values() if m.of_confusion], ids=lambda metric: str(metric.name))
class TestEveryMetric:
    def test_right_answers_get_the_best_value(self, metric: Metric) -> None:
        name = metric.name
        assert evaluate(name, ["a", "b", "a"], ["a", "b", "a"]) == pytest.approx(METRICS[name].high)

    def test_empty_input_has_no_value(self, metric: Metric) -> None:
        name = metric.name
        assert np.isnan(evaluate(name, [], []))
        assert np.isnan(evaluate(name, [], [], labels=LABELS))

    def test_many_confusions_at_once_are_each_on_its_own(self, metric: Metric) -> None:
        name = metric.name
        confusions = np.random.default_rng(3).integers(0, 4, (2, 5, 3, 4)).astype(float)
        together = METRICS[name].confusion(confusions)
        assert together.shape == (2, 5)
        assert together[1, 2] == pytest.approx(METRICS[name].confusion(confusions[1, 2]))
        assert ((together >= METRICS[name].low) & (together <= METRICS[name].high)).all()

    def test_labels_that_never_occur_change_nothing(self, metric: Metric) -> None:
        name = metric.name
        gold, given = sample(1, ["a", "b", None])
        assert evaluate(name, gold, given, labels=[*LABELS, "d"]) == pytest.approx(evaluate(name, gold, given))


def test_no_answer_costs_recall_and_is_no_class_of_its_own() -> None:
    # a: precision 1, recall 1/2, F1 2/3; b: F1 1.
    assert evaluate("macro_f1", ["a", "a", "b"], ["a", None, "b"]) == pytest.approx((2 / 3 + 1) / 2)


def test_a_label_that_no_gold_has_is_no_class_of_its_own() -> None:
    # a: precision 1, recall 1/2; b: both 1; "z" is only given. Over all labels that occur macro-F1 would be 5/9.
    gold, given = ["a", "a", "b"], ["a", "z", "b"]
    assert evaluate("macro_f1", gold, given) == pytest.approx((2 / 3 + 1) / 2)
    assert evaluate("macro_precision", gold, given) == 1
    assert evaluate("macro_recall", gold, given) == pytest.approx(3 / 4)


@pytest.mark.parametrize("given", [["a", "a", "a"], [None, None, None]])
def test_mcc_is_zero_where_the_answers_do_not_vary(given: list[str | None]) -> None:
    assert evaluate("mcc", ["a", "b", "a"], given) == 0


def test_mcc_of_one_label_only_is_zero() -> None:
    assert evaluate("mcc", ["a", "a"], ["a", "a"]) == 0


def test_a_metric_that_is_not_known_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownName, match="'acuracy' is not known; did you mean 'accuracy'"):
        metric_named("acuracy")


@pytest.mark.parametrize("seed", range(3))
def test_metrics_of_ratings_equal_those_of_scikit_learn_and_scipy(seed: int) -> None:
    generator, scale = np.random.default_rng(seed), Rating(1, 7)
    gold = generator.integers(1, 8, 60)
    said: list[int | None] = [*np.clip(gold + generator.integers(-2, 3, 60), 1, 7).tolist()]
    said[:3] = [None] * 3
    # No answer is the end of the scale that is farther off; of the middle one end is as far as the other.
    read = [(7 if right < 4 else 1) if point is None else point for right, point in zip(gold, said, strict=True)]
    sums = {
        of_answer: np.sum(
            [
                of_answer(scale, {}, str(right), None if point is None else str(point))
                for right, point in zip(gold, said, strict=True)
            ],
            axis=0,
        )
        for of_answer in (moments, pair_of_points)
    }
    assert weighted_kappa(sums[moments]) == pytest.approx(cohen_kappa_score(gold, read, weights="quadratic"))
    assert spearman(sums[pair_of_points]) == pytest.approx(spearmanr(gold, read).statistic)
