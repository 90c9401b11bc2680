"""Points of the Unified State Exam: what an answer is worth, the share of points reached, points added up by key."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from data.answers.answer_type import AnswerType, unpacked
from data.composed_text import composed
from eval.metrics.texts import accepted

FULL = 34.0
"""What a whole variant is worth: tasks 1-7, 8 in five parts, 9-15 and 17-25 one point each, 16 two, 26 four."""

NUMBER, KIND = "id_task", "type"
NOT_LETTERS = re.compile(r"[\W\d_]+")


def points(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """The points of an answer and the most its item is worth: (0 to most, most); "no answer" has none.

    The item's field `id_task` is the number of the exam task, `type` its kind; gold and answer are canonical. Rules:
    MERA's description of the task (Fenogenova et al. 2024), read as `in_set` and `letters` say.

    Args:
        gold, given: Canonical answers; `given` may be None.

    >>> from data.answers.text import Text
    >>> fields = {NUMBER: "4", KIND: "text"}
    >>> points(Text(), fields, Text().gold("bridge", fields), "Bridge")
    (1.0, 1.0)
    """
    most = worth(fields)
    if not given:  # no reply, or left blank
        return 0.0, most
    if fields[KIND] == "text":
        return float(letters(given) in map(letters, accepted(answer, fields, gold))), most
    right, answered = unpacked(gold), unpacked(given)
    return (in_places(right, answered) if fields[KIND] == "matching" else in_set(right, answered, most)), most


def worth(fields: Mapping[str, str]) -> float:
    """The most that an item is worth: 4 for matching, 2 for exam task 16, else 1."""
    return 4.0 if fields[KIND] == "matching" else 2.0 if fields[NUMBER] == "16" else 1.0


def in_places(right: list[str], given: list[str]) -> float:
    """A point for every number at its place."""
    return float(sum(one == other for one, other in zip(right, given, strict=False)))


def in_set(right: list[str], chosen: list[str], most: float) -> float:
    """`most` for all the numbers and no others; of two points one is left after one mistake, none after more.

    A number in the place of another is one mistake, and so is one too many or one too few. Never more than `most`,
    however many numbers are right, and nothing where none of them is.
    """
    gold, given = set(right), set(chosen)
    mistakes = max(len(given - gold), len(gold - given))
    return max(0.0, most - mistakes) if gold & given else 0.0


def letters(text: str) -> str:
    """The letters of a text alone, in small ones, ё as е: spaces, full stops, hyphens and digits do not count."""
    return NOT_LETTERS.sub("", composed(text)).casefold().replace("ё", "е")


@dataclass(frozen=True)
class ExamPoints:
    """Points reached, and the most that could be."""

    reached: float
    most: float

    @property
    def complete(self) -> bool:
        """Whether this is all of a variant: only then is there a grade."""
        return self.most == FULL

    @property
    def share(self) -> float:
        """The points reached over the most, 0 to 1; NaN where there was nothing to reach."""
        return self.reached / self.most if self.most else float("nan")


def exam_points(worths: Iterable[tuple[str, tuple[float, ...]]]) -> dict[str, ExamPoints]:
    """The points (reached, most) of answers added up under their keys, in the order in which the keys first come.

    >>> exam_points([("8", (1.0, 1.0)), ("8", (0.0, 1.0))])
    {'8': ExamPoints(reached=1.0, most=2.0)}
    """
    by_kind: dict[str, ExamPoints] = {}
    for key, (reached, most) in worths:
        before = by_kind.get(key, ExamPoints(0.0, 0.0))
        by_kind[key] = ExamPoints(before.reached + reached, before.most + most)
    return by_kind


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
