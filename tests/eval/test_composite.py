"""Consensus of composite answers: decided unit by unit, put together again, ties as a status."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers.answer_type import packed
from data.answers.choice import Choice
from data.answers.choices import Choices
from data.answers.form import Form, Part
from data.wording import same
from eval.ballots import individual
from eval.comparison.majority_of_k import crowd_of, majority_of_k
from eval.consensus.composite import decision, layout, unanimous
from eval.consensus.majority import majority
from eval.consensus.rules import ConsensusRule, consensus_of
from eval.consensus.ties import WinningRule
from eval.intervals.clusters import Resampling
from eval.intervals.other_people import wider_scores
from eval.panel import PanelRules, StudyData, panel
from eval.scoring import score
from tests.helpers.opened import MARKS, SETS, asked, gold_for, voted

TEXT = "abcdefghijklmnopqrst"


def marked(*said: Any) -> Any:
    return voted(MARKS, {"q": [packed(one) for one in said]}, text=TEXT)


def shares(ballots: Any, row: int = 0) -> dict[str, float]:
    """The answers of an item with their weights; None stands for no answer."""
    found = {name: float(w) for name, w in zip(ballots.named(row), ballots.weights[row], strict=False) if w}
    return found | ({"none": float(ballots.weights[row, -1])} if ballots.weights[row, -1] else {})


WHOLE = (("q1", {"x": "a", "y": "a", "z": "a"}), ("q2", {"x": "a", "y": "a", "z": "b"}))


class TestSpans:
    def test_each_character_goes_by_its_own_majority(self) -> None:
        found = majority(marked({"R": [[0, 6]]}, {"R": [[2, 6]]}, {"R": [[2, 8]]}))
        assert (found.winner, found.status.tolist()) == (('{"R":[[2,6]]}',), ["won"])

    def test_the_place_of_a_gap_goes_by_plurality(self) -> None:
        found = majority(marked({"V": [[5, 5]]}, {"V": [[5, 5]]}, {"V": [[7, 7]]}, {"R": [[0, 2]]}))
        assert found.winner == ('{"V":[[5,5]]}',)

    def test_that_nothing_is_there_is_an_answer(self) -> None:
        assert majority(marked({}, {}, {"R": [[0, 3]]})).winner == ("{}",)

    def test_level_characters_are_a_tie_between_the_camps(self) -> None:
        # Two people: characters 0-1 and 4-5 stand one to one, the same two against each other, 2-3 are agreed.
        votes = marked({"R": [[0, 4]]}, {"R": [[2, 6]]})
        found = majority(votes)
        assert (found.winner, found.status.tolist()) == ((None,), ["tied"])
        assert shares(found.ballots) == {'{"R":[[0,4]]}': 0.5, '{"R":[[2,6]]}': 0.5}
        assert shares(majority(votes, WinningRule("drop")).ballots) == {}
        assert shares(majority(votes, WinningRule("wrong")).ballots) == {"none": 1}
        assert list(shares(majority(votes, WinningRule("random"), seed=1).ballots).values()) == [1]

    def test_skill_follows_the_better_camp(self) -> None:
        votes = marked({"R": [[0, 4]]}, {"R": [[2, 6]]})
        found = majority(votes, WinningRule("skill"), skills=np.array([0.6, 0.9]))
        assert (found.status.tolist(), shares(found.ballots)) == (["tied"], {'{"R":[[2,6]]}': 1})
        assert consensus_of(votes, ConsensusRule(consensus="weighted"), skills=np.array([0.6, 0.9])).winner == (
            '{"R":[[2,6]]}',
        )


class TestSets:
    def test_each_option_goes_by_its_own_majority(self) -> None:
        votes = voted(SETS, {"q": [["a", "b"], ["b", "c"], ["a", "c"]]})
        # Nobody chose all three, two of three chose each.
        assert majority(votes).winner == ('["a","b","c"]',)
        assert votes.counts.tolist() == [[1, 1, 1]]

    def test_a_tied_option_is_scored_by_the_mean_of_what_it_may_come_to(self) -> None:
        votes = voted(SETS, {"q1": [["a"], ["a", "b"]], "q2": [["b"], ["b"]]})
        gold = gold_for(votes, {"q1": ["a"], "q2": ["b", "c"]})
        # f1a sums (hit, false, missed): q1 (1,0,0) or (1,1,0), in the mean (1,0.5,0); q2 (1,0,1).
        values = {
            ties: score(["f1a"], gold, majority(votes, WinningRule(ties)).ballots)["f1a"].value
            for ties in ("fractional", "wrong", "drop")
        }
        assert values["fractional"] == pytest.approx(2 * 2 / (4 + 0.5 + 1))
        assert values["wrong"] == pytest.approx(2 * 1 / (2 + 0 + 2))
        assert values["drop"] == pytest.approx(2 * 1 / (2 + 0 + 1))
        exact = score(["accuracy"], gold, majority(votes).ballots)["accuracy"]
        assert [exact.value, exact.n] == [pytest.approx(0.25), 2]

    def test_a_unit_with_too_few_votes_makes_the_item_short(self) -> None:
        votes = voted(SETS, {"q": [["a", "b"], ["a"], ["a"]]})
        assert majority(votes, WinningRule(min_votes=2)).status.tolist() == ["won"]
        assert majority(votes, WinningRule(min_votes=3)).status.tolist() == ["short"]
        assert shares(majority(votes, WinningRule("wrong", min_votes=3)).ballots) == {"none": 1}

    def test_units_that_make_no_answer_are_no_answer(self) -> None:
        one_at_least = Choices(choices={letter: same(letter) for letter in "abc"})
        found = majority(voted(one_at_least, {"q": [["a"], ["b"], ["c"]]}))
        assert (found.status.tolist(), shares(found.ballots)) == (["tied"], {"none": 1})

    def test_unanimous_is_that_all_whole_answers_are_equal(self) -> None:
        said = [(item, worker, packed([option])) for item, options in WHOLE for worker, option in options.items()]
        judged = pd.DataFrame(
            said,
            columns=["item", "worker", "label"],
        ).assign(role="main", status="counted", reason="")
        items = pd.DataFrame({"item": ["q1", "q2"], "role": "main", "gold": ['["a"]', '["a"]']})
        found = panel(StudyData(judged, items, asked=asked(SETS, ["q1", "q2"])), PanelRules(), draws=5)
        assert found.counts()["items"] == {
            "total": 2,
            "answered": 2,
            "with_consensus": 2,
            "tied": 0,
            "left_out": 0,
            "unanimous": 1,
        }


class TestCrowds:
    def test_two_of_three_people_are_taken_in_every_way(self) -> None:
        votes = voted(SETS, {"q": [["a"], ["a"], ["a", "b"]]})
        found = shares(crowd_of(votes, 2))
        # One pair agrees on {a}; in two pairs b stands one to one and is shared out.
        assert found == {'["a"]': pytest.approx(1 / 3 + 2 / 3 / 2), '["a","b"]': pytest.approx(1 / 3)}
        gold = gold_for(votes, {"q": ["a"]})
        crowds = majority_of_k(["accuracy", "f1a"], gold, votes, Resampling(draws=20))
        assert [crowds[k]["accuracy"].value for k in (1, 2, 3)] == pytest.approx([2 / 3, 2 / 3, 1])
        assert crowds[2]["f1a"].value == pytest.approx(2 / (2 + 1 / 3))

    def test_units_are_settled_anew_without_each_person(self) -> None:
        # Six people answer ten items; the sixth alone adds a second option, and never changes what most say.
        votes = voted(SETS, {f"q{n}": [["a"]] * 4 + [["a", "b"]] * (2 if n < 5 else 1) for n in range(10)})
        gold = gold_for(votes, {f"q{n}": ["a"] for n in range(10)})
        for answer in (lambda v: majority(v).ballots, individual):
            plain = score(["f1a"], gold, answer(votes))
            wide = wider_scores(plain, gold, votes, answer)["f1a"]
            assert wide.ci_items == plain["f1a"].ci
            assert wide.ci[0] <= plain["f1a"].ci[0]


def test_many_open_groups_are_drawn_and_not_listed() -> None:
    # Eight options, each split one to one in its own way among eight people: more than 64 completions.
    split = [[letter for place, letter in enumerate("abcd") if person >> place & 1] for person in range(16)]
    votes = voted(SETS, {"q": [packed(one) for one in split]})
    found = layout(asked(SETS, ["q"]), "q", votes.named(0))
    assert found is not None
    decided = decision(found, votes.counts[0].tolist(), votes.counts[0].tolist())
    generator = np.random.default_rng(0)
    assert len(list(decided.completions(generator))) == 16
    assert len(list(decided.completions(generator, number=5))) == 5
    assert majority(votes).ballots.weights[0].sum() == pytest.approx(1)


@given(st.lists(st.sets(st.sampled_from("abcd")), min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_sets_go_by_the_plain_count_of_every_option(said: Sequence[set[str]], random: Any) -> None:
    given = [packed(sorted(one)) for one in said]
    random.shuffle(given)
    found = majority(voted(SETS, {"q": given}))
    counts = {letter: sum(letter in one for one in said) for letter in "abcd"}
    if any(2 * n == len(said) for n in counts.values()):
        assert found.status.tolist() == ["tied"]
    else:
        assert found.winner == (packed([letter for letter, n in counts.items() if 2 * n > len(said)]),)


FORM = Form(
    parts=(
        Part("kind", same("Kind"), Choice(choices={"a": same("a"), "b": same("b")})),
        Part("cause", same("Cause"), Choice(choices={"x": same("x"), "y": same("y")}), scored=False),
    )
)


class TestPartsWithoutPoints:
    def test_a_level_part_without_points_is_left_out_and_makes_no_tie(self) -> None:
        votes = voted(FORM, {"q": [{"kind": "a", "cause": "x"}, {"kind": "a", "cause": "y"}]})
        found = majority(votes)
        assert (found.winner, found.status.tolist()) == (('{"kind":"a"}',), ["won"])

    def test_a_decided_part_without_points_stays_and_needs_no_votes(self) -> None:
        said = [{"kind": "a", "cause": "x"}, {"kind": "a", "cause": "x"}, {"kind": "a", "cause": "y"}]
        found = majority(voted(FORM, {"q": said}), WinningRule(min_votes=3))
        assert (found.winner, found.status.tolist()) == (('{"kind":"a","cause":"x"}',), ["won"])

    def test_a_level_part_with_points_is_a_tie(self) -> None:
        votes = voted(FORM, {"q": [{"kind": "a", "cause": "x"}, {"kind": "b", "cause": "y"}]})
        found = majority(votes)
        assert found.status.tolist() == ["tied"]
        assert shares(found.ballots) == {'{"kind":"a"}': 0.5, '{"kind":"b"}': 0.5}

    def test_people_are_of_one_mind_where_only_such_parts_differ(self) -> None:
        votes = voted(
            FORM,
            {
                "same": [{"kind": "a", "cause": "x"}, {"kind": "a", "cause": "x"}],
                "extra": [{"kind": "a", "cause": "x"}, {"kind": "a", "cause": "y"}],
                "apart": [{"kind": "a", "cause": "x"}, {"kind": "b", "cause": "x"}],
            },
        )
        assert dict(zip(votes.items, unanimous(votes).tolist(), strict=True)) == {
            "same": True,
            "extra": True,
            "apart": False,
        }

    def test_the_units_of_a_repeated_form_know_their_part(self) -> None:
        repeated = Form(parts=FORM.parts, over="questions")
        units = ("0/kind", "0/cause", "1/kind")
        assert [repeated.scored_unit(unit) for unit in units] == [True, False, True]
        assert [FORM.scored_unit(unit) for unit in ("kind", "cause")] == [True, False]
