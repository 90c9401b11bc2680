"""Rankings from pairs: against choix, the likelihood itself, and the published scores of fifty-nine models."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from data.errors import BadSetting
from eval.arrays import Floats
from eval.ranking.bradley_terry import Ties, bradley_terry, tables
from eval.ranking.pairs import Comparisons, compared, groups_of
from eval.ranking.ranking import RankingRules, average_win_rates, rank_ranges, ranking, ranks
from eval.ranking.two_rankings import two_rankings
from tests.helpers.llmfao import golden, llmfao

MET = [
    ("a", "b", 1.0), ("a", "b", 1.0), ("b", "a", 1.0), ("b", "c", 1.0), ("b", "c", 0.5), ("c", "a", 1.0),
    ("a", "c", 1.0), ("c", "d", 1.0), ("d", "b", 1.0), ("a", "d", 0.5),
]  # fmt: skip


def judged(rows: Sequence[tuple[str, str, float]], names: str = "abcd") -> Comparisons:
    return compared(tuple(names), [(*row, f"q{n}", "w") for n, row in enumerate(rows)])


def test_strengths_without_ties_are_those_of_choix() -> None:
    """Of choix 0.4.1: mm_pairwise(4, [(0, 1), (0, 1), (1, 0), (1, 2), (2, 0), (0, 2), (2, 3), (3, 1)], tol=1e-12)."""
    found = bradley_terry(tables(judged([row for row in MET if row[2] == 1.0])))
    assert found.converged
    np.testing.assert_allclose(found.log[:, 0], [0.28301074, -0.24540459, 0.05673076, -0.09433691], atol=1e-7)


def test_a_tie_is_half_a_win_for_each() -> None:
    """mm_pairwise of choix 0.4.1, given every game twice and a tie as one win for each."""
    found = bradley_terry(tables(judged(MET))).log[:, 0]
    np.testing.assert_allclose(found, [0.22501875, -0.22501875, 0, 0], atol=1e-7)


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_no_other_strengths_make_the_judgments_likelier(ties: Ties) -> None:
    comparisons = judged(MET)
    found = bradley_terry(tables(comparisons), ties=ties)

    def unlikely(at: Floats) -> float:
        return -likelihood(comparisons, at[:4], float(np.exp(at[4])) if ties == "davidson" else None)

    best = minimize(unlikely, np.zeros(5), tol=1e-12).x
    np.testing.assert_allclose(found.log[:, 0], best[:4] - best[:4].mean(), atol=1e-4)
    if ties == "davidson":
        np.testing.assert_allclose(found.tie[0], np.exp(best[4]), atol=1e-4)


def likelihood(comparisons: Comparisons, log: Floats, tie: float | None) -> float:
    one, other = np.exp(log[comparisons.first]), np.exp(log[comparisons.second])
    level = 0.0 if tie is None else tie * np.sqrt(one * other)
    together = np.log(one + other + level)
    won, lost = np.log(one) - together, np.log(other) - together
    tied = (won + lost) / 2 if tie is None else np.log(level) - together
    return float(np.select([comparisons.score == 1, comparisons.score == 0], [won, lost], tied).sum())


def test_the_scores_of_fifty_nine_models_are_the_published_ones(shared: Path) -> None:
    """The library evalica gives Bradley and Terry's up to a factor; wins and average win rates are exact."""
    crowd = llmfao(shared, "crowd-comparisons.csv")
    assert (len(crowd), len(crowd.names)) == (8931, 59)
    factor = bradley_terry(tables(crowd)).log[:, 0] - np.log(golden(shared, "bradley_terry", crowd.names))
    np.testing.assert_allclose(factor, factor[0], atol=1e-8)
    np.testing.assert_allclose(average_win_rates(crowd), golden(shared, "average_win_rate", crowd.names), atol=1e-12)
    np.testing.assert_array_equal(crowd.points(), golden(shared, "counting", crowd.names))


def test_people_and_gpt_4_agree_on_models_in_part_only(shared: Path) -> None:
    crowd, judge = (
        ranking(llmfao(shared, f"{name}crowd-comparisons.csv"), RankingRules(draws=200)) for name in ("", "gpt4-")
    )
    found = two_rankings(crowd, judge)
    assert found is not None
    assert found.spearman == pytest.approx(0.7309, abs=1e-4)
    assert found.ci[0] < found.spearman < found.ci[1]
    parts = [crowd.names[row] for row in found.rows[np.argsort(found.p)]][:1]
    assert parts == ["Airoboros L2 70B"], "GPT-4 has it third, people forty-eighth"
    assert (crowd.rank[crowd.names.index(parts[0])], judge.rank[judge.names.index(parts[0])]) == (48, 3)
    assert crowd.people is not None
    assert judge.people is None


def test_elo_without_an_order_is_where_its_updates_cancel_out(shared: Path) -> None:
    """Updates of all games at once, from these ratings, move nobody; those of one order end elsewhere."""
    crowd = llmfao(shared, "crowd-comparisons.csv")
    elo = ranking(crowd, RankingRules(draws=1)).elo
    gained = crowd.score - 1 / (1 + 10 ** ((elo[crowd.second] - elo[crowd.first]) / 400))
    moved = np.bincount(crowd.first, gained) - np.bincount(crowd.second, gained)
    assert np.abs(moved).max() < 1e-6
    assert elo.mean() == pytest.approx(1000)
    assert np.corrcoef(elo, golden(shared, "elo", crowd.names))[0, 1] == pytest.approx(0.9488, abs=1e-3)


def test_who_cannot_be_ranked_together_is_said() -> None:
    rows = [("a", "b", 1.0), ("b", "a", 1.0), ("b", "c", 1.0), ("d", "e", 0.5)]
    found = ranking(judged(rows, "abcdef"), RankingRules(draws=20))
    assert found.groups.of.tolist() == [0, 0, 0, 1, 1, -1]
    assert found.log[:2].tolist() == [0.0, 0.0]
    assert found.log[2] == -np.inf
    assert np.isnan(found.log[5])
    assert found.rank.tolist() == [1, 1, 3, 1, 1, 0]
    assert found.ranges.tolist() == [[1, 3], [1, 3], [1, 3], [1, 2], [1, 2], [0, 0]]
    assert np.isnan(found.ci).all(), "fewer than ten pairs are not enough for an interval"


def test_who_always_wins_has_no_end() -> None:
    groups = groups_of(judged([("a", "b", 1.0), ("b", "c", 1.0), ("c", "b", 1.0), ("c", "d", 1.0), ("a", "d", 1.0)]))
    assert groups.core.tolist() == [False, True, True, False]
    assert groups.end.tolist() == [np.inf, 0, 0, -np.inf]


def test_ranks_are_shared_by_equals_and_ranges_hold_who_may_be_level() -> None:
    assert ranks(np.array([1.0, 1.0, 0.0, np.nan])).tolist() == [1, 1, 3, 0]
    spread = np.random.default_rng(0).normal(scale=0.1, size=(400, 3))
    assert rank_ranges(np.array([2.0, 1.95, 0.0]), spread).tolist() == [[1, 2], [1, 2], [3, 3]]


def test_other_orders_of_the_judgments_rank_alike() -> None:
    turned = [(second, first, 1 - score) for first, second, score in MET[::-1]]
    one, other = ranking(judged(MET), RankingRules(draws=10)), ranking(judged(turned), RankingRules(draws=10))
    np.testing.assert_allclose(one.log, other.log, atol=1e-9)
    assert one.rank.tolist() == other.rank.tolist()


def test_a_ranking_without_judgments_or_with_other_ties_is_refused() -> None:
    with pytest.raises(BadSetting, match="at least one judgment"):
        ranking(judged([]))
    with pytest.raises(BadSetting, match="Ties are 'drop'; use one of half, davidson"):
        bradley_terry(tables(judged(MET)), ties="drop")  # type: ignore[arg-type]
