"""Every rule that turns a crowd's votes into one answer per item, by its name."""

from dataclasses import replace

from data.errors import BadSetting
from eval.arrays import Floats
from eval.consensus import Consensus, majority, settle, weighted
from eval.dawid_skene import dawid_skene, one_coin
from eval.middles import median_scores, medoid_scores
from eval.votes import Votes

MODELS = {"dawid-skene": dawid_skene, "one-coin": one_coin}
_MIDDLES = {"median": median_scores, "medoid": medoid_scores}
CONSENSUS = ("majority", *MODELS, "weighted")
OPEN_CONSENSUS = ("majority", "weighted", *_MIDDLES)
EXPERT = "expert"
RULES = (*CONSENSUS, *_MIDDLES, EXPERT)


def crowd_consensus(
    votes: Votes,
    rule: str,
    *,
    ties: str = "fractional",
    min_votes: int = 1,
    seed: int = 0,
    skills: Floats | None = None,
) -> Consensus:
    """The consensus of votes under the rule of this name, always with the same statuses.

    `majority` counts heads, `weighted` sums the `skills` (W,) of the voters, `dawid-skene` and `one-coin` take the most
    probable answer of a model fitted to these votes. Probabilities level to a billionth are a tie; a winner that
    fewer than `min_votes` gave is "short" under every rule, so a model cannot win with an answer nobody gave.

    Open answers have two rules of their own, which take whole answers: `median` of numbers and `medoid`, the answer
    nearest to the others by the distance of its type. `expert` is the majority here; `eval.panel` puts what experts
    decided in its place. The models count the labels of a closed list and are refused.
    """
    if rule in ("majority", EXPERT):
        return majority(votes, ties=ties, min_votes=min_votes, seed=seed, skills=skills)
    if rule == "weighted":
        return weighted(votes, skills, ties=ties, min_votes=min_votes, seed=seed)
    if rule in _MIDDLES:
        scores = _MIDDLES[rule](votes)
        return settle(votes, scores, ties=ties, min_votes=min_votes, seed=seed, skills=skills, units=False)
    if rule in MODELS and votes.names is not None:
        raise BadSetting(
            f"The model {rule!r} learns how voters mix up the labels of a closed list, and these answers are open; "
            "choose majority, weighted, medoid or, for numbers, median."
        )
    if rule not in MODELS:
        raise BadSetting(f"The consensus {rule!r} is not known; choose one of {', '.join(RULES)}.")
    fit = MODELS[rule](votes)
    found = settle(votes, fit.posterior, ties=ties, min_votes=min_votes, seed=seed, skills=skills)
    if fit.converged:
        return found
    note = f"The model {rule!r} was still changing after {len(fit.objective)} iterations; its answers are not final."
    return replace(found, notes=(note,))
