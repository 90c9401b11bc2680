"""The whole human baseline: beside the scores of `baseline.human.baseline`, everything that takes time to compute."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isnan
from typing import Any

import numpy as np

from baseline.human.baseline import Collected, HumanBaseline, analysis_numbers, baseline_of, collected, distance_words
from baseline.human.interval_scope import OTHERS_TOO, THESE_ALONE, scope, scope_of
from baseline.human.sensitivity_strip import FollowedProcedure, followed_procedure
from data.numbers import DASH, counted, interval, number, with_interval
from data.tables import Column, Table, chosen, table_of
from data.task import Task
from db.engine import Session
from db.judgments import AFTERWARDS, EXCLUDED
from db.studies import Study
from eval.agreement.by_label import Category, categories
from eval.agreement.by_part import PartAgreement, part_agreement
from eval.agreement.coefficients import CLOSED_LIST
from eval.agreement.rare_labels import lost_labels_note
from eval.arrays import number_or_none
from eval.comparison.majority_of_k import majority_of_k
from eval.estimate import Estimate
from eval.gold import TaskItems
from eval.intervals.clusters import Resampling
from eval.intervals.other_people import ONCE, wider, with_gold
from eval.metrics.table import metric_named
from eval.named_rules import name_of_rules
from eval.panel import Panel, PanelRules
from eval.people_scores import ceiling, item_weighted
from eval.reanalysis import Analysis, Effect, analysis, effect
from eval.sensitivity import SensitivityCell, rule_grid, sensitivity
from eval.votes import Votes
from eval.workers.scores import worker_mean

THRESHOLDS = (0.5, 0.7, 0.9)
LEAST_VOTES = (1, 2, 3)
CATEGORIES = 50  # of more labels than this most are too rare for a number of their own
FEWER_DRAWS = 1000  # of an interval over items and workers, and where a table has many intervals
MINIMUM = 10  # judgments on items with gold below which a worker's own score is mostly luck


@dataclass(frozen=True, eq=False)
class DetailedBaseline:
    """A human baseline with all its sides.

    `item_weighted` is of the task's first metric where that is a mean, else of accuracy; None without gold, as
    `worker_mean`. `majority_of_k` is {} then, and `sensitivity` has counts only. `exclusions` compares everybody's
    judgments with those kept. `agreement_by` is that on the parts of a form or the elements of marked text, () for
    other answers; `by_label` that on each label of a closed list, () for open answers and where there are more than
    CATEGORIES of them.
    `procedure` is the published one that the rules follow, if any.
    """

    human: HumanBaseline
    collected: Collected
    item_weighted: Estimate | None
    worker_mean: Estimate | None
    ceiling: Estimate
    majority_of_k: dict[int, dict[str, Estimate]]
    sensitivity: tuple[SensitivityCell, ...]
    exclusions: Effect
    agreement_by: tuple[PartAgreement, ...]
    by_label: tuple[Category, ...]
    procedure: FollowedProcedure | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the fixed shape of `human --json`, then what is known beyond it under keys of its own."""
        estimates = {name: getattr(self, name) for name in ("item_weighted", "worker_mean", "ceiling")}
        followed = {} if self.procedure is None else {"procedure": self.procedure.as_dict()}
        return self.human.as_dict() | {
            "notes": self.notes(),
            "panel": {name: None if estimate is None else estimate.as_dict() for name, estimate in estimates.items()},
            "majority_of_k": {
                str(k): {metric: e.as_dict() for metric, e in scores.items()}
                for k, scores in self.majority_of_k.items()
            },
            "sensitivity": [choice.as_dict() for choice in self.sensitivity],
            "exclusions": self.exclusions.as_dict(),
            "agreement_by": [part.as_dict() for part in self.agreement_by],
            "agreement_by_label": [label.as_dict() for label in self.by_label],
            "left_out": list(self.human.panel.left_out),
            **followed,
        }

    def notes(self) -> list[str]:
        """Return what a reader must know beside the numbers, the added ones included."""
        notes = self.human.notes()
        if self.human.panel.gold and len(self.human.panel.votes) and not (self.worker_mean and self.worker_mean.n):
            notes.append(
                f"Nobody has {MINIMUM} judgments on items with gold, so no worker is scored alone: a shorter row of "
                "answers is mostly luck."
            )
        lost, unit = {label.label: label.lost for label in self.by_label}, self.human.panel.resampling.unit
        return [*notes, *lost_labels_note(lost, unit)]


def detailed_baseline(
    session: Session, *, study: Study, rules: PanelRules, asked: TaskItems | None = None
) -> DetailedBaseline:
    """Return the human baseline of a study under `rules` with all its sides; seconds for a large study.

    `asked` are its items as other figures of it have them, with what is known of their answers already.
    """
    answers = collected(session, study=study)
    answers = replace(answers, asked=asked or answers.asked)
    human = baseline_of(answers, rules)
    people = human.panel
    gold, votes, resampling = people.gold, people.votes, people.resampling
    judged = with_gold(votes, gold)
    agreed = _figure(people, votes, ceiling)
    assert agreed is not None
    return DetailedBaseline(
        human=human,
        collected=answers,
        item_weighted=_item_weighted(human, judged),
        worker_mean=_worker_mean(human, judged),
        ceiling=agreed,
        majority_of_k=majority_of_k(study.task.metrics, gold, votes, resampling),
        sensitivity=strip_of(answers, people),
        exclusions=_exclusions(answers, rules),
        agreement_by=part_agreement(votes, _fewer(people)),
        by_label=_by_label(people),
        procedure=followed_procedure(answers, people),
    )


def _item_weighted(human: HumanBaseline, judged: Votes) -> Estimate | None:
    """Return the mean over items of what single people score.

    Where all items have as many answers this is their mean over judgments too: one figure, with one interval.
    """
    metric = mean_metric(human.task)
    answers = judged.counts.sum(axis=1)
    if metric in human.individual and len({*answers.tolist()} - {0}) == 1:
        return replace(human.individual[metric], n=int((answers > 0).sum()))
    return _figure(human.panel, judged, partial(item_weighted, human.panel.gold, metric=metric))


def _worker_mean(human: HumanBaseline, judged: Votes) -> Estimate | None:
    """Return the mean over workers of what each scores alone.

    Where all who answered gave as many answers, and enough, a mean is that over judgments too: one figure with one
    interval.
    """
    people, metric = human.panel, human.task.primary
    answers = set(np.bincount(judged.worker).tolist()) - {0}
    if metric in human.individual and metric_named(metric).is_mean and len(answers) == 1 and min(answers) >= MINIMUM:
        return replace(human.individual[metric], n=len(np.unique(judged.worker)))
    others = people.rules.interval == "people"
    return worker_mean(metric, people.gold, people.votes, _fewer(people), minimum=MINIMUM, others=others)


def mean_metric(task: Task) -> str:
    """Return the metric in which every item may weigh the same: the task's first, where it is a mean, else accuracy."""
    return task.primary if metric_named(task.primary).is_mean else "accuracy"


def _fewer(people: Panel) -> Resampling:
    return replace(people.resampling, draws=FEWER_DRAWS)


def _by_label(people: Panel) -> tuple[Category, ...]:
    if people.votes.names is not None or len(people.votes.labels) > CATEGORIES:
        return ()
    return categories(people.votes, people.resampling, others=people.rules.interval == "people")


def _figure(people: Panel, votes: Votes, figure: Callable[..., Estimate | None]) -> Estimate | None:
    """Return a figure of votes with the interval that the rules ask for."""
    estimate = figure(votes, people.resampling)
    if estimate is None or people.rules.interval == "items":
        return estimate

    def without(left: Votes) -> float:
        again = figure(left, ONCE)
        return again.value if again else float("nan")

    return wider(estimate, votes, without, people.resampling.clusters)


def strip_of(answers: Collected, people: Panel) -> tuple[SensitivityCell, ...]:
    """Return the score under every choice of rules, the stated ones always among them.

    Where nobody answered a control no threshold changes anything, and none but the stated one is tried; nor are more
    votes asked for than an item has. A published procedure leaves no such choice: the result without each of its steps
    stands in place of the strip, which is ().
    """
    rules = people.rules
    if name_of_rules(rules):
        return ()
    named = {*THRESHOLDS} if len(people.controls) else set()
    named |= set() if rules.control_min is None else {rules.control_min}
    most = int(people.votes.counts.sum(axis=1).max(initial=1))
    least = sorted({rules.min_votes} | {votes for votes in LEAST_VOTES if votes <= most})
    grid = rule_grid(rules, control_mins=(None, *sorted(named)), min_votes=least)
    return sensitivity(answers.study.task.primary, answers, grid, draws=FEWER_DRAWS)


def _exclusions(answers: Collected, rules: PanelRules) -> Effect:
    """Return the study with everybody in it, answers that became void with their workers too, against its rules."""
    judged, metrics = answers.judgments, answers.study.task.metrics
    gone = (judged["status"] == "void") & judged["reason"].isin((EXCLUDED, AFTERWARDS))
    counted = judged.assign(status=judged["status"].mask(gone, "counted"))
    everybody = replace(answers, judgments=counted, excluded=frozenset())
    before = analysis(everybody, metrics, replace(rules, control_min=None))
    return effect(before, analysis(answers, metrics, rules))


@dataclass(frozen=True)
class PeopleFigure:
    """A score or a coefficient of agreement; `between` is its interval, or why it could not be had."""

    key: str
    name: str
    value: float | None
    between: str
    holds_for: str
    over: str | int
    unit: str
    method: str = ""


VALUE: tuple[Column[PeopleFigure], ...] = (
    Column("value", "value", "", lambda row: row.value, number),
    Column("interval", "95% interval", "", lambda row: row.between),
    Column("covers", "interval holds for", "", lambda row: row.holds_for or DASH),
)
UNIT: Column[PeopleFigure] = Column(
    "unit", "sampling unit", "What the interval treats as sampled independently", lambda row: row.unit
)
PANEL: tuple[Column[PeopleFigure], ...] = (
    Column("score", "score", "", lambda row: row.name),
    Column("metric", "metric", "", lambda row: row.key),
    *VALUE,
    Column("n", "over", "", lambda row: row.over),
    UNIT,
    Column("method", "method", "", lambda row: row.method),
)
AGREEMENT: tuple[Column[PeopleFigure], ...] = (
    Column("agreement", "agreement", "", lambda row: row.name),
    *VALUE,
    Column("items", "items", "", lambda row: row.over),
    UNIT,
)
LABELS: tuple[Column[Category], ...] = (
    Column("label", "label", "", lambda row: row.label),
    Column("share", "share of answers", "", lambda row: row.share, number),
    Column("share_ci", "95% interval", "", lambda row: _of_label(row, "share")),
    Column("specific", "given again", "", lambda row: row.specific, number),
    Column("specific_ci", "95% interval", "", lambda row: _of_label(row, "specific")),
    Column("alpha", "alpha", "", lambda row: row.alpha, number),
    Column("alpha_ci", "95% interval", "", lambda row: _of_label(row, "alpha")),
    Column("answers", "answers", "", lambda row: row.answers),
    Column("items", "items", "", lambda row: row.items),
)
PARTS: tuple[Column[PartAgreement], ...] = (
    Column("part", "agreement on", "", lambda row: row.name),
    Column("units", "units", "", lambda row: row.n),
    Column("pairwise", "equal pairs", "", lambda row: row.pairwise, number),
    Column("pairwise_ci", "95% interval", "", lambda row: row.pairwise_ci, interval),
    Column("alpha", "alpha, equal or not", "", lambda row: row.alpha, number),
    Column("alpha_ci", "95% interval", "", lambda row: row.alpha_ci, interval),
)


EQUAL_ANSWERS = "equal answers"
"""The metric of figures that need no gold."""


def human_tables(baseline: DetailedBaseline) -> list[Table[Any]]:
    """Return what is read of a human baseline in a terminal."""
    return [
        panel_table(baseline),
        agreement_table(baseline.human),
        *(table for table in (part_table(baseline), label_table(baseline), exclusion_table(baseline)) if table.rows),
    ]


def panel_table(baseline: DetailedBaseline) -> Table[PeopleFigure]:
    """Return a row for each score of the panel; those that need gold stand there only where there is some."""
    human, primary = baseline.human, baseline.human.task.primary
    rows = [_scored(f"majority{human.void}", name, e, "item") for name, e in human.majority.items()]
    rows += [_scored("individual, by judgment", name, e, "judgment") for name, e in human.individual.items()]
    estimates: list[tuple[str, str, Estimate | None, str]] = [
        ("individual, by item", mean_metric(human.task), baseline.item_weighted, "item"),
        (f"individual, by worker of {MINIMUM} or more", primary, baseline.worker_mean, "worker"),
        ("against peers", EQUAL_ANSWERS, human.leave_one_out, "judgment"),
        ("ceiling of agreement", "share of the top answer", baseline.ceiling, "item"),
    ]
    rows += [_scored(name, metric, e, of) for name, metric, e, of in estimates if e is not None and e.n]
    return Table("What people score, and how far they agree with their peers", PANEL, rows)


def agreement_table(human: HumanBaseline) -> Table[PeopleFigure]:
    """Return the coefficients of agreement with their intervals; those of labels only for these.

    Where one is not there the reason stands in the place of its interval.
    """
    agreement, votes = human.panel.agreement, human.panel.votes

    def row(name: str, key: str) -> PeopleFigure:
        ci, why = agreement.cis[key], agreement.why_not.get(key, "")
        held = "" if why or isnan(ci[0]) else scope(agreement.unit, other_people=key in agreement.over_items)
        return PeopleFigure(key, name, agreement.values[key], why or interval(ci), held, votes.compared, agreement.unit)

    rows = [row(f"Krippendorff's alpha, {distance_words(agreement)}", "alpha"), row("Pairwise agreement", "pairwise")]
    if votes.names is None:
        rows += [row(coefficient.title, coefficient.key) for coefficient in CLOSED_LIST]
    elif number_or_none(agreement.similarity) is not None:
        rows.append(row("Similarity of answers", "similarity"))
    return Table("How far people agree with each other, on items with two answers or more", AGREEMENT, rows)


def agreement_lines(human: HumanBaseline) -> Table[PeopleFigure]:
    """Return the coefficients of agreement with their intervals, as a page shows them: that with the others second."""
    table, peers = agreement_table(human), human.leave_one_out
    alpha, *others = table.rows
    beside = _scored("With the others' majority", EQUAL_ANSWERS, peers, "judgment")
    columns = chosen(table.columns, "agreement", "value", "interval")
    return Table("", columns, [alpha, beside, *others]).titled({column.key: "" for column in columns})


def label_table(baseline: DetailedBaseline) -> Table[Category]:
    """Return the agreement on each label that was given."""
    held = OTHERS_TOO if any(label.over_items for label in baseline.by_label) else THESE_ALONE
    caption = (
        "Label by label: how often another person gives it too, and alpha of this label against the rest, on items "
        f"with two answers or more; how many answers are this label, and on how many items; {held}"
    )
    return Table(caption, LABELS, [label for label in baseline.by_label if label.share > 0])


def part_table(baseline: DetailedBaseline) -> Table[PartAgreement]:
    """Return the agreement on each part of a form or element of marked text."""
    caption = f"Part by part: people who answered it, their answers to it equal or not; {THESE_ALONE}"
    return Table(caption, PARTS, baseline.agreement_by)


def exclusion_table(baseline: DetailedBaseline) -> Table[Sequence[object]]:
    """Return counts, scores and agreement with everybody and with the kept workers only; no row where these are one."""
    change = baseline.exclusions
    everybody, kept = (
        analysis_numbers(each, baseline.human.task.primary, _answered(each), with_interval)
        for each in (change.before, change.after)
    )
    same = len(change.before.panel.votes) == len(change.after.panel.votes)
    rows = () if same else [(name, value, kept[name]) for name, value in everybody.items()]
    header = ["before and after exclusions", "everybody", "kept"]
    return table_of("With everybody, and with the kept workers", header, rows)


def pairs(name: str, values: Mapping[str, object]) -> str:
    """Return named values on one line: `name: key value, key value`."""
    return f"{name}: " + ", ".join(f"{key.replace('_', ' ')} {value_words(value)}" for key, value in values.items())


def value_words(value: Any) -> str:
    """Return a value of the JSON as it is read: a dash where there is none."""
    if isinstance(value, tuple):
        return ", ".join(map(value_words, value))
    return "—" if value is None or value != value else f"{value:g}" if isinstance(value, float) else str(value)


def _scored(name: str, metric: str, e: Estimate, of: str) -> PeopleFigure:
    over = counted(e.n, of)
    return PeopleFigure(metric, name, e.value, interval(e.ci), scope_of(e), over, e.unit, e.interval_method)


def _of_label(label: Category, name: str) -> str:
    """Return the interval of a label's figure, marked where it holds for these people though others hold for more."""
    ci = label.cis[name]
    narrower = bool(label.over_items) and name not in label.over_items and not isnan(ci[0])
    return interval(ci) + " *" * narrower


def _answered(analysis: Analysis) -> tuple[str, int]:
    return "items answered", analysis.panel.counts()["items"]["answered"]
