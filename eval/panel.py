"""The panel of people: a study's judgments under stated rules, who is kept, and all counts of `human`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from data.errors import BadSetting
from data.human_rules import HUMAN_RULES, SHARES, USUAL
from eval.agreement.coefficients import Agreement
from eval.agreement.of_votes import agreement_of
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.consensus.agreed import AnswerAgreement, answer_agreement, only_agreed
from eval.consensus.composite import unanimous
from eval.consensus.expert import NOBODY, gold_with, with_decisions
from eval.consensus.majority import ConsensusAnswers, voter_skills
from eval.consensus.rules import EXPERT, METHODS, ConsensusRule, consensus_of
from eval.consensus.ties import DRAWN_ONCE
from eval.gold import TaskItems, gold_of, right_rows
from eval.intervals.clusters import SINGLE_ITEMS, Clusters, Resampling
from eval.votes import Votes, check_columns, code_answers

MEASURED = "answers are measured numbers, and accuracy would count those alone that equal the right one"
ALWAYS = ("control_min", "min_votes", "ties", "consensus")
"""The rules that stand in JSON even where they are the usual ones."""


_JUDGMENTS = ("item", "worker", "label", "role", "status", "reason")
_ITEMS = ("item", "role", "gold")


@dataclass(frozen=True, eq=False)
class StudyData:
    """The judgments and items of a study, and what its answers mean; BadSetting where a frame makes no sense.

    `judgments` has the columns item, worker, label, role (main, control, training), status (counted, surplus, void)
    and reason (of a void one); `items` has item, role and gold (or None), and may have `decision`, what an expert has
    decided (or None). `labels` are those that could be given; None takes those that occur.

    `asked` tells what the answers mean: where they are open they are coded item by item, a control is right as their
    type says, and agreement goes by its distance; of a closed list it is the level that matters. `clusters` are the
    items that belong together, None where each stands alone. `excluded` are workers the study itself has excluded:
    they count as excluded whatever the rules say. Judgments may have a `skill`, how able another platform held their
    worker to be, from 0 to 1 (or None): it takes the place of what controls tell.
    """

    judgments: pd.DataFrame
    items: pd.DataFrame
    labels: Sequence[str] | None = None
    asked: TaskItems | None = None
    clusters: Clusters | None = None
    excluded: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        check_columns(self.judgments, _JUDGMENTS, "judgments")
        check_columns(self.items, _ITEMS, "items")
        if not (twice := self.items["item"][self.items["item"].duplicated()]).empty:
            raise BadSetting(f"The item {twice.iloc[0]!r} is there twice; ids must differ.")


@dataclass(frozen=True)
class PanelRules(ConsensusRule):
    """How judgments become a human answer.

    Beside the rule of consensus `control_min` excludes workers with a smaller share of their control answers right
    (None: nobody); under the `gold` "decisions" what experts decided fills in, and takes the place of, what the file
    says; `seed` serves random ties and bootstraps; `interval` is for whom intervals hold. Items of which a smaller
    share of people than `agreement_min` gave the answer are not scored (None: all are); where more than the share
    `allowed_share` of the answered items are such, the baseline is void (None: no verdict). What each may be, and
    usually is, `data.human_rules` declares.
    """

    control_min: float | None = USUAL["control_min"]
    seed: int = 0
    gold: str = USUAL["gold"]
    interval: str = USUAL["interval"]
    agreement_min: float | None = USUAL["agreement_min"]
    allowed_share: float | None = USUAL["allowed_share"]

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in SHARES:
            if (share := getattr(self, name)) is not None and not 0 <= share <= 1:
                raise BadSetting(f"{name} must be a share from 0 to 1, got {share!r}; 0.5 is half.")
        if self.allowed_share is not None and self.agreement_min is None:
            raise BadSetting(
                f"allowed_share {self.allowed_share!r} is of items below an agreement, and these rules have none; "
                "take rules that do, as mera."
            )
        for name in ("gold", "interval"):
            if (value := getattr(self, name)) not in (choices := HUMAN_RULES[name].choices):
                raise BadSetting(f"The {name} {value!r} is not known; choose one of {', '.join(choices)}.")

    @property
    def applied(self) -> "PanelRules":
        """The rules as they are applied: decisions that are the gold are no consensus, which they would score."""
        circular = self.consensus == EXPERT and self.gold == "decisions"
        return replace(self, consensus="majority") if circular else self

    def as_dict(self) -> dict[str, object]:
        """The rules as they stand in JSON; beside those that ALWAYS do, the ones that are not the usual ones."""
        others = (name for name, usual in USUAL.items() if name not in ALWAYS and getattr(self, name) != usual)
        return {name: getattr(self, name) for name in (*ALWAYS, *others)}


@dataclass(frozen=True, eq=False, repr=False)
class Panel:
    """A study after its rules.

    `controls` has a row per worker with counted control answers: worker, answered, right, accuracy. `workers` are all
    with a counted main or control judgment, `excluded` those of them left out. `votes` are the kept main judgments over
    all main items; `consensus` and `agreement` are theirs; `gold` is that of the main items by which answers are
    scored, `right_numbers` that of measurements, which are not; `decisions` what experts decided on them. Where the
    rules ask for agreement on an item, `answers` says how far it goes, and `consensus` is that of the items agreed on.
    `judgments` counts every judgment once, by what became of it. `resampling` is that of every interval of the study.
    """

    rules: PanelRules
    controls: pd.DataFrame
    workers: frozenset[str]
    excluded: frozenset[str]
    judgments: dict[str, int]
    votes: Votes
    consensus: ConsensusAnswers
    gold: Mapping[str, str]
    asked: TaskItems | None = None
    resampling: Resampling = SINGLE_ITEMS
    decisions: Mapping[str, str] = field(default_factory=dict)
    answers: AnswerAgreement | None = None
    right_numbers: Mapping[str, str] = field(default_factory=dict)

    @property
    def why_no_scores(self) -> str:
        """Why nothing is scored against gold, "" where something is."""
        if self.gold:
            return ""
        return MEASURED if self.right_numbers else "no item has gold"

    @cached_property
    def agreement(self) -> Agreement:
        """How far the kept workers agree: computed when it is asked for, since open answers take time to compare."""
        return agreement_of(self.votes, self.resampling, asked=self.asked, others=self.rules.interval == "people")

    def skills_of(self, votes: Votes) -> Floats | None:
        """How able each voter (W,) is where no platform says it at the vote; None where nothing tells."""
        return voter_skills(votes, self.controls)

    def same(self, item: str, answer: str, other: str) -> bool:
        """Whether two answers to an item are counted as one."""
        if self.votes.names is None or self.asked is None:
            return answer == other
        return self.asked.folded(item, answer) == self.asked.folded(item, other)

    @property
    def left_out(self) -> tuple[str, ...]:
        """The items that were answered and are not scored: by these rules no answer to them wins."""
        out = self.votes.counts.any(axis=1) & ~self.consensus.ballots.scored
        return tuple(self.votes.items[row] for row in np.flatnonzero(out).tolist())

    @property
    def failed(self) -> frozenset[str]:
        """The workers whom their answers to controls leave out."""
        return self.workers & _failed(self.controls, self.rules.control_min)

    @property
    def scale(self) -> tuple[float, ...] | None:
        """The numbers (K,) of the labels of a closed list where they are points of a scale, None where they are not."""
        if self.asked is None or self.votes.names is not None or self.asked.answer.level == "nominal":
            return None
        digits = [label.removeprefix("-").replace(".", "", 1) for label in self.votes.labels]
        return tuple(map(float, self.votes.labels)) if all(map(str.isdecimal, digits)) else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the counts should know."""
        notes = self.agreement.notes + self.consensus.notes
        if self.rules.gold == "decisions":
            decided = f"{len(self.decisions)} items have the gold that experts decided."
            notes += (decided if self.decisions else NOBODY,)
        notes += () if self.answers is None else (self.answers.verdict,)
        if open_yet := len(self.left_out) - self.consensus.number("below"):
            notes += (f"{open_yet} answered items have no winner by these rules and are left out.",)
        if self.rules.ties == "random" and (level := self.consensus.number("tied")):
            notes += (DRAWN_ONCE.format(level, self.rules.seed),)
        methods = (METHODS[name] for name in (self.rules.consensus, *self.rules.then))
        by_skill = self.rules.ties == "skill" or any(method.by_skill for method in methods)
        if self.votes.skill is not None and by_skill:
            notes += ("Votes weigh what the platform's own skills say of their workers, not what controls show.",)
        if self.rules.control_min is None or len(self.controls):
            return notes
        return ("Nobody answered a control item, so control_min excluded nobody.", *notes)

    def counts(self) -> dict[str, dict[str, int]]:
        """The blocks `workers`, `judgments`, `items` and `overlap` of `human --json`."""
        sizes = self.votes.counts.sum(axis=1)
        overlap, items = np.unique(sizes[sizes > 0], return_counts=True)
        return {
            "workers": {
                "total": len(self.workers),
                "with_controls": len(self.controls),
                "excluded": len(self.excluded),
                "kept": len(self.workers) - len(self.excluded),
            },
            "judgments": dict(self.judgments),
            "items": {
                "total": len(self.votes.items),
                "answered": int((sizes > 0).sum()),
                "with_consensus": self.consensus.number("won"),
                "tied": self.consensus.number("tied"),
                "left_out": len(self.left_out),
                "unanimous": int(unanimous(self.votes).sum()),
            },
            "overlap": {str(n): int(number) for n, number in zip(overlap[::-1], items[::-1], strict=True)},
        }


def panel(data: StudyData, rules: PanelRules, *, draws: int = 2000) -> Panel:
    """The panel of a study under `rules`, whose intervals are of `draws` samples of its items or clusters.

    >>> rows = [("q1", *said) for said in ("xa", "ya", "zb")] + [("q2", *said) for said in ("xb", "yb", "za")]
    >>> judgments = pd.DataFrame(rows, columns=["item", "worker", "label"])
    >>> judgments = judgments.assign(role="main", status="counted", reason="")
    >>> items = pd.DataFrame({"item": ["q1", "q2"], "role": "main", "gold": ["a", "a"]})
    >>> people = panel(StudyData(judgments, items), PanelRules(), draws=50)
    >>> people.counts()["items"]
    {'total': 2, 'answered': 2, 'with_consensus': 2, 'tied': 0, 'left_out': 0, 'unanimous': 0}
    """
    rules, judgments, items, asked = rules.applied, data.judgments, data.items, data.asked
    counted = judgments[judgments["status"] == "counted"]
    main, control = counted[counted["role"] == "main"], counted[counted["role"] == "control"]
    workers = frozenset(main["worker"]) | frozenset(control["worker"])
    table = _control_table(control, items, asked)
    out = workers & (data.excluded | _failed(table, rules.control_min))
    main_items = items[items["role"] == "main"]
    answers_kept = main[~main["worker"].isin(out)]
    votes = code_answers(answers_kept, items=sorted(main_items["item"]), labels=data.labels, asked=asked)
    decisions = _known(main_items, "decision")
    consensus, answers = agreed_under(rules, votes, voter_skills(votes, table), decisions)
    known = _known(main_items, "gold")
    if rules.gold == "decisions":
        known = gold_with(known, decisions, asked)
    measured = asked is not None and asked.answer.measured
    return Panel(
        rules=rules,
        controls=table,
        workers=workers,
        excluded=out,
        judgments=_tally(judgments, len(votes)),
        votes=votes,
        consensus=consensus,
        gold=gold_of({} if measured else known, asked),
        asked=asked,
        resampling=Resampling(data.clusters, draws, rules.seed),
        decisions=decisions,
        answers=answers,
        right_numbers=known if measured else {},
    )


def agreed_under(
    rules: PanelRules, votes: Votes, skills: Floats | None, decisions: Mapping[str, str]
) -> tuple[ConsensusAnswers, AnswerAgreement | None]:
    """The consensus of votes on the items agreed on, and how far each is; of all items where the rules ask for none.

    `skills` (W,) and `decisions` are those of a `Panel`.
    """
    consensus = consensus_of(votes, rules, seed=rules.seed, skills=skills)
    if rules.consensus == EXPERT:
        consensus = with_decisions(consensus, votes, decisions)
    if rules.agreement_min is None:
        return consensus, None
    by_votes = rules.min_votes if rules.consensus == "majority" else None
    answers = answer_agreement(consensus, votes, rules.agreement_min, rules.allowed_share, by_votes=by_votes)
    return only_agreed(consensus, answers), answers


def _known(items: pd.DataFrame, column: str) -> dict[str, str]:
    """What a column says of the items for which it says anything; nothing where there is no such column."""
    known = items[items[column].notna()] if column in items else items[:0].assign(**{column: None})
    return dict(zip(known["item"], known[column], strict=True))


def _control_table(control: pd.DataFrame, items: pd.DataFrame, asked: TaskItems | None) -> pd.DataFrame:
    """Per worker, in order of their names: control answers counted, right ones, and their share; repeats count each."""
    gold = control["item"].map(items.set_index("item")["gold"])
    known = gold.notna()
    right = right_rows(control[known], gold[known], asked)
    judged = pd.DataFrame({"worker": control["worker"][known], "right": right})
    table = judged.groupby("worker", sort=True)["right"].agg(answered="size", right="sum").reset_index()
    return table.assign(accuracy=table["right"] / table["answered"])


def _failed(table: pd.DataFrame, control_min: float | None) -> frozenset[str]:
    return frozenset() if control_min is None else frozenset(table["worker"][table["accuracy"] < control_min])


def _tally(judgments: pd.DataFrame, kept: int) -> dict[str, int]:
    """Judgments by what became of them; main, control, training, duplicates, surplus and void add up to all rows."""
    status, role = judgments["status"], judgments["role"]
    counted, void, duplicate = status == "counted", status == "void", judgments["reason"] == "duplicate"
    return {
        "main": int((counted & (role == "main")).sum()),
        "kept": kept,
        "control": int((counted & (role == "control")).sum()),
        "training": int((counted & (role == "training")).sum()),
        "duplicates": int((void & duplicate).sum()),
        "surplus": int((status == "surplus").sum()),
        "void": int((void & ~duplicate).sum()),
    }


def one_answer_of(panel: Panel) -> Callable[[Votes], Ballots]:
    """The people's one answer to each item under the rules of a panel, out of the votes that are left.

    Where a winner needs so many votes, it needs as large a part of those that are left. Ties drawn by lot are shared
    out, which is what lots come to.
    """
    rules = replace(panel.rules, ties="fractional") if panel.rules.ties == "random" else panel.rules

    def answer(votes: Votes) -> Ballots:
        return agreed_under(rules, votes, panel.skills_of(votes), panel.decisions)[0].ballots

    return answer


def one_answer_is_mean(panel: Panel) -> bool:
    """Whether people's one answer is the mean of their single answers by its rules, so that no data can set them apart.

    So it is where every item has as many votes, one or two, and level ones share the item: a mean metric of the one
    answer is then that of single answers, whoever answers. Where all agree on everything it is so by chance alone.
    """
    rules, votes, said = panel.rules, panel.votes, panel.consensus.ballots
    sizes = votes.counts.sum(axis=1)
    plain = (rules.consensus, rules.ties, rules.then, rules.agreement_min) == ("majority", "fractional", (), None)
    if not plain or rules.min_votes > 1 or {*sizes.tolist()} - {0} not in ({1}, {2}) or said.names != votes.names:
        return False
    share = votes.counts / np.maximum(sizes, 1)[:, None]
    return bool(np.allclose(said.weights[:, :-1], share))
