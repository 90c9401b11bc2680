"""Which places of a page are for controls and in which order items come: drawn with the installation's key.

A worker may know the program, the study's seed and the own enrolment's number; none of them tells what is drawn here.
"""

from dataclasses import dataclass
from random import Random
from typing import Literal

from annotate.accounts.signer import Signer
from db.items import SHUFFLE_RANGE

Kind = Literal["main", "control"]


@dataclass(frozen=True)
class Draws:
    """What chance decides for one worker of one study; the same installation always draws the same.

    `served`, of all draws, is the number of the worker's item, from 0.
    """

    signer: Signer
    study: str
    seed: int
    enrolment: int

    def kind(self, *, served: int, page_main: int, page_controls: int) -> Kind:
        """Return the kind of an item.

        Work comes in pages of `page_main` main and `page_controls` control items; where in its page a control stands is
        drawn anew for every worker and page.
        """
        size = page_main + page_controls
        page, place = divmod(served, size)
        controls = self._random("controls", page).sample(range(size), page_controls)
        return "control" if place in controls else "main"

    def probe(self, *, served: int) -> int:
        """Return the point of the study's shuffled order from which the next main item is looked for."""
        return self._random("probe", served).randrange(SHUFFLE_RANGE)

    def pick(self, keys: list[int], *, served: int) -> int:
        """Return one of several equally good control items."""
        return self._random("pick", served).choice(keys)

    def _random(self, purpose: str, number: int) -> Random:
        return self.signer.chance(purpose, self.study, self.seed, self.enrolment, number)
