"""Models: what they score, how far they are from people, whether one may stand in for a person, judges corrected."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from data.errors import BadSetting
from eval.ballots import individual
from eval.comparison.alt_test import EPSILON, alternative_annotator
from eval.comparison.difference import Difference, Equivalence, equivalence, holm, verdict
from eval.comparison.from_people import from_people, person_from_one_answer
from eval.consensus.rules import consensus_of
from eval.estimate import Estimate
from eval.judges.ppi import corrected_score, judged_sample
from eval.panel import Panel
from eval.reanalysis import analysis_of
from eval.scoring import score as score_of
from human_baseline.given_frames import (
    ByTask,
    all_labels,
    answers_by_model,
    ballots_of,
    by_task,
    gold_of,
    is_number,
    judgments_of,
    text_of,
)
from human_baseline.people import Level, notes_of, panel_of
from human_baseline.result import Result, ends, estimate_row, table

Models = Mapping[str, ByTask] | pd.DataFrame
"""Models' answers by their names, or a frame with `task`, `model`, `label`; a missing label is no usable answer."""


def score(df: ByTask, gold: ByTask, metrics: Sequence[str] = ("accuracy",)) -> Result:
    """What answers score against gold: the command `score` for a frame.

    Args:
        df: One answer to a task, where a task without one counts as wrong; or judgments with `worker`, of which each
            counts.
        gold: The right labels.
        metrics: Names of metrics of labels: accuracy, macro_f1, macro_precision, macro_recall, mcc.

    >>> score({1: "x", 2: "y"}, {1: "x", 2: "x"})["accuracy"].value
    0.5
    """
    right = gold_of(gold)
    if isinstance(df, pd.DataFrame) and "worker" in df:
        votes = judgments_of(df).votes
        said = individual(votes).over(all_labels(votes.labels, right.values()))
    else:
        given = by_task(df, "the answers")
        said = ballots_of(dict.fromkeys(right) | given, list(right), all_labels(given.values(), right.values()))
    found = score_of([metrics] if isinstance(metrics, str) else metrics, right, said)
    return Result("Score", table({name: estimate_row(one) for name, one in found.items()}))


def compare(
    df: pd.DataFrame,
    gold: ByTask,
    models: Models,
    *,
    metric: str = "accuracy",
    margin: float | None = None,
    controls: ByTask | None = None,
    **rules: Any,
) -> Result:
    """People and models on the same tasks, each model with its difference from people: the command `results`.

    Args:
        df: People's judgments: `task`, `worker`, `label`.
        gold: The right labels.
        models: Models' answers. A task that a model was not asked is not scored, one with a missing label is wrong.
        metric: The metric that is compared.
        margin: How far apart equals may be, 0.05 is 5 points; chosen before looking at the scores.
        controls, rules: As in `human_baseline`.

    Returns:
        Differences are from people's one answer; `p_holm` is adjusted over the models.

    >>> said = pd.DataFrame({"task": [1, 1, 1, 2, 2, 2], "worker": list("abcabc"), "label": list("xxyyyy")})
    >>> compare(said, {1: "x", 2: "y"}, {"gpt": {1: "x", 2: "x"}})["gpt"].difference
    -0.5
    """
    people, given = panel_of(df, gold, controls, rules), answers_by_model(models)
    said = {name: ballots_of(answered, people.votes.items, people.votes.labels) for name, answered in given.items()}
    apart = dict(zip(said, from_people(people, metric, list(said.values()))[0], strict=True))
    adjusted = dict(zip(said, holm([each.p if each else None for each in apart.values()]), strict=True))
    equal = _equivalences(people, metric, said, margin)
    found = analysis_of(people, [metric])
    rows = {"people": row_of(found.majority.get(metric), of_people=True)}
    rows["one person"] = row_of(found.individual.get(metric), person_from_one_answer(people, metric), of_people=True)
    scored = {name: score_of([metric], people.gold, each, people.resampling)[metric] for name, each in said.items()}
    for name in sorted(scored, key=lambda name: -scored[name].value):
        rows[name] = row_of(scored[name], apart[name], adjusted[name])
        rows[name]["verdict"] = _verdict(apart[name], adjusted[name], equal.get(name))
    return Result(f"People and models, {metric}", table(rows), notes_of(people))


def _equivalences(people: Panel, metric: str, said: Mapping[str, Any], margin: float | None) -> dict[str, Equivalence]:
    if margin is None:
        return {}
    tested = [
        equivalence(metric, people.gold, each, people.consensus.ballots, people.resampling, margin=margin)
        for each in said.values()
    ]
    adjusted = holm([None if each.p != each.p else each.p for each in tested])
    return {name: each.adjusted(p) for name, each, p in zip(said, tested, adjusted, strict=True)}


def row_of(
    estimate: Estimate | None, apart: Difference | None = None, p: float | None = None, *, of_people: bool = False
) -> dict[str, Any]:
    """Return a respondent's score with its difference from people, which has this adjusted p-value."""
    if estimate is None:
        raise BadSetting("No task of these judgments has gold; a comparison needs right labels of the same tasks.")
    value, ci = (apart.value, apart.ci) if apart else (None, (None, None))
    against = {"difference": value, "diff_low": ci[0], "diff_high": ci[1], "p_holm": p, "verdict": ""}
    return estimate_row(estimate, of_people=of_people) | against


def _verdict(apart: Difference | None, p: float | None, equal: Equivalence | None) -> str:
    return verdict(apart.value, p, equal=equal is not None and equal.equivalent) if apart else ""


def alt_test(df: pd.DataFrame, models: Models, epsilon: float = EPSILON, *, level: Level = "nominal") -> Result:
    """May a model take a person's place? The alternative-annotator test (Calderon, Reichart, Dror 2025).

    Args:
        df: People's judgments: `task`, `worker`, `label`.
        models: Models' answers.
        epsilon: What a model is granted: 0.1 beside a crowd, 0.15 skilled annotators, 0.2 experts.
        level: "interval" compares numbers by how far they are apart, else labels are equal or not.

    Returns:
        `value` is the winning rate: of how many people the model is at least as near to the others as they are
        themselves. It passes with 0.5 or more. `advantage` is how often it is as near.

    >>> said = pd.DataFrame({"task": [*range(40)] * 3, "worker": list("abc" * 40), "label": "x"})
    >>> bool(alt_test(said, {"gpt": dict.fromkeys(range(40), "x")})["gpt"].passed)
    True
    """
    given = answers_by_model(models)
    labels = all_labels(judgments_of(df).votes.labels, *(answered.values() for answered in given.values()))
    votes = judgments_of(df, order=labels).votes
    if level == "interval" and (texts := [label for label in labels if not is_number(label)]):
        raise BadSetting(f"The level 'interval' needs numbers as labels, got {texts[0]!r}; map labels to numbers.")
    scale = [float(label) for label in labels] if level == "interval" else None
    rows, why = {}, []
    for name, answered in given.items():
        found = alternative_annotator(votes, answered, epsilon=epsilon, scale=scale)
        rows[name] = {"value": found.winning_rate, "passed": found.passed, "advantage": found.advantage} | {
            "epsilon": epsilon,
            "people": len(found.annotators),
        }
        why += [f"{name}: {found.refused}"] if found.refused else []
    return Result("Alternative-annotator test", table(rows), tuple(why))


def correct(df: pd.DataFrame, judge: ByTask, *, points: Mapping[Any, float] | None = None) -> Result:
    """What people would say of all tasks of a judge, from those that they judged too (PPI++).

    Args:
        df: People's judgments of a random sample of the judge's tasks: `task`, `worker`, `label`.
        judge: The judge's label of each task.
        points: What labels are worth: then it is their mean. Without it there is a row for the share of each label.

    Returns:
        `value` with its interval is corrected; `judge` is what the judge says alone, `people` what people say alone.

    >>> judge = dict(enumerate("xyxxyxyxyx" * 4))
    >>> said = pd.DataFrame({"task": range(12), "worker": "a", "label": list("xyxxyxyxyxxx")})
    >>> correct(said, judge)["x"].judge
    0.6
    """
    given = by_task(judge, "the judge")
    labels = all_labels(judgments_of(df).votes.labels, given.values())
    votes = judgments_of(df, order=labels).votes
    every = replace(votes, items=tuple(dict.fromkeys((*votes.items, *given))))
    people, said = consensus_of(every).ballots, ballots_of(given, every.items, labels)
    shares = {label: {label: 1.0} for label in labels}
    worth = shares if points is None else {"mean points": {text_of(label): worth for label, worth in points.items()}}
    rows = {}
    for name, each in worth.items():
        found = corrected_score(judged_sample(people, said, each))
        rows[name] = {"value": found.corrected.value, **ends(found.corrected.ci, of_people=False)} | {
            "judge": found.judge,
            "people": found.people.value,
            "people_low": found.people.ci[0],
            "people_high": found.people.ci[1],
            "n": found.people.n,
        }
    note = f"It holds where the {int(people.scored.sum())} tasks that people judged are a random sample of the judge's."
    return Result("Corrected by people", table(rows), (note,))
