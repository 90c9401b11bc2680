"""Label errors, or doubted gold: how probable it is of each item that the answer in the file is not the right one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eval.arrays import Codes, Floats, Integers, Mask
from eval.ballots import Ballots
from eval.metrics.table import metric_named
from eval.tally import credit_of
from eval.votes import Votes

ERRORS = 0.05
"""How many golds are taken to be wrong before anybody has answered; it changes no order."""
AT_MOST = 0.99
"""How often anybody is taken to be right at most: twenty right answers out of twenty do not prove more."""
PRIOR_ANSWERS = 2.0
_SEVERAL = 1e-9
Numbers = Integers | Codes


@dataclass(frozen=True, eq=False, repr=False)
class GoldErrors:
    """For each of N items how probable it is that its gold is wrong, and the answer that speaks against it.

    `wrong` is (N,), NaN without gold or answers; `alternatives` (N,) the most probable other answer, None where nobody
    gave one.
    """

    wrong: Floats
    alternatives: tuple[str | None, ...]

    @property
    def ranked(self) -> Integers:
        """The places of the items that have a probability, the most doubtful first."""
        places = np.flatnonzero(~np.isnan(self.wrong))
        return np.asarray(places[np.argsort(-self.wrong[places], kind="stable")])


def gold_errors(votes: Votes, models: Sequence[Ballots], gold: Mapping[str, str]) -> GoldErrors:
    """How probable it is that each item's gold is wrong, from what people and models answered.

    Everybody's answer weighs log(a / (1 - a)), and log(K - 1) more for one of K labels, where a is how often this
    worker or model is right by the gold of all other items (with two answers of the average one added, so that few
    answers weigh little): who guesses weighs nothing. People's weights add up; models err together, so that all of
    them weigh as much as one of them on average. The difference between the heaviest other answer and the right ones
    is the evidence, added to log(0.05 / 0.95).

    Source: Nitzan, Paroush (1982). Optimal decision rules in uncertain dichotomous choice situations (the weights).
    Northcutt, Athalye, Mueller (2021). Pervasive label errors in test sets destabilize machine learning benchmarks.
    """
    everybody = [_answers(votes, votes.item, votes.label, votes.worker, gold)]
    for said in models:
        # Answers between which a model's samples are level weigh nothing.
        item, label = np.nonzero(said.weights[:, :-1] > 1 - _SEVERAL)
        of_model = _answers(said, item, label, np.zeros_like(item), gold)
        everybody.append(replace(of_model, weight=of_model.weight / len(models)))
    right, answered = np.zeros(len(votes.items)), np.zeros(len(votes.items), dtype=bool)
    for each in everybody:
        right += np.bincount(each.item, weights=each.weight * each.right, minlength=len(right))
        answered[each.item] = True
    most, alternatives = _against(everybody, len(votes.items))
    wrong = 1 / (1 + np.exp(right - most - np.log(ERRORS / (1 - ERRORS))))
    return GoldErrors(np.where(_known(votes.items, gold) & answered, wrong, np.nan), alternatives)


@dataclass(frozen=True, eq=False, repr=False)
class _Answers:
    """J answers to items with gold: which item, which column of its answers, whether it is right, what it weighs."""

    item: Integers
    label: Integers
    right: Floats
    weight: Floats
    voters: Votes | Ballots

    @property
    def wrong(self) -> Integers:
        """The places of answers that are not right and weigh something."""
        return np.asarray(np.flatnonzero((self.right < 1) & (self.weight > _SEVERAL)))

    def names(self) -> list[str]:
        """What each wrong answer is."""
        rows, columns = self.item[self.wrong].tolist(), self.label[self.wrong].tolist()
        return [self.voters.named(row)[column] for row, column in zip(rows, columns, strict=True)]


def _against(everybody: Sequence[_Answers], items: int) -> tuple[Floats, tuple[str | None, ...]]:
    """The heaviest other answer to each item: its weight (N,), 0 where there is none, and what it is."""
    rows = np.concatenate([said.item[said.wrong] for said in everybody])
    weights = np.concatenate([said.weight[said.wrong] for said in everybody])
    given = np.array([name for said in everybody for name in said.names()], dtype=str)
    names, codes = np.unique(given, return_inverse=True)
    keys, place = np.unique(rows * max(1, len(names)) + codes, return_inverse=True)
    totals = np.bincount(place, weights=weights, minlength=len(keys))
    most, alternatives = np.zeros(items), list[str | None]([None] * items)
    for key in np.argsort(totals, kind="stable").tolist():
        row, code = divmod(int(keys[key]), len(names))
        most[row], alternatives[row] = totals[key], str(names[code])
    return most, tuple(alternatives)


def _answers(said: Votes | Ballots, item: Numbers, label: Numbers, who: Numbers, gold: Mapping[str, str]) -> _Answers:
    """The answers of people or of a model to items with gold; `who` (J,) gave each."""
    worth = credit_of(metric_named("accuracy"), gold, said)
    known = _known(said.items, gold)[item]
    item, label, who = (codes[known].astype(np.int64) for codes in (item, label, who))
    right = np.asarray(worth[item, label] >= 1, dtype=np.float64)
    return _Answers(item, label, right, _weights(who, right, _options(said)), said)


def _options(said: Votes | Ballots) -> int:
    """How many answers there are to choose from; two where they are open, which claims least."""
    return max(2, len(said.labels)) if said.names is None else 2


def _known(items: Sequence[str], gold: Mapping[str, str]) -> Mask:
    return np.fromiter(map(gold.__contains__, items), dtype=bool, count=len(items))


def _weights(who: Integers, right: Floats, options: int) -> Floats:
    """What each answer (J,) weighs, by how often its giver is right elsewhere."""
    if not len(right):
        return right
    others = np.bincount(who)[who] - 1 + PRIOR_ANSWERS
    hits = np.bincount(who, weights=right)[who] - right + PRIOR_ANSWERS * float(right.mean())
    share = np.clip(hits / others, 1e-6, AT_MOST)
    return np.asarray(np.maximum(np.log(share / (1 - share)) + np.log(options - 1), 0.0))
