"""A single cluster, and items none of which is scored: no interval, no test and no traceback."""

import math
from typing import Any

import pytest

from data.answers.answer_type import packed
from eval.agreement.coefficients import agreement
from eval.agreement.of_votes import open_agreement
from eval.ballots import individual
from eval.comparison.difference import difference, equivalence
from eval.consensus.majority import majority
from eval.consensus.ties import WinningRule
from eval.intervals.clusters import Clusters, Resampling
from eval.intervals.other_people import wider_scores
from eval.people_scores import leave_one_out
from eval.scoring import score
from tests.helpers.opened import MARKS, SETS, gold_for, voted

SAID: dict[str, list[Any]] = {"q1": [["a"], ["a"], ["b"]], "q2": [["b"], ["b"], ["b"]], "q3": [["a"], ["c"], ["c"]]}
ONE = Clusters("variant", dict.fromkeys(SAID, "v1"))


@pytest.mark.parametrize("metric", ["accuracy", "f1a"])
def test_one_cluster_has_a_score_and_no_interval(metric: str) -> None:
    votes = voted(SETS, SAID)
    gold = gold_for(votes, {"q1": ["a"], "q2": ["b"], "q3": ["a"]})
    crowd, people = majority(votes).ballots, individual(votes)
    found = score([metric], gold, crowd, Resampling(ONE))[metric]
    assert found.value == pytest.approx(2 / 3)
    assert (found.as_dict()["ci"], found.method, found.unit) == ([None, None], "none", "variant")
    assert score([metric], gold, people, Resampling(ONE))[metric].method == "none"
    wide = wider_scores({metric: found}, gold, votes, individual, ONE)[metric]
    assert wide.ci_items is None
    apart = difference(metric, gold, crowd, crowd, Resampling(ONE))
    assert (apart.value, apart.p, apart.test, apart.as_dict()["ci"]) == (0, None, "none", [None, None])
    equal = equivalence(metric, gold, crowd, crowd, Resampling(ONE, draws=50), margin=0.05)
    assert (equal.equivalent, equal.method, equal.as_dict()["p"]) == (False, "none", None)


def test_one_cluster_has_agreement_without_an_interval() -> None:
    votes = voted(SETS, SAID)
    assert open_agreement(votes, Resampling(ONE, draws=20)).as_dict()["alpha_ci"] == [None, None]
    assert leave_one_out(votes, Resampling(ONE)).method == "none"
    listed = agreement(votes.counts, Resampling(ONE, draws=20), items=votes.items)
    assert math.isnan(listed.alpha_ci[0])
    assert not math.isnan(listed.alpha)


def test_a_metric_of_sums_over_nothing_that_is_scored_is_no_number() -> None:
    votes = voted(MARKS, {"q": [packed({"R": [[0, 2]]}), packed({"R": [[0, 2]]})]}, text="abcdef")
    gold = gold_for(votes, {"q": {"R": [[0, 2]]}})
    dropped = majority(votes, WinningRule("drop", min_votes=3)).ballots
    found = score(["symbol_f"], gold, dropped)["symbol_f"]
    assert (found.as_dict()["value"], found.n, found.method) == (None, 0, "none")
