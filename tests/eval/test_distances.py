"""Alpha beyond nominal labels, distances between answers, label by label, and two assessors."""

from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
import pytest

from data.errors import BadSetting, UnknownName
from eval.agreement.alpha import Level, alpha, alpha_interval
from eval.agreement.by_label import categories
from eval.agreement.distances import DISTANCES, distance_matrix, distances_between, masi, rouge_l, spans
from eval.agreement.two_assessors import Assessment, admission, assess
from eval.intervals.clusters import Resampling
from eval.votes import code
from tests.eval.test_agreement import SIX, uneven, votes_of

NUMBERS = [1.0, 2.0, 7.0, 3.5]


def test_ordinal_alpha_has_the_published_value() -> None:
    assert alpha(SIX, level="ordinal") == pytest.approx(0.47336, abs=5e-6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("level", "values"), [("ordinal", None), ("interval", NUMBERS)])
def test_our_formula_equals_the_package_at_every_level(
    seed: int, level: Level, values: list[float] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = uneven(seed)
    by_package = alpha(counts, level=level, values=values)
    expected = krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=level)
    assert by_package == pytest.approx(expected)
    monkeypatch.setattr("eval.agreement.alpha._PACKAGE_ELEMENTS", 0)
    assert alpha(counts, level=level, values=values) == pytest.approx(by_package, abs=1e-12)


@pytest.mark.parametrize(("level", "values"), [("ordinal", None), ("interval", NUMBERS)])
def test_the_interval_of_a_level_is_that_of_the_package_on_resampled_items(
    level: Level, values: list[float] | None
) -> None:
    counts = uneven(9)
    paired = counts[counts.sum(axis=1) > 1]
    generator = np.random.default_rng(1)
    samples = [paired[generator.integers(len(paired), size=len(paired))] for _ in range(800)]
    drawn = [krippendorff.alpha(value_counts=s, value_domain=values, level_of_measurement=level) for s in samples]
    found = alpha_interval(counts, Resampling(draws=3000), level=level, values=values)
    assert found == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), abs=0.025)


def test_a_level_without_what_it_needs_is_refused() -> None:
    with pytest.raises(BadSetting, match="'ratio' is not known; choose one of nominal, ordinal, interval"):
        alpha(SIX, level="ratio")  # type: ignore[arg-type]
    for values in (None, [1.0, 2.0], [1.0, 2.0, float("nan")]):
        with pytest.raises(BadSetting, match="needs a number for each of the 3 labels"):
            alpha(SIX, level="interval", values=values)
    assert alpha(np.array([[2, 0], [3, 0]]), level="ordinal") == 1
    assert np.isnan(alpha(np.array([[1, 0]]), level="interval", values=[1, 2]))


def test_masi_has_the_published_values() -> None:
    assert masi({"x", "y"}, {"x"}) == pytest.approx(0.66667, abs=5e-6)
    assert masi({"x", "y"}, {"y", "z"}) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert (masi({"x"}, {"x"}), masi({"x"}, {"y"}), masi((), ()), masi((), {"x"})) == (0, 1, 0, 1)


def test_spans_are_compared_by_characters_as_in_agrr() -> None:
    # The article's example: gold 10:15, answer 8:14: F = 8 / 11 = 0.727.
    assert 1 - spans({"cV": [(10, 15)]}, {"cV": [(8, 14)]}) == pytest.approx(0.727, abs=5e-4)
    assert spans({"V": [(5, 5)]}, {"V": [(5, 6)]}) == 0
    assert spans({"V": [(5, 5)]}, {"V": [(4, 5)]}) == 1
    assert spans({"V": [(5, 5)], "R": [(1, 3), (7, 9)]}, {"R": [(1, 3), (7, 9)]}) == 0.5
    assert (spans({}, {"V": []}), spans({}, {"V": [(1, 2)]})) == (0, 1)
    with pytest.raises(BadSetting, match="not after its end"):
        spans({"V": [(5, 4)]}, {"V": [(1, 2)]})


def slow_common(one: str, two: str) -> int:
    best = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one):
        for j, b in enumerate(two):
            best[i + 1][j + 1] = best[i][j] + 1 if a == b else max(best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


def test_texts_are_compared_by_their_longest_common_subsequence_of_words() -> None:
    assert rouge_l("Он поехал домой.", "он ПОЕХАЛ к морю") == pytest.approx(1 - 2 * 2 / 7)
    assert (rouge_l("", "!"), rouge_l("да", ""), rouge_l("да", "Да!")) == (0, 1, 0)
    generator = np.random.default_rng(5)
    for _ in range(100):
        one, two = ("".join(generator.choice(list("abcd"), generator.integers(1, 12))) for _ in range(2))
        expected = 1 - 2 * slow_common(one, two) / (len(one) + len(two))
        assert rouge_l(" ".join(one), " ".join(two)) == pytest.approx(expected)


@pytest.mark.parametrize("at_once", [1, 7, 30, 2**15])
def test_many_texts_are_compared_at_once_as_two_are(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.agreement.distances._AT_ONCE", at_once)
    generator = np.random.default_rng(7)
    texts = ["".join(generator.choice(list("abc"), generator.integers(0, 14))) for _ in range(30)]
    written = [" ".join(text) for text in texts]
    expected = [
        [1 - 2 * slow_common(one, two) / len(one + two) if one + two else 0.0 for two in texts] for one in texts
    ]
    assert distance_matrix(written, "rouge_l").tolist() == expected
    assert distances_between(written[:4], written, "rouge_l").tolist() == expected[:4]
    assert distances_between(written, written[:4], "rouge_l").tolist() == [row[:4] for row in expected]


@pytest.mark.parametrize("name", DISTANCES)
def test_a_distance_is_zero_to_itself_and_the_same_both_ways(name: str) -> None:
    examples = {"spans": [{"V": [(1, 4)]}, {"V": [(2, 4)]}, {"R": [(0, 1)]}, {}]}
    answers = examples.get(name, ["a b", "b c d", "", "d"])
    matrix = distance_matrix(answers, name)
    assert (matrix == matrix.T).all()
    assert not np.diagonal(matrix).any()
    assert all(DISTANCES[name](a, a) == 0 for a in answers)
    assert all(0 <= DISTANCES[name](a, b) == DISTANCES[name](b, a) <= 1 for a, b in combinations(answers, 2))


def test_distances_that_cannot_be_had_are_refused() -> None:
    with pytest.raises(UnknownName, match="'mas' is not known; did you mean 'masi'"):
        distance_matrix([], "mas")
    with pytest.raises(BadSetting, match="4001 different answers and at most 4000"):
        distance_matrix(range(4001), "exact")


def test_agreement_on_each_label_by_hand() -> None:
    found = {each.label: each for each in categories(votes_of(SIX), Resampling(draws=100))}
    # A: 6 + 2 + 12 pairs of 10 answers with 3 others each.
    assert found["l0"].specific == pytest.approx((6 + 2 + 12) / 30)
    assert found["l0"].share == pytest.approx(10 / 24)
    either = np.stack([SIX[:, 0], 4 - SIX[:, 0]], axis=1)
    assert found["l0"].alpha == pytest.approx(alpha(either))
    assert found["l0"].cis["alpha"][0] < found["l0"].alpha < found["l0"].cis["alpha"][1]
    assert found["l0"].cis["share"][0] < found["l0"].share < found["l0"].cis["share"][1]
    assert found["l0"].cis["specific"][0] < found["l0"].specific < found["l0"].cis["specific"][1]
    measures = ("share", "specific", "alpha")
    assert set(found["l0"].as_dict()) == {"label", "answers", "items", *measures, *(f"{name}_ci" for name in measures)}


def test_labels_nobody_gave_have_no_agreement() -> None:
    rows = pd.DataFrame([("q", "ann", "a"), ("q", "bob", "a")], columns=["item", "worker", "label"])
    one, other = categories(code(rows, labels=["a", "b"]), Resampling(draws=10))
    assert (one.share, one.specific, one.alpha) == (1, 1, 1)
    nothing = {f"{name}_ci": [None, None] for name in ("share", "specific", "alpha")}
    assert other.as_dict() == {
        "label": "b", "answers": 0, "items": 0, "share": 0.0, "specific": None, "alpha": None, **nothing
    }  # fmt: skip
    assert categories(code(rows[:1]), Resampling(draws=10))[0].as_dict()["share"] is None


# Tables 2 and 3 of AGRR-2019: rows and columns are the marks of the two assessors.
BOOKS = [[1533, 138, 129, 136], [240, 5301, 1021, 237], [213, 451, 1600, 281], [307, 177, 117, 108]]
SOCIAL = [[1817, 232, 174, 118], [154, 1900, 142, 46], [75, 130, 360, 21], [139, 53, 36, 25]]


def synthetic(table: list[list[int]], name: str) -> Assessment:
    pairs = [(row, column) for row in range(4) for column in range(4) for _ in range(table[row][column])]
    order = np.random.default_rng(0).permutation(len(pairs))
    return assess({f"{name}{n}": [str(mark) for mark in pairs[place]] for n, place in enumerate(order)}, list("0123"))


@pytest.mark.parametrize(("table", "n", "correct", "no_gap"), [(BOOKS, 11989, 0.44, 0.13), (SOCIAL, 5422, 0.35, 0.34)])
def test_the_tables_of_agrr(table: list[list[int]], n: int, correct: float, no_gap: float) -> None:
    found = synthetic(table, "s")
    assert found.matrix.tolist() == table
    assert found.n == n
    assert (round(found.share("1"), 2), round(found.share("0"), 2)) == (correct, no_gap)
    assert len(found.unanimous("2")) == table[2][2]
    assert found.as_dict()["n"] == n


def test_the_admission_rule_of_agrr_gives_its_corpus() -> None:
    admitted = [admission(synthetic(table, name)) for table, name in ((BOOKS, "b"), (SOCIAL, "s"))]
    assert sum(len(each.positive) for each in admitted) == 7201
    assert sum(len(each.negative) for each in admitted) == 3350
    assert sum(len(each.rest) for each in admitted) == 11989 + 5422 - 7201 - 3350


def test_kappa_by_hand_and_where_it_is_not_defined() -> None:
    # Observed 0.7, expected 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    pairs = {"aa": 4, "ab": 1, "ba": 2, "bb": 3}
    marks = {f"{pair}{n}": list(pair) for pair, number in pairs.items() for n in range(number)}
    assert assess(marks, ["a", "b"]).kappa == pytest.approx((0.7 - 0.5) / 0.5)
    assert assess({}, ["a"]).as_dict() == {
        "n": 0,
        "labels": ["a"],
        "matrix": [[0]],
        "unanimous": {"a": None},
        "kappa": None,
    }
    assert np.isnan(assess({"q": ["a", "a"]}, ["a", "b"]).kappa)


def test_marks_that_do_not_make_a_table_are_refused() -> None:
    with pytest.raises(BadSetting, match="'q' has 3 marks"):
        assess({"q": ["a", "a", "b"]}, ["a", "b"])
    with pytest.raises(BadSetting, match="'c' is not one of 'a', 'b'"):
        assess({"q": ["a", "c"]}, ["a", "b"])
    with pytest.raises(BadSetting, match="'r' has one mark"):
        Assessment(("a",), {"q": "a", "r": "a"}, {"q": "a"})
    with pytest.raises(BadSetting, match="'1' is not one of 'a'"):
        admission(assess({"q": ["a", "a"]}, ["a"]))
