"""Intervals of winning rate and advantage: by hand, against a plain bootstrap, and where they hold for other people."""

import numpy as np
import pytest

from eval.comparison.alt_test import alternative_annotator
from eval.comparison.alt_test_intervals import alternative_estimates
from eval.intervals.clusters import Resampling
from eval.intervals.wilson import wilson
from eval.votes import Votes, code

ITEMS = [f"q{number}" for number in range(40)]


def annotations(people: int, skill: float, seed: int = 1) -> Votes:
    generator = np.random.default_rng(seed)
    rows = [(item, f"w{who}", "yes" if generator.random() < skill else "no") for item in ITEMS for who in range(people)]
    return code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=("no", "yes"))


def test_people_who_never_differ_leave_the_intervals_of_as_many_people_and_items() -> None:
    votes = annotations(6, 1.0)
    test = alternative_annotator(votes, dict.fromkeys(ITEMS, "yes"))
    found = alternative_estimates(test, votes)
    rate, advantage = found["winning_rate"], found["advantage"]
    # Every sample of items passes all six; other items need not, and the share lies where Wilson puts six of six.
    assert (rate.value, rate.ci_items, rate.n) == (1.0, wilson(6, 6), 6)
    assert rate.ci == pytest.approx(wilson(6, 6))
    assert rate.method == "wilson"
    assert advantage.value == 1.0
    assert advantage.ci == pytest.approx(wilson(40, 40))
    few = annotations(4, 1.0)
    held = alternative_estimates(alternative_annotator(few, dict.fromkeys(ITEMS, "yes")), few)
    assert [each.ci_items for each in held.values()] == [None, None]
    assert (held["winning_rate"].ci, held["winning_rate"].method) == (wilson(4, 4), "wilson")


def test_the_rate_over_items_is_that_of_tests_made_anew_in_every_sample() -> None:
    votes, generator = annotations(5, 0.8), np.random.default_rng(4)
    model = {item: "yes" if generator.random() < 0.9 else "no" for item in ITEMS}
    found = alternative_estimates(alternative_annotator(votes, model), votes, Resampling(draws=500), other_people=False)
    rates, advantages = [], []
    for _ in range(200):
        sample = generator.integers(len(ITEMS), size=len(ITEMS)).tolist()
        rows = [
            (f"{copy}", f"w{who}", votes.labels[label])
            for copy, place in enumerate(sample)
            for item, who, label in zip(votes.item.tolist(), votes.worker.tolist(), votes.label.tolist(), strict=True)
            if item == place
        ]
        table = dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True))
        answers = {f"{copy}": model[votes.items[place]] for copy, place in enumerate(sample)}
        test = alternative_annotator(code(table, labels=votes.labels), answers)
        rates.append(test.winning_rate or 0.0)
        advantages.append(test.advantage)
    assert found["winning_rate"].ci == pytest.approx(tuple(np.quantile(rates, [0.025, 0.975])), abs=0.21)
    assert found["advantage"].ci == pytest.approx(tuple(np.quantile(advantages, [0.025, 0.975])), abs=0.03)


def test_without_a_verdict_there_are_no_figures() -> None:
    votes = annotations(2, 0.8)
    assert alternative_estimates(alternative_annotator(votes, dict.fromkeys(ITEMS, "yes")), votes) == {}
