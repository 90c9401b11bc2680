"""People's consensus once more, out of the votes that remain where somebody is left out or people are resampled."""

from collections.abc import Callable
from dataclasses import replace

from eval.arrays import highest
from eval.ballots import Ballots
from eval.consensus.ties import STATUSES
from eval.panel import Panel, consensus_under
from eval.votes import Votes


def one_answer_of(panel: Panel) -> Callable[[Votes], Ballots]:
    """The people's one answer to each item under the rules of a panel, out of the votes that are left.

    An item that had too few votes for an answer stays what it was, and no other is measured by that rule: with somebody
    left out every item has fewer. Ties drawn by lot are shared out, which is what lots come to.

    Parameters
    ----------
    panel : Panel
        A study after its rules.

    Returns
    -------
    function of Votes to Ballots

    Examples
    --------
    Without the second of three people, two items that they decided are level, and their labels share them.

    >>> import pandas as pd
    >>> from eval.panel import PanelRules, panel
    >>> from eval.study_data import StudyData
    >>> rows = [("q1", *said) for said in ("xa", "ya", "zb")] + [("q2", *said) for said in ("xb", "ya", "za")]
    >>> judgments = pd.DataFrame(rows, columns=["item", "worker", "label"])
    >>> judgments = judgments.assign(role="main", status="counted", reason="")
    >>> items = pd.DataFrame({"item": ["q1", "q2"], "role": "main", "gold": ["a", "a"]})
    >>> people = panel(StudyData(judgments, items), PanelRules(), draws=50)
    >>> one_answer_of(people)(people.votes.keep(people.votes.worker != 1)).weights
    array([[0.5, 0.5, 0. ],
           [0.5, 0.5, 0. ]])
    """
    ties = "fractional" if panel.rules.ties == "random" else panel.rules.ties
    rules, own = replace(panel.rules, ties=ties, min_votes=1), panel.consensus
    short = (own.state == STATUSES.index("short")) | (
        (own.state == STATUSES.index("tied")) & (highest(panel.votes.counts) < panel.rules.min_votes)
    )

    def answer(votes: Votes) -> Ballots:
        said = consensus_under(rules, votes, panel.skills_of(votes), panel.decisions).ballots
        if not short.any():
            return said
        weights = said.weights.copy()
        weights[short] = 0
        weights[short, -1] = own.ballots.weights[short, -1]
        return replace(said, weights=weights)

    return answer
