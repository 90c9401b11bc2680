"""Coverage of people's mean over several tasks, for other people too: a table of coverage.py."""

from collections.abc import Iterator
from dataclasses import replace
from math import hypot

import numpy as np

from bench.coverage_paired import Row, error
from bench.coverage_people import FEW, World
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.consensus.majority import majority
from eval.intervals.mean_of_tasks import TaskInterval, mean_of_tasks
from eval.intervals.other_people import wider_scores
from eval.metrics.table import metric_named
from eval.scoring import score, values_of
from eval.votes import Votes

OF_TASKS = World(10, 100, 5, 0.7), World(10, 100, 5, 1.2), World(10, 100, 5, 0.7, skill=3.0)
WHO = (
    (3, "the same people, as able in each", 1.0),
    (6, "the same people, as able in each", 1.0),
    (6, "the same people, abilities correlate by 0.5", 0.5),
    (6, "the same people, abilities have nothing to do with each other", 0.0),
    (6, "other people in each", None),
)


def of_totals(studies: int) -> Iterator[Row]:
    """Yield coverage and width over items, of tasks as if their people were others, and as totals are printed."""
    for number, world in enumerate(OF_TASKS):
        generator = np.random.default_rng(80 + number)
        many = replace(world, workers=5000)
        votes, gold, _ = many.study(many.skills(generator), 20_000, generator)
        truth = values_of([metric_named("accuracy")], gold, majority(votes).ballots)[0]
        for tasks, words, shared in WHO if number == 0 else WHO[1:2]:
            held = [held_by(world, tasks, shared, truth, generator) for _ in range(studies)]
            items, narrow, others, wide, printed, width = np.array(held, dtype=float).mean(axis=0)
            shown = error(items, studies), f"{narrow:.3f}", error(others, studies), f"{wide:.3f}"
            yield world.words, tasks, words, f"{truth:.3f}", *shown, error(printed, studies), f"{width:.3f}"


def held_by(
    world: World, tasks: int, shared: float | None, truth: float, generator: np.random.Generator
) -> tuple[float, ...]:
    """Whether each interval of one benchmark holds the truth, and how wide it is."""
    common, scores = generator.normal(size=world.workers), []
    for task in range(tasks):
        own, alike = generator.normal(size=world.workers), shared or 0.0
        skills = world.skill + world.spread * (alike**0.5 * common + (1 - alike) ** 0.5 * own)
        scores.append(task_of(world, skills, generator, "" if shared is not None else f" of {task}"))
    printed, value = mean_of_tasks(scores), float(np.mean([each.value for each in scores]))
    apart = (hypot(*(each.value - each.ci[end] for each in scores)) / tasks for end in (0, 1))
    as_if_others = value - next(apart), value + next(apart)
    ends = printed.ci_items or printed.ci, as_if_others, printed.ci
    return tuple(figure for low, high in ends for figure in (low <= truth <= high, high - low))


def task_of(world: World, skills: Floats, generator: np.random.Generator, kind: str) -> TaskInterval:
    """One task's majority as the tables print it; people of another `kind` have other names."""
    votes, gold, _ = world.study(skills, world.items, generator)

    def answer(rest: Votes) -> Ballots:
        return majority(rest).ballots

    plain = score(["accuracy"], gold, answer(votes), FEW)
    wide = wider_scores(plain, gold, votes, answer)["accuracy"]
    given = np.bincount(votes.worker, minlength=len(votes.workers)).tolist()
    answers = {name + kind: float(number) for name, number in zip(votes.workers, given, strict=True)}
    return TaskInterval(wide.value, wide.ci, wide.ci_items, answers)
