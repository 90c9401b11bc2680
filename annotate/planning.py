"""The numbers that follow from a study's settings, before anybody is paid for an answer."""

from dataclasses import dataclass
from math import ceil


@dataclass(frozen=True)
class Plan:
    """What a study will ask for. `controls` and `pages` are those of one worker who answers every main item.

    `sittings` is 0 where workers take items as they come, else how many sittings answer everything once.
    """

    items: int
    judgments: int
    workers: int
    pages: int
    controls: int
    repeats: int
    training_right: int
    training: int
    cost: float
    sittings: int = 0


def plan(
    *,
    items: int,
    training: int,
    control: int,
    overlap: int,
    page_main: int,
    page_controls: int,
    training_pass: float,
    price: float,
    sittings: int = 0,
) -> Plan:
    """Return what follows from the numbers of items and the settings.

    `workers` is the least number that can give `overlap` judgments to an item. `controls` is 0 where the study has no
    control items; `repeats` is how often a worker meets the same one at most. `cost` is in the study's currency: every
    judgment is paid, and so is the share of controls that comes with it; training is not. With `sittings` a worker
    answers the items of one of so many exam variants in one go, without controls.
    """
    pages = ceil(items / page_main)
    per_page = page_controls if control and not sittings else 0
    return Plan(
        items=items,
        judgments=items * overlap,
        workers=overlap * (sittings or 1),
        pages=pages,
        controls=pages * per_page,
        repeats=ceil(pages * per_page / control) if control else 0,
        training_right=ceil(round(training_pass * training, 9)),
        training=training,
        cost=items * overlap * (1 + per_page / page_main) * price,
        sittings=sittings,
    )
