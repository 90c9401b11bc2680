"""Where a model stands to people, beyond the difference: the table's p, equivalence, a crowd's size, an annotator."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from baseline.human.baseline import HumanBaseline
from data.errors import BadSetting
from eval.alt_test import AlternativeTest, alternative_annotator
from eval.ballots import Ballots
from eval.comparison import Difference, holm
from eval.crowd_size import CrowdSize, crowd_size
from eval.equivalence import Equivalence, equivalence

MARGIN = 0.05
"""The margin of equivalence where none is named, in units of the metric: five points."""
NO_GOLD = "no item has gold, so there is no score to compare."
NO_COMMON = "no item with gold is scored for both this model and the majority of people."
NO_CROWD = "no item has gold, an answer of this model and a judgment."
SEVERAL = "its samples are level on some items, and this takes one answer to each."


@dataclass(frozen=True, eq=False)
class Standing:
    """What is known of one model beside its difference from people; where a part is a sentence, it says why it lacks.

    `p_holm` is the p-value of the difference adjusted over all models of the table, None without a test. `equivalence`
    is to the human majority, `people` the number of people whose majority is as accurate, `alternative` the
    alternative-annotator test.
    """

    p_holm: float | None
    equivalence: Equivalence | str
    people: CrowdSize | str
    alternative: AlternativeTest | str

    def as_dict(self) -> dict[str, Any]:
        """Return the keys that `results --json` has beside its fixed ones; `refused` says why a value lacks."""
        parts = {name: getattr(self, name) for name in ("equivalence", "people", "alternative")}
        shown = {name: {"refused": part} if isinstance(part, str) else part.as_dict() for name, part in parts.items()}
        return {"p_holm": self.p_holm, **shown}


def standings(
    human: HumanBaseline, said: Sequence[Ballots], apart: Sequence[Difference | None], *, margin: float = MARGIN
) -> list[Standing]:
    """Return how each respondent stands to the people of a study; `apart` are the differences from their majority.

    `margin` is that of equivalence, in units of the task's first metric; one that is not above 0 is refused.
    """
    if not 0 < margin < np.inf:
        raise BadSetting(f"The margin must be above 0, got {margin!r}; choose it before looking at the scores.")
    adjusted = holm([each.p if each else None for each in apart])
    return [
        Standing(p, _equivalence(human, given, margin), _people(human, given), _alternative(human, given))
        for p, given in zip(adjusted, said, strict=True)
    ]


def _equivalence(human: HumanBaseline, said: Ballots, margin: float) -> Equivalence | str:
    panel = human.panel
    if not panel.gold:
        return NO_GOLD
    found = equivalence(human.task.primary, panel.gold, said, panel.consensus.ballots, panel.resampling, margin=margin)
    if not found.n:
        return NO_COMMON
    return found if found.p == found.p else f"all items share one {found.unit}, and the test takes two or more."


def _people(human: HumanBaseline, said: Ballots) -> CrowdSize | str:
    panel = human.panel
    if not panel.gold:
        return NO_GOLD
    if not _one_each(said):
        return SEVERAL
    found = crowd_size(panel.gold, panel.votes, said, panel.resampling)
    return found if found.n else NO_CROWD


def _alternative(human: HumanBaseline, said: Ballots) -> AlternativeTest | str:
    if not _one_each(said):
        return SEVERAL
    given: dict[str, str | None] = {}
    for row in np.flatnonzero(said.scored).tolist():
        column = int(said.weights[row].argmax())
        given[said.items[row]] = None if column == len(said.labels) else said.named(row)[column]
    return alternative_annotator(human.panel.votes, given)


def _one_each(said: Ballots) -> bool:
    return bool((said.weights == np.floor(said.weights)).all() and (said.weights.sum(axis=1) <= 1).all())
