"""The metrics of the authors' own scripts, traps included: what `--as-published` shows, never the primary score."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from eval.arrays import Floats
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
    OfAnswer,
    mean_credit,
    mean_of_means,
)
from eval.metrics.published import ruscontext
from eval.metrics.published.libra import as_libra, count_code, em_code, f1_code
from eval.metrics.use_points import points_code

MACRO = {
    "accuracy": "Accuracy",
    "macro_f1": "Macro-F1",
    "macro_precision": "Macro-precision",
    "macro_recall": "Macro-recall",
}
OF_READ = (accuracy_of_read, *map(macro_of_read, ("f1", "precision", "recall")))
SWAPPED = (accuracy_of_read, *map(macro_of_read, ("f1", "recall", "precision")))
"""Where the script has gold and answers swapped, what it prints as precision is recall and the other way round."""
OF_FALSE = (mean_credit, *map(ruscontext.halved, (ruscontext.match_f1, ruscontext.match_precision, mean_credit)))


def _written(
    name: str,
    title: str,
    of_answer: OfAnswer | None = None,
    of_sums: Callable[[Floats], Floats] | None = None,
    **more: Any,
) -> Metric:
    """Return a metric that is given replies as they came."""
    return Metric(name, f"{title}, as published", of_answer, of_sums, written=True, **more)


def _libra(name: str, title: str, compare: Callable[[str, str], float]) -> Metric:
    """Return a score of LIBRA: the mean over the listed lengths of the mean of each."""
    return _written(name, title, as_libra(compare), mean_of_means, over="length", scores=REPLIES)


def _macro(
    kind: str, values: Iterable[Callable[[Floats], Floats]], of_answer: OfAnswer | None = None, **more: Any
) -> Iterator[Metric]:
    """Yield the four scores of RusConText of labels, the names ending in `_code_` and the kind."""
    for (name, title), value in zip(MACRO.items(), values, strict=True):
        yield _written(f"{name}_code_{kind}", title, of_answer, value, scores=CHOSEN, **more)


def _rouge(name: str, title: str, size: int) -> Iterator[Metric]:
    for part in ("precision", "recall", "f1"):
        of_part = ruscontext.rouge_part(size, part)
        yield _written(f"rouge_{name}_{part}_code", f"ROUGE-{title} {part}", of_part, scores=TYPED)


PUBLISHED: tuple[Metric, ...] = (
    _libra("em_code", "Contains the answer", em_code),
    _libra("f1_code", "F1 of words", f1_code),
    _libra("count_code", "Share of numbers right", count_code),
    *_macro("tags", OF_READ, reads=ruscontext.read_tag),
    *_macro("numbers", OF_READ, reads=ruscontext.read_number),
    *_macro("raw", SWAPPED, reads=ruscontext.read_as_it_stands),
    *_macro("false", OF_FALSE, ruscontext.always_false),
    _written("match_accuracy_code", "Accuracy", ruscontext.matches, scores=TYPED),
    _written("match_precision_code", "Precision", ruscontext.matches, ruscontext.match_precision, scores=TYPED),
    _written("match_recall_code", "Recall", ruscontext.matches, scores=TYPED),
    _written("match_f1_code", "F1", ruscontext.matches, ruscontext.match_f1, scores=TYPED),
    *_rouge("1", "1", 1),
    *_rouge("2", "2", 2),
    *_rouge("l", "L", 0),
    Metric("entity_f1_code", "F1 of entities, as published", entity_f1_code, scores=ENTITIES),
    Metric("entity_em_code", "Exact match of entities, as published", entity_em_code, scores=ENTITIES),
    Metric("positive_f1_code", "F1, as published", among_found_code, f1_of_found_code, scores=POSITIVES),
    _written("use_points_code", "Exam points", points_code, mean_credit, scores=EXAM),
    _written("grade_norm_code", "Grade of variants", points_code, mean_credit, each_cluster=True, scores=EXAM),
)
"""Rows of `eval.metrics.table`. A `written` one is given replies as they came."""
