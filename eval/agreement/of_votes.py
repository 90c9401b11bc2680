"""How far people agree, by what their answers are: labels of a closed list, points of a scale, or open answers."""

import numpy as np

from eval.agreement.alpha import checked_name
from eval.agreement.coefficients import Agreement, agreement, coefficient_figures
from eval.agreement.open_answers import open_agreement, open_figures
from eval.agreement.people_agreement import wider_agreement
from eval.gold import TaskItems
from eval.intervals.clusters import SINGLE_ITEMS, Resampling
from eval.intervals.jackknife import why_these_people
from eval.votes import Votes


def agreement_of(
    votes: Votes, resampling: Resampling = SINGLE_ITEMS, *, asked: TaskItems | None = None, others: bool = False
) -> Agreement:
    """The agreement of votes, as their answers are compared: open ones by a distance, a closed list at its level.

    Parameters
    ----------
    votes : Votes
        J judgments.
    resampling : Resampling
        What bootstrap samples are of, how many there are, and their seed.
    asked : TaskItems or None
        The items' answer type and fields.
    others : bool
        Whether intervals are to hold for other people too, where that can be.

    Returns
    -------
    Agreement
    """
    level = checked_name("nominal" if asked is None or votes.names is not None else asked.answer.level)
    values = [float(label) for label in votes.labels] if level == "interval" else None
    if votes.names is not None:
        of_open = open_agreement(votes, resampling)
    else:
        of_open = agreement(votes.counts, resampling, level=level, values=values, items=votes.items)
    if not others or np.isnan(of_open.alpha) or why_these_people(votes, resampling.clusters):
        return of_open
    listed = votes.names is None
    figures = coefficient_figures(level, values) if listed else open_figures(votes, resampling.seed)
    return wider_agreement(of_open, votes, figures)
