"""Agreement, consensus and baselines of people, models beside them, corrected judges, and rankings of competitors."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

import human_baseline.given_frames as given_frames
from data.errors import BadSetting, UnknownName
from eval.agreement.coefficients import Agreement
from eval.agreement.of_votes import agreement_of
from eval.ballots import individual
from eval.comparison.alt_test import EPSILON, alternative_annotator
from eval.comparison.difference import Difference, Equivalence, equivalence, holm, verdict
from eval.comparison.from_people import from_people, person_from_one_answer
from eval.consensus.majority import votes_for
from eval.consensus.rules import BY_SKILL, ConsensusRule, consensus_of
from eval.consensus.ties import STATUSES
from eval.estimate import Estimate
from eval.judges.ppi import corrected_score, judged_sample
from eval.named_rules import rules_named
from eval.panel import Panel, PanelRules, StudyData, panel
from eval.ranking.pairs import Comparisons
from eval.ranking.ranking import ELO
from eval.ranking.ranking import ranking as ranking_of
from eval.reanalysis import analysis_of
from eval.scoring import score as score_of
from human_baseline.given_frames import ByTask, Judgments
from human_baseline.result import Consensus, Result, ends, estimate_row, table

Level = Literal["nominal", "ordinal", "interval"]
Holds = Literal["people", "items"]
RULES = {each.name for each in fields(PanelRules)}


def agreement(
    df: pd.DataFrame, level: Level = "nominal", *, order: Sequence[Any] | None = None, interval: Holds = "people"
) -> Result:
    """Krippendorff's alpha, pairwise agreement, Gwet's AC1 and Fleiss' kappa of judgments, with 95% intervals.

    Args:
        df: A row for each judgment: `task`, `worker`, `label`.
        level: How alpha compares labels: equal or not, by their order, or by the distance of their numbers.
        order: The labels from least to most, where they are neither numbers nor an ordered category.
        interval: Whom intervals hold for: "people" for other people and other tasks, where five people or more
            answered; "items" for these people.

    >>> said = pd.DataFrame({"task": [1, 1, 2, 2, 3, 3], "worker": list("ababab"), "label": list("xxyyxy")})
    >>> round(agreement(said)["alpha"].value, 3)
    0.444
    """
    judged = given_frames.judgments_of(df, order=order, named=False)
    _check_level(df, judged, level, order)
    found = agreement_of(judged.votes, level=level, others=interval == "people")
    return Result(f"Agreement ({level})", table(_agreement_rows(judged.votes.compared, found)), found.notes)


def _check_level(df: pd.DataFrame, judged: Judgments, level: str, order: Sequence[Any] | None) -> None:
    """Refuse a level whose order or numbers the labels do not tell."""
    texts = [label for label in judged.votes.labels if not given_frames.is_number(label)]
    ordered = isinstance(df["label"].dtype, pd.CategoricalDtype) and df["label"].cat.ordered
    if level == "interval" and texts:
        raise BadSetting(f"The level 'interval' needs numbers as labels, got {texts[0]!r}; map labels to numbers.")
    if level == "ordinal" and texts and order is None and not ordered:
        raise BadSetting(f"Nothing says how labels like {texts[0]!r} are ordered; give order=[least, ..., most].")


def _agreement_rows(compared: int, found: Agreement) -> dict[str, dict[str, Any]]:
    rows = {}
    for name, value in found.values.items():
        if name != "similarity":
            value = float("nan") if value is None else value
            rows[name] = {"value": value, **ends(found.cis[name], found.unit, name in found.over_items), "n": compared}
    return rows


def consensus(
    df: pd.DataFrame,
    method: str = "majority",
    *,
    ties: str = "drop",
    min_votes: int = 1,
    skills: "Mapping[Any, float] | pd.Series[float] | None" = None,
    controls: ByTask | None = None,
    **rules: Any,
) -> Consensus:
    """People's one answer to each task.

    Args:
        df: A row for each judgment: `task`, `worker`, `label`.
        method: "majority", "weighted" by `skills`, "dawid-skene" or "one-coin".
        ties: What becomes of level labels: "drop" leaves no label; "random" draws one, "skill" asks `skills`.
        min_votes: How many votes the winner needs.
        skills: How able each worker is, from 0 to 1; who is not named has 0.5.
        controls: The right labels of control tasks, which get no answer: they tell skills, and choose workers.
        rules: More rules of results, as `human_baseline` takes them.

    Returns:
        `labels` by task, in the order in which tasks first come; the frame has `status` ("won", "tied", "short" of
        votes), `votes` of the winner, and `share`.

    >>> said = pd.DataFrame({"task": [1, 1, 1, 2, 2], "worker": list("abcab"), "label": list("xxyxy")})
    >>> consensus(said).to_frame()[["label", "status", "votes"]].values.tolist()
    [['x', 'won', 2], [nan, 'tied', 1]]
    """
    given: dict[str, Any] = {"consensus": method, "ties": ties, "min_votes": min_votes}
    if controls is not None or rules:
        if skills is not None:
            raise BadSetting("Skills are given or come of controls; leave out skills, or controls and rules.")
        people, judged = panel_of(df, None, controls, given | rules), given_frames.judgments_of(df)
        found, votes = people.consensus, people.votes
    else:
        # Heads are counted whoever they are of, and to read who they are takes as long as counting them.
        heads = method == "majority" and ties != "skill"
        judged = given_frames.judgments_of(df.assign(worker=0) if heads else df, named=skills is not None)
        votes = judged.votes
        if skills is None and (method in BY_SKILL or ties == "skill"):
            methods = " or ".join(map(repr, BY_SKILL))
            raise BadSetting(
                f"The method {methods} and the ties 'skill' need skills={{worker: share of right answers}}."
            )
        named = (
            None
            if skills is None
            else {given_frames.text_of(worker): float(skill) for worker, skill in dict(skills).items()}
        )
        weights = None if named is None else np.array([named.get(worker, 0.5) for worker in votes.workers])
        found = consensus_of(votes, ConsensusRule(**given), skills=weights)
    labels = _values(votes.labels, judged.votes.labels, judged.labels)
    columns = {
        # pandas finds the type of a few labels, not of as many as there are tasks
        "label": pd.Series(np.array([*labels, None], dtype=object)).take(found.code).array,
        "status": pd.Categorical.from_codes(found.state, pd.Index(STATUSES)),
        **votes_for(found, votes),
    }
    frame = pd.DataFrame(columns, index=pd.Index(_values(votes.items, judged.votes.items, judged.tasks), name="task"))
    if votes is not judged.votes:  # a panel has its items by alphabet
        frame = frame.loc[pd.Index(judged.tasks, name="task").intersection(frame.index, sort=False)]
    counts = ", ".join(f"{n} {name}" for name in STATUSES if (n := found.number(name)))
    return Consensus(f"Consensus ({method}): {counts}", frame, found.notes)


def _values(texts: Sequence[str], known: Sequence[str], values: Sequence[Any]) -> Sequence[Any]:
    """Return what texts stand for, where it is known."""
    if texts is known:
        return values
    named = dict(zip(known, values, strict=True))
    return [named.get(text, text) for text in texts]


def human_baseline(
    df: pd.DataFrame,
    gold: ByTask | None = None,
    *,
    metrics: Sequence[str] = ("accuracy",),
    controls: ByTask | None = None,
    **rules: Any,
) -> Result:
    """What people score, alone and by their one answer, and how far they agree: the command `human` for a frame.

    Args:
        df: A row for each judgment: `task`, `worker`, `label`.
        gold: The right labels; without them there is agreement alone.
        metrics: Names of metrics of labels: accuracy, macro_f1, mcc ...
        controls: The right labels of control tasks. They are not scored; with `control_min` they choose workers.
        rules: Any rule of results: control_min, min_votes, ties, consensus, interval, seed ...; and as `rules` a
            published procedure, "mera", which the others change.

    >>> said = pd.DataFrame({"task": [1, 1, 1, 2, 2, 2], "worker": list("abcabc"), "label": list("xxyyyy")})
    >>> human_baseline(said, {1: "x", 2: "y"})["majority, accuracy"].value
    1.0
    """
    people = panel_of(df, gold, controls, rules)
    found = analysis_of(people, [metrics] if isinstance(metrics, str) else metrics)
    return baseline_result(people, found.majority, found.individual, found.leave_one_out)


def panel_of(df: pd.DataFrame, gold: ByTask | None, controls: ByTask | None, rules: Mapping[str, Any]) -> Panel:
    """Return the people behind judgments under rules."""
    votes = given_frames.judgments_of(df).votes
    right, asked = ({} if given is None else given_frames.gold_of(given) for given in (gold, controls))
    items = pd.DataFrame({"item": votes.items}, dtype=object)
    items = items.assign(role=np.where(items["item"].isin(list(asked)), "control", "main"))
    items = items.assign(gold=items["item"].map({**right, **asked}).astype(object).replace({np.nan: None}))
    given = {name: np.array(getattr(votes, f"{name}s"), dtype=object)[getattr(votes, name)] for name in _NAMES}
    judgments = pd.DataFrame(given, dtype=object).assign(
        role=items["role"].to_numpy()[votes.item], status="counted", reason=""
    )
    procedure, changes = rules.get("rules"), {name: value for name, value in rules.items() if name != "rules"}
    if strange := [name for name in changes if name not in RULES]:
        raise UnknownName("the rule", strange[0], RULES)
    chosen = PanelRules(**changes)
    labels = given_frames.all_labels(votes.labels, right.values(), asked.values())
    return panel(StudyData(judgments, items, labels), rules_named(procedure).on(chosen) if procedure else chosen)


_NAMES = ("item", "worker", "label")


def baseline_result(
    people: Panel, majority: Mapping[str, Estimate], individual: Mapping[str, Estimate], peers: Estimate
) -> Result:
    """Return what people score, by their one answer, alone and beside the others, and how far they agree."""
    scores = {f"majority, {name}": each for name, each in majority.items()}
    scores |= {f"one person, {name}": each for name, each in individual.items()} | {"with the others": peers}
    rows = {name: estimate_row(each, of_people=True) for name, each in scores.items()}
    rows["alpha"] = _agreement_rows(people.votes.compared, people.agreement)["alpha"]
    return Result("Human baseline", table(rows), notes_of(people))


def notes_of(people: Panel) -> tuple[str, ...]:
    """Return what is to be read with figures of people."""
    out = (f"{len(people.excluded)} of {len(people.workers)} workers are left out.",) if people.excluded else ()
    return (*out, *people.notes)


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
    right = given_frames.gold_of(gold)
    if isinstance(df, pd.DataFrame) and "worker" in df:
        votes = given_frames.judgments_of(df).votes
        said = individual(votes).over(given_frames.all_labels(votes.labels, right.values()))
    else:
        given = given_frames.by_task(df, "the answers")
        said = given_frames.ballots_of(
            dict.fromkeys(right) | given, list(right), given_frames.all_labels(given.values(), right.values())
        )
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
    people, given = panel_of(df, gold, controls, rules), given_frames.answers_by_model(models)
    said = {
        name: given_frames.ballots_of(answered, people.votes.items, people.votes.labels)
        for name, answered in given.items()
    }
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
    given = given_frames.answers_by_model(models)
    labels = given_frames.all_labels(
        given_frames.judgments_of(df).votes.labels, *(answered.values() for answered in given.values())
    )
    votes = given_frames.judgments_of(df, order=labels).votes
    if level == "interval" and (texts := [label for label in labels if not given_frames.is_number(label)]):
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
    given = given_frames.by_task(judge, "the judge")
    labels = given_frames.all_labels(given_frames.judgments_of(df).votes.labels, given.values())
    votes = given_frames.judgments_of(df, order=labels).votes
    every = replace(votes, items=tuple(dict.fromkeys((*votes.items, *given))))
    people, said = consensus_of(every).ballots, given_frames.ballots_of(given, every.items, labels)
    shares = {label: {label: 1.0} for label in labels}
    worth = (
        shares
        if points is None
        else {"mean points": {given_frames.text_of(label): worth for label, worth in points.items()}}
    )
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


TIE = "tie"


def ranking(df: pd.DataFrame) -> Result:
    """Competitors by Bradley-Terry strengths on Elo's scale, with 95% intervals and ranks.

    Args:
        df: A row for each judgment: `left`, `right`, and `label`, the better of the two or "tie". `worker` says who
            judged: of five or more, intervals hold for other people too. `task` says what the two answered; without
            it each row is taken for a pair of its own, so give it where several people judged the same pair.

    Returns:
        `value` is the rating, `best` and `worst` are between which ranks it may be, `win_rate` is the mean over
        opponents.

    >>> games = pd.DataFrame({"left": list("aab"), "right": list("bcc"), "label": list("aab")})
    >>> ranking(pd.concat([games] * 9 + [games.assign(label=list("bcc"))])).to_frame()["rank"].to_dict()
    {'a': 1, 'b': 2, 'c': 3}
    """
    given_frames.check_columns(df, "left", "right", "label")
    sides = [df[name].map(given_frames.text_of).to_numpy(dtype=object) for name in ("left", "right", "label")]
    left, right, label = sides
    score = np.select([label == left, label == right, label == TIE], [1.0, 0.0, 0.5], default=np.nan)
    for wrong, what in ((np.isnan(score), f"is neither of its two nor {TIE!r}"), (left == right, "is a pair of one")):
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise BadSetting(f"Row {row} ({left[row]!r}, {right[row]!r}, {label[row]!r}) {what}; correct or drop it.")
    codes, names = pd.factorize(np.concatenate([left, right]), sort=True)
    first, second = np.split(codes.astype(np.int32), 2)
    pair = _numbers(df["task"] if "task" in df else pd.Series(range(len(df))))
    couple = np.minimum(first, second).astype(np.int64) * len(names) + np.maximum(first, second)
    pair = _numbers(pd.Series(pair.astype(np.int64) * len(names) ** 2 + couple))
    worker = _numbers(df["worker"]) if "worker" in df else np.zeros(len(df), dtype=np.int32)
    judged = Comparisons(tuple(names), first, second, score, pair, worker, int(pair.max(initial=-1)) + 1)
    found = ranking_of(judged)
    rows = {}
    for place in np.lexsort((found.rank, found.groups.of)).tolist():
        low, high = (1000 + ELO * found.ci[place]).tolist()
        rows[found.names[place]] = {
            "value": float(found.elo[place]),
            **ends((low, high), "pair", found.people is not None),
            "rank": int(found.rank[place]),
            "best": int(found.ranges[place][0]),
            "worst": int(found.ranges[place][1]),
            "win_rate": float(found.average[place]),
            "games": int(found.games[place]),
        }
    apart = found.groups.number > 1
    return Result("Ranking", table(rows), ("Some never met, even through others: ranks count within groups.",) * apart)


def _numbers(column: "pd.Series[Any]") -> Any:
    return pd.factorize(column)[0].astype(np.int32)
