"""How often models pass the alternative-annotator test in simulated studies, which docs/statistics.md describes."""

from collections.abc import Mapping, Sequence

from data.numbers import percent
from data.wording import enumerated
from eval.comparison.alt_test import BY_RANKS, AlternativeTest

PEOPLE = 3, 5, 10, 20
AS_GOOD: Mapping[tuple[int, int, float], Sequence[float]] = {
    (89, 10, 0.1): (59.8, 50.0, 65.4, 52.6),
    (89, 10, 0.15): (59.8, 50.0, 65.4, 52.6),
    (89, 10, 0.2): (59.8, 50.0, 65.4, 52.6),
    (89, 20, 0.1): (95.8, 86.6, 96.6, 99.6),
    (89, 20, 0.15): (95.8, 86.6, 96.6, 99.6),
    (89, 20, 0.2): (95.8, 86.6, 96.6, 99.6),
    (89, 50, 0.1): (57.6, 47.4, 44.8, 32.0),
    (89, 50, 0.15): (89.2, 82.6, 88.2, 91.6),
    (89, 50, 0.2): (97.0, 95.4, 99.2, 99.8),
    (89, 100, 0.1): (86.0, 76.4, 85.2, 89.8),
    (89, 100, 0.15): (99.6, 99.0, 99.8, 100.0),
    (89, 100, 0.2): (100.0, 100.0, 100.0, 100.0),
    (89, 200, 0.1): (99.0, 99.0, 99.8, 100.0),
    (89, 200, 0.15): (100.0, 100.0, 100.0, 100.0),
    (89, 200, 0.2): (100.0, 100.0, 100.0, 100.0),
    (89, 400, 0.1): (100.0, 100.0, 100.0, 100.0),
    (89, 400, 0.15): (100.0, 100.0, 100.0, 100.0),
    (89, 400, 0.2): (100.0, 100.0, 100.0, 100.0),
    (75, 10, 0.1): (32.2, 18.8, 21.8, 4.6),
    (75, 10, 0.15): (32.2, 18.8, 21.8, 4.6),
    (75, 10, 0.2): (32.2, 18.8, 21.8, 4.6),
    (75, 20, 0.1): (81.0, 61.6, 61.4, 58.2),
    (75, 20, 0.15): (81.0, 61.6, 61.4, 58.4),
    (75, 20, 0.2): (81.0, 61.6, 61.4, 58.8),
    (75, 50, 0.1): (28.8, 16.2, 6.4, 0.8),
    (75, 50, 0.15): (53.8, 42.0, 35.2, 17.2),
    (75, 50, 0.2): (81.4, 69.4, 72.6, 68.2),
    (75, 100, 0.1): (51.2, 34.8, 29.8, 12.8),
    (75, 100, 0.15): (90.4, 77.2, 80.4, 84.8),
    (75, 100, 0.2): (99.4, 97.2, 99.6, 100.0),
    (75, 200, 0.1): (84.6, 74.4, 74.6, 81.0),
    (75, 200, 0.15): (99.2, 97.8, 99.2, 100.0),
    (75, 200, 0.2): (100.0, 100.0, 100.0, 100.0),
    (75, 400, 0.1): (99.0, 97.4, 99.0, 100.0),
    (75, 400, 0.15): (100.0, 100.0, 100.0, 100.0),
    (75, 400, 0.2): (100.0, 100.0, 100.0, 100.0),
    (54, 10, 0.1): (10.2, 4.0, 2.6, 0.0),
    (54, 10, 0.15): (10.2, 4.0, 2.6, 0.0),
    (54, 10, 0.2): (10.2, 4.0, 2.6, 0.0),
    (54, 20, 0.1): (44.2, 25.6, 15.8, 3.0),
    (54, 20, 0.15): (44.2, 25.6, 15.8, 3.0),
    (54, 20, 0.2): (44.2, 25.6, 15.8, 3.2),
    (54, 50, 0.1): (12.2, 6.4, 1.4, 0.0),
    (54, 50, 0.15): (27.8, 19.0, 8.2, 1.6),
    (54, 50, 0.2): (54.8, 43.0, 30.0, 18.0),
    (54, 100, 0.1): (26.2, 17.4, 6.8, 1.0),
    (54, 100, 0.15): (61.6, 43.8, 36.6, 28.2),
    (54, 100, 0.2): (87.8, 77.0, 82.0, 86.4),
    (54, 200, 0.1): (54.6, 38.2, 32.8, 18.6),
    (54, 200, 0.15): (93.4, 83.2, 89.6, 93.6),
    (54, 200, 0.2): (99.6, 97.6, 100.0, 100.0),
    (54, 400, 0.1): (88.4, 75.6, 87.2, 87.8),
    (54, 400, 0.15): (100.0, 100.0, 100.0, 100.0),
    (54, 400, 0.2): (100.0, 100.0, 100.0, 100.0),
}
"""The per cent of studies in which a model exactly as good as people passes, for so many `PEOPLE`.

By the per cent of items on which model and person are level, how many items a person has, and epsilon.
"""
WORSE_BY_RANKS, RANKED_ITEMS = {0.1: 48, 0.15: 26, 0.2: 15}, "10 to 20"
"""The per cent of studies, with so many items a person, in which a model worse by all of an epsilon passes at most."""
NEAR = 11
"""By how many points of items that are level a study may be apart from what was simulated."""


def as_good(test: AlternativeTest) -> str:
    """Return how often a model exactly as good as people passes in simulated studies like this one, "" of none.

    >>> from eval.votes import code
    >>> items = [f"q{number}" for number in range(40)]
    >>> rows = [(item, worker, "yes") for item in items for worker in ("ann", "bob", "eve")]
    >>> votes = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=("no", "yes"))
    >>> from eval.comparison.alt_test import alternative_annotator
    >>> bob = {item: "no" if at % 3 else "yes" for at, item in enumerate(items)}
    >>> as_good(alternative_annotator(votes, bob, epsilon=0.3))
    ''
    """
    people, methods = len(test.tested), {each.method for each in test.tested}
    level, items = level_items(test), items_each(test)
    known = min({at for at, _, _ in AS_GOOD}, key=lambda at: abs(at - level))
    sized = sorted({n for _, n, _ in AS_GOOD if (n < BY_RANKS) == (methods == {"wilcoxon"})})
    if abs(known - level) > NEAR or (known, sized[0], test.epsilon) not in AS_GOOD or len(methods) > 1:
        return ""
    if test.never_won or not PEOPLE[0] <= people <= PEOPLE[-1]:
        return ""
    groups = _around(people, PEOPLE)
    parts = [
        f"{_span([AS_GOOD[known, n, test.epsilon][PEOPLE.index(group)] for group in groups])} with {n} items a person"
        for n in _around(round(items), sized)
    ]
    return (
        f"In simulated studies of {' to '.join(map(str, groups))} people, who are level with the model on {known}% of "
        f"items, one exactly as good as they are passes in {enumerated(parts)}"
    )


def let_through_by_ranks(epsilon: float) -> str:
    """Return what the test by ranks lets pass, as a clause."""
    if epsilon not in WORSE_BY_RANKS:
        return "which lets models pass that do worse than epsilon grants"
    return (
        "by which a model that does worse by all of epsilon passes in up to "
        f"{WORSE_BY_RANKS[epsilon]}% of simulated studies with {RANKED_ITEMS} items a person"
    )


def items_each(test: AlternativeTest) -> float:
    """Return how many items a person has beside the model, on average over those tested."""
    return sum(each.n for each in test.tested) / len(test.tested)


def level_items(test: AlternativeTest) -> float:
    """Return on what per cent of their items the people tested are level with the model, on average."""
    return 100 * sum(each.model_wins + each.human_wins - 1 for each in test.tested) / len(test.tested)


def _around(value: float, known: Sequence[int]) -> tuple[int, ...]:
    """Return the nearest of the numbers that are known below a value and above it, one where it is one of them."""
    below, above = [n for n in known if n <= value], [n for n in known if n >= value]
    return tuple(sorted({*below[-1:], *above[:1]}))


def _span(shares: Sequence[float]) -> str:
    low, high = (percent(end / 100) for end in (min(shares), max(shares)))
    return low if low == high else f"{low} to {high}"
