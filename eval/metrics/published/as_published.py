"""The metrics of the authors' own scripts, traps included: what `--as-published` shows, never the primary score."""

from collections.abc import Callable

from eval.metrics.entities import entity_em_code, entity_f1_code
from eval.metrics.labels import accuracy_of_read, among_found_code, f1_of_found_code, macro_of_read
from eval.metrics.metric import (
    CHOSEN,
    ENTITIES,
    EXAM,
    POSITIVES,
    REPLIES,
    TYPED,
    Metric,
    Reader,
    mean_credit,
    mean_of_means,
)
from eval.metrics.published import ruscontext
from eval.metrics.published.libra import as_libra, count_code, em_code, f1_code
from eval.metrics.use_points import points_code

MACRO = ("accuracy", "macro_f1", "macro_precision", "macro_recall")
_TITLES = ("Accuracy", "Macro-F1", "Macro-precision", "Macro-recall")


def _libra(name: str, title: str, compare: Callable[[str, str], float]) -> Metric:
    """Return a score of LIBRA: the mean over the listed lengths of the mean of each."""
    return Metric(
        name, f"{title}, as published", as_libra(compare), mean_of_means, written=True, over="length", scores=REPLIES
    )


def _read(kind: str, reads: Reader, *, swapped: bool = False) -> tuple[Metric, ...]:
    """Return the four scores of RusConText of labels as `reads` reads them, the names ending in `_code_` and the kind.

    Where the script has gold and answers `swapped`, what it prints as precision is recall and the other way round.
    """
    parts = ("f1", "recall", "precision") if swapped else ("f1", "precision", "recall")
    values = (accuracy_of_read, *map(macro_of_read, parts))
    return tuple(
        Metric(f"{name}_code_{kind}", f"{title}, as published", of_sums=value, written=True, reads=reads, scores=CHOSEN)
        for name, title, value in zip(MACRO, _TITLES, values, strict=True)
    )


def _rouge(name: str, title: str, size: int) -> tuple[Metric, ...]:
    return tuple(
        Metric(
            f"rouge_{name}_{part}_code",
            f"ROUGE-{title} {part}, as published",
            ruscontext.rouge_part(size, part),
            written=True,
            scores=TYPED,
        )
        for part in ("precision", "recall", "f1")
    )


PUBLISHED: tuple[Metric, ...] = (
    _libra("em_code", "Contains the answer", em_code),
    _libra("f1_code", "F1 of words", f1_code),
    _libra("count_code", "Share of numbers right", count_code),
    *_read("tags", ruscontext.read_tag),
    *_read("numbers", ruscontext.read_number),
    *_read("raw", ruscontext.read_as_it_stands, swapped=True),
    *(
        Metric(
            f"{name}_code_false", f"{title}, as published", ruscontext.always_false, value, written=True, scores=CHOSEN
        )
        for name, title, value in zip(
            MACRO,
            _TITLES,
            (
                mean_credit,
                ruscontext.halved(ruscontext.match_f1),
                ruscontext.halved(ruscontext.match_precision),
                ruscontext.halved(mean_credit),
            ),
            strict=True,
        )
    ),
    Metric("match_accuracy_code", "Accuracy, as published", ruscontext.matches, written=True, scores=TYPED),
    Metric(
        "match_precision_code",
        "Precision, as published",
        ruscontext.matches,
        ruscontext.match_precision,
        written=True,
        scores=TYPED,
    ),
    Metric("match_recall_code", "Recall, as published", ruscontext.matches, written=True, scores=TYPED),
    Metric("match_f1_code", "F1, as published", ruscontext.matches, ruscontext.match_f1, written=True, scores=TYPED),
    *_rouge("1", "1", 1),
    *_rouge("2", "2", 2),
    *_rouge("l", "L", 0),
    Metric("entity_f1_code", "F1 of entities, as published", entity_f1_code, scores=ENTITIES),
    Metric("entity_em_code", "Exact match of entities, as published", entity_em_code, scores=ENTITIES),
    Metric("positive_f1_code", "F1, as published", among_found_code, f1_of_found_code, scores=POSITIVES),
    Metric("use_points_code", "Exam points, as published", points_code, mean_credit, written=True, scores=EXAM),
    Metric(
        "grade_norm_code",
        "Grade of variants, as published",
        points_code,
        mean_credit,
        written=True,
        each_cluster=True,
        scores=EXAM,
    ),
)
"""Rows of `eval.metrics.table`. A `written` one is given replies as they came."""
