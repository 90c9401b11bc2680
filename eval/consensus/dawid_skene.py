"""Dawid-Skene (1979) by expectation-maximisation (EM): voters who err in their own ways; and its one-coin variant."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse

from data.errors import BadSetting
from eval.arrays import Floats, Integers
from eval.votes import Votes, check_listed

# Probabilities never fall below this, so that one voter cannot rule a label out for ever.
_LEAST = 1e-10


@dataclass(frozen=True, eq=False, repr=False)
class Fit:
    """A model of the votes.

    `posterior` is N x K: the probability of each label of each item, rows of zeros where nobody voted, columns of
    zeros for labels nobody gave. `prior` (K,) is its mean over the items voted on. `skill` (W,) is the expected share
    of a voter's answers that are right, NaN without answers. `objective` holds, per iteration, the evidence lower
    bound per judgment; `converged` says whether it stopped growing before the iterations ran out.
    """

    posterior: Floats
    prior: Floats
    skill: Floats
    objective: tuple[float, ...]
    converged: bool


@dataclass(frozen=True, eq=False, repr=False)
class _Evidence:
    """Which voter gave which label how often to which item, over the P pairs (voter, label) that occur.

    `by_pair` is P x N, `by_item` its transpose; `voter` and `label` (P,) name the pairs in order of voters;
    `starts` are the places where a new voter begins; `sizes` (N,) counts the judgments of an item.
    """

    by_pair: sparse.csr_array
    by_item: sparse.csr_array
    voter: Integers
    label: Integers
    starts: Integers
    sizes: Floats


Maximise = Callable[[_Evidence, Floats], Floats]


def dawid_skene(
    votes: Votes, *, iterations: int = 100, tolerance: float = 1e-5, prior_per_judgment: bool = False
) -> Fit:
    """The model with a K x K confusion matrix for each voter.

    It starts from the shares of the votes and stops when an iteration raises the evidence lower bound per judgment by
    less than `tolerance`. With `prior_per_judgment` the prior enters that bound once per judgment instead of once
    per item, as in crowd-kit 1.4.2: an error, kept to compare with it (the bound may then fall, and the fit stop
    early).

    Args:
        iterations: At most so many, at least 1.

    Source: Dawid and Skene (1979), Maximum likelihood estimation of observer error-rates using the EM algorithm,
    Applied Statistics 28, 20-28.

    >>> from eval.votes import code
    >>> rows = [(item, worker, "a") for item in ("q1", "q2") for worker in ("x", "y")]
    >>> rows += [("q1", "z", "b"), ("q2", "z", "a")]
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> dawid_skene(votes).posterior.argmax(axis=1).tolist()
    [0, 0]
    """
    return _fit(votes, _confusions, iterations, tolerance, prior_per_judgment)


def one_coin(votes: Votes, *, iterations: int = 100, tolerance: float = 1e-5, prior_per_judgment: bool = False) -> Fit:
    """The model with one number for each voter: right with that probability, else any other label alike.

    K is the number of labels that occur. Start, stop and `prior_per_judgment` are those of `dawid_skene`.

    Args:
        iterations: At most so many, at least 1.
        tolerance: The least gain in evidence for each judgment, 0 or more.

    Source: Zhang, Chen, Zhou and Jordan (2016), Spectral methods meet EM: a provably optimal algorithm for
    crowdsourcing, Journal of Machine Learning Research 17, 1-44.

    >>> from eval.votes import code
    >>> rows = [(item, worker, "a") for item in ("q1", "q2") for worker in ("x", "y")]
    >>> rows += [("q1", "z", "b"), ("q2", "z", "a")]
    >>> votes = code({name: list(each) for name, each in zip(("item", "worker", "label"), zip(*rows))})
    >>> one_coin(votes).posterior.argmax(axis=1).tolist()
    [0, 0]
    """
    return _fit(votes, _one_probability, iterations, tolerance, prior_per_judgment)


def _fit(votes: Votes, maximise: Maximise, iterations: int, tolerance: float, prior_per_judgment: bool) -> Fit:
    check_listed(votes, "A model of how voters err")
    if iterations < 1 or not tolerance >= 0:
        raise BadSetting(f"EM needs at least 1 iteration and a tolerance of 0 or more, got {iterations}, {tolerance}.")
    counts = votes.counts
    items, labels = np.flatnonzero(counts.any(axis=1)), np.flatnonzero(counts.any(axis=0))
    posterior, skill = np.zeros(counts.shape), np.full(len(votes.workers), np.nan)
    if not len(items):
        return Fit(posterior, np.zeros(counts.shape[1]), skill, (), True)
    evidence = _evidence(votes, items, labels)
    shares = counts[np.ix_(items, labels)] / evidence.sizes[:, None]
    fitted, objective, converged = _iterate(evidence, shares, maximise, iterations, tolerance, prior_per_judgment)
    posterior[np.ix_(items, labels)] = fitted
    voters = evidence.voter[evidence.starts]
    skill[voters] = _skills(evidence, fitted)
    return Fit(posterior, posterior.sum(axis=0) / len(items), skill, objective, converged)


def _iterate(
    evidence: _Evidence, shares: Floats, maximise: Maximise, iterations: int, tolerance: float, per_judgment: bool
) -> tuple[Floats, tuple[float, ...], bool]:
    judgments = evidence.sizes.sum()
    times = evidence.sizes[:, None] if per_judgment else 1.0
    posterior, objective, last = shares, [], -np.inf
    prior = _logarithm(posterior.mean(axis=0))
    likelihood = evidence.by_item @ maximise(evidence, posterior)
    for _ in range(iterations):
        posterior = _normalised(likelihood + prior)
        prior = _logarithm(posterior.mean(axis=0))
        likelihood = evidence.by_item @ maximise(evidence, posterior)
        surprise = np.maximum(posterior, _LEAST)
        gain = (posterior * (likelihood + times * prior)).sum() - (surprise * np.log(surprise)).sum()
        objective.append(float(gain / judgments))
        if objective[-1] - last < tolerance:
            return posterior, tuple(objective), True
        last = objective[-1]
    return posterior, tuple(objective), False


def _evidence(votes: Votes, items: Integers, labels: Integers) -> _Evidence:
    width = len(votes.labels)
    present, pair = np.unique(votes.worker.astype(np.int64) * width + votes.label, return_inverse=True)
    place = np.zeros(len(votes.items), dtype=np.int64)
    place[items] = np.arange(len(items))
    cells = np.ones(len(pair)), (place[votes.item], pair)
    by_item = sparse.coo_array(cells, shape=(len(items), len(present))).tocsr()
    by_pair = by_item.T.tocsr()
    voter, label = present // width, present % width
    starts = np.flatnonzero(np.diff(voter, prepend=-1))
    sizes = np.asarray(by_item.sum(axis=1), dtype=np.float64)
    return _Evidence(by_pair, by_item, voter, np.searchsorted(labels, label), starts, sizes)


def _confusions(evidence: _Evidence, posterior: Floats) -> Floats:
    """The logarithm of P(voter gives label | true label) for each pair, (P, K)."""
    expected = np.maximum(evidence.by_pair @ posterior, _LEAST)
    totals = np.add.reduceat(expected, evidence.starts, axis=0)
    lengths = np.diff(evidence.starts, append=len(expected))
    return np.asarray(np.log(expected / np.repeat(totals, lengths, axis=0)))


def _one_probability(evidence: _Evidence, posterior: Floats) -> Floats:
    """The same where a voter has one probability of being right."""
    labels = posterior.shape[1]
    lengths = np.diff(evidence.starts, append=len(evidence.voter))
    skill = np.repeat(_skills(evidence, posterior), lengths)
    logs = np.repeat(_logarithm((1 - skill) / max(1, labels - 1))[:, None], labels, axis=1)
    logs[np.arange(len(logs)), evidence.label] = _logarithm(skill)
    return logs


def _skills(evidence: _Evidence, posterior: Floats) -> Floats:
    """The expected share of right answers of each voter who answered."""
    expected = evidence.by_pair @ posterior
    right = np.add.reduceat(expected[np.arange(len(expected)), evidence.label], evidence.starts)
    total = np.add.reduceat(expected.sum(axis=1), evidence.starts)
    return np.asarray(right / total)


def _normalised(logarithms: Floats) -> Floats:
    raised = np.asarray(logarithms - logarithms.max(axis=1, keepdims=True))
    np.exp(raised, out=raised)
    raised /= raised.sum(axis=1, keepdims=True)
    return raised


def _logarithm(share: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(share, _LEAST)))
