"""Coverage and size of what compares two respondents on the same items, by simulated studies: tables of coverage.py."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from eval.agreement.beside_people import everybody, single_rows
from eval.arrays import Codes, Floats, Integers
from eval.ballots import Ballots, answers
from eval.comparison.difference import difference, equivalence, holm
from eval.comparison.paired_bootstrap import PairedCounts
from eval.comparison.peer_difference import between, from_one_person
from eval.intervals.clusters import Clusters, Resampling
from eval.metrics.table import metric_named
from eval.planner import power_of
from eval.votes import Votes

Row = Sequence[object]
LABELS = ["a", "b", "c"]
CLASSES = np.array([0.5, 0.3, 0.2])
ACCURACIES = ((0.8, 0.8), (0.8, 0.9), (0.9, 0.95), (0.97, 0.97), (0.985, 0.985), (0.8, 0.985))
SHAPES = [(n, one, other, rho) for n in (20, 50, 200) for one, other in ACCURACIES for rho in (0.0, 0.5)]
DRAWS = 400


def error(share: float, studies: int) -> str:
    """Return a share in per cent with its Monte Carlo error: half of its own 95% interval."""
    return f"{100 * share:.1f} ±{196 * (max(share * (1 - share), 0.25 / studies) / studies) ** 0.5:.1f}"


def both_wrong(first: float, second: float, rho: float) -> float:
    """Return the share of items on which both fail, their errors correlated by `rho` as far as that can be."""
    one, other = 1 - first, 1 - second
    return float(min(one, other, one * other + rho * (one * first * other * second) ** 0.5))


def score_method(studies: int) -> Iterator[Row]:
    """Yield Tango's interval and the test that goes with it: coverage, significant, contradictions."""
    known = cache(PairedCounts)
    for n, first, second, rho in SHAPES:
        generator = np.random.default_rng(1)
        both = both_wrong(first, second, rho)
        only = 1 - second - both, 1 - first - both
        covered = told = contradictions = 0
        for b, c, _ in generator.multinomial(n, [*only, 1 - sum(only)], size=studies).tolist():
            low, high = _interval(known(b, c, n))
            significant = known(b, c, n).p < 0.05
            covered += low <= first - second <= high
            told += significant
            contradictions += significant != (low > 0 or high < 0)
        shares = error(covered / studies, studies), error(told / studies, studies)
        yield n, f"{first:g} / {second:g}", rho, f"{n * sum(only):.1f}", *shares, contradictions


@cache
def _interval(counts: PairedCounts) -> tuple[float, float]:
    return counts.interval()


def size(_studies: int) -> Iterator[Row]:
    """Yield how often two who are equally good differ significantly at most, over all shares of differing items.

    Where they differ on all, 21 items are the worst number from 10 to 500; on half or fewer 48.
    """
    for n in (4, 6, 8, 10, 16, 20, 21, 26, 31, 43, 48, 50, 100, 500):
        sizes = [power_of(n, share / 200, share / 200) for share in range(1, 101)]
        yield n, f"{100 * max(sizes[:50]):.1f}", f"{100 * max(sizes):.1f}"


@dataclass(frozen=True)
class Pair:
    """Gold and two respondents on three classes, and what their macro-F1 differs by in the population."""

    joint: Floats

    @classmethod
    def of(cls, first: float, second: float, rho: float) -> "Pair":
        """Errors are spread evenly over the other labels, those of the two independently."""
        both = both_wrong(first, second, rho)
        joint = np.zeros((3, 3, 3))
        for gold, one, other in np.ndindex(3, 3, 3):
            right = one == gold, other == gold
            share = {
                (True, True): first + second - 1 + both,
                (True, False): (1 - second - both) / 2,
                (False, True): (1 - first - both) / 2,
                (False, False): both / 4,
            }[right]
            joint[gold, one, other] = CLASSES[gold] * share
        return cls(joint / joint.sum())

    @property
    def truth(self) -> float:
        """The difference of the two macro-F1."""
        measured = metric_named("macro_f1").confusion
        one, other = (np.hstack([self.joint.sum(axis=axis), np.zeros((3, 1))]) for axis in (2, 1))
        return float(measured(one[None])[0] - measured(other[None])[0])

    @property
    def discordant(self) -> float:
        """The share of items that just one of the two has right."""
        return float(sum(self.joint[g, x, y] for g, x, y in np.ndindex(3, 3, 3) if (x == g) != (y == g)))

    def study(self, items: int, generator: np.random.Generator) -> tuple[dict[str, str], Ballots, Ballots]:
        """Return gold and the two respondents of one study."""
        drawn = generator.choice(27, items, p=self.joint.ravel())
        truth, one, other = np.unravel_index(drawn, (3, 3, 3))
        return gold_of(truth), said(one), said(other)


def gold_of(truth: Integers) -> dict[str, str]:
    return {f"q{n}": LABELS[code] for n, code in enumerate(truth)}


def said(codes: Integers | Codes) -> Ballots:
    items = [f"q{n}" for n in range(len(codes))]
    return answers(dict(zip(items, (LABELS[code] for code in codes), strict=True)), items=items, labels=LABELS)


def bootstrap(studies: int) -> Iterator[Row]:
    """Yield the paired bootstrap of macro-F1: coverage, significant, intervals of width zero."""
    for n, first, second, rho in SHAPES:
        pair, generator = Pair.of(first, second, rho), np.random.default_rng(2)
        covered = told = zero = 0
        for seed in range(studies):
            gold, one, other = pair.study(n, generator)
            found = difference("macro_f1", gold, one, other, Resampling(draws=DRAWS, seed=seed))
            covered += found.ci[0] <= pair.truth <= found.ci[1]
            told += found.p is not None and found.p < 0.05
            zero += found.ci[0] == found.ci[1]
        shares = error(covered / studies, studies), error(told / studies, studies)
        yield n, f"{first:g} / {second:g}", rho, f"{n * pair.discordant:.1f}", *shares, zero


def clustered(studies: int) -> Iterator[Row]:
    """Yield the paired bootstrap over passages that are easy or hard together, and for one model more so.

    It is that of accuracy, and of agreement with three people who are as good as the other model: between the two, and
    of the one beside a person. The margin of equivalence is the true difference, so that each verdict of it is an
    error.
    """
    few = [(number, 20, 1.0, 1.0, 1.0) for number in (2, 3, 5, 8, 10, 15, 20)]
    for number, size, spread, own, skill in (*few, *((n, 5, by, 0.0, 1.5) for n, by in ((20, 1), (40, 1), (40, 3)))):
        generator, of_people = np.random.default_rng(3), np.random.default_rng(5)
        items = size * number
        names = tuple(f"q{n}" for n in range(items))
        clusters = Clusters("passage", {name: f"p{n // size}" for n, name in enumerate(names)})
        easy, for_one = np.random.default_rng(4).normal(size=(2, 200_000))
        good, weak = _logistic(2 + spread * easy), _logistic(skill + spread * easy + own * for_one)
        # Among three people most are right with 3 good^2 - 2 good^3; two of them are, both, or neither, or are level.
        most = good**2 * (3 - 2 * good)
        truths = [float(np.mean((good - weak) * by)) for by in (1, 2 * most - 1, 1 - 2 * good)]
        covered, told, equal = np.zeros(3), np.zeros(3), 0
        for seed in range(studies):
            easy, for_one = generator.normal(size=(2, number))
            logits = 2 + spread * easy, skill + spread * easy + own * for_one
            one, other = (_wrong(_logistic(np.repeat(each, size)), generator) for each in logits)
            right = np.repeat(_logistic(2 + spread * easy), 3 * size)
            votes = Votes(names, ("w1", "w2", "w3"), tuple(LABELS), *_three(items), _wrong(right, of_people))
            gold, both = gold_of(np.zeros(items, dtype=np.int64)), (said(one), said(other))
            resampling = Resampling(clusters, draws=DRAWS, seed=seed)
            among = [single_rows(votes, each) for each in both]
            found = (
                difference("accuracy", gold, *both, resampling),
                between(votes, among[0], among[1], resampling, other_people=False),
                from_one_person(votes, among[1], everybody(votes), resampling, other_people=False),
            )
            covered += [each.ci[0] <= truth <= each.ci[1] for each, truth in zip(found, truths, strict=True)]
            told += [each.p is not None and each.p < 0.05 for each in found]
            equal += equivalence("accuracy", gold, *both, resampling, margin=truths[0]).equivalent
        shares = [error(n / studies, studies) for pair in zip(covered, told, strict=True) for n in pair]
        yield number, size, f"{spread:g} / {own:g}", *shares[:2], error(equal / studies, studies), *shares[2:]


def _wrong(right: Floats, generator: np.random.Generator) -> Codes:
    """1 where an answer with these chances to be right is wrong, else 0."""
    return np.asarray(generator.random(len(right)) >= right, dtype=np.int32)


def _three(items: int) -> tuple[Codes, Codes]:
    """The item and the worker of each judgment where three people judge each item."""
    return np.repeat(np.arange(items, dtype=np.int32), 3), np.tile(np.arange(3, dtype=np.int32), items)


def _logistic(value: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-value)))


def equals(studies: int) -> Iterator[Row]:
    """Yield how often a model is called equivalent within 5 points: at the margin, half-way to it, exactly as good."""
    for n, people in ((200, 0.9), (500, 0.9), (1000, 0.9), (500, 0.985)):
        for apart in (0.05, 0.025, 0.0):
            generator = np.random.default_rng(5)
            both = both_wrong(people, people - apart, 0.5)
            only = 1 - people + apart - both, 1 - people - both
            drawn = generator.multinomial(n, [*only, 1 - sum(only)], size=studies).tolist()
            called = sum(PairedCounts(b, c, n).p_within(0.05) < 0.05 for b, c, _ in drawn)
            yield n, people, f"{100 * apart:g}", error(called / studies, studies)


def families(studies: int) -> Iterator[Row]:
    """Yield how often any of five models that lie at the margin is called equivalent, and any equal one different."""
    n, people, models = 500, 0.9, 5
    for apart, words in ((0.05, "at the margin, called equivalent"), (0.0, "as good as people, called different")):
        generator = np.random.default_rng(6)
        plain = corrected = 0
        for _ in range(studies):
            wrong = generator.random(n) < 1 - people
            found = []
            for _ in range(models):
                other = generator.random(n) < 1 - people + apart
                counts = PairedCounts(int((other & ~wrong).sum()), int((wrong & ~other).sum()), n)
                found.append(counts.p_within(0.05) if apart else counts.p)
            plain += min(found) < 0.05
            corrected += any(p is not None and p < 0.05 for p in holm(found))
        yield words, error(plain / studies, studies), error(corrected / studies, studies)
