"""Dawid-Skene: against a slow loop, against crowd-kit's frozen figures, and as a consensus."""

import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.errors import BadSetting
from eval.arrays import Floats
from eval.consensus import rules as consensus_rules
from eval.consensus.dawid_skene import Fit, dawid_skene, one_coin
from eval.consensus.rules import CONSENSUS, ConsensusRule, consensus_of
from eval.votes import Votes, code
from tests.helpers.crowd_logs import LOGS, log, reference, table

MODELS = {"DawidSkene_100": dawid_skene, "OneCoinDawidSkene_100": one_coin}


def study(rows: str, labels: list[str] | None = None, items: list[str] | None = None) -> Votes:
    """Rows like "q1:aab q2:abb", the workers by their places."""
    given = [row.split(":") for row in rows.split()]
    cells = [(item, f"w{place}", label) for item, said in given for place, label in enumerate(said)]
    return code(pd.DataFrame(cells, columns=["item", "worker", "label"], dtype=object), items=items, labels=labels)


def labels_in_file_order(shared: Path, name: str, fit: Fit) -> str:
    fields, _ = LOGS[name]
    rows = table(shared / "toloka_logs" / name / f"assign_{name}.tsv", ";")
    votes = log(shared, name)
    chosen = dict(zip(votes.items, (votes.labels[best] for best in fit.posterior.argmax(axis=1)), strict=True))
    order = dict.fromkeys(rows[fields].agg("\t".join, axis=1))
    return "\n".join(f"{place}\t{chosen[item]}" for place, item in enumerate(order))


@pytest.mark.parametrize("library", MODELS)
@pytest.mark.parametrize("name", LOGS)
def test_with_its_stopping_the_labels_are_those_of_crowd_kit(shared: Path, name: str, library: str) -> None:
    known, votes = reference(shared, name)["aggregators"][library], log(shared, name)
    fit = MODELS[library](votes, prior_per_judgment=True)
    assert len(fit.objective) == known["iterations"]
    found = dict(zip(votes.labels, np.bincount(fit.posterior.argmax(axis=1), minlength=2).tolist(), strict=True))
    assert {label: n for label, n in found.items() if n} == known["label_counts"]
    assert hashlib.sha256(labels_in_file_order(shared, name, fit).encode()).hexdigest() == known["labels_sha256"]
    if "prior" in known:
        assert fit.prior == pytest.approx([known["prior"][label] for label in votes.labels], abs=1e-12)


@pytest.mark.parametrize("stop", ["dawid_skene_crowdkit_stop", "dawid_skene_true_elbo"])
@pytest.mark.parametrize("name", LOGS)
def test_both_ways_to_stop_have_the_reference_figures(shared: Path, name: str, stop: str) -> None:
    known = reference(shared, name)["order_independent"][stop]
    fit = dawid_skene(log(shared, name), prior_per_judgment=stop == "dawid_skene_crowdkit_stop")
    assert (len(fit.objective), fit.converged) == (known["iterations"], True)
    assert fit.objective[-1] == pytest.approx(known["final_loss"], abs=1e-12)
    assert fit.prior == pytest.approx(known["prior"], abs=1e-10)
    assert hashlib.sha256(labels_in_file_order(shared, name, fit).encode()).hexdigest() == known["labels_sha256"]


@pytest.mark.parametrize("name", LOGS)
def test_the_correct_bound_never_falls(shared: Path, name: str) -> None:
    for model in MODELS.values():
        objective = model(log(shared, name), tolerance=0, iterations=60).objective
        assert np.diff(objective)[:-1].min() >= -1e-12


def slow_dawid_skene(votes: Votes, iterations: int) -> Floats:
    items, workers, labels = len(votes.items), len(votes.workers), len(votes.labels)
    posterior = votes.counts / votes.counts.sum(axis=1, keepdims=True)
    for _ in range(iterations):
        errors = np.zeros((workers, labels, labels))
        for item, worker, label in zip(votes.item, votes.worker, votes.label, strict=True):
            errors[worker, label] += posterior[item]
        errors /= np.maximum(errors.sum(axis=1, keepdims=True), 1e-300)
        logs = np.tile(np.log(posterior.mean(axis=0)), (items, 1))
        for item, worker, label in zip(votes.item, votes.worker, votes.label, strict=True):
            logs[item] += np.log(np.maximum(errors[worker, label], 1e-10))
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
    return np.asarray(posterior)


def test_the_sparse_steps_equal_the_loop_over_judgments() -> None:
    generator = np.random.default_rng(3)
    truth = generator.integers(0, 3, 60)
    rows = [
        (f"q{item:02}", f"w{worker}", "abc"[truth[item] if generator.random() < 0.7 else generator.integers(3)])
        for item in range(60)
        for worker in generator.choice(8, 4, replace=False)
    ]
    votes = code(pd.DataFrame(rows, columns=["item", "worker", "label"]))
    found = dawid_skene(votes, tolerance=0, iterations=12)
    assert found.posterior == pytest.approx(slow_dawid_skene(votes, len(found.objective)), abs=1e-8)
    order = generator.permutation(len(votes))
    item, worker, label = (column[order] for column in (votes.item, votes.worker, votes.label))
    shuffled = Votes(votes.items, votes.workers, votes.labels, item, worker, label)
    assert np.array_equal(dawid_skene(shuffled).posterior, dawid_skene(votes).posterior)


def test_the_voter_who_errs_is_found_out() -> None:
    # w3 always says the opposite of the others, so its votes count as evidence for the other label.
    votes = study("q1:aaab q2:bbba q3:aaab q4:bbba q5:aaab q6:bbba")
    fit = dawid_skene(votes)
    assert fit.posterior.argmax(axis=1).tolist() == [0, 1, 0, 1, 0, 1]
    assert fit.skill == pytest.approx([1, 1, 1, 0], abs=1e-6)
    assert one_coin(votes).skill == pytest.approx([1, 1, 1, 0], abs=1e-6)


def test_items_without_votes_and_labels_nobody_gave_have_no_probability() -> None:
    votes = study("q1:aa q2:ab q3:bb", labels=["z", "a", "b"], items=["q0", "q1", "q2", "q3"])
    for fit in (dawid_skene(votes), one_coin(votes)):
        assert fit.posterior[0].tolist() == [0, 0, 0]
        assert fit.posterior[1:].sum(axis=1) == pytest.approx([1, 1, 1])
        assert not fit.posterior[:, 0].any()
        assert fit.prior.sum() == pytest.approx(1)


def test_nothing_to_fit_and_one_label_only_are_no_error() -> None:
    empty = dawid_skene(study("", items=["q"], labels=["a"]))
    assert (empty.posterior.tolist(), empty.objective, empty.converged) == ([[0]], (), True)
    for model in (dawid_skene, one_coin):
        assert model(study("q1:aa q2:a")).posterior.tolist() == [[1], [1]]
    with pytest.raises(BadSetting, match="at least 1 iteration"):
        dawid_skene(study("q1:a"), iterations=0)


@pytest.mark.parametrize("rule", CONSENSUS)
def test_every_rule_gives_the_same_statuses_for_clear_votes(rule: str) -> None:
    votes = study("q1:aaa q2:bbb q3:aab q4:ab q5:b", items=["q0", "q1", "q2", "q3", "q4", "q5"])
    result = consensus_of(votes, ConsensusRule(consensus=rule, min_votes=2), skills=np.full(3, 0.8))
    assert result.status[[0, 1, 2, 3, 5]].tolist() == ["empty", "won", "won", "won", "short"]
    assert result.winner[1:4] == ("a", "b", "a")
    assert result.ballots.weights[1:4].sum(axis=1).tolist() == [1, 1, 1]


def test_of_the_answers_that_were_given_the_most_probable_wins_though_the_model_believes_another() -> None:
    # One voter who says b whatever is asked: the model reads nothing from its lone vote on q9.
    rows = [(f"q{item}", f"w{worker}", label) for item in range(4) for worker, label in enumerate("aaab")]
    alone = code(pd.DataFrame([*rows, ("q9", "w3", "b")], columns=["item", "worker", "label"]))
    fit = dawid_skene(alone)
    assert fit.posterior[-1].argmax() == 0
    found = consensus_of(alone, ConsensusRule(consensus="dawid-skene"))
    assert (found.status[-1], found.winner[-1]) == ("won", "b")


def test_a_model_that_has_not_settled_is_noted(monkeypatch: pytest.MonkeyPatch, shared: Path) -> None:
    monkeypatch.setitem(consensus_rules.MODELS, "dawid-skene", short_fit)
    notes = consensus_of(log(shared, "RWSD"), ConsensusRule(consensus="dawid-skene")).notes
    assert notes == ("The model 'dawid-skene' was still changing after 3 iterations; its answers are not final.",)
    with pytest.raises(BadSetting, match="'oracle' is not known; choose one of majority, dawid-skene"):
        consensus_of(log(shared, "RWSD"), ConsensusRule(consensus="oracle"))


def short_fit(votes: Votes) -> Fit:
    return dawid_skene(votes, iterations=3)
