"""The alternative-annotator test: may a model take an annotator's place (Calderon, Reichart, Dror 2025)?

Its winning rate is the share of people whom the model beats, its advantage probability how often it is at least as near
to a person's peers as that person. Few items are tested by Wilcoxon's signed-rank test.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr

from data.errors import BadSetting
from data.numbers import SIGNIFICANT
from eval.agreement.distances import similarities
from eval.arrays import Floats, Mask, number_or_none
from eval.votes import Votes, asked_of

EPSILONS = {"crowd workers": 0.1, "skilled annotators": 0.15, "experts": 0.2}
"""What the authors advise to grant a model, by who its annotators are: the dearer they are, the more."""
EPSILON = EPSILONS["crowd workers"]
BY_RANKS, FEWEST_ITEMS, FEWEST_ANNOTATORS = 30, 5, 3
"""With fewer items than the first a person is tested by ranks, with fewer than the second not at all."""
_NEAR, _FAR = 1e-9, -1e100
"""What rounding may change, and how like any other answer none is where likeness is a negative square."""


@dataclass(frozen=True)
class Annotator:
    """One annotator left out and set against the model on their own `n` items.

    `model_wins` and `human_wins` are the shares of items on which either agrees with the remaining annotators at least
    as well as the other does. `p` is that of "the model is not worse by the margin", by `method`: "t", or "wilcoxon"
    where there are few items; it is None where `refused` says why there is no test. `rejected` says that it stands
    after correction for the number of annotators.
    """

    worker: str
    n: int
    model_wins: float
    human_wins: float
    p: float | None
    rejected: bool
    refused: str | None
    method: str = "none"


@dataclass(frozen=True)
class AlternativeTest:
    """The verdict: `winning_rate` is the share of tested annotators the model stands in for, 0 to 1.

    `passed` is winning_rate >= 0.5; both are None where `refused` says why there is no verdict. `advantage` is the mean
    over tested annotators of `model_wins`, NaN without any; `epsilon` is the margin granted to the model. `scoring` is
    how answers are compared with those of others: "accuracy" by equality, "similarity" for open answers, "neg_rmse" for
    numbers on a scale.
    """

    winning_rate: float | None
    passed: bool | None
    advantage: float
    epsilon: float
    annotators: tuple[Annotator, ...]
    refused: str | None
    scoring: str = "accuracy"

    def as_dict(self) -> dict[str, object]:
        """The verdict as it stands in JSON; NaN becomes None."""
        shown: dict[str, object] = {"winning_rate": self.winning_rate, "passed": self.passed}
        shown |= {"advantage": number_or_none(self.advantage), "epsilon": self.epsilon, "refused": self.refused}
        rows = [
            vars(each) | {"model_wins": number_or_none(each.model_wins), "human_wins": number_or_none(each.human_wins)}
            for each in self.annotators
        ]
        return shown | {"scoring": self.scoring, "annotators": rows}


def alternative_annotator(
    votes: Votes, model: Mapping[str, str | None], *, epsilon: float = EPSILON, scale: Sequence[float] | None = None
) -> AlternativeTest:
    """Whether the model agrees with people about as well as each of them agrees with the others.

    Each annotator in turn is set against the model: on every item that others answered too, either wins where their
    agreement with these others is not smaller, so a level item counts for both. With d = [the annotator wins] - [the
    model wins] a one-sided t-test asks whether the mean of d is below `epsilon`; where d is the same on every item, as
    where the two are always level, the model wins if it is not above `epsilon`. p-values are corrected as Benjamini and
    Yekutieli do.

    Args:
        model: The model's answers. An item that is not there is left out; None is an answer that nobody gave.
        scale (K,): The labels' numbers where they are points of a scale: agreement is then the negative root of the
            mean squared difference from the others' numbers. Open answers that are numbers are always compared so;
            other open answers by the mean similarity to the others' (1 - the distance of their type), labels by the
            share of equal ones.

    Returns:
        With at least three tested annotators a verdict, else why there is none. An annotator with fewer than 30 items
        is tested by Wilcoxon's signed ranks of d - `epsilon`, with fewer than 5 not at all. A worker's second judgment
        of an item is not used.

    Source: Calderon, N., Reichart, R., Dror, R. (2025). The alternative annotator test for LLM-as-a-judge. ACL.
    Benjamini, Y., Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under dependency.

    >>> from eval.votes import code
    >>> items = [f"q{number}" for number in range(40)]
    >>> rows = [(item, worker, "yes") for item in items for worker in ("ann", "bob", "eve")]
    >>> votes = code(dict(zip(("item", "worker", "label"), zip(*rows), strict=True)), labels=("no", "yes"))
    >>> found = alternative_annotator(votes, dict.fromkeys(items, "yes"), epsilon=0.2)
    >>> found.winning_rate, found.passed, found.advantage
    (1.0, True, 1.0)
    """
    if not 0 <= epsilon < 1:
        raise BadSetting(f"Epsilon must lie from 0 to 1, got {epsilon!r}.")
    single = _one_each(votes)
    how, like_model, like_human = _alike(single, model, scale)
    asked = np.array([item in model for item in votes.items], dtype=bool)
    others = single.counts.sum(axis=1)[single.item] - 1
    used = asked[single.item] & (others > 0)
    item, label = single.item[used], single.label[used]
    # What the person adds to the sums themselves does not count.
    with_human = (like_human[item, label] - _OWN[how]) / others[used]
    with_model = ((single.counts * like_model).sum(axis=1)[item] - like_model[item, label]) / others[used]
    human, machine, worker = with_human >= with_model - _NEAR, with_model >= with_human - _NEAR, single.worker[used]
    annotators = [
        _annotator(name, human[worker == code], machine[worker == code], epsilon)
        for code, name in enumerate(votes.workers)
    ]
    return _verdict(annotators, epsilon, how)


_OWN = {"accuracy": 1.0, "similarity": 1.0, "neg_rmse": 0.0}
"""How like an answer is to itself."""


def _one_each(votes: Votes) -> Votes:
    """The votes with one answer of each worker to an item, the first by label, whatever the order of judgments."""
    order = np.lexsort((votes.label, votes.worker, votes.item))
    same = (np.diff(votes.item[order], prepend=-1) == 0) & (np.diff(votes.worker[order], prepend=-1) == 0)
    return votes.keep(np.isin(np.arange(len(votes)), order[~same]))


def _alike(votes: Votes, model: Mapping[str, str | None], scale: Sequence[float] | None) -> tuple[str, Floats, Floats]:
    """How answers are compared; how like the model's each answer is (N, K); the summed likeness of all to each (N, K).

    Squared differences stand for their negative roots: who has the smaller mean of them is the same.
    """
    if votes.names is not None:
        return _alike_open(votes, model)
    place = {label: code for code, label in enumerate(votes.labels)}
    said = [model.get(item) for item in votes.items]
    codes = np.array([-1 if label is None else place.get(label, -1) for label in said], dtype=np.int64)
    if scale is None:
        return "accuracy", (codes[:, None] == np.arange(len(place))).astype(np.float64), votes.counts.astype(np.float64)
    points = np.asarray(scale, dtype=np.float64)
    squares = -((points[:, None] - points) ** 2)
    far = np.append(squares, [np.full(len(points), _FAR)], axis=0)
    return "neg_rmse", far[codes], votes.counts @ squares


def _alike_open(votes: Votes, model: Mapping[str, str | None]) -> tuple[str, Floats, Floats]:
    asked = asked_of(votes)
    like_model, like_human = np.zeros(votes.counts.shape), np.zeros(votes.counts.shape)
    numbers = asked.answer.level == "interval"
    for row, item in enumerate(votes.items):
        names, given = votes.named(row), model.get(item)
        if numbers:
            points = np.array([asked.content(item, name) for name in names], dtype=np.float64)
            alike = -((points[:, None] - points) ** 2)
            to_model = np.full(len(names), _FAR) if given is None else -((points - asked.content(item, given)) ** 2)
        else:
            alike = similarities(asked, item, names)
            to_model = np.zeros(len(names)) if given is None else similarities(asked, item, names, given)[:, 0]
        like_human[row, : len(names)] = alike @ votes.counts[row, : len(names)]
        like_model[row, : len(names)] = to_model
    how = "neg_rmse" if numbers else "accuracy" if asked.answer.distance == "exact" else "similarity"
    return how, like_model, like_human


def _annotator(name: str, human_wins: Mask, model_wins: Mask, epsilon: float) -> Annotator:
    human, model = human_wins.astype(np.float64), model_wins.astype(np.float64)
    n = len(human)
    if n < FEWEST_ITEMS:
        shares = (float(model.mean()), float(human.mean())) if n else (float("nan"), float("nan"))
        why = f"{n} items with other annotators are too few for a test; it takes {FEWEST_ITEMS}."
        return Annotator(name, n, *shares, None, False, why)
    method, p = _worse_by_less(human - model, epsilon)
    return Annotator(name, n, float(model.mean()), float(human.mean()), p, False, None, method)


def _worse_by_less(apart: Floats, epsilon: float) -> tuple[str, float]:
    """The test that the mean of `apart` (N,) is below `epsilon`, one-sided: its name and its p-value.

    0 or 1 where many values never vary.
    """
    if len(apart) < BY_RANKS:
        return "wilcoxon", below_by_ranks(apart - epsilon)
    if not np.ptp(apart):
        return "t", float(apart[0] > epsilon)
    error = float(apart.std(ddof=1)) / len(apart) ** 0.5
    return "t", float(stdtr(len(apart) - 1, (float(apart.mean()) - epsilon) / error))


def _verdict(annotators: list[Annotator], epsilon: float, how: str) -> AlternativeTest:
    tested = [a for a in annotators if a.p is not None]
    adjusted = benjamini_yekutieli([a.p or 0.0 for a in tested])
    rejected = {a.worker for a, p in zip(tested, adjusted, strict=True) if p <= SIGNIFICANT}
    rows = tuple(replace(a, rejected=a.worker in rejected) for a in annotators)
    advantage = float(np.mean([a.model_wins for a in tested])) if tested else float("nan")
    if len(tested) < FEWEST_ANNOTATORS:
        why = (
            f"{len(tested)} of {len(annotators)} annotators can be tested and it takes {FEWEST_ANNOTATORS}; "
            "collect more judgments from the same people."
        )
        return AlternativeTest(None, None, advantage, epsilon, rows, why, how)
    rate = len(rejected) / len(tested)
    return AlternativeTest(rate, rate >= 0.5, advantage, epsilon, rows, None, how)


def benjamini_yekutieli(p_values: Sequence[float]) -> list[float]:
    """The p-values of a table of tests that may depend on each other, adjusted for their number, in its order.

    >>> [round(p, 4) for p in benjamini_yekutieli([0.01, 0.04, 0.03])]
    [0.055, 0.0733, 0.0733]
    """
    number = len(p_values)
    place = np.arange(1, number + 1)
    order = np.argsort(p_values, kind="stable")
    grown = np.asarray(p_values, dtype=np.float64)[order] * number * (1 / place).sum() / place
    adjusted = np.empty(number)
    adjusted[order] = np.minimum.accumulate(grown[::-1])[::-1].clip(max=1)
    return adjusted.tolist()


def below_by_ranks(apart: Floats) -> float:
    """The exact p-value of Wilcoxon's signed-rank test that values lie below 0 rather than above it.

    Zeros are left out, equal sizes share their ranks, and all ways to sign the ranks are counted.

    Args:
        apart (N,): The values, in any unit; their sizes are compared to nine decimals.

    Returns:
        The chance that values as likely below 0 as above it have ranks above it as small in sum as these; 0 where all
        values are 0.

    Source: Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80-83.

    >>> below_by_ranks(np.array([-0.1, -0.1, -0.1, -1.1, 0.9]))
    0.25
    """
    apart = apart[np.abs(apart) > 1e-9]
    if not len(apart):
        return 0.0
    # Rounded, so that equal sizes are equal; twice the mean rank of equal ones is a whole number.
    _, place, number = np.unique(np.abs(apart).round(9), return_inverse=True, return_counts=True)
    ranks = (2 * number.cumsum() - number + 1)[place]
    ways = np.ones(1)
    for rank in ranks.tolist():
        grown = np.zeros(len(ways) + rank)
        grown[: len(ways)] += ways / 2
        grown[rank:] += ways / 2
        ways = grown
    return float(ways[: int(ranks[apart > 0].sum()) + 1].sum())
