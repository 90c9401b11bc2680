"""Equivalence, Holm, the alternative-annotator test, and how many people a model is worth."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp

from data.errors import BadSetting
from eval.alt_test import alternative_annotator
from eval.ballots import Ballots, answers, individual
from eval.comparison import holm
from eval.crowd_size import crowd_size
from eval.ensembles import majority_of_k
from eval.equivalence import equivalence
from eval.resampling import Clusters, Resampling
from eval.votes import Votes, code


def said(right: int, wrong: int, first: int = 0) -> tuple[dict[str, str], Ballots]:
    """Gold, and a respondent who is wrong on so many items from `first` on."""
    gold = {f"q{n:04}": "a" for n in range(right + wrong)}
    given = {item: "b" if first <= n < first + wrong else "a" for n, item in enumerate(gold)}
    return gold, answers(given, items=list(gold), labels=["a", "b"])


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, None, 0.03]) == pytest.approx([0.03, 0.06, None, 0.06])
    assert holm([0.9, 0.9]) == [1, 1]
    assert holm([]) == []
    with pytest.raises(BadSetting, match=r"between 0 and 1, got 1\.5"):
        holm([1.5])


def test_equivalence_by_hand() -> None:
    # a is wrong on 20 items, b on 30 others, of 500: 30 differ one way, 20 the other.
    gold, a = said(480, 20)
    _, b = said(470, 30, first=100)
    found = equivalence("accuracy", gold, a, b, margin=0.06)
    mean = 10 / 502
    deviation = ((51 / 502 - mean**2) / 502) ** 0.5
    assert found.value == pytest.approx(0.02)
    assert found.ci == pytest.approx((mean - 1.644854 * deviation, mean + 1.644854 * deviation), abs=1e-7)
    assert (found.method, found.equivalent) == ("normal", True)
    assert not equivalence("accuracy", gold, a, b, margin=0.03).equivalent
    assert equivalence("accuracy", gold, a, b, margin=found.ci[1] + 1e-6).p == pytest.approx(0.05, abs=1e-3)


def test_the_bootstrap_of_equivalence_is_near_the_normal_one() -> None:
    gold, a = said(480, 20)
    _, b = said(470, 30, first=100)
    alone = Clusters("item", {item: item for item in gold})
    normal, drawn = (equivalence("accuracy", gold, a, b, Resampling(c), margin=0.05) for c in (None, alone))
    assert drawn.method == "bootstrap"
    assert drawn.ci == pytest.approx(normal.ci, abs=0.004)
    assert drawn.p == pytest.approx(normal.p, abs=0.02)
    corpus = equivalence("mcc", gold, a, b, Resampling(draws=300), margin=2)
    assert corpus.method == "bootstrap"
    assert corpus.p == pytest.approx(1 / 301)


def test_two_who_never_differ_are_equal_only_on_enough_items() -> None:
    few, many = ((said(n, 0)[0], said(n, 0)[1]) for n in (3, 300))
    assert not equivalence("accuracy", few[0], few[1], few[1], margin=0.05).equivalent
    assert equivalence("accuracy", many[0], many[1], many[1], margin=0.05).equivalent


def test_equivalence_without_items_or_margin() -> None:
    gold, a = said(5, 0)
    nothing = equivalence("accuracy", {}, a, a, margin=0.1)
    assert (nothing.as_dict()["difference"], nothing.equivalent, nothing.n) == (None, False, 0)
    with pytest.raises(BadSetting, match="margin must be above 0"):
        equivalence("accuracy", gold, a, a, margin=0)


def annotations(seed: int, items: int = 120, people: int = 4, skill: float = 0.75) -> tuple[Votes, list[str]]:
    generator = np.random.default_rng(seed)
    truth = ["abc"[n] for n in generator.integers(3, size=items)]
    rows = [
        (f"q{n}", f"w{w}", truth[n] if generator.random() < skill else "abc"[generator.integers(3)])
        for n in range(items)
        for w in range(people)
    ]
    return code(pd.DataFrame(rows, columns=["item", "worker", "label"])), truth


def slow_alternative(votes: Votes, model: dict[str, str], epsilon: float) -> tuple[float, float]:
    """The published code: one annotator after the other, Benjamini-Yekutieli step up."""
    given = {(i, w): k for i, w, k in zip(votes.item, votes.worker, votes.label, strict=True)}
    ps, advantages = [], []
    for h in range(len(votes.workers)):
        machine, human = [], []
        for i, item in enumerate(votes.items):
            others = [k for (j, w), k in given.items() if j == i and w != h]
            if (i, h) not in given or not others:
                continue
            with_model = np.mean([votes.labels[k] == model[item] for k in others])
            with_human = np.mean([k == given[i, h] for k in others])
            machine.append(float(with_model >= with_human))
            human.append(float(with_human >= with_model))
        ps.append(ttest_1samp(np.array(human) - np.array(machine), epsilon, alternative="less").pvalue)
        advantages.append(np.mean(machine))
    m, c = len(ps), sum(1 / k for k in range(1, len(ps) + 1))
    below = [rank for rank, p in enumerate(sorted(ps), 1) if p <= rank * 0.05 / (m * c)]
    return max(below, default=0) / m, float(np.mean(advantages))


@pytest.mark.parametrize("skill", [0.3, 0.6, 0.75, 0.95])
def test_the_alternative_annotator_test_equals_the_published_code(skill: float) -> None:
    votes, truth = annotations(3)
    generator = np.random.default_rng(9)
    model = {item: truth[int(item[1:])] if generator.random() < skill else "a" for item in votes.items}
    found = alternative_annotator(votes, model, epsilon=0.1)
    rate, advantage = slow_alternative(votes, model, 0.1)
    assert found.winning_rate == pytest.approx(rate)
    assert found.advantage == pytest.approx(advantage)
    assert found.passed == (rate >= 0.5)
    assert all(each.n == 120 for each in found.annotators)


def test_the_test_says_why_it_refuses() -> None:
    votes, truth = annotations(3, people=2)
    model = {item: truth[int(item[1:])] for item in votes.items}
    two = alternative_annotator(votes, model)
    assert (two.winning_rate, two.passed) == (None, None)
    assert two.refused == (
        "2 of 2 annotators can be tested and it takes 3; collect more judgments from the same people."
    )
    short, truth = annotations(3, items=20)
    few = alternative_annotator(short, {item: truth[int(item[1:])] for item in short.items})
    assert few.annotators[0].refused == "20 items with other annotators are too few for a test; it takes 30."
    assert few.as_dict()["advantage"] is None
    agreed, truth = annotations(3, skill=1)
    same = alternative_annotator(agreed, {item: truth[int(item[1:])] for item in agreed.items})
    assert "the t-test has no value" in str(same.annotators[0].refused)
    assert same.refused is not None


def test_items_without_the_model_or_without_others_do_not_count() -> None:
    votes, truth = annotations(3, items=60)
    model: dict[str, str | None] = {item: truth[int(item[1:])] for item in votes.items if item != "q7"}
    model["q8"] = None
    found = alternative_annotator(votes, model, minimum=2)
    assert {each.n for each in found.annotators} == {59}
    assert found.annotators[0].model_wins < 1
    with pytest.raises(BadSetting, match="Epsilon"):
        alternative_annotator(votes, model, epsilon=1)


def test_a_second_judgment_by_the_same_worker_is_not_another_annotator() -> None:
    votes, truth = annotations(3, items=60)
    model = {item: truth[int(item[1:])] for item in votes.items}
    twice = Votes(
        votes.items,
        votes.workers,
        votes.labels,
        np.concatenate([votes.item, votes.item]),
        np.concatenate([votes.worker, votes.worker]),
        np.concatenate([votes.label, votes.label]),
    )
    assert alternative_annotator(twice, model) == alternative_annotator(votes, model)


def test_a_model_is_worth_the_number_of_people_who_score_the_same() -> None:
    votes, truth = annotations(5, items=400, people=7, skill=0.5)
    gold = {item: truth[int(item[1:])] for item in votes.items}
    curve = [each["accuracy"].value for each in majority_of_k(["accuracy"], gold, votes, Resampling(draws=2)).values()]
    right = round((curve[2] + curve[4]) / 2 * 400)
    model = {item: label if n < right else "z" for n, (item, label) in enumerate(gold.items())}
    found = crowd_size(gold, votes, answers(model, items=list(gold), labels=[*votes.labels, "z"]))
    assert found.curve == pytest.approx(curve)
    assert 3 <= found.value <= 5
    assert found.ci[0] <= found.value <= found.ci[1]
    assert (found.n, found.most) == (400, 7)
    assert found.as_dict()["value"] == found.value


def test_below_one_person_and_above_all_of_them() -> None:
    votes, truth = annotations(5, items=200, people=3, skill=0.6)
    gold = {item: truth[int(item[1:])] for item in votes.items}
    never, always = (dict.fromkeys(gold, label) for label in ("z", "a"))
    always = gold
    low, high = (
        crowd_size(gold, votes, answers(given, items=list(gold), labels=["a", "b", "c", "z"]))
        for given in (never, always)
    )
    assert (low.as_dict()["value"], low.as_dict()["ci"]) == ("<1", ["<1", "<1"])
    assert (high.as_dict()["value"], high.as_dict()["ci"]) == (">3", [">3", ">3"])


def test_what_has_no_size() -> None:
    votes, truth = annotations(5, items=40, people=3)
    gold = {item: truth[int(item[1:])] for item in votes.items}
    model = answers(gold, items=list(gold), labels=["a", "b", "c"])
    assert crowd_size({}, votes, model).as_dict()["value"] is None
    assert crowd_size(gold, votes, model, most=9).n == 0
    with pytest.raises(BadSetting, match="one answer to each item"):
        crowd_size(gold, votes, individual(votes))
    with pytest.raises(BadSetting, match="at least 1 person, got 0"):
        crowd_size(gold, votes, model, most=0)
