"""A study becomes its human baseline: what people scored, how far they agree, and under which rules."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from data.human_rules import GOLDS, INTERVALS, TIES, StudyRules
from data.numbers import DASH, counted, interval, number
from data.tables import Table, name_value_table
from data.task import Task
from data.wording import enumerated
from db import frames, scoring_frames
from db.engine import Session
from db.judgments import DUPLICATE
from db.payments import pay
from db.studies import Study
from eval.agreement.alpha import alpha, checked_name
from eval.agreement.at_chance import at_chance
from eval.agreement.coefficients import Agreement
from eval.consensus.rules import METHODS
from eval.distance_from_gold import distances_of_people
from eval.estimate import Estimate, wilson
from eval.gold import Gold, TaskItems
from eval.intervals.clusters import FEWEST_CLUSTERS, Clusters
from eval.intervals.jackknife import why_these_people
from eval.metrics.table import metric_named
from eval.named_rules import NAMED_RULES, name_of_rules, rules_named
from eval.panel import Panel, PanelRules, StudyData, panel
from eval.reanalysis import Analysis, analysis_of, individual_scores

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
class HumanBaseline(Analysis):
    """The human side of a study: the panel after its rules and every score of it.

    `simulated` counts the judgments that programs gave, `aside` the items with gold that are left out (`on_kept`),
    `control_items` are the ids of items whose answers are those to a control as well.
    """

    study: str
    task: Task
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
        peers = {"accuracy": self.leave_one_out}
        scores = {"majority": self.majority, "individual": self.individual, "leave_one_out": peers}
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
        if not self.one_cluster and len(self.panel.votes) and (self.majority or self.leave_one_out.n):
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
            f"failed (at least {least:.0%} right required). The same answers choose people and score them, so scores "
            f"may be too high, those of single people most. {beside}"
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
            f"No judgment is left: all {len(panel.excluded)} workers, with {panel.judgments['main']} "
            "answers, are excluded."
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
        return f"People's intervals allow for other {unit}s, not for other people: {why}"
    number = len(set(panel.votes.worker.tolist()))
    if panel.rules.interval == "items":
        return (
            f"People's intervals and differences allow for other {unit}s{named}, not for other people than these "
            f"{number}. For both, choose “{INTERVALS['people']}” on the results page or --interval people."
        )
    return (
        f"People's intervals and differences allow for other {unit}s{named} and for other people than these "
        f"{number}; equivalence is for these people alone. To keep to them, choose “{INTERVALS['items']}” on the "
        "results page or --interval items."
    )


def _nobody_of_a_rare_kind(people: int, individual: Estimate | None, *, agreement: bool) -> str:
    """Return how many samples of so many people lack a kind that is one in ten; "" below 1% of them."""
    lacking = 0.9**people
    if lacking < 0.01:
        return ""
    said = (
        f" If one person in ten guesses, {lacking:.0%} of samples of {people} people have no guesser: intervals of "
        f"single people's scores{' and of agreement' * agreement} are then too narrow. Controls and rules on workers "
        "guard against it."
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


def analysis_numbers(
    analysis: Analysis,
    primary: str,
    items: tuple[str, int],
    written: Callable[[float | None, tuple[float, float] | None], str],
) -> dict[str, str]:
    """Return what a reader compares of two analyses, by name, scores as `written`; `items` are counted beside."""
    counts, agreement = analysis.panel.counts(), analysis.agreement
    scores = {f"{name}, {primary}": getattr(analysis, name).get(primary) for name in ("majority", "individual")}
    named = {**scores, "against peers": analysis.leave_one_out}
    return {
        **{name: str(counts[name]["kept"]) for name in ("workers", "judgments")},
        items[0]: str(items[1]),
        "items with a consensus": str(counts["items"]["with_consensus"]),
        **{name: DASH if score is None else written(score.value, score.ci) for name, score in named.items()},
        "Krippendorff's alpha": written(agreement.alpha, agreement.alpha_ci),
    }


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
    return HumanBaseline(
        **vars(analysis_of(people, study.task.metrics)),
        study=study.name,
        task=study.task,
        pay=pay(answers.judgments, study.settings),
        simulated=int(answers.judgments["simulated"].sum()),
        # Where a log has an item as a control too, the study has it as both.
        control_items=frozenset(items["item"][items["role"] == "control"].str.removeprefix("control:")),
    )


COLUMNS = (
    "item", "worker", "label", "role", "status", "reason", "repeat", "price", "seconds", "day", "simulated",
)  # fmt: skip
NAMING = ("worker", "excluded")
"""Where `human --json` and `results --json` name workers: a name, or a list of them."""


def pseudonyms(names: Iterable[str], *, seed: int = 0) -> dict[str, str]:
    """Return a number of its own for each name, `w001` and so on, in an order that the seed shuffles."""
    order = sorted(set(names))
    Random(seed).shuffle(order)
    digits = max(3, len(str(len(order))))
    return {name: f"w{number:0{digits}}" for number, name in enumerate(order, 1)}


def names_of(study: Study, panel: Panel) -> Mapping[str, str]:
    """Return what the workers of a study are called where people read: our own pseudonyms, of a log's ids numbers."""
    workers = panel.workers
    return pseudonyms(workers, seed=study.seed) if study.origin == "imported" else {name: name for name in workers}


def pseudonymised(table: Any, numbers: Mapping[str, str], under: str = "") -> Any:
    """Return plain data with the workers in it, `under` the keys NAMING, by their numbers of `pseudonyms`."""
    if under in NAMING and isinstance(table, str | list):
        return (
            numbers.get(table, table) if isinstance(table, str) else sorted(numbers.get(each, each) for each in table)
        )
    if isinstance(table, Mapping):
        return {name: pseudonymised(value, numbers, name) for name, value in table.items()}
    return [pseudonymised(value, numbers) for value in table] if isinstance(table, list) else table


def deidentified_judgments(session: Session, *, study: Study) -> pd.DataFrame:
    """Return every judgment of a study under COLUMNS.

    Of the reasons only that of a duplicate stays: others are what staff wrote. What workers wrote themselves, as an
    open answer, stays as it is and is to be read before it is published.
    """
    judged = frames.judgments(session, study=study)
    numbers = pseudonyms(judged["worker"], seed=study.seed)
    days = [moment and moment.date().isoformat() for moment in judged["submitted_at"]]
    plain = judged.assign(
        worker=judged["worker"].map(numbers),
        reason=judged["reason"].where(judged["reason"] == DUPLICATE, None),
        day=pd.Series(days, index=judged.index, dtype=object),
    )
    return plain[list(COLUMNS)]


DISTANCE_WORDS = {
    "exact": "equal or not",
    "jaccard": "Jaccard's distance",
    "masi": "MASI distance",
    "spans": "1 - character F",
    "rouge_l": "1 - ROUGE-L",
}


def distance_words(agreement: Agreement) -> str:
    """Return how alpha compares two answers, in words."""
    return DISTANCE_WORDS.get(agreement.distance, agreement.distance)


def rule_table(human: HumanBaseline) -> Table[Sequence[object]]:
    """Return the rules and what they leave of workers, judgments and items."""
    panel, rules, counts = human.panel, human.panel.rules, human.panel.counts()
    items, judged = counts["items"], panel.judgments
    least = "nobody is excluded" if rules.control_min is None else f"at least {rules.control_min:.0%} right"
    aside = [f"{judged[name]} {name}" for name in ("surplus", "void", "duplicates") if judged.get(name)]
    lines = (
        *_procedure_lines(panel),
        ("One answer per item", f"{', then '.join((rules.consensus, *rules.then))}, {rules.min_votes} or more votes"),
        ("Ties", TIES[rules.ties]),
        ("Controls", least),
        ("Workers", f"{len(panel.workers) - len(panel.excluded)} kept, {len(panel.excluded)} excluded"),
        ("Judgments", ", ".join([f"{judged['kept']} of {judged['main']} kept", *aside])),
        ("Items", f"{items['answered']} of {items['total']} answered"),
        (
            "Of these",
            f"{items['unanimous']} unanimous and {items['tied']} tied, of {panel.votes.compared} with several answers",
        ),
    )
    return name_value_table(lines)


def _procedure_lines(panel: Panel) -> list[tuple[str, str]]:
    """Return the published procedure that the rules follow, and what they ask of the agreement on an item."""
    name, answers = name_of_rules(panel.rules), panel.answers
    lines = [("Procedure", NAMED_RULES[name].title)] if name else []
    return lines if answers is None else [*lines, ("Agreement on an item", answers.verdict)]


def gold_sentence(rules: PanelRules, *, gold: bool) -> str:
    """Return the sentence; `gold`: something is known to be right, else only the one answer out of many is told.

    >>> gold_sentence(PanelRules(gold="decisions"), gold=False)
    "People's one answer is what most of them answered."
    """
    explanation = ", and where that leaves it open ".join(
        METHODS[name].explanation for name in (rules.consensus, *rules.then)
    )
    if rules.agreement_min is not None:
        explanation += f"; items on which fewer than {rules.agreement_min:.0%} of people gave it are not scored"
    if not gold:
        return f"People's one answer is {explanation}."
    return f"The right answer is {GOLDS[rules.gold]}; people's one answer is {explanation}."


NAMED = 3


def chance_note(human: HumanBaseline, study: Study) -> str:
    """Return who of the kept people agrees no better than chance, with alpha without them; "" for nobody."""
    votes = human.panel.votes
    if votes.names is not None or not (people := at_chance(votes)):
        return ""
    level = checked_name(human.task.answer.level)
    values = [float(label) for label in votes.labels] if level == "interval" else None
    rest = votes.keep(~np.isin(votes.worker, people))
    called = names_of(study, human.panel)
    names = [called[votes.workers[person]] for person in people]
    who = enumerated(names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} others"])
    without = alpha(rest.counts, level=level, values=values)
    return f"{who} agree{'s' * (len(names) == 1)} no better than chance; without them alpha is {number(without)}."
