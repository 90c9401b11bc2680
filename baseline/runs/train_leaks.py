"""Leakage (contamination): items of a study that stand in a model's train split or among its worked examples.

Public gold, which models may have learned, is stated for a study or by its task.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from data.catalogue.catalog import tasks
from data.shared_texts import SharedText, shared_texts
from data.task import Item, Task
from db.studies import Study

STORED = 100
"""So many of the items are stored with a run by name; all are counted."""
NAMED = 3
NOT_PUBLIC = ("no", "нет")


def train_leaks(task: Task, items: Sequence[Item], train: Sequence[Item], shots: Sequence[Item]) -> dict[str, Any]:
    """Return what is stored with a run of the asked items that stand in its train split or worked examples.

    Under `train` and `shots`: how many items are there word for word (`exact`) and in long stretches (`near`), of how
    many, and which; {} where there are none.
    """
    shared = {"train": shared_texts(task, items, train), "shots": shared_texts(task, items, shots)}
    return {where: _stored(leaks, len(items)) for where, leaks in shared.items() if leaks}


def known_items(stored: Mapping[str, Any], *, learns: bool) -> Mapping[str, Any]:
    """Return what `train_leaks` says of the items that a model knew, {} where it knew none.

    One that `learns` has read the whole train split, one that is asked no more of it than the worked examples.
    """
    known: Mapping[str, Any] = stored.get("train" if learns else "shots", {})
    return known


def leak_words(stored: Mapping[str, Any], *, learns: bool) -> str:
    """Return a sentence on what `train_leaks` returned, without its full stop; "" where nothing leaks."""
    words = {"train": "the train split", "shots": "the worked examples"}
    sentence = "; ".join(_words(words[where], leaks) for where, leaks in stored.items())
    unseen = bool(stored) and not known_items(stored, learns=learns)
    return f"{sentence}; the model was shown none of them" if unseen else sentence


def public_gold(study: Study) -> str:
    """Return which right answers are public and since when, "" where they are not: the study knows best.

    A task says it of its splits, that of the catalogue as it is by now, whatever was stored with the study; of which
    splits a study's items are nobody knows but who made the study.
    """
    stated, task = study.settings.public_gold.strip(), tasks().get(study.task.id, study.task)
    if stated or not task.public_splits:
        return "" if stated.casefold() in NOT_PUBLIC else stated or task.public_gold
    splits = " and ".join(task.public_splits)
    return f"{task.public_gold} for {splits}, not for other splits; the split of these items is unknown"


def known_gold(study: Study, models: Sequence[str]) -> list[str]:
    """Return which models may have learnt the right answers, where these are public."""
    since = public_gold(study)
    if not models or not since:
        return []
    stated, task = study.settings.public_gold.strip(), tasks().get(study.task.id, study.task)
    known = "are" if stated or not task.public_splits else "may be"
    return [f"The right answers {known} public ({since}): {', '.join(models)} may have learnt them in training."]


def _stored(shared_texts: Sequence[SharedText], of: int) -> dict[str, Any]:
    exact = sum(text.exact for text in shared_texts)
    ordered = sorted(shared_texts, key=lambda item: (not item.exact, -item.share))[:STORED]
    named = [
        {"item": item.item, "other": item.other, "exact": item.exact, "share": round(item.share, 3)} for item in ordered
    ]
    return {"exact": exact, "near": len(shared_texts) - exact, "of": of, "items": named}


def _words(where: str, leaks: Mapping[str, Any]) -> str:
    number = leaks["exact"] + leaks["near"]
    named = [f"{item['item']} is {item['other']}" for item in leaks["items"][:NAMED]]
    more = f" and {number - len(named)} more" if number > len(named) else ""
    how = f"{leaks['exact']} word for word" + (f", {leaks['near']} in long stretches" if leaks["near"] else "")
    how = how if leaks["exact"] else "in long stretches"
    stand = "stands" if number == 1 else "stand"
    return f"{number} of {leaks['of']} items of the study {stand} in {where}, {how}: {', '.join(named)}{more}"
