"""How many answers an item wants where that depends on the answers: what a decision rests on, and the new target."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, select, update

from db.engine import Session, execute
from db.judgments import ControlAnswer
from db.tables import ITEM, JUDGMENT

_ITEM = (
    select(ITEM.c.fields, ITEM.c.target, ITEM.c.filled, ITEM.c.held)
    .where(ITEM.c.id == bindparam("item"))
    .with_for_update()
)
_VOTES = select(JUDGMENT.c.worker_id, JUDGMENT.c.label).where(
    JUDGMENT.c.item_id == bindparam("item"), JUDGMENT.c.status == "counted"
)
_VOTER = JUDGMENT.alias("vote")
_CONTROLS = (
    select(JUDGMENT.c.worker_id, JUDGMENT.c.label, ITEM.c.gold, ITEM.c.fields)
    .join_from(JUDGMENT, ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .where(
        JUDGMENT.c.study_id == bindparam("study"),
        JUDGMENT.c.worker_id.in_(
            select(_VOTER.c.worker_id).where(_VOTER.c.item_id == bindparam("item"), _VOTER.c.status == "counted")
        ),
        JUDGMENT.c.status == "counted",
        ITEM.c.role == "control",
        ITEM.c.gold.is_not(None),
    )
)
_JUDGED = (
    select(ITEM.c.id)
    .distinct()
    .join_from(JUDGMENT, ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .where(JUDGMENT.c.study_id == bindparam("study"), JUDGMENT.c.worker_id == bindparam("worker"))
    .where(ITEM.c.role == "main")
    .order_by(ITEM.c.id)
)
_SET = (
    update(ITEM)
    .where(ITEM.c.id == bindparam("item"))
    .values(target=bindparam("wanted"), free=bindparam("wanted") - ITEM.c.filled - ITEM.c.held)
)


@dataclass(frozen=True)
class Counts:
    """A main item as it stands: how many answers it wants, has and waits for."""

    fields: Mapping[str, str]
    target: int
    filled: int
    held: int


def counts(session: Session, *, item_key: int) -> Counts:
    """Return how an item stands, locked until the transaction ends."""
    row = execute(session, _ITEM, item=item_key).one()
    return Counts(dict(row.fields), row.target, row.filled, row.held)


def votes(session: Session, *, item_key: int) -> list[tuple[int, str]]:
    """Return the counted answers to an item, each as (key of the worker, label)."""
    return [(row.worker_id, row.label) for row in execute(session, _VOTES, item=item_key)]


def controls_of_voters(session: Session, *, study_id: int, item_key: int) -> dict[int, list[ControlAnswer]]:
    """Return the counted answers to controls of everybody whose answer to an item counts, by the worker's key."""
    by_worker: defaultdict[int, list[ControlAnswer]] = defaultdict(list)
    for row in execute(session, _CONTROLS, study=study_id, item=item_key):
        by_worker[row.worker_id].append(ControlAnswer(*row))
    return dict(by_worker)


def judged_by(session: Session, *, study_id: int, worker_key: int) -> list[int]:
    """Return the keys of the main items that a worker has answered, in the order in which they are locked."""
    return list(execute(session, _JUDGED, study=study_id, worker=worker_key).scalars())


def set_target(session: Session, *, item_key: int, target: int) -> None:
    """Let an item want so many answers, no fewer than it has and waits for; its free places follow."""
    execute(session, _SET, item=item_key, wanted=target)
