"""Errors in the gold: whose word counts against it, and how items are ranked."""

from collections.abc import Mapping

import numpy as np
import pytest

from eval.ballots import Ballots, answers
from eval.gold_errors import gold_errors
from eval.votes import Votes, code

ITEMS = [f"i{n:02}" for n in range(40)]
GOLD = dict.fromkeys(ITEMS, "yes")
LABELS = ["no", "yes"]


def voted(said: Mapping[str, Mapping[str, str]]) -> Votes:
    """Votes of workers who give the gold but for the items named."""
    rows = [(item, worker, wrong.get(item, "yes")) for worker, wrong in said.items() for item in ITEMS]
    frame = dict(zip(("item", "worker", "label"), map(list, zip(*rows, strict=True)), strict=True))
    return code(frame, items=ITEMS, labels=LABELS)


def model(wrong: Mapping[str, str]) -> Ballots:
    return answers({item: wrong.get(item, "yes") for item in ITEMS}, items=ITEMS, labels=LABELS)


def test_the_more_and_the_better_contradict_the_gold_the_more_doubtful_it_is() -> None:
    said = {
        "a": dict.fromkeys(ITEMS[:3], "no"),
        "b": dict.fromkeys(ITEMS[:2], "no"),
        "c": dict.fromkeys(ITEMS[::2], "no"),
    }
    found = gold_errors(voted(said), [], GOLD)
    assert found.ranked[:3].tolist() == [0, 1, 2]
    assert found.alternatives[0] == "no"
    # c, who is right by the gold on half of the items, is a guesser: that word alone says next to nothing.
    assert found.wrong[4] == pytest.approx(found.wrong[5], rel=0.15)


def test_the_weight_of_an_answer_is_the_log_odds_of_being_right_elsewhere() -> None:
    found = gold_errors(voted({"a": {"i00": "no"}}), [], GOLD)
    share = (39 + 2 * 39 / 40) / (39 + 2)  # right on the 39 others, and two answers of the average worker
    against = np.log(min(share, 0.99) / (1 - min(share, 0.99))) + np.log(0.05 / 0.95)
    assert found.wrong[0] == pytest.approx(1 / (1 + np.exp(-against)))


def test_models_weigh_as_much_as_one_of_them() -> None:
    votes = voted({"a": {}})
    alone, many = (gold_errors(votes, [model({"i00": "no"})] * number, GOLD).wrong[0] for number in (1, 9))
    assert alone == pytest.approx(many)


def test_a_model_at_chance_has_no_weight() -> None:
    votes = voted({"a": {}, "b": {"i05": "no"}})
    guessing = model(dict.fromkeys(ITEMS[::2], "no"))
    with_it, without = (gold_errors(votes, models, GOLD).wrong for models in ([guessing], []))
    assert with_it == pytest.approx(without, rel=0.05)  # 20 of the 39 other items are a hair more than chance


def test_items_without_gold_or_answers_have_no_probability() -> None:
    votes = voted({"a": {}})
    gold = dict.fromkeys(ITEMS[1:], "yes")
    found = gold_errors(votes, [], gold)
    assert np.isnan(found.wrong[0])
    assert len(found.ranked) == 39
    nobody = gold_errors(votes.keep(votes.item > 3), [], GOLD)
    assert np.isnan(nobody.wrong[:4]).all()


def test_what_nobody_contradicts_stands_last() -> None:
    found = gold_errors(voted({"a": {"i07": "no"}, "b": {}}), [], GOLD)
    assert found.ranked[0] == 7
    assert found.alternatives.count(None) == 39
