import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from scipy.stats import norm, permutation_test

from eval.ballots import Ballots, answers, individual
from eval.comparison.difference import difference
from eval.comparison.paired_bootstrap import PairedCounts
from eval.consensus.majority import majority
from eval.intervals.clusters import Resampling
from eval.votes import code
from tests.helpers.measuring import evaluate

LABELS = ["a", "b", "c"]


def model(given: str, labels: list[str] = LABELS) -> Ballots:
    """One answer per item: a letter is a label, a dash no answer, a space an item not asked."""
    said = {f"q{place}": None if label == "-" else label for place, label in enumerate(given) if label != " "}
    return answers(said, items=[f"q{place}" for place in range(len(given))], labels=labels)


def gold(labels: str) -> dict[str, str]:
    return {f"q{place}": label for place, label in enumerate(labels)}


def test_accuracy_of_single_answers_is_compared_by_the_score_method() -> None:
    truth = "a" * 20
    found = difference("accuracy", gold(truth), model("a" * 9 + "b" * 2 + "a" * 9), model("b" * 9 + "a" * 11))
    assert found.value == pytest.approx(7 / 20 - 0, abs=1e-12)
    assert (found.test, found.n, found.only) == ("mcnemar", 20, (9, 2))
    assert found.p == pytest.approx(2 * norm.sf(7 / 11**0.5))
    assert found.ci == PairedCounts(9, 2, 20).interval()
    assert found.as_dict() == {
        "difference": found.value,
        "ci": list(found.ci),
        "p": found.p,
        "test": "mcnemar",
        "n": 20,
        "only_first": 9,
        "only_second": 2,
    }


def test_only_items_both_have_count() -> None:
    found = difference("accuracy", gold("aaaa"), model(" aa-"), model("aab "))
    assert (found.value, found.n) == (0.5, 2)


def test_swapping_the_respondents_turns_the_sign() -> None:
    generator = np.random.default_rng(2)
    truth, first, second = ("".join(generator.choice(LABELS, 40)) for _ in range(3))
    there = difference("macro_f1", gold(truth), model(first), model(second), Resampling(draws=500))
    back = difference("macro_f1", gold(truth), model(second), model(first), Resampling(draws=500))
    assert there.value == pytest.approx(-back.value)
    assert there.p == pytest.approx(back.p, abs=0.08)


def test_a_metric_of_the_corpus_has_nearly_the_p_value_of_a_permutation() -> None:
    generator = np.random.default_rng(4)
    truth = generator.choice(LABELS, 60)
    first = np.where(generator.random(60) < 0.8, truth, generator.choice(LABELS, 60))
    second = np.where(generator.random(60) < 0.6, truth, generator.choice(LABELS, 60))

    def gap(one: npt.NDArray[np.int64], two: npt.NDArray[np.int64]) -> float:
        first_score, second_score = (
            evaluate("macro_f1", truth.tolist(), [LABELS[c] for c in side]) for side in (one, two)
        )
        return first_score - second_score

    codes = [np.searchsorted(LABELS, side) for side in (first, second)]
    expected = permutation_test(codes, gap, permutation_type="samples", n_resamples=1500, rng=generator)
    found = difference(
        "macro_f1", gold("".join(truth)), model("".join(first)), model("".join(second)), Resampling(draws=4000)
    )
    assert found.value == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue, abs=0.05)
    assert found.test == "bootstrap"


def test_shared_out_ties_count_with_their_fractions() -> None:
    rows = [(f"q{item}", worker, label) for item in range(30) for worker, label in (("ann", "a"), ("bob", "b"))]
    crowd = majority(code(pd.DataFrame(rows, columns=["item", "worker", "label"])))
    found = difference("accuracy", gold("a" * 30), crowd.ballots, model("b" * 30), Resampling(draws=400))
    assert (found.value, found.test, found.only) == (0.5, "mcnemar", (15, 0))
    assert found.p == pytest.approx(2 * norm.sf(15**0.5))
    corpus = difference("macro_f1", gold("a" * 30), crowd.ballots, model("b" * 30), Resampling(draws=400))
    assert 0 < (corpus.p or 0) < 2 / 401  # beyond all draws, by the tail of t


def test_many_answers_to_an_item_are_compared_by_a_bootstrap_of_items() -> None:
    rows = [(f"q{item}", worker, "a") for item in range(5) for worker in ("ann", "bob")]
    alike = individual(code(pd.DataFrame(rows, columns=["item", "worker", "label"])))
    found = difference("accuracy", gold("aabab"), alike, model("aaabb"), Resampling(draws=100))
    assert (found.p, found.test, found.n) == (1, "mcnemar", 5)  # answers to an item that are all alike count as one
    rows[1] = ("q0", "bob", "b")
    many = individual(code(pd.DataFrame(rows, columns=["item", "worker", "label"])))
    found = difference("accuracy", gold("aabab"), many, model("aaabb"), Resampling(draws=100))
    assert (round(found.value, 9), found.test, found.n) == (-0.1, "bootstrap", 5)
    assert (found.p or 0) > 0.5


def test_no_common_items_give_no_number() -> None:
    found = difference("accuracy", gold("aa"), model("a "), model(" a"))
    assert found.as_dict() == {"difference": None, "ci": [None, None], "p": None, "test": "none", "n": 0}


def test_respondents_may_know_different_labels() -> None:
    found = difference("mcc", gold("abab"), model("abab", ["a", "b"]), model("cccc", ["c"]), Resampling(draws=50))
    assert found.value == pytest.approx(1)


def test_a_tie_between_wrong_answers_is_wrong_once_and_for_all() -> None:
    rows = [(f"q{item}", f"w{place}", label) for item in range(4) for place, label in enumerate("abcdef")]
    crowd = majority(code(pd.DataFrame(rows, columns=["item", "worker", "label"])))
    found = difference("accuracy", gold("zzzz"), crowd.ballots, model("zzzz", ["z"]), Resampling(draws=20))
    assert (found.value, found.test, found.only) == (-1, "mcnemar", (0, 4))
    assert found.p == pytest.approx(2 * norm.sf(2))


def test_a_single_answer_is_the_heaviest_and_none_where_that_is_no_answer() -> None:
    weights = np.array([[0.2, 0.8, 0], [0, 0, 1], [0, 0, 0]])
    said = Ballots(("q1", "q2", "q3"), ("yes", "no"), weights)
    assert said.single_answers == {"q1": "no", "q2": None}
