"""Equivalence, Holm and the alternative-annotator test."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, rankdata, ttest_1samp

from data.errors import BadSetting
from eval.arrays import Floats
from eval.ballots import Ballots, answers
from eval.comparison.alt_test import alternative_annotator
from eval.comparison.difference import equivalence, holm
from eval.comparison.paired_bootstrap import PairedCounts
from eval.intervals.clusters import Clusters, Resampling
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
    counts = PairedCounts(30, 20, 500)
    assert found.value == pytest.approx(0.02)
    assert found.ci == counts.interval(0.9)
    assert [counts.statistic(end) for end in found.ci] == pytest.approx([1.644854, -1.644854], abs=1e-5)
    assert found.p == pytest.approx(norm.cdf(counts.statistic(0.06)))
    assert (found.method, found.equivalent) == ("score", True)
    assert not equivalence("accuracy", gold, a, b, margin=0.03).equivalent
    assert equivalence("accuracy", gold, a, b, margin=found.ci[1] + 1e-6).p == pytest.approx(0.05, abs=1e-3)


def test_the_bootstrap_of_equivalence_is_near_the_score_method() -> None:
    gold, a = said(480, 20)
    _, b = said(470, 30, first=100)
    alone = Clusters("item", {item: item for item in gold})
    score, drawn = (equivalence("accuracy", gold, a, b, Resampling(c), margin=0.05) for c in (None, alone))
    assert drawn.method == "bootstrap"
    assert drawn.ci == pytest.approx(score.ci, abs=0.004)
    assert drawn.p == pytest.approx(score.p, abs=0.02)
    corpus = equivalence("macro_f1", gold, a, b, Resampling(draws=300), margin=0.9)
    assert corpus.method == "bootstrap"
    assert 0 <= corpus.p < 1e-6  # beyond all draws, by the tail of t


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
    short, truth = annotations(3, items=4)
    few = alternative_annotator(short, {item: truth[int(item[1:])] for item in short.items})
    assert few.annotators[0].refused == "4 items with other annotators are too few for a test; it takes 5."
    assert few.as_dict()["advantage"] is None


def test_a_tie_on_every_item_is_a_win_of_the_model_and_a_loss_on_every_item_is_none() -> None:
    agreed, truth = annotations(3, skill=1)
    right = {item: truth[int(item[1:])] for item in agreed.items}
    same = alternative_annotator(agreed, right)
    assert [(each.p, each.rejected, each.refused) for each in same.annotators] == [(0.0, True, None)] * 4
    assert (same.winning_rate, same.passed, same.advantage) == (1.0, True, 1.0)
    never = alternative_annotator(agreed, dict.fromkeys(right))
    assert [(each.p, each.rejected) for each in never.annotators] == [(1.0, False)] * 4
    assert (never.winning_rate, never.passed, never.advantage) == (0.0, False, 0.0)


def test_with_fewer_than_thirty_items_people_are_tested_by_ranks() -> None:
    votes, truth = annotations(3, items=29)
    model = {item: truth[int(item[1:])] if int(item[1:]) % 5 else "a" for item in votes.items}
    found = alternative_annotator(votes, model, epsilon=0.2)
    assert {each.method for each in found.annotators} == {"wilcoxon"}
    one = [wins_of(votes, model, worker) for worker in votes.workers]
    assert [each.p for each in found.annotators] == pytest.approx([by_all_signs(apart - 0.2) for apart in one])
    more, truth = annotations(3, items=30)
    by_t = alternative_annotator(more, {item: truth[int(item[1:])] for item in more.items})
    assert {each.method for each in by_t.annotators} == {"t"}


def test_nobody_is_won_against_on_so_few_items_that_no_result_is_significant() -> None:
    # By ranks 5 items have p = 1/32 at least, 6 have 1/64. Of three people all may have 0.05 / (1 + 1/2 + 1/3) = 0.0273
    # at most, of fourteen 0.05 / 3.2516 = 0.0154: then 6 items do not do either, and 7 do.
    for people, items, rate in ((3, 5, 0.0), (3, 6, 1.0), (13, 6, 1.0), (14, 6, 0.0), (14, 7, 1.0)):
        votes, truth = annotations(3, people=people, items=items, skill=1)
        found = alternative_annotator(votes, {item: truth[int(item[1:])] for item in votes.items})
        assert found.winning_rate == rate
    without = alternative_annotator(votes, {item: truth[int(item[1:])] for item in votes.items}, epsilon=0)
    assert without.winning_rate == 1.0


def wins_of(votes: Votes, model: Mapping[str, str], worker: str) -> Floats:
    """How often the worker agrees with the others at least as well as the model does, minus the model the same."""
    given = {(votes.items[i], votes.workers[w]): votes.labels[k] for i, w, k in each_of(votes)}
    apart = []
    for item in votes.items:
        others = [label for (where, who), label in given.items() if where == item and who != worker]
        human, machine = (sum(label == told for label in others) for told in (given[item, worker], model[item]))
        apart.append(float(human >= machine) - float(machine >= human))
    return np.array(apart)


def each_of(votes: Votes) -> Iterator[tuple[int, int, int]]:
    return zip(votes.item.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True)


def by_all_signs(apart: Floats) -> float:
    """Wilcoxon's p-value: of all ways to sign the ranks, the share whose sum above zero is as small as this one's."""
    ranks = rankdata(np.abs(apart).round(9))
    upto, half = ranks[apart > 0].sum(), len(ranks) // 2
    sums = [np.array([0.0]), np.array([0.0])]
    for part, mine in enumerate((ranks[:half], ranks[half:])):
        for rank in mine:
            sums[part] = np.concatenate([sums[part], sums[part] + rank])
    ordered = np.sort(sums[1])
    return float(np.searchsorted(ordered, upto - sums[0] + 1e-9).sum() / len(sums[0]) / len(ordered))


def test_items_without_the_model_or_without_others_do_not_count() -> None:
    votes, truth = annotations(3, items=60)
    model: dict[str, str | None] = {item: truth[int(item[1:])] for item in votes.items if item != "q7"}
    model["q8"] = None
    found = alternative_annotator(votes, model)
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


def test_over_fewer_than_ten_clusters_there_is_no_verdict() -> None:
    gold, a = said(480, 20)
    nine, ten = (
        equivalence(
            "accuracy",
            gold,
            a,
            a,
            Resampling(Clusters("text", {q: str(n % k) for n, q in enumerate(gold)})),
            margin=0.3,
        )
        for k in (9, 10)
    )
    assert (nine.method, nine.equivalent, nine.as_dict()["p"]) == ("none", False, None)
    assert ten.equivalent
