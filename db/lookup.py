"""A handful of items, and what models replied to them: what one page shows out of a large study."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select

from data.task import Item
from db.items import stored
from db.studies import Study
from db.tables import ItemRow, PredictionRow


@dataclass(frozen=True)
class RawReply:
    """One reply of a run to one item, as it came, and what was read in it (None unless the status is `ok`)."""

    item: str
    sample: int
    raw: str
    label: str | None
    status: str


def main_items(session: Session, *, study: Study, ids: Collection[str]) -> dict[str, Item]:
    """Return the main items with these ids, by id."""
    statement = select(ItemRow).where(
        ItemRow.study_id == study.id, ItemRow.role == "main", col(ItemRow.key).in_(list(ids))
    )
    return {row.key: stored(row).item for row in session.exec(statement)}


def main_order(session: Session, *, study: Study) -> list[str]:
    """Return the ids of the main items in the order they were given."""
    statement = select(ItemRow.key).where(ItemRow.study_id == study.id, ItemRow.role == "main")
    return list(session.exec(statement.order_by(col(ItemRow.place))))


def replies(session: Session, *, study: Study, run_id: int, ids: Collection[str]) -> list[RawReply]:
    """Return what a run replied to these main items, in the order of its samples."""
    columns = ItemRow.key, PredictionRow.sample, PredictionRow.raw, PredictionRow.label, PredictionRow.status
    statement = (
        select_columns(*columns)  # type: ignore[call-overload]
        .join(ItemRow, col(ItemRow.id) == col(PredictionRow.item_id))
        .where(
            col(PredictionRow.run_id) == run_id,
            col(ItemRow.study_id) == study.id,
            col(ItemRow.role) == "main",
            col(ItemRow.key).in_(list(ids)),
        )
        .order_by(col(PredictionRow.sample))
    )
    return [RawReply(*row) for row in session.connection().execute(statement)]
