"""The wider interval of a human score: other items and other people."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sparse

from data.errors import BadSetting
from eval.arrays import Floats, Integers
from eval.composite_consensus import any_composite
from eval.consensus_rules import MAJORITY, ConsensusRule
from eval.credits import read_off_labels, sums_of_answers
from eval.intervals import percentile
from eval.metrics.metric import Metric
from eval.metrics.table import metric_named
from eval.resampling import SINGLE_ITEMS, Clusters, Resampling, numbered
from eval.scoring import Estimate
from eval.ties import decide
from eval.votes import Votes

CROSSED = ("majority", "weighted")
"""The rules of consensus that are computed anew in every draw."""


def with_crossed(
    estimates: Mapping[str, Estimate],
    gold: Mapping[str, str],
    votes: Votes,
    resampling: Resampling = SINGLE_ITEMS,
    *,
    rule: ConsensusRule | None = MAJORITY,
    skills: Floats | None = None,
) -> dict[str, Estimate]:
    """The estimates of `score`, by metric, with `ci_crossed`: a bootstrap over items and workers at once.

    They are those of the consensus under `rule`, or of single answers where it is None; `skills` (W,) are those of the
    voters, where the rule needs them.

    Each draw takes items (or clusters of them) and workers with replacement; a judgment weighs the product of how often
    its item and its worker were drawn (Owen 2007, the pigeonhole bootstrap), and consensus, ties and metric are
    computed anew. It is conservative: it counts the noise of single judgments about three times. A voter drawn twice
    lowers a majority below what as many different people reach, in every draw alike, so the draws are moved to have the
    estimate as their mean; and the interval is never narrower than `ci`. Where every estimate is undefined nothing
    changes. Model-based consensus would have to be fitted anew in every draw and is refused; so is that of composite
    answers, whose units would have to be settled anew.

    Ties that are shared out enter with their fractions, for metrics of the corpus too. Memory stays at a few arrays of
    the size of the votes; the time is that of one consensus for each draw.
    """
    check_crossed(votes, rule)
    if rule and skills is None and (rule.consensus == "weighted" or rule.ties == "skill"):
        raise BadSetting("Skill needs control answers and nobody gave any; choose another rule, or add controls.")
    design = _design(gold, votes, skills, resampling.clusters)
    defined = {name: estimate for name, estimate in estimates.items() if not np.isnan(estimate.value)}
    if not len(design.gold) or not defined:
        return dict(estimates)
    values: dict[str, list[float]] = {name: [] for name in defined}
    readings = {name: _reading(metric_named(name), gold, votes, design) for name in defined}
    for weights in _drawn(design, rule, resampling):
        for name, drawn in values.items():
            drawn.append(readings[name](weights))
    return {name: _widened(name, e, np.array(values.get(name, []))) for name, e in estimates.items()}


def check_crossed(votes: Votes, rule: ConsensusRule | None) -> None:
    """Refuse a rule of consensus whose draws would have to be fitted or settled anew; None is single answers."""
    if rule and rule.consensus not in CROSSED:
        raise BadSetting(
            f"Items and workers can be resampled together for {', '.join(CROSSED)}, individual, not for "
            f"{rule.consensus!r}."
        )
    if rule and any_composite(votes):
        raise BadSetting("The units of composite answers would have to be settled anew in every draw.")


@dataclass(frozen=True, eq=False, repr=False)
class _Design:
    """The items with gold and an answer: `heads` is (items x labels) x workers, `skilled` the same times skills.

    `rows` are their rows among the votes, `gold` the codes of their gold, -1 for open answers.
    """

    rows: list[int]
    gold: Integers
    block: Integers
    heads: sparse.csr_array
    skilled: sparse.csr_array | None
    workers: int
    labels: int


def _design(gold: Mapping[str, str], votes: Votes, skills: Floats | None, clusters: Clusters | None) -> _Design:
    rows = [row for row in np.flatnonzero(votes.counts.any(axis=1)).tolist() if votes.items[row] in gold]
    items = [votes.items[row] for row in rows]
    wanted = set() if votes.names is not None else {gold[item] for item in items}
    labels = [*votes.labels, *sorted(wanted - set(votes.labels))]
    place = {label: position for position, label in enumerate(labels)}
    new_row = np.full(len(votes.items), -1, dtype=np.int64)
    new_row[rows] = np.arange(len(rows))
    mine = np.flatnonzero(new_row[votes.item] >= 0)
    # Only people who judged these items can be drawn.
    people, worker = np.unique(votes.worker[mine], return_inverse=True)
    cell = new_row[votes.item[mine]] * len(labels) + votes.label[mine]
    shape = len(rows) * len(labels), len(people)
    heads = sparse.coo_array((np.ones(len(mine)), (cell, worker)), shape=shape).tocsr()
    skilled = None if skills is None else (heads @ sparse.diags_array(skills[people])).tocsr()
    block = np.arange(len(rows)) if clusters is None else numbered(items, clusters)
    codes = np.array([-1 if votes.names is not None else place[gold[item]] for item in items], dtype=np.int64)
    return _Design(rows, codes, block, heads, skilled, len(people), len(labels))


def _drawn(design: _Design, rule: ConsensusRule | None, resampling: Resampling) -> Iterator[Floats]:
    """The ballots (items, K + 1) of each draw, times how often their items were drawn."""
    generator = resampling.generator
    blocks = int(design.block.max()) + 1
    shape = len(design.gold), design.labels
    for _ in range(resampling.draws):
        times = generator.multinomial(blocks, np.full(blocks, 1 / blocks))[design.block]
        people = generator.multinomial(design.workers, np.full(design.workers, 1 / design.workers))
        heads = np.rint(design.heads @ people).astype(np.int64).reshape(shape)
        sums = None if design.skilled is None else (design.skilled @ people).reshape(shape)
        yield np.asarray(_weights(heads, sums, rule, generator) * times[:, None])


def _reading(metric: Metric, gold: Mapping[str, str], votes: Votes, design: _Design) -> Callable[[Floats], float]:
    """What gives the metric of a draw's ballots."""
    if read_off_labels(metric, votes):
        items = len(design.gold)
        ones = np.ones(items), (design.gold, np.arange(items))
        of_gold = sparse.csr_array(ones, shape=(design.labels, items))
        return lambda weights: float(metric.confusion(np.asarray(of_gold @ weights)))
    if metric.whole is not None:
        raise BadSetting(f"The metric {metric.name!r} is one of whole clusters; workers are not resampled for it.")
    worth = sums_of_answers(metric, gold, votes)[design.rows]
    # A closed list may lack labels that are gold only; no draw has them.
    padded = np.zeros((len(worth), design.labels + 1, worth.shape[2]))
    padded[:, : worth.shape[1] - 1], padded[:, -1] = worth[:, :-1], worth[:, -1]
    flat = padded.reshape(-1, worth.shape[2])
    return lambda weights: float(metric.sums(weights.ravel() @ flat))


def _weights(
    heads: Integers, sums: Floats | None, rule: ConsensusRule | None, generator: np.random.Generator
) -> Floats:
    if rule is None:
        return np.hstack([heads, np.zeros((len(heads), 1))])
    scores = sums if rule.consensus == "weighted" and sums is not None else heads
    by_skill = sums if rule.ties == "skill" else None
    return decide(scores, heads, rule, generator, by_skill).weights


def _widened(name: str, estimate: Estimate, drawn: Floats) -> Estimate:
    defined = drawn[~np.isnan(drawn)]
    # Of a single cluster there is no interval over items, so none over items and workers either.
    if not len(defined) or np.isnan(estimate.ci[0]):
        return estimate
    low, high = percentile(defined - defined.mean() + estimate.value)
    metric = metric_named(name)
    ends = max(metric.low, min(low, estimate.ci[0])), min(metric.high, max(high, estimate.ci[1]))
    return replace(estimate, ci_crossed=ends)
