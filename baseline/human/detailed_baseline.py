"""The whole human baseline: beside the scores of `baseline.human.baseline`, everything that takes time to compute."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from baseline.human.baseline import Collected, HumanBaseline, baseline_of, collected
from baseline.human.procedure import FollowedProcedure, followed_procedure
from data.task import Task
from db.engine import Session
from db.judgments import AFTERWARDS, EXCLUDED
from db.studies import Study
from eval.agreement.by_label import Category, categories
from eval.agreement.by_part import PartAgreement, part_agreement
from eval.agreement.rare_labels import lost_labels_note
from eval.comparison.majority_of_k import majority_of_k
from eval.estimate import Estimate
from eval.gold import TaskItems
from eval.intervals.clusters import Resampling
from eval.intervals.other_people import ONCE, wider, with_gold
from eval.intervals.wilson import UNDEFINED
from eval.metrics.table import metric_named
from eval.named_rules import name_of_rules
from eval.panel import Panel, PanelRules
from eval.people_scores import ceiling, item_weighted, one_right
from eval.reanalysis import Effect, analysis, effect
from eval.sensitivity import SensitivityCell, rule_grid, sensitivity
from eval.votes import Votes
from eval.workers.scores import BestWorker, best_worker, worker_mean

THRESHOLDS = (0.5, 0.7, 0.9)
LEAST_VOTES = (1, 2, 3)
CATEGORIES = 50  # of more labels than this most are too rare for a number of their own
FEWER_DRAWS = 1000  # of an interval over items and workers, and where a table has many intervals
MINIMUM = 10  # judgments on items with gold below which a worker's own score is mostly luck


@dataclass(frozen=True, eq=False)
class DetailedBaseline:
    """A human baseline with all its sides.

    `item_weighted`, `worker_mean`, `one_right` and `best_worker` are None without gold; `majority_of_k` is {} then and
    `sensitivity` has counts only. `item_weighted` is of the task's first metric where that is a mean, else of accuracy.
    `exclusions` compares everybody's judgments with those kept. `agreement_by` is that on the parts of a form or the
    elements of marked text, () for other answers; `by_label` that on each label of a closed list, () for open answers
    and where there are more than CATEGORIES of them. `procedure` is the published one that the rules follow, if any.
    """

    human: HumanBaseline
    collected: Collected
    item_weighted: Estimate | None
    worker_mean: Estimate | None
    best_worker: BestWorker | None
    ceiling: Estimate
    one_right: Estimate | None
    majority_of_k: dict[int, dict[str, Estimate]]
    sensitivity: tuple[SensitivityCell, ...]
    exclusions: Effect
    agreement_by: tuple[PartAgreement, ...]
    by_label: tuple[Category, ...]
    procedure: FollowedProcedure | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the fixed shape of `human --json`, then what is known beyond it under keys of its own."""
        names = ("item_weighted", "worker_mean", "best_worker", "ceiling", "one_right")
        estimates: dict[str, Estimate | BestWorker | None] = {name: getattr(self, name) for name in names}
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
        if self.best_worker and self.human.panel.resampling.clusters:
            notes.append(
                "The best worker has no interval: it would take answers as independent, but items are in clusters."
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
        best_worker=_best_worker(human),
        ceiling=agreed,
        one_right=_figure(people, judged, partial(one_right, gold), one_vote_decides=True),
        majority_of_k=majority_of_k(study.task.metrics, gold, votes, resampling),
        sensitivity=strip_of(answers, people),
        exclusions=_exclusions(answers, rules),
        agreement_by=part_agreement(votes, _fewer(people)),
        by_label=_by_label(people),
        procedure=followed_procedure(answers, people),
    )


def _best_worker(human: HumanBaseline) -> BestWorker | None:
    """Return the best worker, None of one, who is the best of nobody.

    There is no interval where items are in clusters, since it takes answers as independent.
    """
    people = human.panel
    if len(np.unique(people.votes.worker)) < 2:
        return None
    best = best_worker(people.gold, people.votes, minimum=MINIMUM)
    if best is None or people.resampling.clusters is None:
        return best
    return replace(best, estimate=replace(best.estimate, ci=UNDEFINED, method="none"))


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


def _figure(
    people: Panel, votes: Votes, figure: Callable[..., Estimate | None], *, one_vote_decides: bool = False
) -> Estimate | None:
    """Return a figure of votes with the interval that the rules ask for."""
    estimate = figure(votes, people.resampling)
    if estimate is None or people.rules.interval == "items":
        return estimate

    def without(left: Votes) -> float:
        again = figure(left, ONCE)
        return again.value if again else float("nan")

    return wider(estimate, votes, without, people.resampling.clusters, one_vote_decides=one_vote_decides)


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
