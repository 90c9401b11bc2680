"""Runs in pairs on the same items: which answers changed, who is right where the other is wrong, and is it chance."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from baseline.comparison.changed_items import ChangedItem
from baseline.comparison.item_index import share_right
from baseline.comparison.results import Respondent, model_respondent
from baseline.human.baseline import HumanBaseline, human_baseline
from baseline.models.run_fields import Fact
from baseline.runs.result_runs import ResultRun, name_of_result, result_runs
from data.errors import BadSetting, UnknownName
from db import frames
from db.engine import Session
from db.runs import Run, deleted_runs, gone_words, list_runs, run_numbered
from db.studies import Study
from eval.agreement.beside_people import measure_of, single_rows
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.comparison.difference import Difference, difference, holm
from eval.comparison.peer_difference import between
from eval.estimate import Estimate
from eval.intervals.mean import ratio
from eval.panel import PanelRules

FACTS = frozenset(Fact) | {"digest"}
"""What a run has learnt on its way, and the digest of its file: runs that differ in nothing else were asked alike."""

LONGEST_ITEM = 120
"""Letters of an item's texts that are printed."""

LEVEL = " / "
"""Between answers that are level."""


@dataclass(frozen=True, eq=False)
class RunPair:
    """Two runs on the items that both answered.

    `same` is the share of items with the same answer. `difference` is the first minus the second by the task's first
    metric, None without gold; `nearer` how much better the first agrees with people, where nothing has gold. `p_holm`
    is the p-value of either, adjusted over all pairs that were chosen.
    """

    first: Respondent
    second: Respondent
    same: Estimate
    changed: tuple[ChangedItem, ...]
    difference: Difference | None
    p_holm: float | None = None
    nearer: Difference | None = None

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called here: their run, since one model may have several."""
        return name_of(self.first), name_of(self.second)

    @cached_property
    def only(self) -> tuple[int, int]:
        """On how many items just the first is right, and on how many just the second."""
        verdicts = [change.right for change in self.changed]
        return verdicts.count((True, False)), verdicts.count((False, True))

    @property
    def settings_apart(self) -> dict[str, tuple[Any, Any]]:
        """The settings in which the two runs differ, with the value of each; None where it was not set."""
        one, other = (asked_with(row.run) for row in (self.first, self.second))
        names = sorted(one.keys() | other.keys())
        return {name: (one.get(name), other.get(name)) for name in names if one.get(name) != other.get(name)}


@dataclass(frozen=True, eq=False)
class RunComparison:
    """The chosen runs of a study, in pairs in the order in which they were named, and the texts of its items."""

    study: Study
    metric: str
    rows: tuple[Respondent, ...]
    pairs: tuple[RunPair, ...]
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class DividedItem:
    """An item that runs answered differently: its right answer, and what each run said, None for nothing usable."""

    item: str
    gold: str | None
    answers: Mapping[str, str | None]
    pairs: int


def divided_items(pairs: Sequence[RunPair]) -> list[DividedItem]:
    """Return the items that runs answered differently, those that divide the most pairs first."""
    answers: dict[str, dict[str, str | None]] = {}
    gold, number = {}, Counter[str]()
    for pair in pairs:
        for change in pair.changed:
            answers.setdefault(change.item, {}).update(zip(pair.names, change.answers, strict=True))
            gold[change.item] = change.gold
            number[change.item] += 1
    return [DividedItem(item, gold[item], answers[item], n) for item, n in number.most_common()]


def compare_runs(session: Session, *, study: Study, rules: PanelRules, named: Sequence[str] = ()) -> RunComparison:
    """Return the runs of these numbers or models in pairs; without any those that stand for the study's models.

    A model's name means the run that stands for it. Raises UnknownName, and BadSetting for fewer than two.
    """
    human = human_baseline(session, study=study, rules=rules)
    chosen = _chosen(session, study, named)
    if len(chosen) < 2:
        raise BadSetting(f"study {study.name!r}: name two runs or more to compare; {len(chosen)} is there")
    rows = [model_respondent(session, human, run) for run in chosen]
    pairs = run_pairs(human, rows)
    if not human.panel.gold and len(human.panel.votes):
        pairs = _beside_people(human, pairs)
    items = frames.items(session, study=study, fields=True)
    fields = dict(zip(items["item"], items["fields"], strict=True))
    shown = _in_words(study, fields, pairs) if human.panel.votes.names is None else pairs
    texts = {item: _short(of_item.values()) for item, of_item in fields.items()}
    return RunComparison(study, study.task.primary, tuple(rows), shown, texts)


def _short(values: Iterable[str]) -> str:
    """Return the beginning of an item's texts."""
    words = " ".join(" · ".join(filter(None, values)).split())
    return words if len(words) <= LONGEST_ITEM else f"{words[:LONGEST_ITEM].rstrip()}…"


def _beside_people(human: HumanBaseline, pairs: Sequence[RunPair]) -> tuple[RunPair, ...]:
    """Return pairs with how much nearer to people the first is: without gold people are the standard."""
    votes, panel = human.panel.votes, human.panel
    measure = measure_of(votes, panel.scale)
    said = [[single_rows(votes, row.ballots, measure) for row in (pair.first, pair.second)] for pair in pairs]
    others = panel.rules.interval == "people"
    compared = [between(votes, one, other, panel.resampling, other_people=others) for one, other in said]
    adjusted = holm([each.p for each in compared])
    return tuple(
        replace(pair, nearer=each if each.n else None, p_holm=p)
        for pair, each, p in zip(pairs, compared, adjusted, strict=True)
    )


def _in_words(study: Study, fields: Mapping[str, Mapping[str, str]], pairs: Sequence[RunPair]) -> tuple[RunPair, ...]:
    """Return pairs whose changed items have the words of the answers beside their codes."""
    language = study.settings.language

    def words(item: str, said: str | None) -> str:
        answer = study.task.answer_for(fields[item])
        text = LEVEL.join(answer.words(label, fields[item]).within(language) for label in (said or "").split(LEVEL))
        return "" if said in (None, text) else text

    def worded(change: ChangedItem) -> ChangedItem:
        one, other = change.answers
        return replace(change, texts=(words(change.item, one), words(change.item, other)))

    return tuple(replace(pair, changed=tuple(map(worded, pair.changed))) for pair in pairs)


def run_pairs(human: HumanBaseline, rows: Sequence[Respondent]) -> tuple[RunPair, ...]:
    """Return every two of these respondents, each p-value adjusted over all of them (Holm)."""
    right = [share_right(row.ballots, human.panel.gold) for row in rows]
    compared = [
        _pair(human, (rows[one], rows[other]), (right[one], right[other]))
        for one, other in combinations(range(len(rows)), 2)
    ]
    adjusted = holm([pair.difference.p if pair.difference else None for pair in compared])
    return tuple(replace(pair, p_holm=p) for pair, p in zip(compared, adjusted, strict=True))


def name_of(row: Respondent) -> str:
    """Return what a respondent is called where one model may have several runs."""
    return f"{row.called} (run {row.run.id})" if row.run else row.called


def _chosen(session: Session, study: Study, named: Sequence[str]) -> list[ResultRun]:
    """Return the runs that are named, each once, in that order."""
    current = {result_run.name.removeprefix("model:"): result_run for result_run in result_runs(session, study=study)}
    if not named:
        return list(current.values())
    gone = deleted_runs(session, study=study)
    chosen: dict[int, ResultRun] = {}
    for name in named:
        model = name.removeprefix("model:")
        if not name.isdecimal() and model not in current:
            deleted = [run for run in gone if run.model == model]
            runs = (str(run.id) for run in list_runs(session, study=study))
            raise UnknownName("the run or model", name, [*current, *runs], gone=gone_words(deleted))
        result = _numbered(session, study, int(name)) if name.isdecimal() else current[model]
        chosen[result.run.id] = result
    return list(chosen.values())


def _numbered(session: Session, study: Study, number: int) -> ResultRun:
    run = run_numbered(session, study=study, number=number)
    return ResultRun(name_of_result(run), run)


def _pair(human: HumanBaseline, two: tuple[Respondent, Respondent], right: tuple[Floats, Floats]) -> RunPair:
    """Return two respondents beside each other; `right` (N,) is what share of each one's answer is right."""
    panel, (one, other) = human.panel, (row.ballots for row in two)
    places = np.flatnonzero(one.scored & other.scored).tolist()
    changed = tuple(
        ChangedItem(one.items[at], panel.gold.get(one.items[at]), answers, (_right(right[0][at]), _right(right[1][at])))
        for at in places
        for answers in [(_answer(one, at), _answer(other, at))]
        if answers[0] != answers[1]
    )
    items, parted = [one.items[at] for at in places], {change.item for change in changed}
    equal = np.array([item not in parted for item in items], dtype=np.float64)
    same = ratio(equal, np.ones(len(items)), panel.resampling, items=items)
    apart = difference(human.task.primary, panel.gold, one, other, panel.resampling) if panel.gold else None
    return RunPair(*two, same, changed, apart if apart and apart.n else None)


def _answer(said: Ballots, at: int) -> str | None:
    """Return the answer to an item, level ones joined; None for no usable one."""
    given = zip(said.named(at), said.weights[at, :-1].tolist(), strict=False)
    return LEVEL.join(name for name, weight in given if weight) or None


def _right(share: float) -> bool | None:
    """Return whether an answer is right; None where that is not known, and for level answers of which one is."""
    return {1.0: True, 0.0: False}.get(float(share))


def asked_with(run: Run | None) -> dict[str, Any]:
    """Return what a run was asked with."""
    return {name: value for name, value in run.settings.items() if name not in FACTS} if run else {}
