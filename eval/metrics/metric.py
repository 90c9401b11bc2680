"""What a metric is: how answers become numbers that add up, or a confusion, and how these become a value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from data.answers.answer_type import AnswerType
from data.errors import BadSetting
from eval.arrays import Floats, share_of
from eval.metrics.scored_answers import ANY, ScoredAnswers

OfAnswer = Callable[[AnswerType, Mapping[str, str], str, str | None], tuple[float, ...]]
Reader = Callable[[AnswerType, Mapping[str, str], str], str | None]


@dataclass(frozen=True)
class Metric:
    """A metric; higher is better in all of them. `low` and `high` bound its values.

    Of the answers to a closed set of labels: `of_confusion` takes (..., K, K + 1) confusions, gold by given with "no
    answer" last, and gives (...) values.

    Of any answers: `of_answer` takes the answer type of the item, its fields, its gold and an answer (None for "no
    answer"), and gives S numbers that may be added up over answers; `of_sums` takes (..., S) such sums and gives (...)
    values; without it the numbers are a credit from 0 to 1 and the one, and the value is the mean credit.
    `full_cluster` is for a metric over whole clusters only (an exam): the last of the S numbers is what an item is
    worth at most, and a cluster whose items are not worth `full_cluster` together is left out.
    A metric with both is read off the confusion where answers come from a closed list.

    Of what was written, as published scripts take it: with `written` the answer that `of_answer` is given is the reply
    as it came, and a chosen answer in the form of files (`eval.metrics.written`). Where the metric `reads` labels out
    of replies, that takes the place of `of_answer`: what it reads, gold or not, is a label, and None drops the item;
    `of_sums` then takes the sums of `eval.metrics.published.read_labels.triples`.
    `over` names a field of the item: the value is the mean over its published values of the mean of each, `of_sums`
    that of `eval.metrics.grouped`. With `each_cluster` clusters weigh the same, however much their items are worth.
    `scores` says which answers it is made for: no study with others is created.
    """

    name: str
    title: str
    of_answer: OfAnswer | None = None
    of_sums: Callable[[Floats], Floats] | None = None
    of_confusion: Callable[[Floats], Floats] | None = None
    low: float = 0.0
    high: float = 1.0
    full_cluster: float | None = None
    written: bool = False
    reads: Reader | None = None
    over: str = ""
    each_cluster: bool = False
    scores: ScoredAnswers = ANY

    @property
    def is_mean(self) -> bool:
        """Whether the value is the mean over answers of their credit, so that intervals and tests of shares apply."""
        return self.of_answer is not None and self.of_sums is None

    @property
    def confusion(self) -> Callable[[Floats], Floats]:
        """`of_confusion`; refused for a metric that has none."""
        if self.of_confusion is None:
            raise BadSetting(
                f"The metric {self.name!r} is not read off a confusion; it needs the items and their gold."
            )
        return self.of_confusion

    @property
    def sums(self) -> Callable[[Floats], Floats]:
        """`of_sums`, which is the mean credit where the metric is a mean."""
        if self.of_sums is None and not self.is_mean:
            raise BadSetting(f"The metric {self.name!r} lacks of_sums; only a mean does without.")
        return self.of_sums or mean_credit


def mean_credit(sums: Floats) -> Floats:
    """The first of the sums (..., 2) over the second, as credit over answers; NaN where the second is 0."""
    return share_of(sums[..., 0], sums[..., 1])
