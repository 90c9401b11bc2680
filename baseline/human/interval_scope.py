"""The scope of an interval: other items and these people, or other people too."""

from collections.abc import Iterable

from data.numbers import DASH, points, points_interval
from data.wording import enumerated
from eval.comparison.difference import Difference
from eval.estimate import Estimate

THESE_ALONE = "any interval is for these people; none is computed for other people"
"""What stands at a table all of whose intervals hold the people fixed, while others hold for other people too."""
OTHERS_TOO = "intervals for other people too, those with * for these people"
ONE_PERSON_ALONE = (
    "One person answered: “vs people” and “vs one person” both ask whether a model is better or worse than that person."
)
ONE_PERSON_IS_PEOPLE = (
    "With so few votes per item and ties shared, the majority scores what one person scores, so their difference is "
    "not tested."
)
ADJUSTED = (
    "Each interval is for its comparison alone; p is corrected for all of them (Holm), so p may exceed 0.05 although "
    "the interval excludes 0."
)
LEAST_TESTED = 10
"""Items from which on the score test keeps to its level (bench/RESULTS.md has exact sizes)."""


def notes_on_tests(compared: Iterable[Difference | None]) -> list[str]:
    """Return what a reader must know of these tests: that p is adjusted, and where they are on too few items."""
    tested = [each.n for each in compared if each is not None and each.p is not None]
    few = sum(n < LEAST_TESTED for n in tested)
    notes = [ADJUSTED] if len(tested) > 1 else []
    if few:
        many = f"{few} of these {len(tested)} tests are" if few < len(tested) else "These tests are"
        which = "The test is" if len(tested) == 1 else many
        notes.append(
            f"{which} on fewer than {LEAST_TESTED} items ({min(tested)} here): too few to conclude "
            "anything, as more than 5% of studies would show a difference that is not real."
        )
    return notes


def without_kappa(kappas: Iterable[tuple[str, Estimate]]) -> list[str]:
    """Return whose kappa, of respondents by name, has no interval since no other sample of items changes it."""
    names = [name for name, kappa in kappas if kappa.value == 0 and kappa.ci[0] != kappa.ci[0]]
    if not names:
        return []
    return [f"Kappa of {enumerated(names)} has no interval: a constant answer always has a kappa of 0."]


def difference_words(apart: Difference | None) -> str:
    """Return a difference, in points with the interval."""
    return f"{points(apart.value)} {points_interval(apart.ci)}".rstrip() if apart else DASH


def scope(unit: str, *, other_people: bool, of_people: bool = True) -> str:
    """Return what an interval holds for that resamples `unit`s; that of a model, not `of_people`, for other items.

    >>> scope("item", other_people=True), scope("text", other_people=False)
    ('other items, other people', 'other texts, these people')
    """
    if not of_people:
        return f"other {unit}s"
    return f"other {unit}s, {'other' if other_people else 'these'} people"


def scope_of(estimate: Estimate, *, of_people: bool = True) -> str:
    """Return what the interval of a score holds for, "" where there is none."""
    if estimate.method == "none":
        return ""
    return scope(estimate.unit, other_people=estimate.ci_items is not None, of_people=of_people)
