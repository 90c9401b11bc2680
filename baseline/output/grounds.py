"""What the figures of a study stand on, in one sentence: which right answers, and which one answer out of many."""

from eval.crowd import EXPERT
from eval.panel import Rules

RIGHT = {"file": "the items' file says", "decisions": "experts decided, elsewhere what the items' file says"}
ONE_ANSWER = {
    "majority": "what most of them answered",
    "weighted": "the vote in which better voters count more",
    "dawid-skene": "what the model dawid-skene takes for most probable",
    "one-coin": "what the model one-coin takes for most probable",
    "median": "the number in the middle",
    "medoid": "the answer nearest to all others",
    EXPERT: "what experts decided, and elsewhere what most of them answered",
}


def grounds(rules: Rules, *, gold: bool) -> str:
    """Return the sentence; `gold`: something is known to be right, else only the one answer out of many is told.

    >>> grounds(Rules(gold="decisions"), gold=False)
    "People's one answer is what most of them answered."
    """
    one = ONE_ANSWER[rules.consensus]
    if not gold:
        return f"People's one answer is {one}."
    return f"Right is what {RIGHT[rules.gold]}; people's one answer is {one}."
