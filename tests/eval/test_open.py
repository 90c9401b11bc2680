"""Answers that no list holds: counted within their item, scored by what each is worth, compared by their distance."""

import json
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pandas as pd
import pytest

from data.answers.number import Number
from data.answers.rating import Rating
from data.answers.text import Text
from data.errors import BadSetting
from eval.agreement.alpha import alpha
from eval.agreement.distances import distance_matrix
from eval.agreement.of_votes import agreement_of, open_agreement
from eval.ballots import Ballots, answers, individual
from eval.comparison.alt_test import alternative_annotator
from eval.comparison.difference import difference, equivalence
from eval.comparison.majority_of_k import majority_of_k
from eval.consensus.majority import majority
from eval.consensus.rules import ConsensusRule, consensus_of
from eval.consensus.ties import WinningRule
from eval.estimate import Estimate
from eval.gold import Gold, TaskItems
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.other_people import wider_scores
from eval.panel import Panel, PanelRules, StudyData, panel
from eval.people_scores import ceiling, item_weighted, leave_one_out
from eval.scoring import score
from eval.votes import Votes, code, code_open
from eval.workers.afterwards import StudyTables
from eval.workers.control import ControlRule
from eval.workers.scores import worker_mean
from tests.eval.test_degenerate import CALLS, NEEDS_CONTROLS, STUDIES, plain
from tests.helpers.opened import SETS, Word, asked, gold_for, voted

CATS = {"q1": ["Кот", "кот.", "пёс"], "q2": ["Ёж", "еж", "уж"], "q3": ["сыч", "сова", "сова."]}
CAT_GOLD = {"q1": ["кот"], "q2": ["еж"], "q3": ["филин", "сыч"]}


class TestCounting:
    def test_answers_that_mean_the_same_are_one_under_their_most_frequent_spelling(self) -> None:
        votes = voted(Text(), CATS)
        assert votes.names == (("Кот", "пёс"), ("Ёж", "уж"), ("сова", "сыч"))
        assert votes.counts.tolist() == [[2, 1], [2, 1], [2, 1]]
        assert majority(votes).winner == ("Кот", "Ёж", "сова")

    def test_the_more_frequent_spelling_is_shown_and_the_order_of_rows_does_not_matter(self) -> None:
        rows = [("q", f"w{n}", label) for n, label in enumerate(["кот.", "Кот", "кот.", "пёс"])]
        frame = pd.DataFrame(rows, columns=["item", "worker", "label"], dtype=object)
        known = asked(Text(), ["q"])
        shuffled = frame.sample(frac=1, random_state=3)
        assert code_open(frame, asked=known).names == code_open(shuffled, asked=known).names == (("кот.", "пёс"),)

    def test_an_item_whose_fields_are_not_known_is_refused(self) -> None:
        frame = pd.DataFrame([("q", "w", "кот")], columns=["item", "worker", "label"], dtype=object)
        with pytest.raises(BadSetting, match="The fields of the item 'q' are not known"):
            code_open(frame, asked=TaskItems(Text()))


class TestScores:
    def test_texts_are_right_where_they_mean_one_of_the_accepted_ones(self) -> None:
        votes = voted(Text(), CATS)
        gold = gold_for(votes, CAT_GOLD)
        crowd = score(["em"], gold, majority(votes).ballots)["em"]
        assert [crowd.value, crowd.method, crowd.n] == [pytest.approx(2 / 3), "wilson", 3]
        people = score(["em"], gold, individual(votes))["em"]
        assert [people.value, people.method, people.n] == [pytest.approx(5 / 9), "wilson", 9]
        assert score(["accuracy"], gold, individual(votes))["accuracy"].value == pytest.approx(5 / 9)

    def test_graded_credits_have_an_interval_and_ties_their_mean(self) -> None:
        votes = voted(Text(), {"q1": ["белый кот", "кот"], "q2": ["пёс", "пёс"]})
        gold = gold_for(votes, {"q1": ["кот"], "q2": ["пёс"]})
        found = score(["token_f1"], gold, majority(votes).ballots)["token_f1"]
        # F1 of "белый кот" against "кот" is 2/3, of "кот" 1; the tie shares: 5/6. Then 1.
        assert [found.value, found.method] == [pytest.approx((5 / 6 + 1) / 2), "wilson"]
        assert score(["token_f1"], gold, majority(votes, WinningRule("wrong")).ballots)["token_f1"].value == 0.5
        assert score(["token_f1"], gold, majority(votes, WinningRule("drop")).ballots)["token_f1"].value == 1

    def test_f1a_of_a_model_is_that_of_pooled_options(self) -> None:
        gold = Gold({"q1": '["a"]', "q2": '["b","c"]'}, asked(SETS, ["q1", "q2"]))
        said = answers({"q1": '["a","b"]', "q2": '["b"]'}, items=("q1", "q2"), labels=None)
        assert score(["f1a"], gold, said)["f1a"].value == pytest.approx(2 * 2 / (3 + 3))
        silent = answers({"q1": '["a","b"]', "q2": None}, items=("q1", "q2"), labels=None)
        assert score(["f1a"], gold, silent)["f1a"].value == pytest.approx(2 * 1 / (2 + 3))

    def test_a_metric_of_labels_is_refused_in_a_sentence(self) -> None:
        votes = voted(Text(), CATS)
        with pytest.raises(BadSetting, match="'macro_f1' counts the labels of a closed list, and these answers"):
            score(["macro_f1"], gold_for(votes, CAT_GOLD), individual(votes))
        with pytest.raises(BadSetting, match="'em' needs the answer type and the fields of the items"):
            score(["em"], {"q1": "кот"}, individual(votes))

    def test_items_of_one_cluster_widen_every_interval(self) -> None:
        items = [f"q{n:02}" for n in range(40)]
        votes = voted(Text(), {item: ["да", "да", "да" if n % 20 < 10 else "нет"] for n, item in enumerate(items)})
        gold = gold_for(votes, {item: ["да"] if n < 20 else ["нет"] for n, item in enumerate(items)})
        clusters = Clusters("passage", {item: str(n // 5) for n, item in enumerate(items)})
        ways: list[Callable[[Clusters | None], Estimate | None]] = [
            lambda given: score(["em"], gold, majority(votes).ballots, Resampling(given))["em"],
            lambda given: score(["em"], gold, individual(votes), Resampling(given))["em"],
            lambda given: leave_one_out(votes, Resampling(given)),
            lambda given: item_weighted(gold, votes, Resampling(given)),
            lambda given: majority_of_k(["em"], gold, votes, Resampling(given))[2]["em"],
        ]
        for found in ways:
            alone, bound = found(None), found(clusters)
            assert alone
            assert bound
            assert [alone.unit, bound.unit, alone.value] == ["item", "passage", pytest.approx(bound.value)]
            assert bound.ci[1] - bound.ci[0] > alone.ci[1] - alone.ci[0]
        wide, narrow = (agreement_of(votes, Resampling(given)) for given in (clusters, None))
        assert (wide.unit, wide.alpha) == ("passage", narrow.alpha)
        assert wide.alpha_ci[1] - wide.alpha_ci[0] > narrow.alpha_ci[1] - narrow.alpha_ci[0]


def test_people_and_a_model_on_the_same_texts_are_compared_by_a_bootstrap() -> None:
    items = [f"q{n}" for n in range(12)]
    votes = voted(Text(), {item: ["белый кот", "белый кот", "кот"] for item in items})
    gold = gold_for(votes, {item: ["белый кот"] for item in items})
    model = answers(dict.fromkeys(items, "кот"), items=tuple(items), labels=None)
    apart = difference("token_f1", gold, model, majority(votes).ballots, Resampling(draws=4000))
    # Every item is 1/3 worse, and the made-up one as often better: no draw of 13 has seven of the latter.
    assert [apart.value, apart.test, apart.n] == [pytest.approx(-1 / 3), "bootstrap", 12]
    assert apart.p == pytest.approx(2 / 2**12)  # all twelve lean to one side
    assert difference("em", gold, model, majority(votes).ballots).test == "mcnemar"
    assert equivalence("token_f1", gold, model, majority(votes).ballots, margin=0.5).equivalent
    assert not equivalence("token_f1", gold, model, majority(votes).ballots, margin=0.1).equivalent


class TestAgreement:
    def test_sets_agree_by_masi_and_by_passonneaus_alpha(self) -> None:
        votes = voted(SETS, {"q1": [["a", "b"], ["a"]], "q2": [["c"], ["c"]], "q3": [["a"], ["a", "b"], ["a", "b"]]})
        found = open_agreement(votes, Resampling(draws=200))
        # Answers: {a} 2, {a,b} 3, {c} 2 of 7; d({a},{a,b}) = 2/3, {c} is 1 from both. Observed, as sums of ordered
        # pairs over n_i - 1: 2 * 2/3 / 1 + 0 + 2 * 2 * 2/3 / 2 = 8/3; by chance (2*2*3*2/3 + 2*2*2*1 + 2*3*2*1) / 6.
        assert found.alpha == pytest.approx(1 - (8 / 3) / ((8 + 8 + 12) / 6))
        assert found.pairwise == pytest.approx((0 + 1 + 1 / 3) / 3)
        assert found.similarity == pytest.approx((1 / 3 + 1 + (2 * 1 / 3 + 1) / 3) / 3)
        assert (found.distance, found.values["fleiss"]) == ("masi", None)
        shown = found.as_dict()
        assert (shown["ac1"], shown["fleiss"]) == (None, None)

    def test_two_sets_have_the_published_masi_distance(self) -> None:
        votes = voted(SETS, {"q": [["a", "b"], ["a"]]})
        assert open_agreement(votes, Resampling(draws=5)).similarity == pytest.approx(1 - 0.66667, abs=5e-6)

    def test_equal_or_not_is_the_nominal_alpha_of_the_same_labels(self) -> None:
        random = Random(5)
        given = {f"q{n}": [random.choice("abc") for _ in range(random.randrange(1, 5))] for n in range(60)}
        opened, closed = both(given)
        one, other = agreement_of(opened, Resampling(seed=1)), agreement_of(closed, Resampling(seed=1))
        assert [one.alpha, one.pairwise] == [pytest.approx(other.alpha), pytest.approx(other.pairwise)]
        assert one.alpha_ci == pytest.approx(other.alpha_ci, abs=0.02)
        assert one.similarity == one.pairwise

    def test_numbers_agree_by_their_squared_difference_and_ratings_by_their_order(self) -> None:
        given = {"q1": ["1", "2"], "q2": ["4", "4"], "q3": ["2", "5"]}
        numbers = open_agreement(voted(Number(), given), Resampling(draws=5))
        rows = [(item, f"w{n}", label) for item, labels in given.items() for n, label in enumerate(labels)]
        votes = code(pd.DataFrame(rows, columns=["item", "worker", "label"], dtype=object))
        values = [float(label) for label in votes.labels]
        assert numbers.alpha == pytest.approx(alpha(votes.counts, level="interval", values=values))
        stars = agreement_of(votes, Resampling(draws=5), asked=TaskItems(Rating()))
        assert [stars.distance, stars.alpha] == ["ordinal", pytest.approx(alpha(votes.counts, level="ordinal"))]
        assert (numbers.distance, np.isnan(numbers.similarity)) == ("interval", True)

    def test_without_two_answers_to_an_item_nothing_is_defined(self) -> None:
        found = open_agreement(voted(Text(), {"q1": ["кот"], "q2": []}))
        assert np.isnan(found.alpha)
        assert found.notes == ("No item has two answers, so agreement is not defined.",)

    def test_too_many_texts_are_compared_on_a_sample_and_that_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("eval.agreement.of_votes._MOST_ANSWERS", 10)
        found = open_agreement(
            voted(Text(), {f"q{n}": [f"слово {n}", f"дело {n}"] for n in range(20)}), Resampling(draws=5)
        )
        assert "Alpha is computed on 5 of the 20 items" in found.notes[0]


class TestMiddles:
    def test_the_median_is_an_answer_somebody_gave_and_two_in_the_middle_are_a_tie(self) -> None:
        votes = voted(Number(), {"q1": ["3", "10", "4"], "q2": ["1", "2", "9", "10"], "q3": ["5", "5", "6", "9"]})
        found = consensus_of(votes, ConsensusRule(consensus="median"))
        assert found.winner == ("4", None, None)
        assert found.status.tolist() == ["won", "tied", "tied"]
        assert consensus_of(voted(Number(), {"q": ["5", "5", "5", "9"]}), ConsensusRule(consensus="median")).winner == (
            "5",
        )

    def test_the_medoid_is_the_text_nearest_to_the_others(self) -> None:
        votes = voted(Text(), {"q": ["кот сидит на крыше", "кот сидит", "кот на крыше", "луна"]})
        assert majority(votes).status.tolist() == ["tied"]
        assert consensus_of(votes, ConsensusRule(consensus="medoid")).winner == ("кот сидит на крыше",)

    def test_the_median_of_texts_and_models_of_open_answers_are_refused(self) -> None:
        votes = voted(Text(), CATS)
        with pytest.raises(BadSetting, match="The median is one of numbers"):
            consensus_of(votes, ConsensusRule(consensus="median"))
        with pytest.raises(BadSetting, match="learns how voters mix up the labels of a closed list"):
            consensus_of(votes, ConsensusRule(consensus="dawid-skene"))


def both(given: dict[str, list[str]]) -> tuple[Votes, Votes]:
    """The same labels as open answers and as those of a closed list."""
    opened = voted(Word(), given)
    rows = [(item, f"w{n}", label) for item, labels in given.items() for n, label in enumerate(labels)]
    frame = pd.DataFrame(rows, columns=["item", "worker", "label"], dtype=object)
    return opened, code(frame, items=list(given), labels=["a", "b", "c"])


def test_labels_coded_item_by_item_give_the_numbers_of_the_closed_list() -> None:
    random = Random(11)
    given = {f"q{n:02}": [random.choice("aabc") for _ in range(random.randrange(1, 6))] for n in range(40)}
    opened, closed = both(given)
    told = {item: random.choice("aab") for item in list(given)[:35]}
    gold = gold_for(opened, told)
    guesses = {item: random.choice("abc") for item in given}
    says = [answers(guesses, items=tuple(given), labels=None), answers(guesses, items=tuple(given), labels=list("abc"))]

    def numbers(votes: Votes, known: dict[str, str] | Gold, said: Ballots) -> list[object]:
        crowd = majority(votes)
        wide = wider_scores(score(["accuracy"], known, crowd.ballots), known, votes, lambda v: majority(v).ballots)
        return [
            *(majority(votes, WinningRule(ties), seed=2).winner for ties in ("drop", "fractional")),
            score(["accuracy"], known, crowd.ballots),
            score(["accuracy"], known, individual(votes)),
            leave_one_out(votes),
            ceiling(votes),
            item_weighted(known, votes),
            worker_mean("accuracy", known, votes, minimum=3),
            majority_of_k(["accuracy"], known, votes),
            wide["accuracy"].ci,
            difference("accuracy", known, said, crowd.ballots),
            equivalence("accuracy", known, said, crowd.ballots, margin=0.1),
            alternative_annotator(votes, guesses),
        ]

    for one, other in zip(numbers(opened, gold, says[0]), numbers(closed, told, says[1]), strict=True):
        assert repr(one) == repr(other)


def test_a_control_is_right_as_its_type_says() -> None:
    items = pd.DataFrame(
        [("q", "main", None), ("c", "control", '["ёж","ежик"]')], columns=["item", "role", "gold"], dtype=object
    )
    judged = pd.DataFrame(
        [("q", "w", "да", "main"), ("c", "w", "Ежик.", "control"), ("c", "v", "уж", "control")],
        columns=["item", "worker", "label", "role"],
        dtype=object,
    ).assign(status="counted", reason="")
    known = asked(Text(), ["q", "c"])
    found = panel(StudyData(judged, items, asked=known), PanelRules(control_min=0.5), draws=5)
    assert found.controls["accuracy"].tolist() == [0, 1]
    assert found.excluded == {"v"}
    rule = ControlRule(test="threshold", minimum=1)
    stopped = StudyTables(judged, items, known).find([rule])["control"]
    assert [(each.worker, each.value) for each in stopped] == [("v", 0)]


ONLY_LABELS = {"categories", "dawid_skene", "one_coin", "gold_codes"}


@cache
def open_panel(name: str) -> Panel:
    judged, items = STUDIES[name]
    return panel(StudyData(judged, items, asked=asked(Word(), items["item"].tolist())), PanelRules(), draws=20)


@pytest.fixture
def fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Metrics and rules of open answers in the calls that are made over labels elsewhere."""
    monkeypatch.setattr("tests.eval.test_degenerate.METRICS", ["accuracy"])
    monkeypatch.setattr("tests.eval.test_degenerate.CONSENSUS", ("majority", "weighted", "medoid"))


def outcome(call: str, name: str) -> str:
    """What a call over an open study gives as JSON, or the sentence in which it is refused."""
    try:
        return json.dumps(plain(CALLS[call](open_panel(name), STUDIES[name])), allow_nan=False)
    except BadSetting as refusal:
        return str(refusal)


@pytest.mark.usefixtures("fit")
@pytest.mark.parametrize("call", CALLS)
def test_an_open_study_with_something_missing_has_a_result_or_a_sentence(call: str) -> None:
    for name in STUDIES:
        check(name, call)


def check(name: str, call: str) -> None:
    told = outcome(call, name)
    refused = call in NEEDS_CONTROLS and open_panel(name).controls.empty
    if call in ONLY_LABELS:
        assert "open answers" in told.lower()
    elif refused:
        assert "needs answers to control items" in told.lower() or "Skill needs" in told
    else:
        assert json.loads(told) is not Ellipsis


def test_the_distance_matrix_and_the_likeness_of_an_item_agree() -> None:
    votes = voted(Text(), {"q": ["кот на крыше", "кот", "луна"]})
    matrix = distance_matrix([votes.asked.content("q", name) for name in votes.named(0)], "rouge_l")  # type: ignore[union-attr]
    pairs = matrix[np.triu_indices(3, 1)]
    assert open_agreement(votes, Resampling(draws=2)).similarity == pytest.approx(1 - pairs.mean())
