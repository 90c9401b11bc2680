"""The figures of real crowd logs: RussianSuperGLUE's and MERA's, from the shared data."""

import json
from pathlib import Path

import numpy as np
import pytest

from eval.agreement.alpha import alpha, alpha_interval
from eval.agreement.coefficients import agreement
from eval.ballots import individual
from eval.consensus.majority import majority
from eval.intervals.clusters import Resampling
from eval.panel import PanelRules
from eval.people_scores import leave_one_out
from eval.scoring import score
from tests.helpers.crowd_logs import LOGS, POOLS, log, parus_gold, pool, reference
from tests.helpers.pair_coefficients import ac1, fleiss, pairwise


@pytest.mark.parametrize("name", LOGS)
def test_the_log_has_the_reference_figures(shared: Path, name: str) -> None:
    known, votes = reference(shared, name)["stats"], log(shared, name)
    sizes = votes.counts.sum(axis=1)
    assert (len(votes.items), len(votes), len(votes.workers)) == (known["items"], known["judgments"], known["workers"])
    assert {str(n): int((sizes == n).sum()) for n in np.unique(sizes)} == known["overlap"]
    assert majority(votes).number("tied") == known["ties"]
    assert (votes.counts.max(axis=1) == sizes).sum() == known["full_agreement_items"]
    assert pairwise(votes.counts) == pytest.approx(known["observed_pairwise_agreement"], abs=1e-12)
    assert alpha(votes.counts) == pytest.approx(known["krippendorff_alpha_nominal"], abs=1e-9)


@pytest.mark.parametrize("name", LOGS)
def test_the_interval_of_alpha_is_the_reference_one(shared: Path, name: str) -> None:
    known = reference(shared, name)["order_independent"]["alpha_bootstrap95"]
    assert alpha_interval(log(shared, name).counts, Resampling(draws=5000)) == pytest.approx(tuple(known), abs=0.008)


@pytest.mark.parametrize(("name", "expected"), [("LiDiRus", 0.42104), ("PARus", 0.86405), ("RWSD", 0.30880)])
def test_ac1_of_two_labels_and_of_the_three_irrcac_saw(shared: Path, name: str, expected: float) -> None:
    counts = log(shared, name).counts
    assert ac1(counts) == pytest.approx(expected, abs=5e-6)
    # The reference run of irrCAC took the empty cell of an absent rater for a third category, which lowers the
    # agreement expected by chance; a column nobody voted for reproduces its value.
    with_empty = np.hstack([counts, np.zeros((len(counts), 1), dtype=np.int64)])
    published = reference(shared, name)["stats"]["irrCAC"]["gwet_ac1"]["coefficient_value"]
    assert ac1(with_empty) == pytest.approx(published, abs=5e-6)


def test_parus_has_a_constant_overlap_so_fleiss_is_defined(shared: Path) -> None:
    counts = log(shared, "PARus").counts
    assert alpha(counts) == pytest.approx(0.8640362811791383, abs=1e-9)
    assert fleiss(counts) == pytest.approx(reference(shared, "PARus")["stats"]["fleiss_kappa"], abs=1e-12)
    assert agreement(log(shared, "RWSD").counts, Resampling(draws=10)).values["fleiss"] is None


def test_parus_against_its_gold(shared: Path) -> None:
    gold = parus_gold(shared)
    known, votes = reference(shared, "PARus"), log(shared, "PARus")
    crowd = score(["accuracy", "mcc"], gold, majority(votes).ballots)
    assert crowd["accuracy"].value == pytest.approx(0.984)
    assert crowd["accuracy"].ci == pytest.approx(tuple(known["order_independent"]["mv_accuracy_wilson95"]))
    assert crowd["mcc"].value == pytest.approx(known["gold"]["majority_mcc"])
    each = score(["accuracy"], gold, individual(votes))["accuracy"]
    assert each.value == pytest.approx(known["gold"]["individual_accuracy"])
    assert each.n == 1500


@pytest.mark.parametrize("name", POOLS)
def test_the_pool_has_the_published_counts(shared: Path, name: str) -> None:
    known = json.loads((shared / "toloka_pools/expected.json").read_text(encoding="utf-8"))[name]
    found = pool(shared, name, PanelRules(control_min=0.5, min_votes=3, ties="drop"))
    counts = found.counts()
    assert counts["workers"]["total"] == counts["workers"]["with_controls"] == known["workers_with_controls"]
    assert counts["workers"]["excluded"] == known["workers_below_half_on_controls"]
    assert counts["judgments"]["main"] + counts["judgments"]["control"] == known["rows"]
    assert counts["items"]["total"] == counts["items"]["answered"] == known["main_items"]
    # The published count takes items with one answer for unanimous.
    assert counts["items"]["unanimous"] == known["unanimous"] - known["overlap_after_exclusion"].get("1", 0)
    assert counts["items"]["with_consensus"] == known["items_with_3_equal_votes"]
    assert list(counts["overlap"].items()) == list(known["overlap_after_exclusion"].items())


def test_bps_is_solved_by_its_crowd(shared: Path) -> None:
    found = pool(shared, "BPS", PanelRules(control_min=0.5, min_votes=3, ties="drop"))
    crowd = score(["accuracy"], found.gold, found.consensus.ballots)["accuracy"]
    assert (crowd.value, crowd.n, crowd.method) == (1.0, 100, "wilson")
    assert crowd.ci == pytest.approx((0.963, 1.0), abs=5e-4)
    each = score(["accuracy"], found.gold, individual(found.votes))["accuracy"]
    assert each.value == pytest.approx(0.9489795918367347)
    assert each.n == found.counts()["judgments"]["kept"] == 490
    assert leave_one_out(found.votes).value == pytest.approx(0.940, abs=5e-4)
    assert found.agreement.alpha == pytest.approx(0.807, abs=5e-4)
    assert found.agreement.values["ac1"] == pytest.approx(0.814, abs=5e-4)


def test_lcs_has_the_published_score_on_54_items(shared: Path) -> None:
    found = pool(shared, "LCS", PanelRules(control_min=0.5, min_votes=3, ties="drop"))
    crowd = score(["accuracy"], found.gold, found.consensus.ballots)["accuracy"]
    assert crowd.value == pytest.approx(0.7037037037037037)
    assert crowd.n == 54
    each = score(["accuracy"], found.gold, individual(found.votes))["accuracy"]
    assert each.value == pytest.approx(0.4613821138211382)


@pytest.mark.parametrize(("name", "peers"), [("RCB", 0.748), ("LCS", 0.455)])
def test_agreement_with_peers_is_that_of_the_notebook(shared: Path, name: str, peers: float) -> None:
    found = leave_one_out(pool(shared, name, PanelRules(control_min=0.5)).votes, Resampling(draws=100))
    assert found.value == pytest.approx(peers, abs=5e-4)
