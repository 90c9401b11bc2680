import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.metrics import f1_score, matthews_corrcoef

from data.errors import BadSetting, UnknownName
from eval.arrays import Floats, Integers
from eval.ballots import answers, individual
from eval.consensus.majority import majority
from eval.consensus.ties import WinningRule
from eval.estimate import wilson
from eval.intervals.clusters import Resampling, percentile, resample
from eval.scoring import score
from eval.votes import Votes, code
from tests.helpers.measuring import evaluate

GOLD = dict(zip("123456", "ABACBC", strict=True))
LABELS = ["A", "B", "C"]


@pytest.fixture
def votes() -> Votes:
    given = zip("123456", ["AAAB", "BBBB", "ABAB", "CCCA", "AAAA", "BBCC"], strict=True)
    rows = [(item, f"w{place}", label) for item, labels in given for place, label in enumerate(labels)]
    return code(pd.DataFrame(rows, columns=["item", "worker", "label"]))


def test_individual_accuracy_weighs_every_judgment(votes: Votes) -> None:
    estimate = score(["accuracy"], GOLD, individual(votes))["accuracy"]
    assert estimate.value == pytest.approx(14 / 24)
    assert (estimate.n, estimate.unit, estimate.method) == (24, "item", "wilson")
    assert estimate.ci[0] < 14 / 24 < estimate.ci[1]


@pytest.mark.parametrize(("ties", "value", "n"), [("fractional", 4 / 6, 6), ("wrong", 0.5, 6), ("drop", 0.75, 4)])
def test_four_honest_scores_of_one_majority(votes: Votes, ties: str, value: float, n: int) -> None:
    estimate = score(["accuracy"], GOLD, majority(votes, WinningRule(ties)).ballots)["accuracy"]
    assert estimate.value == pytest.approx(value)
    assert (estimate.n, estimate.method) == (n, "wilson")
    # Two halves vary less than right and wrong do: 17/14 from 4/7, with one more item all wrong, and not 12/7.
    number = n if ties != "fractional" else 6 * 24 / 17
    assert estimate.ci == pytest.approx(wilson(value * number, number))


def test_items_without_gold_are_left_out_and_no_gold_at_all_gives_nothing(votes: Votes) -> None:
    assert score(["accuracy"], {"2": "B", "elsewhere": "A"}, individual(votes))["accuracy"].n == 4
    assert score(["accuracy"], {}, individual(votes)) == {}
    assert score(["accuracy"], {"elsewhere": "A"}, individual(votes)) == {}


def test_gold_but_nothing_scored_is_no_number() -> None:
    ballots = answers({}, items=["1"], labels=LABELS)
    nothing = {"value": None, "ci": [None, None], "unit": "item", "method": "none", "n": 0}
    assert {name: e.as_dict() for name, e in score(["accuracy", "mcc"], GOLD, ballots).items()} == {
        "accuracy": nothing,
        "mcc": nothing,
    }


def test_a_gold_label_that_nobody_could_give_is_wrong_for_everybody() -> None:
    ballots = answers({"1": "A", "2": "B"}, items=["1", "2"], labels=["A", "B"])
    scores = score(["accuracy", "macro_f1"], {"1": "A", "2": "Z"}, ballots)
    assert scores["accuracy"].value == 0.5
    assert scores["macro_f1"].value == 0.5  # A is found, Z is not, and B is no label of the gold


def test_scores_of_a_model_equal_scikit_learn() -> None:
    generator = np.random.default_rng(5)
    gold = {f"q{number}": str(generator.choice(LABELS)) for number in range(60)}
    given = {item: str(generator.choice(LABELS)) if generator.random() < 0.5 else label for item, label in gold.items()}
    ballots = answers(given, items=list(gold), labels=LABELS)
    scores = score(["macro_f1", "mcc"], gold, ballots)
    truth, answered = list(gold.values()), list(given.values())
    assert scores["macro_f1"].value == pytest.approx(f1_score(truth, answered, average="macro"))
    assert scores["mcc"].value == pytest.approx(matthews_corrcoef(truth, answered))
    assert scores["mcc"].method == "bootstrap"


def test_the_bootstrap_of_cells_is_the_bootstrap_of_items() -> None:
    generator = np.random.default_rng(6)
    gold = {f"q{number}": LABELS[number % 3] for number in range(90)}
    given = {item: label if generator.random() < 0.7 else "A" for item, label in gold.items()}
    ours = score(["macro_f1"], gold, answers(given, items=list(gold), labels=LABELS), Resampling(draws=4000))[
        "macro_f1"
    ]
    items = list(gold)
    values = []
    for _ in range(1500):
        sample = [items[place] for place in generator.integers(90, size=90)]
        values.append(evaluate("macro_f1", [gold[item] for item in sample], [given[item] for item in sample]))
    plain = percentile(np.array(values))
    assert ours.ci == pytest.approx(plain, abs=0.02)


def test_metrics_of_the_corpus_average_over_draws_of_the_ties(votes: Votes) -> None:
    # Items 3 (A or B, gold A) and 6 (B or C, gold C): the four ways to break both ties are equally likely.
    fixed = ["A", "B", None, "C", "A", None]
    ways = [[*fixed[:2], third, *fixed[3:5], last] for third in "AB" for last in "BC"]
    expected = np.mean([matthews_corrcoef(list(GOLD.values()), way) for way in ways])
    estimate = score(["mcc"], GOLD, majority(votes).ballots)["mcc"]
    assert estimate.value == pytest.approx(expected, abs=0.05)
    assert (estimate.method, estimate.n) == ("bootstrap", 6)


def test_the_same_seed_gives_the_same_estimate_and_another_metric_beside_it_changes_nothing(votes: Votes) -> None:
    ballots = majority(votes).ballots
    alone, beside = (
        score(["mcc"], GOLD, ballots, Resampling(seed=3)),
        score(["macro_f1", "mcc"], GOLD, ballots, Resampling(seed=3)),
    )
    assert alone["mcc"] == beside["mcc"]
    assert alone["mcc"].ci != score(["mcc"], GOLD, ballots, Resampling(draws=50, seed=4))["mcc"].ci


def test_judgments_that_are_all_right_have_an_interval_with_a_width() -> None:
    frame = pd.DataFrame(
        [(str(i), f"w{w}", "A") for i in range(20) for w in range(3)], columns=["item", "worker", "label"]
    )
    estimate = score(["accuracy"], {str(i): "A" for i in range(20)}, individual(code(frame)))["accuracy"]
    assert (estimate.value, estimate.method, estimate.n) == (1.0, "wilson", 60)
    assert estimate.ci == pytest.approx(wilson(20, 20))


@pytest.mark.parametrize("name", ["macro_f1", "mcc"])
def test_a_metric_of_the_corpus_is_never_certain_of_a_perfect_score(name: str) -> None:
    gold = {str(n): "ab"[n % 2] for n in range(20)}
    found = score([name], gold, answers(gold, items=tuple(gold), labels=("a", "b")))[name]
    low, high = wilson(20, 20)
    span, bottom = (2, -1) if name == "mcc" else (1, 0)
    assert (found.value, found.method) == (1.0, "wilson")
    assert found.ci == pytest.approx((bottom + span * low, bottom + span * high))


def test_a_constant_answer_has_a_correlation_of_zero_whatever_is_drawn() -> None:
    gold = {str(n): "ab"[n % 2] for n in range(20)}
    found = score(["mcc"], gold, answers(dict.fromkeys(gold, "a"), items=tuple(gold), labels=("a", "b")))["mcc"]
    assert (found.value, found.ci, found.method) == (0.0, (0.0, 0.0), "bootstrap")


def test_an_unknown_metric_is_refused_even_without_gold(votes: Votes) -> None:
    with pytest.raises(UnknownName, match="the metric 'f2' is not known"):
        score(["f2"], {}, individual(votes))


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (10, 10), (3, 7), (492, 500)])
def test_wilson_equals_scipy(successes: int, n: int) -> None:
    expected = binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson(successes, n) == pytest.approx((expected.low, expected.high))


def test_intervals_refuse_what_makes_no_sense() -> None:
    assert np.isnan(wilson(0, 0)).all()
    assert np.isnan(percentile(np.array([np.nan]))).all()
    with pytest.raises(BadSetting, match="between 0 and n = 3, got 4"):
        wilson(4, 3)
    with pytest.raises(BadSetting, match="at least 1 draw"):
        resample(np.array([1]), lambda m: m[:, 0].astype(np.float64), draws=0, generator=np.random.default_rng(0))


def test_resampling_works_in_chunks_that_hold_all_draws() -> None:
    sizes = []

    def statistic(multiplicities: Integers) -> Floats:
        sizes.append(len(multiplicities))
        return np.asarray(multiplicities.sum(axis=1), dtype=np.float64)

    generator = np.random.default_rng(0)
    values = resample(np.array([3, 4]), statistic, draws=100, generator=generator, width=100_000)
    assert (values == 7).all()
    assert sum(sizes) == len(values) == 100
    assert max(sizes) * 3 * 100_000 * 8 <= 64 * 2**20
