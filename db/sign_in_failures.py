"""Failed sign-ins by name, address and browser: counted for a while, for all servers of a database together."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, func, select, text, update

from db.account_tables import FailureRow
from db.column_types import table_of
from db.engine import Session, read, write

MOST = 100_000  # sources that are counted at a time; of more, those that came first are forgotten

_TABLE = table_of(FailureRow)
_PAST = delete(_TABLE).where(_TABLE.c.until <= bindparam("moment"))
_BEYOND = delete(_TABLE).where(
    _TABLE.c.id <= select(func.max(_TABLE.c.id)).scalar_subquery() - bindparam("most", type_=_TABLE.c.id.type)
)
# In one statement: two servers that count at once both count, and each knows the sum.
_COUNT = text(
    "INSERT INTO failure (source, number, until) VALUES (:source, 1, :until) "
    "ON CONFLICT (source) DO UPDATE SET number = failure.number + 1 RETURNING number"
).bindparams(bindparam("until", type_=_TABLE.c.until.type))
_FORGIVE = update(_TABLE).where(_TABLE.c.source == bindparam("known")).values(number=_TABLE.c.number - 1)


_KNOWN = select(_TABLE.c.source, _TABLE.c.number).where(_TABLE.c.until > bindparam("moment"))


class TooOften(Exception):
    """One of the sources has failed as often as it may; raised to keep nothing of the attempt."""


def count_attempt(
    session: Session, *, limits: Mapping[str, int | None], moment: datetime, until: datetime
) -> dict[str, int]:
    """Count an attempt as failed for each of the sources until it is forgiven; return how many each of them has now.

    `limits` says how many each source may have at a time, None for as many as it likes. A source is counted from its
    first failure to the `until` of that. Raises TooOften, upon which the transaction is to be given up.
    """
    forget_failures(session, moment=moment)
    counted = {}
    for source, most in limits.items():
        counted[source] = int(write(session, _COUNT, source=source, until=until).scalar_one())
        if most is not None and counted[source] > most:
            raise TooOften(source)
    write(session, _BEYOND, most=MOST)
    return counted


def has_failed(session: Session, *, limits: Mapping[str, int | None], moment: datetime) -> bool:
    """Return whether one of the sources has failed as often as it may: who goes on guessing costs no more than this."""
    known = read(session, _KNOWN.where(_TABLE.c.source.in_(list(limits))), moment=moment)
    return any(number >= most for source, number in known if (most := limits[source]) is not None)


def forgive(session: Session, *, sources: Sequence[str]) -> None:
    """Take the last attempt of these sources back: it was none of a guesser. Those before it stay counted."""
    for source in sources:
        write(session, _FORGIVE, known=source)


def forget_failures(session: Session, *, moment: datetime) -> None:
    """Forget what is counted no longer."""
    write(session, _PAST, moment=moment)
