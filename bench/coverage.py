"""How often intervals hold the truth and tests are wrong, as tables with their Monte Carlo error: about five minutes.

    python bench/coverage.py [--only score bootstrap] [--studies 300]

Each study draws items and workers from a known population; the truth is the mean over that population. Wanted is 95%
for what an interval claims to hold for: those over items alone do not claim to hold for other people. In a world a
judgment is right with the logistic of a worker's skill (mean ± standard deviation) and an item's easiness (0 ± 1).
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))


from bench import coverage_agreement as agreed
from bench import coverage_clusters as clustered
from bench import coverage_controls as chosen
from bench import coverage_paired as paired
from bench import coverage_peers as peers
from bench import coverage_people as people
from bench import coverage_ranking as ranked
from bench import coverage_totals as summed
from bench import coverage_vote_rules as rules
from bench import coverage_workers as workers
from bench.coverage_paired import error
from eval.arrays import Mask
from eval.ballots import answers
from eval.comparison.difference import difference
from eval.estimate import wilson
from eval.intervals.clusters import Clusters, Resampling, percentile
from eval.intervals.mean import mean_interval
from eval.scoring import score

DRAWS = 400


def models(items: int, studies: int, seed: int) -> dict[str, float]:
    """Coverage for a model: Wilson, macro-F1, clusters of ten, and the difference of two models."""
    generator = np.random.default_rng(seed)
    hits = dict.fromkeys(("wilson", "macro-F1", "clusters", "items, though clustered", "difference"), 0)
    names, labels = [f"q{n}" for n in range(items)], ["a", "b"]
    clusters = Clusters("passage", {name: f"p{n // 10}" for n, name in enumerate(names)})
    gold = {name: "ab"[n % 2] for n, name in enumerate(names)}

    def respond(right: Mask) -> dict[str, str | None]:
        return {name: gold[name] if hit else "ab"[gold[name] == "a"] for name, hit in zip(names, right, strict=True)}

    for number in range(studies):
        alone, other = (respond(generator.random(items) < share) for share in (0.8, 0.75))
        together = respond(generator.random(items) < np.repeat(generator.beta(8, 2, items // 10), 10))
        one, two, three = (answers(said, items=names, labels=labels) for said in (alone, other, together))
        right = sum(alone[name] == gold[name] for name in names)
        scored = score(["macro_f1"], gold, one, Resampling(draws=DRAWS, seed=number))["macro_f1"].ci
        passages, single = (
            score(["accuracy"], gold, three, Resampling(each, draws=DRAWS, seed=number))["accuracy"].ci
            for each in (clusters, None)
        )
        apart = difference("accuracy", gold, one, two, Resampling(draws=DRAWS, seed=number)).ci
        pairs = (wilson(right, items), 0.8), (scored, 0.8), (passages, 0.8), (single, 0.8), (apart, 0.05)
        for name, ((low, high), truth) in zip(hits, pairs, strict=True):
            hits[name] += low <= truth <= high
    return {name: hit / studies for name, hit in hits.items()}


def of_items(studies: int) -> Iterator[Sequence[object]]:
    """Yield the intervals of a model on 200 items."""
    yield from ((name, error(rate, studies)) for name, rate in models(200, studies, 1).items())


def of_means(studies: int) -> Iterator[Sequence[object]]:
    """Yield the interval of a mean beside a percentile bootstrap, over items of up to so many answers, or clusters."""
    generator = np.random.default_rng(2)
    worlds = ((50, 5, 3.0, 0.0), (150, 5, 1.0, 0.0), (265, 5, 3.0, 0.0), (8, 5, 1.0, 1.0), (8, 5, 4.0, 1.0))
    for units, size, skill, spread in (*worlds, (20, 5, 3.0, 1.5), (40, 5, 2.0, 1.0), (40, 5, 1.0, 0.0)):
        together = units <= 40
        eased = skill + spread * generator.normal(size=200_000) + generator.normal(size=200_000)
        truth, covered, wide = float((1 / (1 + np.exp(-eased))).mean()), np.zeros(2), np.zeros(2)
        for _ in range(studies):
            own = generator.normal(size=(units, size if together else 1))
            chance = 1 / (1 + np.exp(-(skill + spread * generator.normal(size=(units, 1)) + own)))
            sizes = np.full(units, size) if together else generator.integers(1, size + 1, units)
            right = (generator.random((units, size)) < chance) & (np.arange(size) < sizes[:, None])
            credit = right.sum(axis=1).astype(np.float64)
            again = generator.integers(units, size=(DRAWS, units))
            plain = percentile(credit[again].sum(axis=1) / sizes[again].sum(axis=1))
            for place, (low, high) in enumerate((mean_interval(credit, sizes, np.ones(units)), plain)):
                covered[place] += low <= truth <= high
                wide[place] += high - low
        what = f"{units} clusters of {size}" if together else f"{units} items of 1 to {size} answers"
        shown = [part for k in (0, 1) for part in (error(covered[k] / studies, studies), f"{wide[k] / studies:.3f}")]
        yield [what, f"{skill:g} ± {spread:g}", f"{truth:.3f}", *shown]


PAIR = ("items", "accuracies", "correlation of errors", "discordant items, expected")
SECTIONS: dict[str, tuple[str, Sequence[str], Callable[[int], Iterator[Sequence[object]]], int]] = {
    "items": ("A model on 200 items", ("interval", "coverage"), of_items, 300),
    "means": (
        "A mean over items with several answers, or over clusters",
        ("of", "skill ± spread of clusters", "truth", "coverage", "width", "percentile bootstrap", "width"),
        of_means,
        1000,
    ),
    "people": (
        "People: coverage over new items and new people",
        ("world", "figure", "truth", "over items", "width", "over items and people", "width"),
        people.of_people,
        250,
    ),
    "vote rules": (
        "The majority under rules of votes: coverage over new items and new people",
        ("world", "rule", "truth", "over items", "width", "the jackknife as it is", "width", "printed", "width"),
        rules.of_vote_rules,
        250,
    ),
    "totals": (
        "People's mean over tasks: coverage over new items and new people",
        (
            "world, for each task",
            "tasks",
            "who answers",
            "truth",
            "over items",
            "width",
            "as if all were others",
            "width",
            "printed",
            "width",
        ),
        summed.of_totals,
        150,
    ),
    "one in ten": (
        "People of whom one in ten guesses: coverage over new items and new people",
        (
            "world",
            "samples without a guesser",
            "figure",
            "truth",
            "coverage",
            "width",
            "where somebody guesses",
            "each person as one answer",
            "width",
            "one guesser made up",
            "width",
        ),
        people.of_guessers,
        250,
    ),
    "all agree": (
        "Agreement where all agree in many studies: coverage over new items and new people",
        ("world", "all agree", "figure", "truth", "coverage", "width", "where all agree"),
        agreed.of_careful,
        1000,
    ),
    "labels": (
        "Agreement label by label: coverage over new items and new people",
        ("world", "label", "figure", "truth", "over items", "width", "over items and people", "width"),
        agreed.of_labels,
        250,
    ),
    "rare labels": (
        "Agreement where one label is rare",
        ("world", "truth", "alpha", "Fleiss' kappa", "the note on rare labels is shown"),
        agreed.of_rare_labels,
        400,
    ),
    "scored controls": (
        "People chosen by controls that are scored",
        (
            "people",
            "threshold",
            "controls",
            "other scored items",
            "somebody fails",
            "single answers, points too good",
            "the majority, points too good",
        ),
        chosen.of_scored_controls,
        2000,
    ),
    "majorities": (
        "A majority of k of these people: coverage over new items",
        ("world", "k", "metric", "truth", "coverage", "width"),
        workers.of_majorities,
        500,
    ),
    "workers": (
        "The mean over workers: coverage over new items and new people",
        ("world", "figure", "truth", "over items", "width", "over items and people", "width"),
        workers.of_worker_scores,
        250,
    ),
    "good models": (
        "A model exactly as good as people, called different from them",
        ("world", "as good as", "over items", "width", "over items and people", "width"),
        people.of_good_models,
        250,
    ),
    "peers": (
        "Agreement with people, who are the standard: coverage over new items and new people",
        ("world", "whose", "figure", "truth", "over items", "width", "over items and people", "width"),
        peers.of_peers,
        200,
    ),
    "peer differences": (
        "Differences in agreement with people",
        ("world", "between", "truth", "significant", "over items", "width", "over items and people", "width"),
        peers.of_peer_differences,
        200,
    ),
    "score": (
        "Paired shares of right answers: the score method",
        (*PAIR, "coverage", "significant", "interval and test contradict"),
        paired.score_method,
        4000,
    ),
    "size": (
        "The score test's size, exact: the largest over shares of items on which the two differ",
        ("items", "they differ on half or fewer", "on any share"),
        paired.size,
        0,
    ),
    "bootstrap": (
        "Paired macro-F1: the bootstrap with a made-up item",
        (*PAIR, "coverage", "significant", "width zero"),
        paired.bootstrap,
        1000,
    ),
    "clusters agreement": (
        "Agreement and macro-F1 over passages, people held fixed",
        ("passages", "items each", "alpha", "width", "pairwise", "width", "macro-F1 of single answers", "width"),
        clustered.of_clusters,
        400,
    ),
    "clusters": (
        "Paired accuracy over passages, and agreement with people: of two models, and of one beside a person",
        (
            "passages",
            "items each",
            "spread of easiness / for one model",
            "coverage",
            "significant",
            "called equivalent at the margin",
            "agreement of two: coverage",
            "significant",
            "beside a person: coverage",
            "significant",
        ),
        paired.clustered,
        1000,
    ),
    "equivalence": (
        "Two one-sided score tests, margin 5 points",
        ("items", "people", "true difference, points", "called equivalent"),
        paired.equals,
        4000,
    ),
    "holm": ("Any of five models in 500 items", ("models", "each by itself", "with Holm"), paired.families, 2000),
    "ranking": (
        "Rankings from pairs",
        ("world", "ties", "strengths", "width", "ranks", "places"),
        ranked.of_strengths,
        200,
    ),
    "two rankings": (
        "People's ranking of 20 and a judge's, out of 600 pairs",
        ("correlation of the strengths", "of the rankings", "its interval", "any false difference"),
        ranked.of_two,
        200,
    ),
}
"""A table each: its title, its columns, what computes its rows, and how many studies it simulates by default."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, help="simulated studies for each row; each table has its own default")
    parser.add_argument("--only", choices=SECTIONS, nargs="+", default=list(SECTIONS))
    asked = parser.parse_args()
    for name in asked.only:
        title, columns, rows, usual = SECTIONS[name]
        studies = usual and (asked.studies or usual)
        simulated = f"{studies} studies a row; per cent ± Monte Carlo error" if studies else "per cent"
        print(f"\n{title}: {simulated}\n")
        print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
        for row in rows(studies):
            print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main()
