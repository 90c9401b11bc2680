"""People's consensus once more, out of the votes that remain where somebody is left out or people are resampled."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from eval.ballots import Ballots
from eval.panel import Panel, agreed_under
from eval.votes import Votes


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
