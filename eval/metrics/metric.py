"""What a metric is: how answers become numbers that add up, or a confusion, and how these become a value."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from data.answers.answer_type import AnswerType
from data.answers.form import Form
from data.answers.spans import Spans
from data.errors import BadSetting
from eval.arrays import Floats, share_of


@dataclass(frozen=True)
class ScoredAnswers:
    """What a metric needs of a task, () and "" for nothing: each of these is asked for by some metric.

    `kinds` are those of answers, `part` one that they have where they are forms. `listed` asks for a closed list of
    labels, `label` for a list with this one, `element` for spans with an element of this name, `fields` for items that
    have these.
    """

    kinds: tuple[str, ...] = ()
    closed: bool = False
    label: str = ""
    element: str = ""
    part: str = ""
    fields: tuple[str, ...] = ()

    def lacking(self, answer: AnswerType, fields: Collection[str]) -> str:
        """Return in words what a task with such answers and `fields` lacks, "" where it can be scored."""
        if self.kinds and answer.kind not in self.kinds:
            return f"it scores answers of kind {' or '.join(map(repr, self.kinds))}, and these are {answer.kind!r}"
        if self.closed and not answer.labels():
            return "it scores labels of a closed list, and these answers have none"
        if self.label and self.label not in answer.labels():
            return f"it scores how the label {self.label!r} is found, and the labels are {', '.join(answer.labels())}"
        if self.element and isinstance(answer, Spans) and self.element not in answer.part_names:
            return f"there is no element {self.element!r} to mark"
        if self.part and isinstance(answer, Form) and self.part not in answer.part_names:
            return f"there is no part {self.part!r}"
        missing = [name for name in self.fields if name not in fields]
        return f"it needs the field {missing[0]!r} of each item" if missing else ""


ANY = ScoredAnswers()
LISTED = ScoredAnswers(closed=True)
WRITTEN = ScoredAnswers(("text", "number", "write", "varied"))
MARKED = ScoredAnswers(("spans",))
CHOSEN_OF_SEVERAL = ScoredAnswers(("choices", "form"))
ENTITIES = ScoredAnswers(("choices",))
EXAM = ScoredAnswers(("varied",), fields=("id_task", "type"))
POSITIVES = ScoredAnswers(label="1")
FORMS = ScoredAnswers(("form",))
RATED = ScoredAnswers(("rating",))
REPLIES = ScoredAnswers(("choice", "number", "sequence", "text"))
CHOSEN = ScoredAnswers(("choice",))
WORDS = "ellipsis"
"""The part of a form with the words that a sentence leaves out, which stand alone where nothing else is asked."""
TYPED = ScoredAnswers(("text", "form"), part=WORDS)


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
    as it came, and a chosen answer in the form of files (`eval.metrics.texts`). Where the metric `reads` labels out
    of replies, that takes the place of `of_answer`: what it reads, gold or not, is a label, and None drops the item;
    `of_sums` then takes the sums of `eval.metrics.published.read_labels.triples`.
    `over` names a field of the item: the value is the mean over its published values of the mean of each, `of_sums`
    that of `eval.metrics.metric`. With `each_cluster` clusters weigh the same, however much their items are worth.
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


Sums = tuple[float, ...]


def placed(sums: Sums, group: str, groups: Sequence[str]) -> Sums:
    """Return the sums at the place of their group among those listed, zeros elsewhere; nothing counts in no group.

    Without a list all items are one group, and the sums are returned as they are.
    """
    if not groups:
        return sums
    return tuple(each if group == name else 0.0 for name in groups for each in sums)


def mean_of_means(sums: Floats) -> Floats:
    """The mean over G groups of credit / answers, of sums (..., 2 G); an empty group counts 0, all empty give NaN."""
    each = sums.reshape(*sums.shape[:-1], -1, 2)
    credit, answers = each[..., 0], each[..., 1]
    means = share_of(credit, answers, empty=0.0).mean(axis=-1)
    return np.where(answers.sum(axis=-1) > 0, means, np.nan)
