"""Every rule that turns a crowd's votes into one answer per item, by its name."""

from dataclasses import dataclass, replace

from data.errors import BadSetting
from eval.arrays import Floats
from eval.consensus import Consensus, majority, settle, weighted
from eval.dawid_skene import dawid_skene, one_coin
from eval.median_medoid import median_scores, medoid_scores
from eval.ties import WinningRule
from eval.votes import Votes

MODELS = {"dawid-skene": dawid_skene, "one-coin": one_coin}
_MIDDLES = {"median": median_scores, "medoid": medoid_scores}
CONSENSUS = ("majority", *MODELS, "weighted")
OPEN_CONSENSUS = ("majority", "weighted", *_MIDDLES)
EXPERT = "expert"
RULES = (*CONSENSUS, *_MIDDLES, EXPERT)


@dataclass(frozen=True)
class ConsensusRule(WinningRule):
    """How votes become one answer: the rule of this name out of RULES, and what a label needs to win under it.

    `majority` counts heads, `weighted` sums the skills of the voters, `dawid-skene` and `one-coin` take the most
    probable answer of a model fitted to these votes. Open answers have two rules of their own, which take whole
    answers: `median` of numbers and `medoid`, the answer nearest to the others by the distance of its type. `expert` is
    the majority here; `eval.panel` puts what experts decided in its place.

    >>> ConsensusRule(consensus="dawid-skene", ties="drop").min_votes
    1
    """

    consensus: str = "majority"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.consensus not in RULES:
            raise BadSetting(f"The consensus {self.consensus!r} is not known; choose one of {', '.join(RULES)}.")


MAJORITY = ConsensusRule()


def crowd_consensus(
    votes: Votes, rule: ConsensusRule = MAJORITY, *, seed: int = 0, skills: Floats | None = None
) -> Consensus:
    """The consensus of votes under a rule, always with the same statuses.

    Probabilities level to a billionth are a tie; a winner that fewer than `rule.min_votes` gave is "short" under every
    rule, so a model cannot win with an answer nobody gave. `seed` is for random ties, `skills` (W,) are those of the
    voters; BadSetting where a rule needs them and there are none. The models count the labels of a closed list and are
    refused for open answers.
    """
    name = rule.consensus
    if name in ("majority", EXPERT):
        return majority(votes, rule, seed=seed, skills=skills)
    if name == "weighted":
        return weighted(votes, skills, rule, seed=seed)
    if name in _MIDDLES:
        return settle(votes, _MIDDLES[name](votes), rule, seed=seed, skills=skills, units=False)
    if votes.names is not None:
        raise BadSetting(
            f"The model {name!r} learns how voters mix up the labels of a closed list, and these answers are open; "
            "choose majority, weighted, medoid or, for numbers, median."
        )
    fit = MODELS[name](votes)
    found = settle(votes, fit.posterior, rule, seed=seed, skills=skills)
    if fit.converged:
        return found
    note = f"The model {name!r} was still changing after {len(fit.objective)} iterations; its answers are not final."
    return replace(found, notes=(note,))
