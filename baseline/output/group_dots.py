"""The dot plot of a breakdown whose groups are names: in each group a dot with its interval for every respondent."""

from collections.abc import Sequence
from dataclasses import dataclass

from baseline.output.figures import Axis
from eval.scoring import Estimate

MOST = 7
"""Respondents that are drawn; of more, dots would be too many to tell apart."""
TOP, APART = 10, 13  # pixels: the first dot, and one below the other


@dataclass(frozen=True)
class Dot:
    """A score and its interval as per cent across, and pixels down; `title` says all of it."""

    kind: str
    at: float
    low: float
    high: float
    y: int
    title: str


def dots_of(scores: Sequence[Estimate], kinds: Sequence[str], titles: Sequence[str], axis: Axis) -> list[Dot]:
    """Return a dot for each of the first respondents, one below the other; where there is no score a gap is left."""
    found = []
    for place, (score, kind, title) in enumerate(zip(scores[:MOST], kinds, titles, strict=False)):
        if score.value == score.value:
            low, high = score.ci if score.ci[0] == score.ci[0] else (score.value, score.value)
            found.append(Dot(kind, axis.at(score.value), axis.at(low), axis.at(high), TOP + APART * place, title))
    return found


def height_of(respondents: int) -> int:
    """Return how high the dots of so many respondents are, in pixels."""
    return 2 * TOP + APART * (min(respondents, MOST) - 1)
