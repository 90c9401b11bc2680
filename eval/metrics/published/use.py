"""Points of the Unified State Exam exactly as MERA's published script counts them, traps included."""

import re
from collections.abc import Mapping

from data.answers.answer_type import AnswerType
from data.answers.composite import unpacked
from eval.metrics.use_points import KIND, NUMBER, worth


def points_code(_answer: AnswerType, fields: Mapping[str, str], gold: str, text: str | None) -> tuple[float, ...]:
    """The published points of a reply as it was written, and the most its item should be worth; no reply has none.

    Task 16 with three numbers in its gold gives up to 3 points of 2: the script does not clamp them.
    """
    most = worth(fields)
    if text is None:
        return 0.0, most
    exam = published_points(kind=fields[KIND], number=fields[NUMBER], gold=published_gold(gold), given=text)
    return float(exam), most


def published_points(*, kind: str, number: str, gold: str, given: str) -> int:
    """The points that the script (`modules/scoring/src/tasks/use.py`, 2024) gives to a raw reply.

    `kind` and `number` are the item's `type` and `id_task`; `gold` and `given` are strings as they stand in MERA's
    files, numbers or accepted texts between commas. What it does that the rules of the exam do not ask for: a space
    makes another number ("1, 2" is "1" and " 2"); a hyphen or a digit in a text's gold can never be matched, since they
    are taken out of replies only; ё and е differ; a gold of n numbers in task 16 is worth n points, not 2.
    """
    if kind == "matching":
        return _in_places(gold.split(","), given.split(","))
    if kind == "text":
        return int(re.sub(r"[\d\W+]+", "", given).lower() in gold.split(","))
    if number == "16":
        return _of_several(gold.split(","), given.split(","))
    return int(set(gold.split(",")) == set(given.split(",")))


def published_gold(gold: str) -> str:
    """A canonical gold of numbers or of texts as it stands in MERA's files: with commas and no spaces."""
    return ",".join(unpacked(gold))


def _in_places(right: list[str], given: list[str]) -> int:
    """A point for every number at its place, none at all where there are more numbers or fewer."""
    return sum(map(str.__eq__, right, given)) if len(right) == len(given) else 0


def _of_several(right: list[str], given: list[str]) -> int:
    """The numbers in common, less one for every number that was given beyond as many as there are."""
    common = len(set(right) & set(given))
    return max(0, common - max(0, len(given) - len(right)))
