"""Metrics of texts: exact match, words, ROUGE, by hand calculation and against slow definitions."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.answers.choice import Choice
from data.answers.text import Text
from data.wording import same
from eval.metrics.rouge import rouge_1, rouge_2, rouge_l
from eval.metrics.table import metric_named
from eval.metrics.texts import accepted, runs, token_f1, token_precision, token_recall, words

TEXT = Text()
NAMES = ("em", "token_f1", "token_precision", "token_recall", "rouge_1", "rouge_2", "rouge_l")


def credit(name: str, gold: str | list[str], told: str | None) -> float:
    row = metric_named(name)
    assert row.of_answer is not None
    value, one = row.of_answer(TEXT, {}, TEXT.gold(gold, {}), told)
    assert one == 1
    return value


def test_words_are_folded_and_keep_hyphens_and_points_of_numbers() -> None:
    assert words("Кто-то  ВЗЯЛ ёлку, —\u00a0и ушёл!") == ["кто-то", "взял", "елку", "и", "ушел"]
    assert words("на 1,5% (по 10.30), а−б") == ["на", "1,5", "по", "10.30", "а-б"]
    assert words("за\u0301мок, и\u0306од, нуле\u200bвой") == ["замок", "йод", "нулевой"]
    assert words("составил,составил") == ["составил", "составил"]
    assert words("«…» — ?!_") == []


def test_what_rouge_counts_are_runs_of_letters_and_digits_of_any_script() -> None:
    assert runs("Кто-то взял 1,5 kg, ё_ё") == ["кто", "то", "взял", "1", "5", "kg", "е", "е"]


@pytest.mark.parametrize(
    ("gold", "told", "value"),
    [
        ("составил", "Составил.", 1),
        ("придёт Вова", "придет  вова", 1),
        ("составил, составил", "составил составил", 1),
        ("составил, составил", "составил", 0),
        ("кто-то", "кто‑то", 1),
        ("кто-то", "кто то", 0),
        ("не любит", "любит", 0),
        ("1,5", "15", 0),
        ("?!", "?!", 1),
        ("?!", "…", 0),
    ],
)
def test_texts_match_where_their_words_are_the_same(gold: str, told: str, value: float) -> None:
    assert credit("em", gold, told) == value


def test_the_best_of_the_accepted_golds_counts() -> None:
    gold = ["не умеет плавать", "не умеет"]
    assert [credit(name, gold, "не умеет") for name in NAMES] == [1] * 7
    assert credit("token_f1", gold, "плавать не умеет") == pytest.approx(1)
    assert credit("rouge_l", gold, "плавать") == pytest.approx(2 * 1 / (3 + 1))


def test_no_answer_is_worth_nothing() -> None:
    assert [credit(name, "да", None) for name in NAMES] == [0] * 7


def test_other_types_have_one_gold() -> None:
    choice = Choice(choices={"0": same("да"), "1": same("нет")})
    assert accepted(choice, {}, "1") == ("1",)
    assert accepted(TEXT, {}, '["да","конечно"]') == ("да", "конечно")


def test_rouge_of_a_sentence_by_hand() -> None:
    gold, told = runs("Он поехал домой к маме."), runs("К маме он вчера поехал")
    # Common: он, поехал, к, маме of 5 and 5; pairs: "к маме" of 4 and 4; in order: "он поехал" or "к маме".
    assert rouge_1(gold, told) == pytest.approx(2 * 4 / 10)
    assert rouge_2(gold, told) == pytest.approx(2 * 1 / 8)
    assert rouge_l(gold, told) == pytest.approx(2 * 2 / 10)


def test_precision_and_recall_are_told_apart() -> None:
    gold, told = ["плановый", "уровень", "был", "увеличен"], ["был", "был", "увеличен"]
    assert token_precision(gold, told) == pytest.approx(2 / 3)
    assert token_recall(gold, told) == pytest.approx(2 / 4)
    assert token_f1(gold, told) == pytest.approx(2 * (2 / 3) * (1 / 2) / (2 / 3 + 1 / 2))


def test_texts_without_words_are_equal_for_words_and_nothing_for_rouge() -> None:
    assert [of([], []) for of in (token_precision, token_recall, token_f1)] == [1, 1, 1]
    assert [of(["да"], []) for of in (token_precision, token_recall, token_f1)] == [0, 0, 0]
    assert [of([], []) for of in (rouge_1, rouge_2, rouge_l)] == [0, 0, 0]
    assert rouge_2(["да"], ["да"]) == 0


def f_measure(matches: int, gold: int, told: int) -> float:
    """ROUGE's F from precision and recall, as Lin 2004 (beta 1) and rouge-score have it."""
    precision, recall = matches / max(told, 1), matches / max(gold, 1)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def stretches(tokens: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))


def slow_rouge_n(gold: Sequence[str], told: Sequence[str], size: int) -> float:
    one, two = stretches(gold, size), stretches(told, size)
    return f_measure(sum(min(times, two[part]) for part, times in one.items()), one.total(), two.total())


def slow_rouge_l(gold: Sequence[str], told: Sequence[str]) -> float:
    @cache
    def longest(i: int, j: int) -> int:
        if i == len(gold) or j == len(told):
            return 0
        if gold[i] == told[j]:
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    return f_measure(longest(0, 0), len(gold), len(told))


TOKENS = st.lists(st.sampled_from(["он", "она", "был", "дом", "не"]), max_size=9)


@given(TOKENS, TOKENS)
def test_rouge_is_what_its_definition_says(gold: list[str], told: list[str]) -> None:
    assert rouge_1(gold, told) == pytest.approx(slow_rouge_n(gold, told, 1))
    assert rouge_2(gold, told) == pytest.approx(slow_rouge_n(gold, told, 2))
    assert rouge_l(gold, told) == pytest.approx(slow_rouge_l(gold, told))


@given(st.text(alphabet="абё-,1 \u0301A", min_size=1), st.text(alphabet="абё-,1 \u0301A", min_size=1))
def test_every_credit_is_from_nothing_to_one_and_a_match_has_all_the_words(gold: str, told: str) -> None:
    if not gold.strip() or not told.strip():
        return
    credits = {name: credit(name, gold, told.strip()) for name in NAMES}
    assert all(0 <= value <= 1 for value in credits.values())
    if credits["em"]:
        assert credits["token_f1"] == credits["token_precision"] == credits["token_recall"] == 1
        assert credits["rouge_1"] == credits["rouge_l"] == float(bool(runs(gold)))


def test_the_value_of_many_answers_is_the_mean_credit() -> None:
    row = metric_named("em")
    assert row.is_mean
    assert row.sums(np.array([3.0, 4.0])) == 0.75
