"""Retention: what is kept for a while only is forgotten on time, also by a server that nobody asks for anything.

Failures to sign in, ended sign-ins, from where places were taken.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Event, Thread

from sqlalchemy.exc import DBAPIError

from data.errors import EtalonError
from data.log import LOG
from db.accounts import forget_ended, forget_failures
from db.arrivals import forget_arrivals
from db.clock import Clock, now
from db.engine import Database, Session, transact

EVERY = 3600.0  # seconds
Expiry = Callable[[Database, datetime], object]


@contextmanager
def expiring(
    database: Database, clock: Clock = now, every: float = EVERY, *, others: Iterable[Expiry] = ()
) -> Iterator[None]:
    """Forget what is past its time, at once and again after so many seconds, beside what is done inside.

    `others` forget what is not of this package.
    """
    stop = Event()

    def forget() -> None:
        while True:
            for expire in (forget_expired, *others):
                try:
                    expire(database, clock())
                except (DBAPIError, EtalonError) as error:
                    LOG.warning("what is past its time is not forgotten; tried again later", exc_info=error)
            if stop.wait(every):
                return

    thread = Thread(target=forget, name="expiring", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def forget_expired(database: Database, moment: datetime) -> None:
    """Forget what is past its time."""

    def work(session: Session) -> None:
        forget_failures(session, moment=moment)
        forget_ended(session, moment=moment)
        forget_arrivals(session, moment=moment)

    transact(database, work)
