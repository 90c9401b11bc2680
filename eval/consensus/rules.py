"""Every rule that turns people's votes into one answer per item, by its name: a new rule is a row here."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from data.errors import BadSetting
from data.human_rules import STUDY_CONSENSUS, USUAL
from eval.agreement.distances import similarities
from eval.arrays import Floats, Integers
from eval.consensus.dawid_skene import Fit, dawid_skene, one_coin
from eval.consensus.majority import ConsensusAnswers, settle, skill_sums
from eval.consensus.ties import WinningRule
from eval.votes import Votes, asked_of

MODELS: dict[str, Callable[[Votes], Fit]] = {"dawid-skene": dawid_skene, "one-coin": one_coin}
EXPERT = "expert"


Scores = Callable[[Votes, Floats | None], Floats | Integers]
"""The score (N, K) of each answer to each item, 0 for who nobody gave: of votes and the skills (W,) of the voters."""


@dataclass(frozen=True)
class ConsensusMethod:
    """How answers are scored, and whether labels of a closed list, open answers and only numbers among them can be.

    `explanation` goes on where "People's one answer is" stops. Without `units` composite answers are taken as wholes.
    `by_skill`: votes weigh as much as their voters are able, so it needs to be told how able they are.
    The names of MODELS score by their model instead.
    """

    scores: Scores
    explanation: str
    closed: bool = True
    open: bool = True
    numbers_only: bool = False
    units: bool = True
    by_skill: bool = False


def _heads(votes: Votes, _skills: Floats | None) -> Integers:
    """How many gave each answer."""
    return votes.counts


def _weighted(votes: Votes, skills: Floats | None) -> Floats:
    """The sum of the skills of who gave each answer."""
    return skill_sums(votes, skills, "The consensus 'weighted'")


def _median(votes: Votes, _skills: Floats | None) -> Floats:
    """1 for the middle answer of each item in the order of the numbers, else 0.

    With an even number of judgments two different answers may stand in the middle, and both have 1: a tie, since their
    mean is an answer that nobody gave. Answers that are not numbers are refused.
    """
    asked = asked_of(votes)
    scores = np.zeros(votes.counts.shape)
    for row in np.flatnonzero(votes.counts.any(axis=1)).tolist():
        contents = [asked.content(votes.items[row], name) for name in votes.named(row)]
        if not all(isinstance(content, int | float) for content in contents):
            raise BadSetting(
                f"The median is one of numbers, and the item {votes.items[row]!r} has an answer that is none; choose "
                "another consensus."
            )
        order = np.argsort(contents, kind="stable")
        upto = votes.counts[row, order].cumsum()
        for middle in ((upto[-1] - 1) // 2, upto[-1] // 2):
            scores[row, order[int(np.searchsorted(upto, middle, side="right"))]] = 1
    return scores


def _medoid(votes: Votes, _skills: Floats | None) -> Floats:
    """The mean similarity of each answer to all judgments of its item, 0 to 1, by the distance of the answer type."""
    asked = asked_of(votes)
    scores = np.zeros(votes.counts.shape)
    for row in np.flatnonzero(votes.counts.any(axis=1)).tolist():
        names = votes.named(row)
        counts = votes.counts[row, : len(names)]
        alike = similarities(asked, votes.items[row], names) @ counts / counts.sum()
        scores[row, : len(names)] = np.where(counts > 0, alike, 0)
    return scores


METHODS = {
    "majority": ConsensusMethod(_heads, STUDY_CONSENSUS["majority"]),
    **{
        name: ConsensusMethod(_heads, f"the given answer that the model {name} takes for most probable", open=False)
        for name in MODELS
    },
    "weighted": ConsensusMethod(_weighted, "the vote in which better voters count more", by_skill=True),
    "median": ConsensusMethod(_median, "the number in the middle", closed=False, numbers_only=True, units=False),
    "medoid": ConsensusMethod(_medoid, "the answer nearest to all others", closed=False, units=False),
    EXPERT: ConsensusMethod(_heads, STUDY_CONSENSUS[EXPERT]),
}
CONSENSUS = tuple(name for name, method in METHODS.items() if method.closed and name != EXPERT)
OPEN_CONSENSUS = tuple(name for name, method in METHODS.items() if method.open and name != EXPERT)
BY_SKILL = tuple(name for name, method in METHODS.items() if method.by_skill)


@dataclass(frozen=True)
class ConsensusRule(WinningRule):
    """How votes become one answer: the rule of this name out of METHODS, and what a label needs to win under it.

    `majority` counts heads, `weighted` sums the skills of the voters, `dawid-skene` and `one-coin` take the most
    probable answer of a model fitted to these votes. Open answers have two rules of their own, which take whole
    answers: `median` of numbers and `medoid`, the answer nearest to the others by the distance of its type. `expert` is
    the majority here; `eval.panel` puts what experts decided in its place.

    `then` are rules that decide, one after the other, the items that those before left without a winner; whatever has
    most there wins, however few gave it.

    >>> ConsensusRule(min_votes=3, ties="drop", then=("weighted", "dawid-skene")).consensus
    'majority'
    """

    consensus: str = USUAL["consensus"]
    then: tuple[str, ...] = USUAL["then"]

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (self.consensus, *self.then):
            if name not in METHODS:
                raise BadSetting(f"The consensus {name!r} is not known; choose one of {', '.join(METHODS)}.")


MAJORITY = ConsensusRule()


def consensus_of(
    votes: Votes, rule: ConsensusRule = MAJORITY, *, seed: int = 0, skills: Floats | None = None
) -> ConsensusAnswers:
    """The consensus of votes under a rule, always with the same statuses.

    Probabilities level to a billionth are a tie; every rule chooses among the answers that were given to an item, and a
    winner that fewer than `rule.min_votes` gave is "short". `seed` is for random ties, `skills` (W,) are those of the
    voters; BadSetting where a rule needs them and there are none. The models count the labels of a closed list and are
    refused for open answers; dawid-skene also where half of the answers or more are by voters who gave fewer than there
    are labels. A rule of `rule.then` that cannot be applied to these votes is passed over, and the notes say so.
    """
    consensus = _by_rule(rule.consensus, votes, rule, seed, skills)
    for name in rule.then:
        if not (undecided := int(np.count_nonzero(votes.counts.any(axis=1) & (consensus.code < 0)))):
            return consensus
        if why := _why_not(name, votes, skills):
            consensus = replace(
                consensus, notes=(*consensus.notes, f"{undecided} items were left for {name!r}, passed over: {why}.")
            )
        else:
            consensus = in_turn(consensus, _by_rule(name, votes, replace(rule, min_votes=1), seed, skills))
    return consensus


def _by_rule(name: str, votes: Votes, rule: WinningRule, seed: int, skills: Floats | None) -> ConsensusAnswers:
    method = METHODS[name]
    if name not in MODELS:
        return settle(votes, method.scores(votes, skills), rule, seed=seed, skills=skills, units=method.units)
    # Whether a study teaches the model is asked once, and not again where its interval leaves somebody out.
    if votes.complete is None and (why := _why_not(name, votes, skills)):
        others = "weighted or one-coin" if votes.names is None else "weighted, medoid or, for numbers, median"
        raise BadSetting(
            f"The model {name!r} learns how voters mix up the labels of a closed list, and {why}; choose majority, "
            f"{others}."
        )
    fit = MODELS[name](votes)
    # A model may hold a label for most probable that nobody gave the item; where it holds all others for impossible,
    # heads decide.
    among_given = np.where(votes.counts > 0, fit.posterior + np.finfo(float).tiny * votes.counts, 0)
    consensus = settle(votes, among_given, rule, seed=seed, skills=skills)
    if fit.converged:
        return consensus
    changing = f"The model {name!r} was still changing after {len(fit.objective)} iterations"
    return replace(consensus, notes=(f"{changing}; its answers are not final.",))


def _why_not(name: str, votes: Votes, skills: Floats | None) -> str:
    """Why a rule cannot be applied to these votes, "" where it can be."""
    if votes.names is not None and not METHODS[name].open:
        return "these answers are open"
    if name == "dawid-skene" and (labels := _labels_untaught(votes)):
        return f"half of these answers or more are by voters who gave fewer than {labels}, as many as labels occur"
    return "nobody answered a control" if METHODS[name].by_skill and skills is None else ""


def _labels_untaught(votes: Votes) -> int:
    """How many labels occur where half of the judgments or more are of voters who gave fewer; 0 elsewhere.

    A voter's confusion matrix has a row for each label, and some of these rows rest on no judgment there.
    """
    labels = int(np.count_nonzero(votes.counts.any(axis=0)))
    gave = np.bincount(votes.worker)[votes.worker]
    return labels if 2 * np.count_nonzero(gave < labels) >= len(votes) else 0


def in_turn(first: ConsensusAnswers, second: ConsensusAnswers) -> ConsensusAnswers:
    """The first consensus, and that of the second on the items that have no winner in the first.

    >>> from eval.consensus.majority import majority
    >>> from eval.consensus.ties import WinningRule
    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1", "q2"], "worker": ["ann", "bob", "ann"], "label": ["a", "a", "b"]})
    >>> in_turn(majority(votes, WinningRule(min_votes=2)), majority(votes)).winner
    ('a', 'b')
    """
    open_yet = first.code < 0
    width = max(len(first.ballots.labels), len(second.ballots.labels))
    one, two = first.ballots.widened(width), second.ballots.widened(width)
    names = one.names
    if names is not None and two.names is not None:
        names = tuple(b if later else a for a, b, later in zip(names, two.names, open_yet.tolist(), strict=True))
    return ConsensusAnswers(
        np.where(open_yet, second.state, first.state),
        np.where(open_yet, second.code, first.code),
        replace(one, weights=np.where(open_yet[:, None], two.weights, one.weights), names=names),
        tuple(dict.fromkeys((*first.notes, *second.notes))),
    )
