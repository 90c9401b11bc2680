"""What is quoted of simulated studies beside the alternative-annotator test stands in the documentation's tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from baseline.comparison.place_power import (
    AS_GOOD,
    PEOPLE,
    RANKED_ITEMS,
    WORSE_BY_RANKS,
    as_good,
    let_through_by_ranks,
)
from eval.comparison.alt_test import BY_RANKS, AlternativeTest, alternative_annotator
from eval.votes import code

DOCUMENTED = Path(__file__).parents[2] / "docs" / "statistics.md"


def table(section: str) -> Iterator[tuple[tuple[int, int, float], tuple[float, ...]]]:
    """Yield the rows below the words: level items, items a person and epsilon; the per cent for each of `PEOPLE`."""
    head, *rows = _lines(DOCUMENTED.read_text("utf8").split(section)[1])
    assert [cell for cell in head if "people" in cell] == [f"{people} people" for people in PEOPLE]
    for _, level, items, epsilon, *shares in rows[1:]:
        yield (int(level.rstrip("%")), int(items), float(epsilon)), tuple(float(each.split()[0]) for each in shares)


def _lines(text: str) -> list[list[str]]:
    block = text[text.index("\n|") + 1 :].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]


def test_the_figures_are_those_of_the_documentation() -> None:
    assert dict(table('`--only "annotators together"`')) == AS_GOOD
    worse = dict(table('`--only "annotators worse"`'))
    ranked = {items for _, items, _ in worse if items < BY_RANKS}
    assert f"{min(ranked)} to {max(ranked)}" == RANKED_ITEMS
    for epsilon, share in WORSE_BY_RANKS.items():
        assert share == round(max(max(each) for (_, n, e), each in worse.items() if e == epsilon and n in ranked))
    assert max(max(each) for (_, items, _), each in worse.items() if items not in ranked) < 5


def level_on(items: int, people: int, parted: int, *, epsilon: float) -> AlternativeTest:
    """Return the test of a model that parts from people who agree on so many of their items."""
    rows = [(f"q{n}", f"w{who}", "yes") for n in range(items) for who in range(people)]
    votes = code(dict(zip(("item", "worker", "label"), zip(*rows, strict=True), strict=True)), labels=("no", "yes"))
    model = {f"q{n}": "no" if n < parted else "yes" for n in range(items)}
    return alternative_annotator(votes, model, epsilon=epsilon)


@pytest.mark.parametrize(
    ("items", "people", "parted", "epsilon", "quoted"),
    [
        (100, 5, 25, 0.1, "5 people, who are level with the model on 75% of items, one exactly as good as they are "),
        (100, 5, 25, 0.1, "passes in 35% with 100 items a person"),
        (100, 4, 25, 0.2, "passes in 97% to >99% with 100 items a person"),
        (150, 4, 25, 0.2, "passes in >99% with 100 items a person and >99% with 200 items a person"),
        (9, 5, 2, 0.1, "passes in 19% with 10 items a person"),
        (900, 5, 500, 0.2, "passes in >99% with 400 items a person"),
        (100, 5, 25, 0.12, ""),
        (100, 5, 70, 0.1, ""),
        (100, 21, 25, 0.1, ""),
        (5, 5, 1, 0.1, ""),
    ],
)
def test_the_rows_that_fit_a_study_are_quoted(
    items: int, people: int, parted: int, epsilon: float, quoted: str
) -> None:
    words = as_good(level_on(items, people, parted, epsilon=epsilon))
    assert quoted in words
    assert bool(words) is bool(quoted)


def test_what_the_test_by_ranks_lets_pass_is_quoted_for_the_epsilons_simulated() -> None:
    assert "up to 48% of simulated studies with 10 to 20 items" in let_through_by_ranks(0.1)
    assert "%" not in let_through_by_ranks(0.12)
