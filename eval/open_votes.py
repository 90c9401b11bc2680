"""Judgments whose answers no list holds, coded within their item: answers that mean the same are one."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from data.errors import BadSetting
from eval.gold import Asked
from eval.votes import Judged, Votes, check_columns, code, coded


def code_answers(
    frame: Judged, *, items: Sequence[str] | None, labels: Sequence[str] | None, asked: Asked | None
) -> Votes:
    """Votes of judgments: `code` for answers of a closed list, `code_open` for the others."""
    if asked is None or not asked.open:
        return code(frame, items=items, labels=labels)
    return code_open(frame, items=items, asked=asked)


def code_open(frame: Judged, *, items: Sequence[str] | None = None, asked: Asked) -> Votes:
    """Votes of judgments, K as an item needs it.

    Answers of an item that fold to the same form are one answer, named by its most frequent spelling (of equally
    frequent ones the first by alphabet), and stand in the order of their forms: the order of rows never matters.
    """
    check_columns(frame)
    item_names, item = coded(frame, "item", items)
    worker_names, worker = coded(frame, "worker")
    spellings, spelled = coded(frame, "label")
    pairs, inverse, times = np.unique(
        item.astype(np.int64) * max(1, len(spellings)) + spelled, return_inverse=True, return_counts=True
    )
    found: list[dict[str, Counter[str]]] = [{} for _ in item_names]
    forms: list[tuple[int, str]] = []
    for pair, number in zip(pairs.tolist(), times.tolist(), strict=True):
        row, spelling = divmod(pair, len(spellings))
        form = asked.folded(item_names[row], spellings[spelling])
        found[row].setdefault(form, Counter())[spellings[spelling]] += number
        forms.append((row, form))
    names = tuple(tuple(_name(each[form]) for form in sorted(each)) for each in found)
    place = [{form: column for column, form in enumerate(sorted(each))} for each in found]
    columns = np.array([place[row][form] for row, form in forms], dtype=np.int32)
    label = columns[inverse] if len(inverse) else np.zeros(0, dtype=np.int32)
    width = max(map(len, names), default=0)
    return Votes(item_names, worker_names, tuple(map(str, range(width))), item, worker, label, names, asked)


def asked_of(votes: Votes) -> Asked:
    """What was asked where votes are open; refused for votes of a closed list, which do not know it."""
    if votes.asked is None:
        raise BadSetting("These votes come from a closed list; this needs open answers and what was asked.")
    return votes.asked


def _name(spellings: Counter[str]) -> str:
    return min(spellings, key=lambda spelling: (-spellings[spelling], spelling))
