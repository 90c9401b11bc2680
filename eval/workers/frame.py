"""What rules on workers read of one worker: from the database while people work, from a study's tables afterwards."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from data.answers.answer_type import AnswerType
from eval.votes import Votes

Need = Literal["answers", "watched", "controls", "labels", "share_of", "others", "median", "items_met"]


class GivenAnswer(NamedTuple):
    """A worker's counted answer: `key` is what evidence calls the judgment by, `seconds` are active ones.

    `gold` is None where it is not known, `fields` may be empty where no rule needs them. `pasted`: text was pasted into
    it; `away`: the page was out of sight meanwhile. `submitted_at` is when it was sent, None where a log does not say.
    `options_shown` is the order of the options that was drawn, None where it was not.
    """

    key: Hashable
    label: str
    seconds: float | None
    gold: str | None
    fields: Mapping[str, str]
    item: str
    pasted: bool
    away: bool
    submitted_at: datetime | None
    options_shown: str | None = None


class MetItem(NamedTuple):
    """A main or control item that a worker was shown, and answered or skipped."""

    key: Hashable
    skipped: bool


class Median(NamedTuple):
    """The median time in seconds of so many answers to a study's main items."""

    seconds: float
    answers: int


class WorkerFrame(Protocol):
    """What there is of one worker; everything is read when a rule asks for it.

    `last` is how many of the latest a rule looks at: a frame may hold back what lies before them, and need not.
    """

    @property
    def worker(self) -> str:
        """The worker's name."""

    def answers(self, *, last: int) -> Sequence[GivenAnswer]:
        """Return the counted answers to main items, in their order."""

    def watched(self, *, last: int) -> Sequence[GivenAnswer]:
        """Return them with what the page saw: text pasted in, or the page out of sight."""

    def controls(self) -> Sequence[GivenAnswer]:
        """Return the counted answers to control items whose gold is known, in their order."""

    def labels(self, *roles: str) -> Sequence[tuple[Hashable, str]]:
        """Return the keys and labels of the counted answers to items of these roles, in their order.

        Where the order of an item's own options was drawn, the place of the chosen one stands for its label: who always
        takes the first is found whatever stood there.
        """

    def is_right(self, answer: GivenAnswer) -> bool:
        """Return whether an answer to an item with gold is right."""

    def chance(self, answers: Sequence[GivenAnswer]) -> float:
        """Return the accuracy of a guesser on the items of these answers, 0 where answers are open."""

    def share_of(self, label: str) -> float | None:
        """Return the share of a label among everybody else's answers to main items, None where there are none."""

    def others(self, *, last: int) -> tuple[Votes, Sequence[Hashable]]:
        """Return everybody's answers to the worker's `last` main items, and the keys (J,) of these judgments."""

    def median(self) -> Median | None:
        """Return the median time of the study, None while too few answers tell it."""

    def items_met(self, *, last: int) -> Sequence[MetItem]:
        """Return the items met, in their order; reported ones are left out."""


def guess(answer: AnswerType, items: Iterable[Mapping[str, str]]) -> float:
    """The accuracy of a guesser on items with these fields: 1 / K, the mean over items that bring their own options.

    0 where answers cannot be listed.

    >>> from data.answers.choice import Choice
    >>> guess(Choice(["yes", "no"]), [])
    0.5
    """
    if labels := answer.labels():
        return 1 / len(labels)
    options = [len(answer.of(fields).options(fields)) for fields in items]
    return sum(1 / number for number in options if number) / len(options) if options else 0.0
