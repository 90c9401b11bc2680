"""Where people and models contradict the gold: how sure most people would, and how probably the gold is wrong."""

from collections.abc import Mapping

import numpy as np
from scipy.stats import beta

from baseline.comparison.results import Results
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.gold_errors import GoldErrors, gold_errors
from eval.metrics.table import metric_named
from eval.tally import credit_of
from eval.votes import Votes

LEAST = 3
"""Fewer votes than this contradict nothing."""
RULE = (
    f"At least {LEAST} kept votes, more than half of them for one answer, and that answer is not right by the gold. "
    "“Sure” is the probability that most people would give it: the upper half of Beta(1 + votes for it, 1 + votes "
    "against it)."
)

WRONG_GOLD = (
    "How probably the gold is wrong: everybody's answer weighs by how often that worker or model is right elsewhere; "
    "people's weights add up, all models together weigh as one."
)


def gold_errors_of(results: Results) -> GoldErrors:
    """Return how probably each gold of a study is wrong, by its kept people and its models; naive ones say nothing."""
    panel = results.human.panel
    return gold_errors(panel.votes, models_heard(results), panel.gold)


def models_heard(results: Results) -> list[Ballots]:
    """Return the answers of the models that speak for or against the gold."""
    return [row.ballots for row in results.models if row.kind == "model"]


def contradiction_probabilities(votes: Votes, gold: Mapping[str, str]) -> Floats:
    """Return for each item (N,) the probability in RULE, NaN where people do not contradict the gold so."""
    full = np.full(len(votes.items), np.nan)
    if not votes.counts.size or not gold:
        return full
    total, top = votes.counts.sum(axis=1), votes.counts.argmax(axis=1)
    most = votes.counts.max(axis=1)
    rows = np.flatnonzero((total >= LEAST) & (2 * most > total))
    rows = rows[[votes.items[row] in gold for row in rows.tolist()]] if len(rows) else rows
    weights = np.zeros((len(rows), len(votes.labels) + 1))
    weights[np.arange(len(rows)), top[rows]] = 1
    names = None if votes.names is None else tuple(votes.names[row] for row in rows.tolist())
    said = Ballots(tuple(votes.items[row] for row in rows.tolist()), votes.labels, weights, names)
    right = (weights[:, :-1] * credit_of(metric_named("accuracy"), gold, said)).sum(axis=1)
    against = rows[right == 0]
    full[against] = beta.sf(0.5, 1 + most[against], 1 + total[against] - most[against])
    return full


def agreeing_models(said: Mapping[str, str | None], people: str) -> list[str]:
    """Return the names of those whose one answer is that of the people; `said` holds None for no one answer."""
    return [name for name, answer in said.items() if answer == people]
