"""What experts decided in the place of what the crowd says: an item's newest decision stands, the votes stay."""

from collections.abc import Mapping
from dataclasses import replace

from eval.ballots import Ballots
from eval.consensus.majority import ConsensusAnswers
from eval.consensus.ties import STATUSES
from eval.gold import TaskItems
from eval.votes import Votes, asked_of

NOBODY = "No expert has decided an item of this study, so its decisions change nothing."


def with_decisions(consensus: ConsensusAnswers, votes: Votes, decisions: Mapping[str, str]) -> ConsensusAnswers:
    """The consensus with the decisions (item -> label) in the place of what the votes came to, for all that are there.

    A decided item is "won" by what was decided, however many voted, for that answer or at all; the others stay as they
    are. A decision on an item outside the votes is left aside. Open answers that fold to the same form are one.
    """
    row_of = {item: row for row, item in enumerate(votes.items) if item in decisions}
    if not row_of:
        return replace(consensus, notes=(*consensus.notes, NOBODY))
    labels = {row: decisions[item] for item, row in row_of.items()}
    voted = consensus.ballots
    ballots, columns = _closed(voted, labels) if votes.names is None else _open(voted, labels, votes)
    state, code, weights = consensus.state.copy(), consensus.code.copy(), ballots.weights.copy()
    for row, column in columns.items():
        state[row], code[row] = STATUSES.index("won"), column
        weights[row] = 0
        weights[row, column] = 1
    return replace(consensus, state=state, code=code, ballots=replace(ballots, weights=weights))


def gold_with(known: Mapping[str, str], decisions: Mapping[str, str], asked: TaskItems | None) -> dict[str, str]:
    """Gold by item in which what was decided fills the gaps and takes the place of what the file said."""
    if asked is None or not (asked.open or asked.fields):
        return {**known, **decisions}
    decided = {item: asked.of(item).as_gold(label, asked.fields_of(item)) for item, label in decisions.items()}
    return {**known, **decided}


def _closed(ballots: Ballots, labels: Mapping[int, str]) -> tuple[Ballots, dict[int, int]]:
    """The ballots over a dictionary with what was decided, which nobody may have voted for, and its columns by row."""
    more = sorted(set(labels.values()) - set(ballots.labels))
    wider = ballots.over([*ballots.labels, *more])
    place = {label: column for column, label in enumerate(wider.labels)}
    return wider, {row: place[label] for row, label in labels.items()}


def _open(ballots: Ballots, labels: Mapping[int, str], votes: Votes) -> tuple[Ballots, dict[int, int]]:
    """The same for answers that are coded within their item."""
    asked, names = asked_of(votes), list(ballots.names or ())
    columns = {}
    for row, label in labels.items():
        item = votes.items[row]
        forms = [asked.folded(item, name) for name in names[row]]
        form = asked.folded(item, label)
        if form not in forms:
            names[row] = (*names[row], label)
        columns[row] = forms.index(form) if form in forms else len(forms)
    return replace(ballots.widened(max(map(len, names), default=0)), names=tuple(names)), columns
