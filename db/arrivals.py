"""Arrivals: from which addresses people joined a study lately; a ceiling for each, whom it refused, and bursts.

Of an address no more is kept than a digest made with the installation's secret and the study's name.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import bindparam, delete, func, insert, select

from db.engine import Session, add, read, write
from db.prepared_statements import Row
from db.statuses import OUT
from db.studies import Study
from db.tables import ARRIVAL, ENROLMENT, EVENT, REFUSAL, STUDY, WORKER, RefusalRow, word

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
KEPT = timedelta(days=7)
MOST_REFUSED = 1_000  # people who found no place that are kept of a study
LET_IN = 100  # new places for an hour, from whichever addresses, each time that a requester lets more in
FROM_ONE, IN_A_MINUTE = 5, 10  # new places from which on a burst is told: of one address in an hour, of all in a minute

_FORGET = delete(ARRIVAL).where(ARRIVAL.c.at <= bindparam("moment"))
# Whoever enrols waits for who does just now: two at once would both find the last place free.
_TURN = select(STUDY.c.id).where(STUDY.c.id == bindparam("study")).with_for_update(key_share=True)
_THERE = ENROLMENT.c.study_id == bindparam("study"), ENROLMENT.c.status.not_in(OUT)
_AT_WORK = select(func.count(ENROLMENT.c.id)).where(*_THERE)
_OF_STUDY = ARRIVAL.c.study_id == bindparam("study"), ARRIVAL.c.at > bindparam("since")
_SINCE = select(func.count(ARRIVAL.c.id)).where(*_OF_STUDY)
_LET_IN = select(func.count(EVENT.c.id), func.min(EVENT.c.at), func.max(EVENT.c.at)).where(
    EVENT.c.study_id == bindparam("study"), EVENT.c.kind == word("let_in"), EVENT.c.at > bindparam("since")
)
_PERSON = REFUSAL.c.study_id == bindparam("study"), REFUSAL.c.person == bindparam("who")
_REFUSED = select(REFUSAL.c.source, REFUSAL.c.version).where(*_PERSON)
_REFUSALS = select(func.count(REFUSAL.c.id), func.max(REFUSAL.c.at)).where(REFUSAL.c.study_id == bindparam("study"))
_ADMIT = delete(REFUSAL).where(*_PERSON)
_FORGET_REFUSALS = delete(REFUSAL).where(REFUSAL.c.at <= bindparam("moment"))
_FROM = select(ARRIVAL.c.at).where(*_OF_STUDY, ARRIVAL.c.source == bindparam("whence")).order_by(ARRIVAL.c.at)
_ALL = (
    select(ARRIVAL.c.source, ARRIVAL.c.at, WORKER.c.name)
    .join_from(ARRIVAL, ENROLMENT, ENROLMENT.c.id == ARRIVAL.c.enrolment_id)
    .join(WORKER, WORKER.c.id == ENROLMENT.c.worker_id)
    .where(*_OF_STUDY)
    .order_by(ARRIVAL.c.at, ARRIVAL.c.id)
)


@dataclass(frozen=True)
class Burst:
    """Many new places in a short time: within 60 `minutes` from one address, or within 1 from several."""

    number: int
    minutes: int
    began: datetime
    workers: tuple[str, ...]


@dataclass(frozen=True)
class RefusedArrivals:
    """How many people found no place and have none yet, when the last one asked, and `until` when more are let in."""

    number: int = 0
    last: datetime | None = None
    until: datetime | None = None


def is_full(session: Session, *, study: Study) -> bool:
    """Return whether nobody else may take part: it is not open, or as many people work as it wants; others wait."""
    most = study.settings.max_people
    if study.status != "open" or most is None:
        return study.status != "open"
    read(session, _TURN, study=study.id)
    return bool(read(session, _AT_WORK, study=study.id).scalar_one() >= most)


def places_full(session: Session, *, study: Study, source: str, moment: datetime) -> timedelta | None:
    """Return in what time there is a place again for that address; None where there is one now."""
    most = study.settings.places_an_hour
    times = arrived(session, study=study, source=source, moment=moment) if source and most else []
    if len(times) < (most or 1):
        return None
    let_in, since, _ = read(session, _LET_IN, study=study.id, since=moment - HOUR).one()
    if let_in and read(session, _SINCE, study=study.id, since=since).scalar_one() < let_in * LET_IN:
        return None
    return times[-most] + HOUR - moment


def refuse(session: Session, *, study: Study, person: str, source: str, version: str, moment: datetime) -> None:
    """Keep that somebody found no place, once however often they ask; no more than MOST_REFUSED people of a study."""
    admit_refused(session, study=study, person=person)
    if refused_arrivals(session, study=study, moment=moment).number < MOST_REFUSED:
        refusal = RefusalRow(study_id=study.id, person=person, source=source, version=version, at=moment)
        add(session, refusal)


def admit_refused(session: Session, *, study: Study, person: str) -> None:
    """Forget that somebody found no place."""
    write(session, _ADMIT, study=study.id, who=person)


def refusal_of(session: Session, *, study: Study, person: str) -> tuple[str, str] | None:
    """Return where somebody came from who found no place, and the version of the terms agreed to; None for others."""
    row = read(session, _REFUSED, study=study.id, who=person).first()
    return (row.source, row.version) if row else None


def refused_arrivals(session: Session, *, study: Study, moment: datetime) -> RefusedArrivals:
    """Return how many people wait for a place in a study, and until when more are let in."""
    number, last = read(session, _REFUSALS, study=study.id).one()
    let_in = read(session, _LET_IN, study=study.id, since=moment - HOUR).one()[2]
    return RefusedArrivals(number, last, let_in + HOUR if let_in else None)


def arrived(session: Session, *, study: Study, source: str, moment: datetime) -> list[datetime]:
    """Return when new places were taken from there within the last hour, the first one first; others wait meanwhile."""
    read(session, _TURN, study=study.id)
    return [row.at for row in read(session, _FROM, study=study.id, whence=source, since=moment - HOUR)]


def add_arrival(session: Session, *, study: Study, enrolment: int, source: str, moment: datetime) -> None:
    """Keep from where a new place was taken, and forget what has been kept for long enough."""
    forget_arrivals(session, moment=moment)
    write(session, insert(ARRIVAL), study_id=study.id, enrolment_id=enrolment, source=source, at=moment)


def forget_arrivals(session: Session, *, moment: datetime) -> None:
    """Forget from where places were taken, or asked for in vain, KEPT ago."""
    write(session, _FORGET, moment=moment - KEPT)
    write(session, _FORGET_REFUSALS, moment=moment - KEPT)


def bursts(session: Session, *, study: Study, moment: datetime) -> list[Burst]:
    """Return the bursts of a study within KEPT, as they came: the largest of each address, and of the others."""
    rows = read(session, _ALL, study=study.id, since=moment - KEPT).all()
    by_source: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_source[row.source].append(row)
    largest = {source: _largest(each, HOUR, FROM_ONE) for source, each in by_source.items()}
    others = _largest([row for row in rows if not largest[row.source]], MINUTE, IN_A_MINUTE)
    return sorted((burst for burst in (*largest.values(), others) if burst), key=lambda burst: burst.began)


def _largest(rows: Sequence[Row], within: timedelta, least: int) -> Burst | None:
    """Return the most rows within that time of each other, None where those are fewer than `least`."""
    first, last = max(_spans(rows, within), key=lambda span: span[1] - span[0], default=(0, 0))
    if last - first < least:
        return None
    names = tuple(cast(str, row.name) for row in rows[first:last])
    return Burst(last - first, within // MINUTE, rows[first].at, names)


def _spans(rows: Sequence[Row], within: timedelta) -> Iterator[tuple[int, int]]:
    """Yield for each row the places of the first one within that time before it, and of the next one after it."""
    first = 0
    for place, row in enumerate(rows):
        while row.at - rows[first].at >= within:
            first += 1
        yield first, place + 1
