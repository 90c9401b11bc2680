"""Which kind of item comes next and where the search for it starts: pure, seeded, unpredictable to the worker."""

from random import Random
from typing import Literal

from db.items import SHUFFLE_RANGE

Kind = Literal["main", "control"]


def next_kind(*, seed: int, enrolment: int, served: int, page_main: int, page_controls: int) -> Kind:
    """Return the kind of the worker's item number `served` (from 0).

    Work comes in pages of `page_main` main and `page_controls` control items; where in its page a control stands is
    drawn anew for every worker and page.
    """
    size = page_main + page_controls
    page, place = divmod(served, size)
    controls = Random(f"controls:{seed}:{enrolment}:{page}").sample(range(size), page_controls)
    return "control" if place in controls else "main"


def probe(*, seed: int, enrolment: int, served: int) -> int:
    """Return the point of the study's shuffled order from which this worker's next main item is looked for."""
    return Random(f"probe:{seed}:{enrolment}:{served}").randrange(SHUFFLE_RANGE)


def pick(keys: list[int], *, seed: int, enrolment: int, served: int) -> int:
    """Return one of several equally good control items."""
    return Random(f"pick:{seed}:{enrolment}:{served}").choice(keys)
