"""The numbers that follow from a study's settings, before anybody is paid for an answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf

from scipy.stats import binom

from annotate.workload import needed
from data.task import Role
from db.study_settings import StudySettings
from eval.planner import PERSON, crowd_accuracy, detectable
from eval.workers import rules_of
from eval.workers.control import LONGEST_COMPUTED, ControlRule
from eval.workers.rule import STOPS, Chances

MOST_LABELS = 10


@dataclass(frozen=True)
class Plan:
    """What a study will ask for. `controls` and `pages` are those of one worker who answers as many items as one may.

    `controls_wanted` is how many controls that length of work has places for: where there are fewer, and none may come
    again, main items take the places of the others.
    `sittings` is 0 where workers take items as they come, else how many sittings answer everything once. With a dynamic
    overlap `most_judgments` and `most_cost` are reached where every item asks for as many answers as one may have.
    `capped`: one worker may not answer everything; `share` is how many answers come with one to a main item, controls
    counted. `attempts` at the training are allowed. `practice_cost`, which is in `cost`, pays all the training of
    `workers`; `most_bonus`, which is in `most_cost` alone, is the bonus for everybody.
    """

    items: int
    judgments: int
    workers: int
    pages: int
    controls: int
    controls_wanted: int
    repeats: int
    training_right: int
    training: int
    cost: float
    attempts: int = 1
    sittings: int = 0
    most_judgments: int = 0
    most_cost: float = 0.0
    capped: bool = False
    share: float = 1.0
    practice_cost: float = 0.0
    most_bonus: float = 0.0


@dataclass(frozen=True)
class Forecast:
    """What a plan lets expect.

    `guesser_trains` and `guesser_works` are the probabilities that somebody who guesses passes the training and still
    works after the controls of one worker, None where there are none or where answers cannot be guessed; `acts_from` is
    how many controls it takes before the rule looks. `hours` of active work in all and `most_hours`, at `seconds` an
    answer; `hourly` is the pay for one of them. `difference` is the smallest one between people and a model that the
    items show in four studies out of five, None where nothing is `scored` and where there are too few items for any.
    """

    guesser_trains: float | None
    guesser_works: float | None
    acts_from: int
    seconds: float
    hours: float
    most_hours: float
    hourly: float
    difference: float | None
    scored: bool = True


def plan(counts: Mapping[Role, int], settings: StudySettings, *, sittings: int = 1) -> Plan:
    """Return what follows from the numbers of items by role and the settings.

    `workers` is the least number that can give `overlap` judgments to an item. `repeats` is how often one meets the
    same control at most: once without `repeat_controls`. `cost` is in the study's currency: judgments, the controls
    that come with them and the training of the least number of workers; how many more come, or fail, nobody knows.
    Where a worker answers the items of an exam variant in one go, without controls, there are so many `sittings`.
    """
    items, training, control = (counts.get(role, 0) for role in ("main", "training", "control"))
    sittings = sittings if settings.sitting else 0
    per_page = settings.page_controls if control and not sittings else 0
    way = _way(items, settings, per_page, inf if settings.repeat_controls else control)
    overlap, own, share = settings.overlap, way.own, way.share
    most = max(overlap, settings.overlap_max or 0)
    workers = overlap * sittings if sittings else max(overlap, ceil(items * overlap / own) if own else 0)
    practice = workers * training * settings.training_price
    most_bonus = items * most * settings.bonus if per_page else 0.0
    return Plan(
        items=items,
        judgments=items * overlap,
        workers=workers,
        pages=way.pages,
        controls=way.controls,
        controls_wanted=way.wanted,
        repeats=ceil(way.controls / control) if control else 0,
        training_right=needed(training, settings.training_pass),
        training=training,
        cost=items * overlap * share * settings.price + practice,
        attempts=settings.training_attempts,
        sittings=sittings,
        most_judgments=items * most,
        most_cost=items * most * share * settings.price + practice + most_bonus,
        capped=own < items,
        share=share,
        practice_cost=practice,
        most_bonus=most_bonus,
    )


@dataclass(frozen=True)
class _Way:
    """What one worker meets: `own` main items and `controls` of the `wanted` that `pages` of that many have places for.

    `share` is how many answers come with one to a main item.
    """

    own: int
    pages: int
    controls: int
    wanted: int
    share: float


def _way(items: int, settings: StudySettings, per_page: int, there: float) -> _Way:
    """Return the way of a worker with so many controls on a page, where `there` controls can be met."""
    most, page_main = None if settings.sitting else settings.max_items, settings.page_main
    each, there = per_page / page_main, there if per_page else 0
    own = items if most is None else min(items, max(1, int(max(most / (1 + each), most - there))))
    pages = ceil(own / page_main)
    wanted = pages * per_page
    met = int(min(wanted, there))
    if met < wanted:
        pages = ceil((own + met) / (page_main + per_page))
    return _Way(own, pages, met, wanted, 1 + min(each, there / own if own else 0))


def forecast(planned: Plan, settings: StudySettings, *, chance: float, seconds: float, scored: bool) -> Forecast:
    """Return what a plan lets expect where a guesser is right with probability `chance` (0: answers are open).

    The difference is that which the score test shows with a power of 80% between a crowd of people with 85% each and a
    model below it, their errors independent: real ones share hard items, so less shows too.
    """
    rule, met = rules_of(settings.quality).control, planned.controls
    majority = crowd_accuracy(
        PERSON, settings.overlap, labels=min(MOST_LABELS, max(2, round(1 / chance) if chance else 2))
    )
    each = planned.share * seconds / 3600
    return Forecast(
        guesser_trains=_pass_probability(planned, chance),
        guesser_works=_survival(rule, chance, met),
        acts_from=rule.minimum if rule.action in STOPS else 0,
        seconds=seconds,
        hours=planned.judgments * each,
        most_hours=planned.most_judgments * each,
        hourly=settings.price * 3600 / seconds if seconds else 0.0,
        difference=detectable(planned.items, majority) if scored else None,
        scored=scored,
    )


def _pass_probability(planned: Plan, chance: float) -> float | None:
    """Return the probability of at least as many right answers as pass the training, in one of the attempts.

    None without training. A guesser guesses anew each time: who remembers what was explained no longer does.
    """
    if not planned.training or not chance:
        return None
    once = float(binom.sf(planned.training_right - 1, planned.training, chance))
    return 1 - (1 - once) ** planned.attempts


def _survival(rule: ControlRule, chance: float, met: int) -> float | None:
    """Return how often a guesser still works after so many controls; 1 where the rule stops nobody."""
    if not met or not chance:
        return None
    if rule.action not in STOPS or met < rule.minimum:
        return 1.0
    met = min(met, LONGEST_COMPUTED)
    rows = rule.power(Chances(chance=chance, controls_met=met))
    return next((row.guesser_passes for row in rows if row.answers == met), None)
