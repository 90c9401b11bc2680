"""Coverage of what people's one answer scores under rules of votes, for other people too: a table of coverage.py."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from bench.coverage_paired import Row, error
from bench.coverage_people import FEW, WORLDS, Figure, World
from eval.intervals.jackknife import wider_estimate, without_each
from eval.intervals.other_people import wider_scores
from eval.metrics.table import metric_named
from eval.panel import Panel, PanelRules, StudyData, one_answer_of, panel
from eval.scoring import score, values_of
from eval.votes import Votes

OF_FIVE = World(12, 60, 5, 0.0, skill=3.0), World(12, 60, 5, 0.3, skill=2.2), *(w for w in WORLDS if w.overlap == 5)
"""People who are alike or nearly so, and the worlds of coverage_people.py with five answers to an item."""
RULES = {
    "plain majority": PanelRules(),
    "ties wrong": PanelRules(ties="wrong"),
    "ties drop": PanelRules(ties="drop"),
    "4 votes needed, else wrong": PanelRules(ties="wrong", min_votes=4),
    "4 votes needed, else left out": PanelRules(ties="drop", min_votes=4),
}


def of_vote_rules(studies: int) -> Iterator[Row]:
    """Yield coverage and width over items, by the jackknife as it is, and as the tables print it."""
    for number, world in enumerate(OF_FIVE):
        generator = np.random.default_rng(60 + number)
        many = replace(world, workers=5000)
        votes, gold, _ = many.study(many.skills(generator), 20_000, generator)
        truth = {
            words: values_of([metric_named("accuracy")], gold, panel_of(votes, gold, rules).consensus.ballots)[0]
            for words, rules in RULES.items()
        }
        held: dict[str, list[tuple[bool, float, bool, float, bool, float]]] = {words: [] for words in RULES}
        for _ in range(studies):
            votes, gold, _ = world.study(world.skills(generator), world.items, generator)
            for words, rules in RULES.items():
                plain, printed = figures_of(panel_of(votes, gold, rules))
                held[words].append((*plain.held(truth[words]), *printed.held(truth[words])[2:]))
        for words, each in held.items():
            items, narrow, jackknife, wide, people, printed_wide = np.array(each, dtype=float).mean(axis=0)
            found = (error(items, studies), f"{narrow:.3f}", error(jackknife, studies), f"{wide:.3f}")
            yield world.words, words, f"{truth[words]:.3f}", *found, error(people, studies), f"{printed_wide:.3f}"


def panel_of(votes: Votes, gold: dict[str, str], rules: PanelRules) -> Panel:
    columns = {"item": votes.item, "worker": votes.worker, "label": votes.label}
    names = {"item": votes.items, "worker": votes.workers, "label": votes.labels}
    judgments = pd.DataFrame({name: np.array(names[name])[codes] for name, codes in columns.items()})
    items = pd.DataFrame({"item": list(gold), "role": "main", "gold": list(gold.values())})
    data = StudyData(judgments.assign(role="main", status="counted", reason=""), items, list(votes.labels))
    return panel(data, rules, draws=2)


def figures_of(people: Panel) -> tuple[Figure, Figure]:
    """Accuracy with its interval over items, and over people by the jackknife as it is, and as the tables print it."""
    answer, gold = one_answer_of(people), people.gold
    plain = score(["accuracy"], gold, people.consensus.ballots, FEW)
    metric, over_items = metric_named("accuracy"), plain["accuracy"]
    without = np.array([values_of([metric], gold, answer(rest))[0] for rest in without_each(people.votes)])
    by_jackknife = wider_estimate(over_items, without, low=0.0, high=1.0)
    printed = wider_scores(plain, gold, people.votes, answer)["accuracy"]
    return (
        Figure(over_items.value, over_items.ci, by_jackknife.ci),
        Figure(over_items.value, over_items.ci, printed.ci),
    )
