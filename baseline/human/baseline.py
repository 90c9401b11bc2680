"""A study becomes its human baseline: what people scored, how far they agree, and under which rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from data.human_rules import INTERVALS, StudyRules
from data.numbers import counted, interval
from data.task import Task
from db import frames, scoring_frames
from db.engine import Session
from db.payments import pay
from db.studies import Study
from eval.distance_from_gold import distances_of_people
from eval.estimate import Estimate
from eval.gold import Gold, TaskItems
from eval.intervals.clusters import FEWEST_CLUSTERS, Clusters
from eval.intervals.jackknife import why_these_people
from eval.intervals.wilson import wilson
from eval.metrics.table import metric_named
from eval.named_rules import rules_named
from eval.panel import Panel, PanelRules, StudyData, panel
from eval.reanalysis import analysis_of, individual_scores

FEW_CLUSTERS = 30
"""Over fewer clusters than this a note says how many there are."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Collected(StudyData):
    """All that a study holds of its people; `excluded` are those whom it has shut out.

    `asked` has the items' fields where numbers need them. `items_met` are the items that workers answered or skipped,
    None where nobody has asked for them.
    """

    study: Study
    items_met: pd.DataFrame | None = None


@dataclass(frozen=True, eq=False)
class HumanBaseline:
    """The human side of a study: the panel after its rules and every score of it.

    `majority` and `individual` are {} without gold; `leave_one_out` is agreement with the peers and needs none.
    `simulated` counts the judgments that programs gave, `aside` the items with gold that are left out (`on_kept`),
    `control_items` are the ids of items whose answers are those to a control as well.
    """

    study: str
    task: Task
    panel: Panel
    majority: dict[str, Estimate]
    individual: dict[str, Estimate]
    leave_one_out: dict[str, Estimate]
    pay: dict[str, Any]
    simulated: int
    aside: int = 0
    control_items: frozenset[str] = frozenset()

    @property
    def one_cluster(self) -> str:
        """What all items share where they are of one cluster, so that no other is known; "" elsewhere."""
        clusters, items = self.panel.resampling.clusters, self.panel.votes.items
        return clusters.unit if clusters and len({clusters.of[item] for item in items}) == 1 else ""

    @property
    def void(self) -> str:
        """What stands behind the names of figures that rest on people's one answer: `, void` where that is void."""
        answers = self.panel.answers
        return ", void" if answers is not None and answers.void else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the baseline in the fixed shape of `human --json`."""
        scores = {name: getattr(self, name) for name in ("majority", "individual", "leave_one_out")}
        return {
            "study": self.study,
            "task": self.task.id,
            **self.panel.counts(),
            "agreement": self.panel.agreement.as_dict(),
            "scores": {name: {m: e.as_dict() for m, e in estimate.items()} for name, estimate in scores.items()},
            "rules": self.panel.rules.as_dict(),
            "notes": self.notes(),
            "pay": self.pay,
        }

    def notes(self) -> list[str]:
        """Return what a reader must know beside the numbers."""
        notes = list(self.panel.notes)
        if not len(self.panel.votes):
            notes.append(_why_no_votes(self.panel))
        if (unit := self.one_cluster) and len(self.panel.votes):
            notes.append(f"All items share one {unit}, so there is no interval: nothing shows how others differ.")
        elif (clusters := self.panel.resampling.clusters) and len(self.panel.votes):
            notes += _few_clusters(clusters, self.panel.votes.items)
        if not self.one_cluster and len(self.panel.votes) and (self.majority or self.leave_one_out["accuracy"].n):
            notes.append(_whom_intervals_hold_for(self.panel) + self._rare_kinds())
        notes += [*filter(None, [self._chosen_by_what_is_scored()]), *distances_of_people(self.panel)]
        if self.simulated:
            notes.append(f"{self.simulated} judgments are simulated: programs answered, not people.")
        known = self.panel.gold or self.panel.right_numbers
        if not known:
            notes.append("No gold is known, so there is no score against it: agreement and peers only.")
        elif missing := len(self.panel.votes.items) - len(known) - self.aside:
            notes.append(f"{missing} of {len(self.panel.votes.items)} items have no gold and are not scored.")
        return notes

    def _chosen_by_what_is_scored(self) -> str:
        """Return that people were chosen by answers that are scored, "" where they were not."""
        chosen_by, scored = len(self.panel.gold.keys() & self.control_items), len(self.panel.gold)
        least, failed = self.panel.rules.control_min, len(self.panel.failed)
        if not (chosen_by and failed) or least is None:
            return ""
        beside = (
            "Import the log with --controls apart to score the other items alone."
            if chosen_by < scored
            else "No other item is scored, so nothing here shows by how much."
        )
        are = "are controls" if chosen_by > 1 else "is a control"
        return (
            f"{chosen_by} of the {counted(scored, 'item')} scored {are} as well, by which {counted(failed, 'worker')} "
            f"failed ({least:.0%} right are asked for): people are chosen by answers that are scored, so scores may be "
            "too high, above all those of single people. In simulated studies they are so the more, the fewer the "
            "controls, the larger their share of the items scored, and the closer what is asked for is to what people "
            f"know. {beside}"
        )

    def _rare_kinds(self) -> str:
        """Return what intervals over other people cannot allow for, "" where they hold for these people."""
        people = len(set(self.panel.votes.worker.tolist()))
        if self.panel.rules.interval == "items" or why_these_people(self.panel.votes, self.panel.resampling.clusters):
            return ""
        primary = self.task.primary if metric_named(self.task.primary).is_mean else "accuracy"
        agreement = bool((self.panel.votes.counts.sum(axis=1) > 1).any())
        return _nobody_of_a_rare_kind(people, self.individual.get(primary), agreement=agreement)


def _why_no_votes(panel: Panel) -> str:
    """Return why there is nothing to compute from: nobody has answered, or nobody who did is kept."""
    if panel.judgments["main"] and panel.excluded:
        return (
            f"No judgment is left: all {len(panel.excluded)} workers whose answers count, {panel.judgments['main']} of "
            "them, are excluded."
        )
    return "No judgment is in yet: send the study's invitation link to people, or import a log."


def _few_clusters(clusters: Clusters, items: Sequence[str]) -> list[str]:
    """Return what a reader must know of intervals over so few clusters."""
    number = len({clusters.of[item] for item in items})
    if number >= FEW_CLUSTERS:
        return []
    unjudged = " Equivalence is not judged over so few." if number < FEWEST_CLUSTERS else ""
    return [
        f"The intervals are over {number} clusters ({clusters.unit}): those of shares are Wilson's, bootstraps of "
        f"other figures are widened as so few need.{unjudged}"
    ]


def _whom_intervals_hold_for(panel: Panel) -> str:
    """Return whom the intervals of people hold for, and how to have the other one or why it cannot be had."""
    unit = panel.resampling.unit
    named = "" if unit == "item" else f" (items are {unit}s here)"
    if why := why_these_people(panel.votes, panel.resampling.clusters):
        return f"Intervals of people hold for these people and other {unit}s; there is none for other people: {why}"
    number = len(set(panel.votes.worker.tolist()))
    if panel.rules.interval == "items":
        return (
            f"Intervals of people, and differences from people, hold for these {number} people and other {unit}s. To "
            f"make them hold for other people too, choose “{INTERVALS['people']}”{named} on the results page, or "
            "--interval people where it is a command."
        )
    return (
        f"Intervals of people hold for other {unit}s and other people, of whom these {number} are a sample, and so do "
        "differences from people; what is for these people alone, like equivalence, says so. To keep to these people "
        f"choose “{INTERVALS['items']}”{named} on the results page, or --interval items where it is a command."
    )


def _nobody_of_a_rare_kind(people: int, individual: Estimate | None, *, agreement: bool) -> str:
    """Return how many samples of so many people lack a kind that is one in ten; "" below 1% of them."""
    lacking = 0.9**people
    if lacking < 0.01:
        return ""
    said = (
        f" If one person in ten is of another kind (a guesser, say), {lacking:.0%} of samples of {people} people have "
        "none of them: what they would change does not show, and the intervals of single people's scores"
        f"{' and of agreement' * agreement} are too narrow. Controls and rules on workers guard against it."
    )
    if individual is not None:
        ends = interval(wilson(min(people, max(0.0, individual.value * people)), people))
        said += f" An interval of “individual” that allows for them counts each person as one answer: {ends}."
    return said


def consensus_words(human: HumanBaseline) -> str:
    """Return how many votes became one answer: `majority of 3`, `majority of 3–5, void`."""
    sizes = sorted(int(size) for size in human.panel.counts()["overlap"])
    rule = human.panel.rules.consensus
    span = "" if not sizes else f" of {sizes[0]}" if len(sizes) == 1 else f" of {sizes[0]}–{sizes[-1]}"
    return f"{rule}{span}{human.void}"


def stored_rules(study: Study) -> PanelRules:
    """Return the rules that are stored with a study."""
    return PanelRules(seed=study.seed, **{name: getattr(study.settings, name) for name in StudyRules.model_fields})


def changed_rules(study: Study, *, rules: str | None = None, **changes: Any) -> PanelRules:
    """Return the study's rules, or those published as `rules`, with what a command changes of them (None: nothing)."""
    known = rules_named(rules).on(stored_rules(study)) if rules else stored_rules(study)
    return replace(known, **{name: value for name, value in changes.items() if value is not None})


def collected(session: Session, *, study: Study, briefly: bool = False) -> Collected:
    """Return all that a study holds of its people; the texts of its items only where its numbers need them.

    `briefly` leaves out the columns of judgments that no score is made of, which a large study shows in seconds.
    """
    if needs_fields(study.task):
        items = frames.items(session, study=study, fields=True, stored=True)
    else:
        items = scoring_frames.items(session, study=study)
    fields = dict(zip(items["item"], items["fields"], strict=True)) if "fields" in items else {}
    if briefly:
        judgments = scoring_frames.judgments(session, study=study, items=items)
    else:
        judgments = frames.judgments(session, study=study)
    return Collected(
        study=study,
        judgments=judgments,
        items=items,
        labels=study.task.answer.labels() or None,
        excluded=frozenset(frames.excluded_workers(session, study=study)),
        asked=TaskItems(study.task.answer, fields, tuple(study.task.splits)),
        clusters=clusters_of(study.task, fields),
    )


def needs_fields(task: Task) -> bool:
    """Return whether answers can only be counted, scored or bound together with the fields of their items."""
    return bool(task.cluster) or needs_texts(task)


def needs_texts(task: Task) -> bool:
    """Return whether scores are made of more than labels of a closed list: of open answers, or of what was written."""
    return not task.answer.labels() or not all(metric_named(name).of_confusion for name in task.metrics)


def clusters_of(task: Task, fields: Mapping[str, Mapping[str, str]]) -> Clusters | None:
    """Return the clusters of items with these fields; an item whose field is empty stands alone."""
    if not task.cluster:
        return None
    return Clusters(
        task.cluster.replace("_", " "),
        {item: item_fields.get(task.cluster) or item for item, item_fields in fields.items()},
    )


def human_baseline(session: Session, *, study: Study, rules: PanelRules) -> HumanBaseline:
    """Return the human baseline of a study under `rules`."""
    return baseline_of(collected(session, study=study, briefly=True), rules)


def on_kept(human: HumanBaseline) -> HumanBaseline:
    """Return the baseline on those items with gold alone that are scored in the people's one answer."""
    people = human.panel
    scored = {
        item for item, is_scored in zip(people.votes.items, people.consensus.ballots.scored, strict=True) if is_scored
    }
    labels = {item: label for item, label in people.gold.items() if item in scored}
    gold = Gold(labels, people.gold.asked) if isinstance(people.gold, Gold) else labels
    aside = len(people.gold) - len(gold)
    kept = replace(people, gold=gold)
    return replace(human, panel=kept, individual=individual_scores(kept, human.task.metrics), aside=aside)


def baseline_of(answers: Collected, rules: PanelRules) -> HumanBaseline:
    """Return the human baseline of what was collected under `rules`."""
    study, items, people = answers.study, answers.items, panel(answers, rules)
    scores = analysis_of(people, study.task.metrics)
    return HumanBaseline(
        study=study.name,
        task=study.task,
        panel=people,
        majority=scores.majority,
        individual=scores.individual,
        leave_one_out={"accuracy": scores.leave_one_out},
        pay=pay(answers.judgments, study.settings),
        simulated=int(answers.judgments["simulated"].sum()),
        # Where a log has an item as a control too, the study has it as both.
        control_items=frozenset(items["item"][items["role"] == "control"].str.removeprefix("control:")),
    )
