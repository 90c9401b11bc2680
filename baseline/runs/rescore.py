"""Stored replies are read anew: parsers get better, and nobody is asked twice for that."""

from collections.abc import Iterator
from dataclasses import dataclass

from data.errors import UnknownName
from data.task import Task
from db.engine import Session
from db.items import StoredItem, list_items
from db.runs import Prediction, PredictionStatus, Run, heartbeat, list_runs, predictions_of, read_anew
from db.studies import Study

READ = ("ok", "unparsable")
"""The statuses that come from reading a reply; the others the server gave."""


@dataclass(frozen=True)
class Reread:
    """What reading the replies of a run anew changed."""

    run: Run
    replies: int
    changed: int
    unparsable_before: int
    unparsable: int

    def as_dict(self) -> dict[str, object]:
        """Return it as `rescore --json` prints it."""
        return {**vars(self), "run": self.run.id, "model": self.run.model}

    def text(self) -> str:
        """Return it for a terminal."""
        return (
            f"run {self.run.id}, {self.run.model}: {self.changed} of {self.replies} replies are read differently; "
            f"unparsable {self.unparsable}, before {self.unparsable_before}"
        )


def rescore(session: Session, *, study: Study, model: str | None = None) -> list[Reread]:
    """Read the stored replies of every run of a study, or of one model's, anew; store what is read differently.

    Raises UnknownName for a model that has no run.
    """
    runs = list_runs(session, study=study)
    if model is not None and model not in {run.model for run in runs}:
        raise UnknownName("model with a run", model, {run.model for run in runs})
    items = {stored.key: stored for stored in list_items(session, study=study)}
    return [_reread(session, study.task, items, run) for run in reversed(runs) if model in (None, run.model)]


def _reread(session: Session, task: Task, items: dict[int, StoredItem], run: Run) -> Reread:
    stored = [(row, old) for row, old in predictions_of(session, run=run) if old.status in READ]
    changed = list(_changes(task, items, stored))
    read_anew(session, changed=changed)
    if changed:
        heartbeat(session, run=run)  # so that what was computed of its former answers is not taken for the present
    before = sum(old.status == "unparsable" for _, old in stored)
    was = {row: old.status for row, old in stored}
    after = before + sum((status == "unparsable") - (was[row] == "unparsable") for row, _, status in changed)
    return Reread(run, len(stored), len(changed), before, after)


def _changes(
    task: Task, items: dict[int, StoredItem], stored: list[tuple[int, Prediction]]
) -> Iterator[tuple[int, str | None, PredictionStatus]]:
    for row, old in stored:
        fields = items[old.item_id].item.fields
        label = task.answer_for(fields).read_reply(old.raw, fields)
        if label is None and old.label == old.raw:
            continue  # a file stated it, and no reply reads so
        if label != old.label:
            yield row, label, "unparsable" if label is None else "ok"
