"""Who takes what for what: the gold label against the answer, for people and for each model."""

import numpy as np

from baseline.comparison.results import Results
from eval.arrays import Floats
from eval.ballots import Ballots
from eval.credits import gold_codes

MOST = 30
"""Labels beyond which a table of them is no picture any more."""


def has_confusion(results: Results) -> bool:
    """Return whether answers come from a closed list of labels that mean the same in every item, and gold is known."""
    panel = results.human.panel
    return bool(panel.gold) and panel.votes.names is None and 1 < len(panel.votes.labels) <= MOST


def confusion_of(results: Results, said: Ballots) -> Floats:
    """Return gold by given (K, K + 1) over the items with gold that are scored, "no answer" last.

    An item that people answer several times counts once for each answer; a tie that is shared out with its shares.
    """
    codes, known = gold_codes(results.human.panel.gold, said)
    rows = np.flatnonzero(known & (codes >= 0) & said.scored)
    found = np.zeros((len(said.labels), len(said.labels) + 1))
    np.add.at(found, codes[rows], said.weights[rows])
    return found
