"""People's answers: how far they agree, their one answer to each task, and what they score."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal

import numpy as np
import pandas as pd

from data.errors import BadSetting, UnknownName
from eval.agreement.coefficients import Agreement
from eval.agreement.of_votes import agreement_of
from eval.consensus.majority import votes_for
from eval.consensus.rules import BY_SKILL, ConsensusRule, consensus_of
from eval.consensus.ties import STATUSES
from eval.estimate import Estimate
from eval.named_rules import rules_named
from eval.panel import Panel, PanelRules, StudyData, panel
from eval.reanalysis import analysis_of
from human_baseline.given_frames import ByTask, Judgments, all_labels, gold_of, is_number, judgments_of, text_of
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
    judged = judgments_of(df, order=order, named=False)
    _check_level(df, judged, level, order)
    found = agreement_of(judged.votes, level=level, others=interval == "people")
    return Result(f"Agreement ({level})", table(_agreement_rows(judged.votes.compared, found)), found.notes)


def _check_level(df: pd.DataFrame, judged: Judgments, level: str, order: Sequence[Any] | None) -> None:
    """Refuse a level whose order or numbers the labels do not tell."""
    texts = [label for label in judged.votes.labels if not is_number(label)]
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
        people, judged = panel_of(df, None, controls, given | rules), judgments_of(df)
        found, votes = people.consensus, people.votes
    else:
        # Heads are counted whoever they are of, and to read who they are takes as long as counting them.
        heads = method == "majority" and ties != "skill"
        judged = judgments_of(df.assign(worker=0) if heads else df, named=skills is not None)
        votes = judged.votes
        if skills is None and (method in BY_SKILL or ties == "skill"):
            methods = " or ".join(map(repr, BY_SKILL))
            raise BadSetting(
                f"The method {methods} and the ties 'skill' need skills={{worker: share of right answers}}."
            )
        named = None if skills is None else {text_of(worker): float(skill) for worker, skill in dict(skills).items()}
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
    votes = judgments_of(df).votes
    right, asked = ({} if given is None else gold_of(given) for given in (gold, controls))
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
    labels = all_labels(votes.labels, right.values(), asked.values())
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
