"""The rows of the files that a study was made of, in their order: their columns, and what became of each."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, select

from data.task import Item, Task
from db.engine import Session, read
from db.items import stored
from db.studies import Study
from db.tables import ITEM, SOURCE_ROW

MODELS_MAY_READ = "models_may_read"
"""The column in which `written` says whether the consent of who wrote a row said that models read it: "yes" or "no"."""
_WITHHELD = (
    select(SOURCE_ROW.c.id)
    .join(ITEM, (ITEM.c.study_id == SOURCE_ROW.c.study_id) & (ITEM.c.place == SOURCE_ROW.c.place))
    .where(SOURCE_ROW.c.study_id == bindparam("study"), ITEM.c.role == "main")
    .where(SOURCE_ROW.c.columns.contains(json.dumps({MODELS_MAY_READ: "no"})[1:-1]))
    .limit(1)
)
_ITEMS = select(ITEM).where(ITEM.c.study_id == bindparam("study"))
_ROWS = select(SOURCE_ROW).where(SOURCE_ROW.c.study_id == bindparam("study"))


@dataclass(frozen=True)
class SourceRow:
    """A row by its own columns, and the item it became; of one that was left out `item` is None, and `why` says it."""

    columns: Mapping[str, Any]
    item: Item | None
    why: str = ""


def models_may_read(session: Session, *, study: Study) -> bool:
    """Return whether no main item of a study was written by people whose consent did not say that models read it."""
    return read(session, _WITHHELD, study=study.id).first() is None


def source_rows(session: Session, *, study: Study) -> list[SourceRow]:
    """Return the rows in the order of the files; of items whose rows were not kept what is known of them."""
    items = {row.place: stored(row).item for row in read(session, _ITEMS, study=study.id)}
    kept = {row.place: (json.loads(row.columns), row.why) for row in read(session, _ROWS, study=study.id)}
    rows = []
    for place in sorted({*items, *kept}):
        item = items.get(place)
        given, why = kept.get(place, (None, ""))
        rows.append(SourceRow(_columns(study.task, item, given), item, why))
    return rows


def _columns(task: Task, item: Item | None, given: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if item is None:
        return given or {}
    if given is None:
        return {**item.fields, task.answer_column: item.gold}
    ours = task.aliases.columns
    return {name: item.fields.get(ours.get(name, name)) if value is None else value for name, value in given.items()}
