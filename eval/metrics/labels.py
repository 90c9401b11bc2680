"""Metrics of labels: accuracy, macro-averages, Matthews correlation; precision, recall, F1 of what is to be found."""

from collections.abc import Callable, Mapping

import numpy as np

from data.answers.answer_type import AnswerType
from data.answers.form import Form
from data.errors import BadSetting
from eval.arrays import Floats, share_of
from eval.metrics.symbol_f import EPSILON

POSITIVE = "1"
"""The label that is to be found; a task with these metrics has it and one other."""
PARTS: Mapping[str, Callable[[Floats, Floats, Floats], tuple[Floats, Floats]]] = {
    "precision": lambda right, _, given: (right, given),
    "recall": lambda right, gold, _: (right, gold),
    "f1": lambda right, gold, given: (2 * right, gold + given),
}
"""What is a part of what, out of how often a label is right, gold and given."""


def accuracy(confusion: Floats) -> Floats:
    """Right answers over all answers, 0 to 1, higher is better; "no answer" is a wrong one.

    `confusion` is (..., K, K + 1): gold labels by given labels, the last column "no answer"; the result is (...).
    NaN where there are no answers.
    """
    right = np.einsum("...kk->...", confusion[..., :-1])
    return share_of(right, confusion.sum(axis=(-2, -1)))


def wholly_right(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """The credit of one answer of any type and the number of answers: (1, 1) where it is wholly right, else (0, 1)."""
    return float(given is not None and answer.right(given, gold, fields)), 1.0


def right_questions(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer: questions answered wholly right, and questions; no answer leaves all of them wrong."""
    own = answer.of(fields)
    if not isinstance(own, Form):
        return wholly_right(own, fields, gold, given)
    if given is None:
        return 0.0, float(len(own.question_fields(fields)))
    questions = own.right_questions(given, gold, fields)
    return float(sum(questions)), float(len(questions))


def macro(part: str) -> Callable[[Floats], Floats]:
    """The unweighted mean of one of PARTS over the labels that occur in the gold, of confusions, 0 to 1.

    A label that is only given, and "no answer", are no labels to be found: they cost recall. NaN where there are no
    answers. Equal to scikit-learn's functions with `labels=gold labels, average="macro", zero_division=0`.

    >>> confusion = np.array([[8.0, 2, 0], [1, 9, 0]])
    >>> [round(float(macro(part)(confusion)), 3) for part in PARTS]
    [0.854, 0.85, 0.85]
    """

    def value(confusion: Floats) -> Floats:
        gold, given = confusion.sum(axis=-1), confusion[..., :-1].sum(axis=-2)
        return _over_labels(part, np.einsum("...kk->...k", confusion[..., :-1]), gold, given, gold)

    return value


def macro_of_read(part: str) -> Callable[[Floats], Floats]:
    """The mean of one of PARTS over all labels that occur in gold or in replies, of sums of `triples` (..., 3 L).

    One stray reply is one more class, worth 0. Equal to scikit-learn's functions without `labels`. A bootstrap meets
    fewer of such classes than there are, so that its interval lies too high where there are many.
    """

    def value(sums: Floats) -> Floats:
        right, gold, given = _parts_of_read(sums)
        return _over_labels(part, right, gold, given, gold + given)

    return value


def accuracy_of_read(sums: Floats) -> Floats:
    """The share of the rows that were read whose label is right: (..., 3 L) to (...), NaN where none was read."""
    right, gold, _ = _parts_of_read(sums)
    return share_of(right.sum(axis=-1), gold.sum(axis=-1))


def triples(labels: tuple[str, ...], gold: str, given: str | None) -> tuple[float, ...]:
    """(right, gold, given), each 0 or 1, of every label in turn: 3 L numbers that may be added up.

    Where nothing could be read the script drops the row: all are 0.
    """
    if given is None:
        return (0.0,) * (3 * len(labels))
    hits = ((label == gold == given, label == gold, label == given) for label in labels)
    return tuple(float(triple) for each in hits for triple in each)


def _parts_of_read(sums: Floats) -> Floats:
    return np.moveaxis(sums.reshape(*sums.shape[:-1], -1, 3), -1, 0)


def _over_labels(part: str, right: Floats, gold: Floats, given: Floats, occurring: Floats) -> Floats:
    above, below = PARTS[part](right, gold, given)
    shares = share_of(above, below, empty=0.0) * (occurring > 0)
    return share_of(shares.sum(axis=-1), (occurring > 0).sum(axis=-1))


def among_found(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer, each 0 or 1: found rightly, said to be there, there in fact; and the one."""
    labels = answer.of(fields).labels()
    if POSITIVE not in labels:
        raise BadSetting(
            f"Precision and recall are those of the label {POSITIVE!r}, and the labels are {', '.join(labels)}; rename "
            "the one to be found, or use the macro-averages."
        )
    return float(gold == given == POSITIVE), float(given == POSITIVE), float(gold == POSITIVE), 1.0


def of_found(part: str) -> Callable[[Floats], Floats]:
    """One of PARTS of sums (..., 4) of `among_found`; 0 where there is nothing to be a part of, NaN without answers."""

    def value(sums: Floats) -> Floats:
        right, said, there, answers = np.moveaxis(sums, -1, 0)
        return np.where(answers > 0, share_of(*PARTS[part](right, there, said), empty=0.0), np.nan)

    return value


def among_found_code(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """`among_found`, but a row without an answer is left out of every count, as in the script of AGRR-2019."""
    return (0.0, 0.0, 0.0, 1.0) if given is None else among_found(answer, fields, gold, given)


def f1_of_found_code(sums: Floats) -> Floats:
    """The F1 of the script, of sums (..., 4): 1e-7 is added above and below, so that nothing found of nothing is 1."""
    right, said, there, answers = np.moveaxis(sums, -1, 0)
    precision, recall = ((right + EPSILON) / (total + EPSILON) for total in (said, there))
    return np.asarray(np.where(answers > 0, 2 * precision * recall / (precision + recall + EPSILON), np.nan))


def chosen_options(answer: AnswerType, fields: Mapping[str, str], gold: str, given: str | None) -> tuple[float, ...]:
    """Of one answer: options chosen rightly, chosen wrongly, missed, and the one. No answer misses every right option.

    The type is one whose content is a set: several options, or a form of them.
    """
    own = answer.of(fields)
    right, chosen = own.content(gold), own.content(given) if given is not None else frozenset()
    if not isinstance(right, frozenset):
        raise BadSetting(f"F1a compares chosen options; an answer of kind {own.kind!r} chooses none.")
    return float(len(chosen & right)), float(len(chosen - right)), float(len(right - chosen)), 1.0


def f1a(sums: Floats) -> Floats:
    """F1a of MuSeRC (as MultiRC, Khashabi et al. 2018) of pooled sums (..., 4), 0 to 1; every option weighs the same.

    1 where nothing was right and nothing chosen, as the published script counts it; NaN without answers.
    """
    hit, false, missed, answers = np.moveaxis(sums, -1, 0)
    return np.where(answers > 0, share_of(2 * hit, 2 * hit + false + missed, empty=1.0), np.nan)


def mcc(confusion: Floats) -> Floats:
    """The multiclass correlation R_K (Gorodkin 2004), -1 to 1, higher is better, 0 for chance.

    `confusion` is (..., K, K + 1): gold labels by given labels, the last column "no answer"; the result is (...).
    "No answer" is one more value that is never gold. 0 where the gold or the answers do not vary, as in scikit-learn's
    `matthews_corrcoef`; NaN where there are no answers.

    Returns:
        From -1 to 1; NaN without answers.

    Source: Gorodkin (2004), Comparing two K-category assignments by a K-category correlation coefficient, Computational
    Biology and Chemistry 28, 367-374.

    >>> round(float(mcc(np.array([[8.0, 2, 0], [1, 9, 0]]))), 3)
    0.704
    """
    total = confusion.sum(axis=(-2, -1))
    gold, given = confusion.sum(axis=-1), confusion.sum(axis=-2)
    right = np.einsum("...kk->...", confusion[..., :-1])
    covariance = right * total - (gold * given[..., :-1]).sum(axis=-1)
    spread = (total**2 - (gold**2).sum(axis=-1)) * (total**2 - (given**2).sum(axis=-1))
    # Fractional weights leave a spread of 1e-16 where it should be none.
    varies = spread > 1e-12 * total**4
    value = np.divide(covariance, np.sqrt(np.maximum(spread, 0)), out=np.zeros(total.shape), where=varies)
    return np.where(total > 0, value, np.nan)
