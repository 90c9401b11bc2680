"""What a model's predictions say: one answer per item, or the consensus of its samples."""

import pandas as pd

from baseline.human.baseline import HumanBaseline
from eval import ballots
from eval.ballots import Ballots
from eval.consensus.majority import majority
from eval.votes import code_answers


def model_ballots(predictions: pd.DataFrame, human: HumanBaseline) -> Ballots:
    """Return what a model says: its one answer per item, or the consensus of its samples by the rules for people.

    An answer that could not be used (unparsable, refused, truncated) is scored as wrong; an error is not an answer.
    The replies go along for metrics of what was written: the first one to each item, as published scripts ask once.
    """
    usable = predictions[predictions["status"] != "error"]
    first = usable.drop_duplicates("item")
    return _labelled(usable, human).wrote(dict(zip(first["item"], first["raw"], strict=True)))


def _labelled(usable: pd.DataFrame, human: HumanBaseline) -> Ballots:
    votes = human.panel.votes
    items, labels = votes.items, None if votes.names is not None else votes.labels
    if usable["sample"].nunique() <= 1:
        given: dict[str, str | None] = dict(
            zip(usable["item"], usable["label"].where(usable["status"] == "ok", None), strict=True)
        )
        return ballots.answers(given, items=items, labels=labels)
    answered = usable[usable["status"] == "ok"].rename(columns={"sample": "worker"}).astype({"worker": str})
    sampled = answered[["item", "worker", "label"]]
    chosen = majority(code_answers(sampled, items=items, labels=labels, asked=votes.asked)).ballots
    silent = set(usable["item"]) - set(answered["item"])
    weights = chosen.weights.copy()
    weights[[row for row, item in enumerate(items) if item in silent], -1] = 1
    return Ballots(items, chosen.labels, weights, chosen.names)
