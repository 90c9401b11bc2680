"""Sittings: all main items of one cluster (an exam variant) claimed at once, answered in any order, given back whole.

Every item of a sitting is reserved in the transaction that begins it, so nobody else can break it. A sitting that runs
out is given back whole: its answers are kept, void, and count again if the worker comes back while there is room. One
with a limit of time is handed in instead, with what is there.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from sqlalchemy import ColumnElement, bindparam, insert, select, update

from data.task import Item
from db.assignments import Assignment, current
from db.engine import Contended, Session, execute, read, write
from db.items import stored
from db.judgments import BLANK, BROKEN_OFF, UNDONE, mark
from db.prepared_statements import Row
from db.statuses import LIVE
from db.studies import Study
from db.tables import ASSIGNMENT, ENROLMENT, ITEM, JUDGMENT, word
from db.workers import Enrolment, add_work, get_enrolment

_RAN_OUT = (
    select(ASSIGNMENT.c.id, ASSIGNMENT.c.item_id, ASSIGNMENT.c.enrolment_id, ENROLMENT.c.worker_id)
    .join_from(ASSIGNMENT, ITEM)
    .join(ENROLMENT, ENROLMENT.c.id == ASSIGNMENT.c.enrolment_id)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.held > 0)
    .where(ASSIGNMENT.c.status.in_(LIVE), ASSIGNMENT.c.expires_at < bindparam("moment"))
    .order_by(ITEM.c.id)
    .with_for_update(skip_locked=True, of=(ASSIGNMENT, ITEM))
)
_OF_ENROLMENT = (
    select(ITEM, ASSIGNMENT.c.id.label("lease"), ASSIGNMENT.c.place.label("at"))
    .join_from(ASSIGNMENT, ITEM)
    .where(ASSIGNMENT.c.enrolment_id == bindparam("enrolment"))
)
_MET = _OF_ENROLMENT.with_only_columns(ITEM.c.fields).where(ITEM.c.role == "main").limit(1)
_LEASES = (
    _OF_ENROLMENT.with_only_columns(
        ITEM.c.id, ASSIGNMENT.c.id.label("lease"), ASSIGNMENT.c.place.label("at"), ASSIGNMENT.c.status
    )
    .where(~ITEM.c.role.endswith("training"), ASSIGNMENT.c.status.not_in(("expired", "undone")))
    .order_by(ITEM.c.place)
)
_LIVE = (
    select(ASSIGNMENT.c.id.label("lease"), ASSIGNMENT.c.expires_at, ASSIGNMENT.c.enrolment_id, ENROLMENT.c.qualified_at)
    .join_from(ASSIGNMENT, ENROLMENT, ENROLMENT.c.id == ASSIGNMENT.c.enrolment_id)
    .where(ASSIGNMENT.c.study_id == bindparam("study"), ASSIGNMENT.c.status.in_(LIVE))
)
_EXTEND = (
    update(ASSIGNMENT)
    .where(ASSIGNMENT.c.enrolment_id == bindparam("enrolment"), ASSIGNMENT.c.status == word("reserved"))
    .values(expires_at=bindparam("until"))
)
_GIVEN = (
    select(JUDGMENT)
    .where(JUDGMENT.c.item_id == bindparam("item"), JUDGMENT.c.worker_id == bindparam("worker"))
    .order_by(JUDGMENT.c.repeat)
)
_MAIN = (
    select(ITEM.c.id, ITEM.c.fields, ITEM.c.free)
    .where(ITEM.c.study_id == bindparam("study"), ITEM.c.role == "main")
    .order_by(ITEM.c.place)
)


def give_back_expired(session: Session, *, study: Study, enrolment: Enrolment, moment: datetime) -> None:
    """Give back the sittings of others that ran out before `moment`, or hand them in; one's own goes on.

    Rows that another transaction is working on are passed over, as in `assignments.settle_expired`.
    """
    statement = _RAN_OUT.where(ASSIGNMENT.c.enrolment_id != enrolment.id)
    rows = sorted(read(session, statement, study=study.id, moment=moment), key=lambda row: row.enrolment_id)
    for _, mine in groupby(rows, key=lambda row: row.enrolment_id):
        gone = list(mine)
        timed = bool(study.settings.sitting_minutes)
        sat = get_enrolment(session, enrolment_id=gone[0].enrolment_id) if timed else None
        if sat is not None and sat.qualified:
            hand_in(session, enrolment=sat, moment=moment)
        else:
            _give_back(session, gone)
            _void(session, study, gone[0].worker_id)


def put_off(session: Session, *, study: Study, by: timedelta) -> None:
    """Let the sittings that wait end later, as though they had begun later: their study was paused so long."""
    rows = read(session, _LIVE, study=study.id).all()
    for row in rows:
        _set(session, row, expires_at=row.expires_at + by)
    for key, began in {(row.enrolment_id, row.qualified_at) for row in rows if row.qualified_at}:
        write(session, update(ENROLMENT).where(ENROLMENT.c.id == key).values(qualified_at=began + by))


def extend(session: Session, *, enrolment: Enrolment, until: datetime) -> None:
    """Let what a worker has reserved last longer: any request of the worker shows that somebody is there."""
    execute(session, _EXTEND, enrolment=enrolment.id, until=until)


def leases(session: Session, *, enrolment: Enrolment) -> list[Row]:
    """Return the `lease` of each item of the worker's sitting in the order of the file, its place `at` and `status`."""
    return list(read(session, _LEASES, enrolment=enrolment.id))


def next_item(
    session: Session, *, study: Study, enrolment: Enrolment, moment: datetime, lease: timedelta
) -> Assignment | None:
    """Lease the next open item after the last answer; the sitting begins, or goes on after a break, if it has to.

    Returns None where the sitting is over or there is no room for it; raises Contended when others were quicker.
    """
    if not _waiting(leases(session, enrolment=enrolment)):
        _claim(session, study, enrolment, moment, lease)
    waiting = _waiting(leases(session, enrolment=enrolment), after=enrolment.undoable)
    if not waiting:
        return None
    _set(session, waiting[0], status="held", leased_at=moment, expires_at=moment + lease)
    return current(session, enrolment=enrolment)


def go(session: Session, *, enrolment: Enrolment, place: int | None, moment: datetime, lease: timedelta) -> None:
    """Take up the open item with that place instead of the one in hand, by default the next one after it."""
    rows = leases(session, enrolment=enrolment)
    hand = next((row for row in rows if row.status == "held"), None)
    chosen = next((row for row in _waiting(rows, after=hand and hand.at) if place in (None, row.at)), None)
    if hand is None or chosen is None:
        return
    if not keep_given(session, enrolment=enrolment, row=hand):
        _set(session, hand, status="reserved")
    _set(session, chosen, status="held", leased_at=moment, expires_at=moment + lease)


def hand_in(session: Session, *, enrolment: Enrolment, moment: datetime) -> None:
    """End a sitting with what is there: an answer that was to be changed counts again, an open item stays BLANK."""
    blank = {"label": BLANK, "price": 0.0, "submitted_at": moment, "instruction": enrolment.instruction}
    of = {"study_id": enrolment.study_id, "worker_id": enrolment.worker_id}
    for row in leases(session, enrolment=enrolment):
        if row.status not in LIVE or keep_given(session, enrolment=enrolment, row=row):
            continue
        before = read(session, _GIVEN, item=row.id, worker=enrolment.worker_id).all()
        write(session, insert(JUDGMENT).values(item_id=row.id, repeat=len(before), **of, **blank))
        _set(session, row, status="done")
        _change(session, [row.id], held=-1, filled=1)


def keep_given(session: Session, *, enrolment: Enrolment, row: Row) -> bool:
    """Let the answer to an item of `leases` count again that was taken back to be changed; return whether it was."""
    given = read(session, _GIVEN, item=row.id, worker=enrolment.worker_id).all()
    if not given or given[-1].reason != UNDONE:
        return False
    last = given[-1]
    mark(session, [last], "counted")
    add_work(session, enrolment_id=enrolment.id, answers=1, seconds=last.seconds or 0.0, earned=last.price or 0.0)
    _set(session, row, status="done")
    _change(session, [row.id], held=-1, filled=1)
    return True


def _waiting(rows: list[Row], *, after: int | None = None) -> list[Row]:
    """Return the open items that wait, those first that come after the one with that place."""
    at = next((number for number, row in enumerate(rows) if row.at == after), 0)
    return [row for row in [*rows[at:], *rows[:at]] if row.status == "reserved"]


def _set(session: Session, row: Row, **values: object) -> None:
    write(session, update(ASSIGNMENT).where(ASSIGNMENT.c.id == row.lease).values(values))


def reserve(
    session: Session, *, study: Study, enrolment: Enrolment, moment: datetime, lease: timedelta
) -> Enrolment | None:
    """Reserve a variant for a worker in training, unless one is; return the enrolment, None where there is no room."""
    if not _waiting(leases(session, enrolment=enrolment)):
        _claim(session, study, enrolment, moment, lease)
        enrolment = get_enrolment(session, enrolment_id=enrolment.id) or enrolment
    return enrolment if _waiting(leases(session, enrolment=enrolment)) else None


def answered(session: Session, *, study: Study, enrolment: Enrolment) -> list[tuple[Item, str]]:
    """Return the main items that the worker has answered, in their order, each with the answer."""
    statement = (
        select(ITEM, JUDGMENT.c.label)
        .join_from(ITEM, JUDGMENT, JUDGMENT.c.item_id == ITEM.c.id)
        .where(_own_answers(study, enrolment.worker_id), ITEM.c.role == "main")
        .order_by(ITEM.c.place)
    )
    return [(stored(row).item, row.label) for row in read(session, statement)]


def longest_variant(session: Session, *, study: Study) -> int:
    """Return how many items the longest variant of a study has, 0 where it has no items."""
    return max(Counter(variant for _, variant, _ in _main_items(session, study)).values(), default=0)


def broken_off(session: Session, *, study: Study, enrolment: Enrolment) -> bool:
    """Return whether answers of a sitting stand aside because it ended halfway."""
    mine = JUDGMENT.c.study_id == study.id, JUDGMENT.c.worker_id == enrolment.worker_id
    aside = select(JUDGMENT.c.id).where(*mine, JUDGMENT.c.status == "void", JUDGMENT.c.reason == BROKEN_OFF)
    return read(session, aside.limit(1)).first() is not None


def _claim(session: Session, study: Study, enrolment: Enrolment, moment: datetime, lease: timedelta) -> None:
    """Reserve every item of the worker's variant that is not answered, or none: only a whole sitting counts."""
    begun = _begun(session, study, enrolment)
    variant = begun if begun is not None else _variant_with_room(session, study)
    if variant is None:
        return
    items = _locked(session, study, variant)
    given = {
        row.item_id: row for row in read(session, select(JUDGMENT).where(_own_answers(study, enrolment.worker_id)))
    }
    wanting = [item for item in items if item.id not in given or given[item.id].status != "counted"]
    if any(item.free < 1 for item in wanting):
        if begun is None:
            raise Contended
        return _void(session, study, enrolment.worker_id)
    again = [given[item.id] for item in wanting if item.id in given]
    _count_again(session, study, enrolment, again)
    _reserve(session, enrolment, [item.id for item in wanting if item.id not in given], moment, lease)


def _count_again(session: Session, study: Study, enrolment: Enrolment, judgments: Sequence[Row]) -> None:
    """Let what a worker has answered before count in the sitting that goes on."""
    unpaid = [row for row in judgments if row.status == "surplus" and not row.price]
    for row in unpaid:  # it came late and was not paid; now it counts after all
        write(session, update(JUDGMENT).where(JUDGMENT.c.id == row.id).values(price=study.settings.price))
        add_work(session, enrolment_id=enrolment.id, earned=study.settings.price)
    mark(session, judgments, "counted")
    _change(session, [row.item_id for row in judgments], filled=1, free=-1)


def _reserve(session: Session, enrolment: Enrolment, items: Sequence[int], moment: datetime, lease: timedelta) -> None:
    mine = {"study_id": enrolment.study_id, "enrolment_id": enrolment.id, "status": "reserved"}
    times = {"leased_at": moment, "expires_at": moment + lease}
    rows = [mine | times | {"item_id": item, "place": place} for place, item in enumerate(items, enrolment.served)]
    if rows:
        write(session, insert(ASSIGNMENT), rows)
    _change(session, items, held=1, free=-1)
    counts = {"served": enrolment.served + len(items), "worked": enrolment.worked + len(items)}
    write(session, update(ENROLMENT).where(ENROLMENT.c.id == enrolment.id).values(counts))


def _change(session: Session, items: Collection[int], **changes: int) -> None:
    """Add to the counts of these items."""
    values = {name: ITEM.c[name] + more for name, more in changes.items()}
    write(session, update(ITEM).where(ITEM.c.id.in_(items)).values(values))


def _begun(session: Session, study: Study, enrolment: Enrolment) -> str | None:
    """Return the variant whose items this worker has met, None before the first."""
    fields = read(session, _MET, enrolment=enrolment.id).scalar()
    return None if fields is None else _variant(study, fields)


def _variant_with_room(session: Session, study: Study) -> str | None:
    """Return the variant with room for most sittings (the first of several), None where none has room for one."""
    room: dict[str, int] = {}
    for _, variant, free in _main_items(session, study):
        room[variant] = min(free, room.get(variant, free))
    best = max(room, key=lambda variant: room[variant], default=None)
    return best if best is not None and room[best] > 0 else None


def _locked(session: Session, study: Study, variant: str) -> list[Row]:
    """Return the items of a variant in their order, locked: whoever claims it at the same time waits."""
    keys = [key for key, other, _ in _main_items(session, study) if other == variant]
    statement = select(ITEM).where(ITEM.c.id.in_(keys)).order_by(ITEM.c.id).with_for_update()
    return sorted(read(session, statement), key=lambda item: item.place)


def _main_items(session: Session, study: Study) -> list[tuple[int, str, int]]:
    """Return the key, the variant and the free slots of every main item, in their order."""
    return [(key, _variant(study, fields), free) for key, fields, free in read(session, _MAIN, study=study.id)]


def _give_back(session: Session, leases: Sequence[Row]) -> None:
    these = ASSIGNMENT.c.id.in_([lease.id for lease in leases])
    write(session, update(ASSIGNMENT).where(these).values(status="expired"))
    _change(session, [lease.item_id for lease in leases], held=-1, free=1)


def _void(session: Session, study: Study, worker_id: int) -> None:
    """Void what a worker has answered in a sitting that ends halfway, so that somebody else can sit all of it.

    What it earned stays: the answers were given, and are paid as promised.
    """
    statement = (
        select(JUDGMENT.c.id, JUDGMENT.c.item_id)
        .join_from(JUDGMENT, ITEM)
        .where(_own_answers(study, worker_id), ITEM.c.role == "main", JUDGMENT.c.status == "counted")
        .order_by(ITEM.c.id)
        .with_for_update()
    )
    counted = read(session, statement).all()
    mark(session, counted, "void", BROKEN_OFF)
    _change(session, [row.item_id for row in counted], filled=-1, free=1)


def _own_answers(study: Study, worker_id: int) -> ColumnElement[bool]:
    """What a worker has answered in the study, what was voided for another reason than a break apart."""
    kept = (JUDGMENT.c.status != "void") | (JUDGMENT.c.reason == BROKEN_OFF)
    return (JUDGMENT.c.study_id == study.id) & (JUDGMENT.c.worker_id == worker_id) & kept


def _variant(study: Study, fields: Mapping[str, str]) -> str:
    """Return the cluster that an item belongs to; a task without clusters is one sitting as a whole."""
    return fields[study.task.cluster] if study.task.cluster else ""
