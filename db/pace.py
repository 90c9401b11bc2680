"""How fast a study fills: its answers by the hour."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import bindparam, extract, func, select

from db.engine import Session, read
from db.studies import Study
from db.tables import ITEM, JUDGMENT

HOUR = 3600
# A remainder instead of a division: one database would round what the other cuts off.
_EPOCH = extract("epoch", JUDGMENT.c.submitted_at)
_BEGINS = _EPOCH - _EPOCH % HOUR
_MAIN = (
    select(_BEGINS.label("hour"), func.count().label("answers"))
    .join_from(JUDGMENT, ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .where(
        JUDGMENT.c.study_id == bindparam("study"),
        JUDGMENT.c.status == "counted",
        JUDGMENT.c.submitted_at >= bindparam("since"),
        ITEM.c.role == "main",
    )
    .group_by(_BEGINS)
)
_SINCE = (
    select(func.count())
    .select_from(JUDGMENT)
    .join(ITEM, ITEM.c.id == JUDGMENT.c.item_id)
    .where(
        JUDGMENT.c.study_id == bindparam("study"),
        JUDGMENT.c.status == "counted",
        JUDGMENT.c.submitted_at > bindparam("since"),
        JUDGMENT.c.submitted_at <= bindparam("until"),
        ITEM.c.role == "main",
    )
)


@dataclass(frozen=True)
class Pace:
    """Counted answers to main items: `hours` by the beginning of each hour, `last_hour` in the 60 minutes to `at`."""

    hours: Mapping[datetime, int]
    last_hour: int
    at: datetime


def pace(session: Session, *, study: Study, moment: datetime, hours: int = 24) -> Pace:
    """Return the answers of the last `hours` hours by the hour; an hour without any is not there."""
    since = moment - timedelta(hours=hours)
    rows = read(session, _MAIN, study=study.id, since=since).all()
    found = {datetime.fromtimestamp(int(row.hour), UTC): int(row.answers) for row in rows}
    last = read(session, _SINCE, study=study.id, since=moment - timedelta(hours=1), until=moment).scalar_one()
    return Pace(found, int(last), moment)
