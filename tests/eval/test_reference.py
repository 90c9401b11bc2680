"""The figures of the reference file that no other test has: other libraries' coefficients, ties, aggregators, gold.

`tests/eval/test_logs.py` has the counts, alpha with its interval, AC1 and the scores of PARus;
`tests/eval/test_dawid_skene.py` has crowd-kit's Dawid-Skene and one-coin, label by label. crowd-kit's GLAD, MACE, MMSR,
KOS and ZeroBasedSkill have no counterpart here.
"""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from eval.agreement.alpha import alpha
from eval.agreement.coefficients import agreement
from eval.arrays import Codes
from eval.consensus.dawid_skene import dawid_skene
from eval.consensus.majority import majority
from eval.consensus.rules import ConsensusRule, consensus_of
from eval.intervals.clusters import Resampling, percentile, resample
from eval.votes import Votes
from tests.helpers.crowd_logs import LOGS, log, reference, table
from tests.helpers.pair_coefficients import fleiss, pairwise


def file_order(shared: Path, name: str) -> dict[str, int]:
    """The number of each item in the order of the file, as the reference numbers them."""
    fields, _ = LOGS[name]
    rows = table(shared / "toloka_logs" / name / f"assign_{name}.tsv", ";")
    return {item: place for place, item in enumerate(dict.fromkeys(rows[fields].agg("\t".join, axis=1)))}


def fingerprint(shared: Path, name: str, codes: Codes) -> str:
    """The SHA-256 of one label for each item, as the reference has it."""
    votes, order = log(shared, name), file_order(shared, name)
    chosen = {order[item]: votes.labels[code] for item, code in zip(votes.items, codes.tolist(), strict=True)}
    lines = (f"{place}\t{chosen[place]}" for place in sorted(chosen))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def first_of_level(votes: Votes) -> Codes:
    """The majority with ties to the first label, which crowd-kit took before pandas 3."""
    return np.asarray(votes.counts.argmax(axis=1), dtype=np.int32)


def counted(votes: Votes, codes: Codes) -> dict[str, int]:
    return dict(zip(votes.labels, np.bincount(codes, minlength=len(votes.labels)).tolist(), strict=True))


@pytest.mark.parametrize("name", LOGS)
def test_what_workers_gave_is_what_was_counted(shared: Path, name: str) -> None:
    known, votes = reference(shared, name)["stats"], log(shared, name)
    given, sizes = np.bincount(votes.worker), votes.counts.sum(axis=1)
    assert counted(votes, votes.label) == known["labels"]
    workers = known["judgments_per_worker"]
    assert (given.min(), np.median(given), given.max()) == (workers["min"], workers["median"], workers["max"])
    assert given.max() / len(votes) == pytest.approx(workers["top_worker_share"])
    assert (2 * votes.counts.max(axis=1) > sizes).sum() == known["absolute_majority_items"]
    unanimous = votes.counts.max(axis=1) == sizes
    assert unanimous.mean() == pytest.approx(known["full_agreement_frac"])
    assert unanimous[sizes > 1].mean() == pytest.approx(known["full_agreement_frac_overlap_ge2"])


@pytest.mark.parametrize("name", LOGS)
def test_other_libraries_agree_on_alpha_and_differ_where_their_categories_do(shared: Path, name: str) -> None:
    known, counts = reference(shared, name)["stats"], log(shared, name).counts
    assert alpha(counts) == pytest.approx(known["krippendorff_alpha_nominal_reliability_matrix"], abs=1e-12)
    assert alpha(counts) == pytest.approx(known["nltk_alpha"], abs=1e-12)
    library = {name: found["coefficient_value"] for name, found in known["irrCAC"].items()}
    assert alpha(counts) == pytest.approx(library["krippendorff"], abs=5e-6)
    # Its "fleiss" is not Fleiss' kappa but a generalisation to uneven overlap, with chance from the items' shares.
    share = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    expected = float((share**2).sum())
    assert (pairwise(counts) - expected) / (1 - expected) == pytest.approx(library["fleiss"], abs=5e-6)
    # Its Brennan-Prediger coefficient took the empty cell of an absent rater for a third category.
    assert (pairwise(counts) - 1 / 3) / (1 - 1 / 3) == pytest.approx(library["bp"], abs=5e-6)


@pytest.mark.parametrize("name", ["LiDiRus", "RWSD"])
def test_fleiss_is_defined_where_the_overlap_is_the_usual_one(shared: Path, name: str) -> None:
    known, counts = reference(shared, name)["stats"]["fleiss_kappa_on_modal_overlap"], log(shared, name).counts
    usual = counts[counts.sum(axis=1) == known["overlap"]]
    assert (len(usual), fleiss(counts)) == (known["items"], None)
    assert fleiss(usual) == pytest.approx(known["kappa"], abs=1e-12)


def test_without_the_rows_that_stand_twice_the_log_has_the_other_reference_figures(shared: Path) -> None:
    votes, known = log(shared, "LiDiRus"), reference(shared, "LiDiRus")["stats_deduplicated_last"]
    pairs = votes.item.astype(np.int64) * len(votes.workers) + votes.worker
    _, first_from_behind = np.unique(pairs[::-1], return_index=True)
    once = votes.keep(np.isin(np.arange(len(votes)), len(votes) - 1 - first_from_behind))
    found = agreement(once.counts, Resampling(draws=10))
    assert (len(once), counted(once, once.label)) == (known["judgments"], known["labels"])
    assert found.alpha == pytest.approx(known["krippendorff_alpha_nominal"], abs=1e-12)
    assert found.pairwise == pytest.approx(known["observed_pairwise_agreement"], abs=1e-12)
    assert majority(once).number("tied") == known["ties"]


@pytest.mark.parametrize("name", LOGS)
def test_ties_are_the_reference_ones_and_their_labels_only_follow_the_rule(shared: Path, name: str) -> None:
    known, votes, order = reference(shared, name)["order_independent"], log(shared, name), file_order(shared, name)
    found = majority(votes)
    tied = [order[votes.items[row]] for row in np.flatnonzero(found.status == "tied").tolist()]
    assert sorted(tied) == known["tied_tasks"]
    assert counted(votes, found.code[found.code >= 0]) == known["mv_nontied_label_counts"]
    first = first_of_level(votes)
    assert counted(votes, first) == known["mv_smallest_label_counts"]
    assert fingerprint(shared, name, first) == known["mv_smallest_label_sha256"]
    library = reference(shared, name)["aggregators"]["MajorityVote"]
    assert counted(votes, first) == library["label_counts"]


@pytest.mark.parametrize("name", LOGS)
def test_weighted_by_agreement_with_the_majority_is_crowd_kits_wawa(shared: Path, name: str) -> None:
    known, votes = reference(shared, name)["aggregators"]["Wawa"], log(shared, name)
    first = first_of_level(votes)
    skills = np.bincount(votes.worker, weights=votes.label == first[votes.item]) / np.bincount(votes.worker)
    found = consensus_of(votes, ConsensusRule(consensus="weighted"), skills=skills)
    assert counted(votes, found.code) == known["label_counts"]
    assert (found.code != first).sum() == known["differs_from_mv"]
    level = majority(votes).status == "tied"
    assert (found.code != first)[~level].sum() == known["differs_on_non_tied"]


@pytest.mark.parametrize("name", LOGS)
def test_the_model_of_voters_moves_as_many_labels_as_the_reference_says(shared: Path, name: str) -> None:
    known, votes = reference(shared, name)["order_independent"]["dawid_skene_true_elbo"], log(shared, name)
    ours, theirs = (
        dawid_skene(votes, prior_per_judgment=per_judgment).posterior.argmax(axis=1) for per_judgment in (False, True)
    )
    assert (ours != theirs).sum() == known["labels_differ_from_crowdkit_stop"]
    assert (ours != first_of_level(votes)).sum() == known["labels_differ_from_mv"]
    library = reference(shared, name)["aggregators"]["DawidSkene_100"]
    assert (theirs != first_of_level(votes)).sum() == library["differs_from_mv"]


def test_parus_against_its_gold_item_by_item_and_worker_by_worker(shared: Path) -> None:
    known, votes, order = reference(shared, "PARus"), log(shared, "PARus"), file_order(shared, "PARus")
    rows = table(shared / "toloka_logs/PARus/gold.csv", ",")
    keys = rows[["premise", "question", "sent1", "sent2"]].agg("\t".join, axis=1)
    gold = dict(zip(keys, rows["variant"], strict=True))
    assert {str(order[item]): label for item, label in gold.items()} == known["order_independent"]["gold_by_task"]
    truth = np.array([votes.labels.index(gold[item]) for item in votes.items])
    assert counted(votes, truth.astype(np.int32)) == known["gold"]["gold_counts"]
    wrong = np.flatnonzero(majority(votes).code != truth)
    assert sorted(order[votes.items[row]] for row in wrong.tolist()) == known["order_independent"]["mv_wrong_tasks"]
    errors = np.bincount(votes.worker, weights=votes.label != truth[votes.item]) / np.bincount(votes.worker)
    assert errors.max() == pytest.approx(known["gold"]["worst_worker_error"])
    assert (errors == 0).sum() == known["gold"]["workers_with_zero_errors"]
    for model, accuracy in ((False, 0.984), (True, known["aggregators"]["DawidSkene_100"]["accuracy"])):
        assert (dawid_skene(votes, prior_per_judgment=model).posterior.argmax(axis=1) == truth).mean() == accuracy


def test_the_bootstrap_of_the_majority_has_the_reference_interval(shared: Path) -> None:
    known = reference(shared, "PARus")["order_independent"]["mv_accuracy_bootstrap95"]
    right = np.array([8, 492])
    drawn = resample(right, lambda times: times[:, 1] / 500, draws=10_000, generator=np.random.default_rng(1))
    assert percentile(drawn) == pytest.approx(tuple(known), abs=0.0021)
