"""Coverage of what people score and how far they agree, and of models set against people: tables of coverage.py.

Every study draws items and workers anew; the truth is that of the population, with as many answers to an item.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from bench.coverage_paired import DRAWS, Row, error
from eval.agreement.of_votes import agreement_of
from eval.arrays import Floats, Mask
from eval.ballots import Ballots, answers, individual
from eval.comparison.difference import difference
from eval.comparison.from_people import ReferencePeople, wider_difference, wider_differences
from eval.consensus.majority import majority
from eval.estimate import wilson
from eval.intervals.clusters import Resampling
from eval.intervals.jackknife import joined, people_error, people_interval, without_each
from eval.intervals.other_people import ONCE, wider, wider_scores
from eval.metrics.table import metric_named
from eval.people_scores import leave_one_out
from eval.scoring import score, values_of
from eval.votes import Votes

FEW = Resampling(draws=DRAWS)


@dataclass(frozen=True)
class World:
    """Items have an easiness, workers a skill; a judgment is right with the logistic of their sum."""

    workers: int
    items: int
    overlap: int
    spread: float
    skill: float = 1.0

    @property
    def words(self) -> str:
        """What the world is like, in a line."""
        return f"{self.workers} people of skill {self.skill:g} ± {self.spread:g}, {self.items} items × {self.overlap}"

    def skills(self, generator: np.random.Generator) -> Floats:
        return self.skill + self.spread * generator.normal(size=self.workers)

    def chance(self, skill: Floats, easy: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(-(skill + easy))))

    def study(self, skills: Floats, items: int, generator: np.random.Generator) -> tuple[Votes, dict[str, str], Floats]:
        easy = generator.normal(size=items)
        return *self.answered(skills, easy, generator), easy

    def turns(self, items: int, generator: np.random.Generator) -> Floats:
        """When each worker comes to each item; the first ones answer it."""
        return generator.random((items, self.workers))

    def answered(self, skills: Floats, easy: Floats, generator: np.random.Generator) -> tuple[Votes, dict[str, str]]:
        items = len(easy)
        worker = np.argsort(self.turns(items, generator), axis=1)[:, : self.overlap]
        right = generator.random(worker.shape) < self.chance(skills[worker], easy[:, None])
        gold = generator.integers(0, 2, items)
        label = np.where(right, gold[:, None], 1 - gold[:, None])
        item = np.repeat(np.arange(items), self.overlap)
        names = tuple(f"q{n}" for n in range(items)), tuple(f"w{n}" for n in range(self.workers)), ("a", "b")
        votes = Votes(*names, item.astype(np.int32), worker.ravel().astype(np.int32), label.ravel().astype(np.int32))
        return votes, dict(zip(names[0], ("ab"[code] for code in gold), strict=True))


class OneInTenGuesses(World):
    """Two options, of which one person in ten takes either; the others are right with 0.99 everywhere."""

    @property
    def words(self) -> str:
        return f"{self.workers} people, {self.items} items × {self.overlap}"

    def skills(self, generator: np.random.Generator) -> Floats:
        return np.where(generator.random(self.workers) < 0.1, 0.5, 0.99)

    def chance(self, skill: Floats, easy: Floats) -> Floats:
        return np.broadcast_to(skill, np.broadcast_shapes(skill.shape, easy.shape))


GUESSERS = tuple(
    OneInTenGuesses(*size, 0.0) for size in ((6, 100, 3), (10, 150, 5), (20, 150, 5), (30, 200, 5), (45, 300, 5))
)
WORLDS = (
    World(10, 150, 5, 0.7),
    World(10, 150, 5, 1.2),
    World(5, 40, 3, 1.0),
    World(10, 300, 5, 0.3),
    World(10, 265, 5, 0.7, skill=3.0),
)
ALIKE = (WORLDS[0], WORLDS[3], WORLDS[4])
"""Worlds without anybody of another kind, which show what an interval costs that allows for such people."""


@dataclass(frozen=True)
class Figure:
    """A figure with its interval over items alone and with that over other people too."""

    value: float
    items: tuple[float, float]
    people: tuple[float, float]

    def held(self, truth: float) -> tuple[bool, float, bool, float]:
        """Whether each interval holds the truth, and how wide it is."""
        (low, high), (lowest, highest) = self.items, self.people
        return low <= truth <= high, high - low, lowest <= truth <= highest, highest - lowest


@dataclass(frozen=True)
class Population:
    """What is true of a world beyond one study: of new items and new workers, as many to an item as in the study.

    `person` and `crowd` give the chance that an average person, or the majority of so many, is right on items of an
    easiness: what a model has that is exactly as good.
    """

    truth: dict[str, float]
    person: Callable[[Floats], Floats]
    crowd: Callable[[Floats], Floats]


def population(world: World, generator: np.random.Generator) -> Population:
    many = replace(world, workers=5000)
    votes, gold, _ = many.study(many.skills(generator), 20_000, generator)
    figures = figures_of(votes, gold)
    skills = many.skills(generator)
    easy = np.linspace(-5, 5, 81)
    alone = (1 / (1 + np.exp(-(skills + easy[:, None])))).mean(axis=1)
    several = 1 / (1 + np.exp(-(generator.choice(skills, (400, 1, world.overlap)) + easy[:, None])))
    right = (generator.random((*several.shape, 4)) < several[..., None]).sum(axis=2)
    most = (right * 2 > world.overlap) + (right * 2 == world.overlap) / 2
    together = most.mean(axis=(0, 2))
    return Population(
        {name: figure.value for name, figure in figures.items()},
        lambda at: np.interp(at, easy, alone),
        lambda at: np.interp(at, easy, together),
    )


def figures_of(votes: Votes, gold: dict[str, str]) -> dict[str, Figure]:
    """Every figure of people with its interval over items and with that over other people too."""
    crowd, alone = majority(votes).ballots, individual(votes)
    scores = {
        name: (score(["accuracy"], gold, said, FEW), answer)
        for name, said, answer in (("majority", crowd, one_answer), ("individual", alone, individual))
    }
    found = {
        name: Figure(
            plain["accuracy"].value, plain["accuracy"].ci, wider_scores(plain, gold, votes, answer)["accuracy"].ci
        )
        for name, (plain, answer) in scores.items()
    }
    agreed, wide = agreement_of(votes, FEW), agreement_of(votes, FEW, others=True)
    found |= {
        name: Figure(agreed.values[name] or 0.0, agreed.cis[name], wide.cis[name])
        for name in ("alpha", "ac1", "pairwise")
    }
    peers = leave_one_out(votes, FEW)
    others = wider(peers, votes, lambda left: leave_one_out(left, ONCE).value)
    found["leave-one-out"] = Figure(peers.value, peers.ci, others.ci)
    between = difference("accuracy", gold, alone, crowd, FEW)
    people = ReferencePeople(metric_named("accuracy"), gold, votes, crowd, one_answer)
    found["individual - majority"] = Figure(between.value, between.ci, wider_difference(between, individual, people).ci)
    return found


def one_answer(votes: Votes) -> Ballots:
    return majority(votes).ballots


def of_people(studies: int) -> Iterator[Row]:
    """Yield, for each world and figure of people, coverage and width of both intervals."""
    for number, world in enumerate(WORLDS):
        generator = np.random.default_rng(number)
        truth = population(world, generator).truth
        held: dict[str, list[tuple[bool, float, bool, float]]] = {name: [] for name in truth}
        for _ in range(studies):
            votes, gold, _ = world.study(world.skills(generator), world.items, generator)
            for name, figure in figures_of(votes, gold).items():
                held[name].append(figure.held(truth[name]))
        for name, each in held.items():
            items, narrow, people, wide = np.array(each, dtype=float).mean(axis=0)
            found = error(items, studies), f"{narrow:.3f}", error(people, studies), f"{wide:.3f}"
            yield world.words, name, f"{truth[name]:.3f}", *found


def of_guessers(studies: int) -> Iterator[Row]:
    """Yield coverage where one person in ten guesses: of all samples, and of those in which somebody does.

    Beside them that of Wilson's interval of as many answers as there are people, each as good as the mean, and that of
    a jackknife over one person more, who guesses; the cost of both in worlds where nobody does.
    """
    for number, world in enumerate((*GUESSERS, *ALIKE)):
        generator = np.random.default_rng(20 + number)
        many = replace(world, workers=4000)
        votes, gold, _ = many.study(many.skills(generator), 20_000, generator)
        truth = {name: figure.value for name, figure in figures_of(votes, gold).items()}
        held: dict[str, list[tuple[bool, float, bool, float]]] = {name: [] for name in truth}
        beside, seen = [], []
        for _ in range(studies):
            skills = world.skills(generator)
            votes, gold, _ = world.study(skills, world.items, generator)
            seen.append(world in ALIKE or bool((skills < 0.9).any()))
            for name, figure in figures_of(votes, gold).items():
                share = min(1.0, max(0.0, figure.value))
                crude = wilson(share * world.workers, world.workers)
                held[name].append(Figure(figure.value, crude, figure.people).held(truth[name]))
                if name == "individual":
                    made_up = Figure(figure.value, figure.items, with_a_guesser(figure, votes, gold))
                    beside.append(made_up.held(truth[name])[2:])
        there = np.array(seen)
        absent = "" if world in ALIKE else error(float(1 - there.mean()), studies)
        for name in ("individual",) if world in ALIKE else ("majority", "individual", "alpha", "leave-one-out"):
            each = np.array(held[name], dtype=float)
            crude, wide_crude, people, wide = each.mean(axis=0)
            among = "" if world in ALIKE else error(float(each[there, 2].mean()), int(there.sum()))
            more: tuple[str, ...] = ("", "", "", "")
            if name == "individual":
                covered, width = np.array(beside, dtype=float).mean(axis=0)
                more = error(crude, studies), f"{wide_crude:.3f}", error(covered, studies), f"{width:.3f}"
            yield world.words, absent, name, f"{truth[name]:.3f}", error(people, studies), f"{wide:.3f}", among, *more


def with_a_guesser(figure: Figure, votes: Votes, gold: dict[str, str]) -> tuple[float, float]:
    """The interval of what single people score with one person more among them who guesses between two labels."""
    metric = [metric_named("accuracy")]
    without = np.array([values_of(metric, gold, individual(rest))[0] for rest in without_each(votes)])
    own = np.append(figure.value + (len(without) - 1) * (figure.value - without), 0.5)
    spread = max(people_error(without), float(own.std(ddof=1)) / len(own) ** 0.5)
    people = people_interval(figure.value, spread, len(own), low=0.0, high=1.0)
    return joined(figure.value, figure.items, people, low=0.0, high=1.0)


def of_good_models(studies: int) -> Iterator[Row]:
    """Yield how often a model that is exactly as good as people is called different from them, and how wide that is."""
    for number, world in enumerate(WORLDS):
        generator = np.random.default_rng(number)
        known = population(world, generator)
        chances = {"average person": (known.person, individual), "majority": (known.crowd, one_answer)}
        held: dict[str, list[tuple[bool, float, bool, float]]] = {name: [] for name in chances}
        for _ in range(studies):
            votes, gold, easy = world.study(world.skills(generator), world.items, generator)
            for name, (chance, answer) in chances.items():
                said = model(votes, gold, generator.random(world.items) < chance(easy))
                people = ReferencePeople(metric_named("accuracy"), gold, votes, answer(votes), answer)
                plain = difference("accuracy", gold, said, people.people, FEW)
                wide = wider_differences([plain], [said], people)[0] or plain
                held[name].append(Figure(plain.value, plain.ci, wide.ci).held(0.0))
        for name, each in held.items():
            items, narrow, people_too, broad = np.array(each, dtype=float).mean(axis=0)
            found = error(1 - items, studies), f"{narrow:.3f}", error(1 - people_too, studies), f"{broad:.3f}"
            yield world.words, name, *found


def model(votes: Votes, gold: dict[str, str], right: Mask) -> Ballots:
    given = {item: gold[item] if hit else "ab"[gold[item] == "a"] for item, hit in zip(gold, right, strict=True)}
    return answers(given, items=votes.items, labels=votes.labels)
