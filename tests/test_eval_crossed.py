"""Clusters in scores and comparisons, and the interval over items and workers."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from data.errors import BadSetting
from eval.ballots import answers, individual
from eval.comparison import difference
from eval.consensus import majority
from eval.consensus_rules import ConsensusRule
from eval.crossed import CROSSED, with_crossed
from eval.resampling import Clusters, Resampling
from eval.scoring import Estimate, score
from eval.ties import WinningRule
from eval.votes import Votes, code

ITEMS = [f"q{number:03}" for number in range(120)]
GOLD = dict(zip(ITEMS, ["a", "b"] * 60, strict=True))
PASSAGES = Clusters("passage", {item: f"p{number // 10}" for number, item in enumerate(ITEMS)})


def crowd(seed: int = 0, people: int = 20, overlap: int = 5) -> Votes:
    """Workers of very different skill."""
    generator = np.random.default_rng(seed)
    skill = generator.beta(3, 1, people)
    rows = []
    for item in ITEMS:
        for worker in generator.choice(people, overlap, replace=False):
            right = generator.random() < skill[worker]
            rows.append((item, f"w{worker}", GOLD[item] if right else "ab"[GOLD[item] == "a"]))
    return code(pd.DataFrame(rows, columns=["item", "worker", "label"]))


def test_scores_over_clusters_have_the_same_value_and_a_wider_interval() -> None:
    said = answers(
        dict.fromkeys(ITEMS[:60], "a") | {item: GOLD[item] for item in ITEMS[60:]}, items=ITEMS, labels=["a", "b"]
    )
    for metric in ("accuracy", "macro_f1"):
        alone, together = score([metric], GOLD, said)[metric], score([metric], GOLD, said, Resampling(PASSAGES))[metric]
        assert together.value == pytest.approx(alone.value)
        assert (together.unit, together.method, together.n) == ("passage", "bootstrap", 120)
    # All right: no resample differs, so it is Wilson's over the twelve passages.
    perfect = answers(GOLD, items=ITEMS, labels=["a", "b"])
    assert score(["accuracy"], GOLD, perfect, Resampling(PASSAGES))["accuracy"].ci[0] == pytest.approx(0.7575, abs=5e-4)


def test_the_cluster_bootstrap_is_the_plain_one_of_clusters() -> None:
    generator = np.random.default_rng(3)
    good = generator.random(12) < 0.6
    given = {item: GOLD[item] if good[n // 10] or n % 3 == 0 else "a" for n, item in enumerate(ITEMS)}
    right = np.array([given[item] == GOLD[item] for item in ITEMS]).reshape(12, 10)
    plain = [right[generator.integers(12, size=12)].mean() for _ in range(4000)]
    said = answers(given, items=ITEMS, labels=["a", "b"])
    found = score(["accuracy"], GOLD, said, Resampling(PASSAGES, draws=4000))["accuracy"]
    assert found.ci == pytest.approx(tuple(np.quantile(plain, [0.025, 0.975])), abs=0.015)


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


@pytest.mark.parametrize("respondent", [*CROSSED, "individual"])
def test_the_crossed_interval_holds_the_value_and_is_never_narrower(respondent: str) -> None:
    votes = crowd()
    skills = np.full(len(votes.workers), 0.7)
    said = individual(votes) if respondent == "individual" else majority(votes).ballots
    plain = score(["accuracy", "mcc"], GOLD, said)
    rule = None if respondent == "individual" else ConsensusRule(consensus=respondent)
    found = with_crossed(plain, GOLD, votes, Resampling(draws=300), rule=rule, skills=skills)
    for metric, estimate in found.items():
        assert estimate.ci_crossed is not None
        assert estimate.ci_crossed[0] <= plain[metric].ci[0] <= estimate.value
        assert estimate.value <= plain[metric].ci[1] <= estimate.ci_crossed[1]
        assert estimate.as_dict()["ci_crossed"] == list(estimate.ci_crossed)
        assert "ci_crossed" not in plain[metric].as_dict()


def test_few_workers_of_different_skill_widen_the_interval_of_individuals() -> None:
    votes = crowd(people=6)
    plain = score(["accuracy"], GOLD, individual(votes))
    crossed = with_crossed(plain, GOLD, votes, Resampling(draws=400), rule=None)["accuracy"].ci_crossed
    assert crossed is not None
    low, high = plain["accuracy"].ci
    assert crossed[1] - crossed[0] > 2 * (high - low)


@pytest.mark.parametrize("ties", ["drop", "wrong", "fractional", "random", "skill"])
def test_every_rule_for_ties_can_be_resampled_and_the_seed_decides(ties: str) -> None:
    votes = crowd(overlap=4)
    skills = np.linspace(0.3, 0.9, len(votes.workers))
    plain = score(["accuracy"], GOLD, majority(votes, WinningRule(ties, min_votes=2), skills=skills).ballots)
    rule = ConsensusRule(ties=ties, min_votes=2)
    one, two, other = (
        with_crossed(plain, GOLD, votes, Resampling(PASSAGES, 60, seed), rule=rule, skills=skills)["accuracy"]
        for seed in (1, 1, 2)
    )
    assert one == two != other


def test_what_cannot_be_resampled_is_refused_or_left_alone() -> None:
    votes = crowd()
    plain = score(["accuracy"], GOLD, majority(votes).ballots)
    with pytest.raises(BadSetting, match="not for 'dawid-skene'"):
        with_crossed(plain, GOLD, votes, rule=ConsensusRule(consensus="dawid-skene"))
    with pytest.raises(BadSetting, match="Skill needs control answers"):
        with_crossed(plain, GOLD, votes, rule=ConsensusRule(ties="skill"))
    assert with_crossed({}, {}, votes) == {}
    undefined = {"accuracy": Estimate(float("nan"), (float("nan"),) * 2, "item", "none", 0)}
    assert with_crossed(undefined, GOLD, votes)["accuracy"].ci_crossed is None
    assert with_crossed(plain, {}, votes) == plain
