import numpy as np
import pandas as pd
import pytest

from data.errors import BadSetting
from data.human_rules import TIES
from eval.consensus.majority import majority, voter_skills
from eval.consensus.rules import ConsensusRule, consensus_of
from eval.consensus.ties import WinningRule
from eval.votes import Votes, code

LABELS = ["a", "b", "c"]
# Won 3:1, tied 2:2, tied 1:1:1, won by a single vote, never answered.
ITEMS = {"won": "aaab", "pair": "bbcc", "three": "abc", "single": "c", "empty": ""}


@pytest.fixture
def votes() -> Votes:
    rows = [(item, f"w{place}", label) for item, given in ITEMS.items() for place, label in enumerate(given)]
    return code(pd.DataFrame(rows, columns=["item", "worker", "label"]), items=list(ITEMS), labels=LABELS)


NOTHING, NO_ANSWER = [0, 0, 0, 0], [0, 0, 0, 1]
THIRD = 1 / 3


@pytest.mark.parametrize(
    ("ties", "min_votes", "pair", "three", "single"),
    [
        ("drop", 1, NOTHING, NOTHING, [0, 0, 1, 0]),
        ("wrong", 1, NO_ANSWER, NO_ANSWER, [0, 0, 1, 0]),
        ("fractional", 1, [0, 0.5, 0.5, 0], [THIRD, THIRD, THIRD, 0], [0, 0, 1, 0]),
        ("drop", 2, NOTHING, NOTHING, NOTHING),
        ("wrong", 2, NO_ANSWER, NO_ANSWER, NO_ANSWER),
        ("fractional", 2, [0, 0.5, 0.5, 0], NOTHING, NOTHING),
    ],
)
def test_the_tie_table(
    votes: Votes, ties: str, min_votes: int, pair: list[float], three: list[float], single: list[float]
) -> None:
    result = majority(votes, WinningRule(ties, min_votes=min_votes))
    expected = [[1, 0, 0, 0], pair, three, single, NOTHING]
    assert result.ballots.weights == pytest.approx(np.array(expected, dtype=float))


@pytest.mark.parametrize("ties", TIES)
def test_ties_are_counted_whatever_the_rule_for_them(votes: Votes, ties: str) -> None:
    result = majority(votes, WinningRule(ties, min_votes=2), skills=np.full(len(votes.workers), 0.5))
    assert result.status.tolist() == ["won", "tied", "tied", "short", "empty"]
    assert result.winner == ("a", None, None, None, None)
    assert result.number("tied") == 2


def test_a_random_pick_is_one_level_label_and_the_seed_decides(votes: Votes) -> None:
    picks = [majority(votes, WinningRule("random"), seed=seed).ballots.weights[1] for seed in range(200)]
    assert {tuple(pick) for pick in picks} == {(0, 1, 0, 0), (0, 0, 1, 0)}
    assert 70 < sum(pick[1] for pick in picks) < 130
    again = majority(votes, WinningRule("random"), seed=7).ballots.weights
    assert np.array_equal(again, majority(votes, WinningRule("random"), seed=7).ballots.weights)


def test_a_random_pick_below_the_needed_votes_is_left_out(votes: Votes) -> None:
    assert not majority(votes, WinningRule("random", min_votes=2)).ballots.weights[2].any()


def test_no_items_and_no_labels_have_no_consensus() -> None:
    nothing = code(pd.DataFrame({"item": [], "worker": [], "label": []}, dtype=object))
    assert majority(nothing).winner == ()
    unlabelled = code(pd.DataFrame({"item": [], "worker": [], "label": []}, dtype=object), items=["q"])
    assert majority(unlabelled).status.tolist() == ["empty"]


def test_an_unknown_rule_names_those_there_are(votes: Votes) -> None:
    with pytest.raises(BadSetting, match="'coin' is not known; choose one of drop, wrong, fractional, random"):
        majority(votes, WinningRule("coin"))
    with pytest.raises(BadSetting, match="at least 1 vote, got 0"):
        majority(votes, WinningRule(min_votes=0))


# Of the four voters w0 is the best; in "pair" w0 and w1 say b, w2 and w3 say c.
CONTROLS = pd.DataFrame({"worker": ["w0", "w1", "w3", "elsewhere"], "answered": [8, 2, 2, 5], "right": [8, 0, 2, 5]})


def test_skills_are_smoothed_control_accuracies_and_a_half_without_controls(votes: Votes) -> None:
    assert voter_skills(votes, CONTROLS) == pytest.approx([9 / 10, 1 / 4, 1 / 2, 3 / 4])
    assert voter_skills(votes, CONTROLS[:0]) is None


def test_a_tie_goes_to_the_voters_with_the_larger_sum_of_skills(votes: Votes) -> None:
    result = majority(votes, WinningRule("skill"), skills=voter_skills(votes, CONTROLS))
    # b: 0.9 + 0.25 against c: 0.5 + 0.75; among three single votes the best voter's.
    assert result.ballots.weights[1].tolist() == [0, 0, 1, 0]
    assert result.ballots.weights[2].tolist() == [1, 0, 0, 0]
    assert result.status.tolist() == ["won", "tied", "tied", "won", "empty"]


def test_a_tie_of_equal_skills_is_shared_out(votes: Votes) -> None:
    result = majority(votes, WinningRule("skill"), skills=np.full(4, 0.7))
    assert result.ballots.weights == pytest.approx(majority(votes, WinningRule("fractional")).ballots.weights)


def test_weighted_votes_can_overrule_a_plurality(votes: Votes) -> None:
    result = consensus_of(votes, ConsensusRule(consensus="weighted"), skills=np.array([0.1, 0.1, 0.1, 0.9]))
    assert result.winner[:2] == ("b", "c")
    assert result.status.tolist() == ["won", "won", "tied", "won", "empty"]
    few = consensus_of(votes, ConsensusRule(consensus="weighted", min_votes=2), skills=np.array([0.1, 0.1, 0.1, 0.9]))
    assert few.status.tolist() == ["short", "won", "tied", "short", "empty"]


def test_without_controls_skill_is_refused(votes: Votes) -> None:
    with pytest.raises(BadSetting, match="needs answers to control items"):
        majority(votes, WinningRule("skill"))
    with pytest.raises(BadSetting, match="needs answers to control items"):
        consensus_of(votes, ConsensusRule(consensus="weighted"))
    with pytest.raises(BadSetting, match="There are 4 voters but 1 skills"):
        consensus_of(votes, ConsensusRule(consensus="weighted"), skills=np.array([1.0]))
