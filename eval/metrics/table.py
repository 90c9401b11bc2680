"""The table of metrics: a new metric is one function in a file of its own and one row here."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter

from data.answers.answer_type import AnswerType
from data.bracket_markup import ELEMENTS
from data.errors import Fault, UnknownName, look_up
from data.extensions import extended
from eval.metrics import labels, texts
from eval.metrics.ellipsis import ELLIPSIS
from eval.metrics.entities import entity_em, entity_f1
from eval.metrics.metric import (
    CHOSEN_OF_SEVERAL,
    ENTITIES,
    EXAM,
    FORMS,
    LISTED,
    MARKED,
    POSITIVES,
    RATED,
    WRITTEN,
    Metric,
    ScoredAnswers,
    mean_credit,
)
from eval.metrics.published.as_published import PUBLISHED
from eval.metrics.ratings import moments, pair_of_points, spearman, weighted_kappa
from eval.metrics.rouge import rouge_1, rouge_2, rouge_l
from eval.metrics.symbol_f import element_f, symbol_f, symbol_f_near
from eval.metrics.use_points import FULL, points


def _of_element(name: str) -> Metric:
    marked = ScoredAnswers(("spans",), element=name)
    return Metric(f"symbol_f_{name.lower()}", f"Symbol-wise F of {name}", element_f(name), mean_credit, scores=marked)


METRICS = extended(
    "metrics",
    (
        Metric("accuracy", "Accuracy", labels.wholly_right, of_confusion=labels.accuracy),
        Metric("macro_f1", "Macro-F1", of_confusion=labels.macro("f1"), scores=LISTED),
        Metric("macro_precision", "Macro-precision", of_confusion=labels.macro("precision"), scores=LISTED),
        Metric("macro_recall", "Macro-recall", of_confusion=labels.macro("recall"), scores=LISTED),
        Metric("mcc", "Matthews correlation", of_confusion=labels.mcc, low=-1, scores=LISTED),
        Metric("weighted_kappa", "Weighted kappa", moments, weighted_kappa, low=-1, scores=RATED),
        Metric("spearman", "Spearman correlation", pair_of_points, spearman, low=-1, scores=RATED),
        Metric("em", "Exact match", texts.best_of(texts.same_words, texts.words_or_text)),
        Metric(
            "em_words",
            "Contains the answer",
            texts.best_of(
                lambda wanted, told: float(texts.words_stand_in(told, wanted)), str, contains=texts.words_stand_in
            ),
            scores=WRITTEN,
        ),
        Metric("count_score", "Number right", labels.wholly_right, scores=ScoredAnswers(("number",))),
        Metric("token_f1", "F1 of words", texts.best_of(texts.token_f1, texts.words), scores=WRITTEN),
        Metric(
            "token_precision", "Precision of words", texts.best_of(texts.token_precision, texts.words), scores=WRITTEN
        ),
        Metric("token_recall", "Recall of words", texts.best_of(texts.token_recall, texts.words), scores=WRITTEN),
        Metric("rouge_1", "ROUGE-1", texts.best_of(rouge_1, texts.runs), scores=WRITTEN),
        Metric("rouge_2", "ROUGE-2", texts.best_of(rouge_2, texts.runs), scores=WRITTEN),
        Metric("rouge_l", "ROUGE-L", texts.best_of(rouge_l, texts.runs), scores=WRITTEN),
        Metric("symbol_f", "Symbol-wise F", symbol_f, mean_credit, scores=MARKED),
        Metric("symbol_f_near", "Symbol-wise F, places within 1", symbol_f_near, mean_credit, scores=MARKED),
        Metric("f1a", "F1 over all options", labels.chosen_options, labels.f1a, scores=CHOSEN_OF_SEVERAL),
        Metric("question_em", "Exact match by question", labels.right_questions, mean_credit, scores=FORMS),
        Metric("entity_f1", "F1 of entities", entity_f1, scores=ENTITIES),
        Metric("entity_em", "Exact match of entities", entity_em, scores=ENTITIES),
        Metric("use_points", "Exam points", points, mean_credit, scores=EXAM),
        Metric("grade_norm", "Grade of whole variants", points, mean_credit, full_cluster=FULL, scores=EXAM),
        Metric("precision", "Precision", labels.among_found, labels.of_found("precision"), scores=POSITIVES),
        Metric("recall", "Recall", labels.among_found, labels.of_found("recall"), scores=POSITIVES),
        Metric("f1", "F1", labels.among_found, labels.of_found("f1"), scores=POSITIVES),
        *map(_of_element, ELEMENTS),
        *ELLIPSIS,
        *PUBLISHED,
    ),
    attrgetter("name"),
)


def metric_faults(
    names: Mapping[str, Sequence[str]], answer: AnswerType | None, fields: Collection[str]
) -> Iterator[Fault]:
    """Yield the metrics that are not known, and those that cannot score a task's answers, None for any.

    `names` are those of metrics under the keys of a task that list them.

    >>> [len(list(metric_faults({"metrics": names}, None, []))) for names in (["accuracy"], ["acuracy"])]
    [0, 1]
    """
    for key, place, name in ((key, place, name) for key, values in names.items() for place, name in enumerate(values)):
        if name not in METRICS:
            yield Fault((key, place), str(UnknownName("the metric", name, METRICS)))
        elif answer is not None and (lacking := METRICS[name].scores.lacking(answer, fields)):
            fit = [name for name, metric in METRICS.items() if not metric.scores.lacking(answer, fields)]
            use = ", ".join(fault for fault in fit if "_code" not in fault)
            yield Fault((key, place), f"the metric {name!r} cannot score this task: {lacking}; use {use}")


def metric_named(name: str) -> Metric:
    """The metric of this name; an unknown name is refused with the nearest ones.

    >>> metric_named("accuracy").is_mean
    True
    """
    return look_up("the metric", name, METRICS)
