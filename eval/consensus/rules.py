"""Every rule that turns people's votes into one answer per item, by its name: a new rule is a file and a row here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from data.errors import BadSetting
from data.human_rules import STUDY_CONSENSUS, USUAL
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.consensus.dawid_skene import Fit, dawid_skene, one_coin
from eval.consensus.majority import Consensus, majority, settle
from eval.consensus.median import median
from eval.consensus.medoid import medoid
from eval.consensus.ties import PLURALITY, WinningRule
from eval.consensus.weighted import weighted
from eval.votes import Votes

MODELS: dict[str, Callable[[Votes], Fit]] = {"dawid-skene": dawid_skene, "one-coin": one_coin}
EXPERT = "expert"


class Combine(Protocol):
    """What makes one answer per item of votes; see `majority` for the words."""

    def __call__(
        self, votes: Votes, rule: WinningRule = PLURALITY, /, *, seed: int = 0, skills: Floats | None = None
    ) -> Consensus:
        """Return the consensus of the votes."""


@dataclass(frozen=True)
class ConsensusMethod:
    """How votes are combined, and whether the labels of a closed list, open answers and only numbers among them can be.

    `explanation` goes on where "People's one answer is" stops.
    """

    combine: Combine
    explanation: str
    closed: bool = True
    open: bool = True
    numbers_only: bool = False


def _by_model(name: str) -> Combine:
    """What takes the given answer that is most probable by a model fitted to the votes."""

    def combine(
        votes: Votes, rule: WinningRule = PLURALITY, /, *, seed: int = 0, skills: Floats | None = None
    ) -> Consensus:
        # Whether a study teaches the model is asked once, and not again where its interval leaves somebody out.
        if votes.complete is None and (why := _why_not(name, votes, skills)):
            others = "weighted or one-coin" if votes.names is None else "weighted, medoid or, for numbers, median"
            raise BadSetting(
                f"The model {name!r} learns how voters mix up the labels of a closed list, and {why}; choose majority, "
                f"{others}."
            )
        fit = MODELS[name](votes)
        # A model may hold a label for most probable that nobody gave the item; where it holds all others for
        # impossible, heads decide.
        among_given = np.where(votes.counts > 0, fit.posterior + np.finfo(float).tiny * votes.counts, 0)
        consensus = settle(votes, among_given, rule, seed=seed, skills=skills)
        if fit.converged:
            return consensus
        changing = f"The model {name!r} was still changing after {len(fit.objective)} iterations"
        return replace(consensus, notes=(f"{changing}; its answers are not final.",))

    return combine


METHODS = {
    "majority": ConsensusMethod(majority, STUDY_CONSENSUS["majority"]),
    **{
        name: ConsensusMethod(
            _by_model(name), f"the given answer that the model {name} takes for most probable", open=False
        )
        for name in MODELS
    },
    "weighted": ConsensusMethod(weighted, "the vote in which better voters count more"),
    "median": ConsensusMethod(median, "the number in the middle", closed=False, numbers_only=True),
    "medoid": ConsensusMethod(medoid, "the answer nearest to all others", closed=False),
    EXPERT: ConsensusMethod(majority, STUDY_CONSENSUS[EXPERT]),
}
CONSENSUS = tuple(name for name, method in METHODS.items() if method.closed and name != EXPERT)
OPEN_CONSENSUS = tuple(name for name, method in METHODS.items() if method.open and name != EXPERT)


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
) -> Consensus:
    """The consensus of votes under a rule, always with the same statuses.

    Probabilities level to a billionth are a tie; every rule chooses among the answers that were given to an item, and a
    winner that fewer than `rule.min_votes` gave is "short". `seed` is for random ties, `skills` (W,) are those of the
    voters; BadSetting where a rule needs them and there are none. The models count the labels of a closed list and are
    refused for open answers; dawid-skene also where half of the answers or more are by voters who gave fewer than there
    are labels. A rule of `rule.then` that cannot be applied to these votes is passed over, and the notes say so.
    """
    consensus = METHODS[rule.consensus].combine(votes, rule, seed=seed, skills=skills)
    for name in rule.then:
        if not (undecided := int(np.count_nonzero(votes.counts.any(axis=1) & (consensus.code < 0)))):
            return consensus
        if why := _why_not(name, votes, skills):
            consensus = replace(
                consensus, notes=(*consensus.notes, f"{undecided} items were left for {name!r}, passed over: {why}.")
            )
        else:
            last = METHODS[name].combine(votes, replace(rule, min_votes=1), seed=seed, skills=skills)
            consensus = in_turn(consensus, last)
    return consensus


def _why_not(name: str, votes: Votes, skills: Floats | None) -> str:
    """Why a rule cannot be applied to these votes, "" where it can be."""
    if votes.names is not None and not METHODS[name].open:
        return "these answers are open"
    if name == "dawid-skene" and (labels := _labels_untaught(votes)):
        return f"half of these answers or more are by voters who gave fewer than {labels}, as many as labels occur"
    return "nobody answered a control" if name == "weighted" and skills is None else ""


def _labels_untaught(votes: Votes) -> int:
    """How many labels occur where half of the judgments or more are of voters who gave fewer; 0 elsewhere.

    A voter's confusion matrix has a row for each label, and some of these rows rest on no judgment there.
    """
    labels = int(np.count_nonzero(votes.counts.any(axis=0)))
    gave = np.bincount(votes.worker)[votes.worker]
    return labels if 2 * np.count_nonzero(gave < labels) >= len(votes) else 0


def in_turn(first: Consensus, second: Consensus) -> Consensus:
    """The first consensus, and that of the second on the items that have no winner in the first.

    >>> from eval.consensus.majority import majority
    >>> from eval.consensus.ties import WinningRule
    >>> from eval.votes import code
    >>> votes = code({"item": ["q1", "q1", "q2"], "worker": ["ann", "bob", "ann"], "label": ["a", "a", "b"]})
    >>> in_turn(majority(votes, WinningRule(min_votes=2)), majority(votes)).winner
    ('a', 'b')
    """
    open_yet = first.code < 0
    return Consensus(
        np.where(open_yet, second.state, first.state),
        np.where(open_yet, second.code, first.code),
        _joined(first.ballots, second.ballots, open_yet.tolist()),
        tuple(dict.fromkeys((*first.notes, *second.notes))),
    )


def _joined(first: Ballots, second: Ballots, seconds: list[bool]) -> Ballots:
    """The ballots of the first, on some items those of the second; composite answers may be joined in other columns."""
    widest = max(first, second, key=lambda ballots: len(ballots.labels))
    weights = np.zeros(widest.weights.shape)
    for ballots, wanted in ((first, False), (second, True)):
        rows = np.array(seconds, dtype=bool) == wanted
        weights[rows, : len(ballots.labels)] = ballots.weights[rows, :-1]
        weights[rows, -1] = ballots.weights[rows, -1]
    if first.names is None or second.names is None:
        return replace(widest, weights=weights)
    names = tuple((second.names if later else first.names)[row] for row, later in enumerate(seconds))
    return replace(widest, weights=weights, names=names)
