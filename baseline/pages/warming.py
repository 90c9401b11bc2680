"""A server that was just started computes its newest studies while it has nothing else to do."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from baseline.pages.shelf import KEPT, Shelf
from data.console import tell
from db import marks
from db.engine import Database, reading
from db.studies import list_studies

LOOK = 1.0
"""Seconds over which the server is watched; it is idle where it used less than IDLE of a core in them."""
IDLE = 0.25
LONGEST = 600
"""Times it is looked at for each study: a server that is never idle is not kept from its work."""


@contextmanager
def warmed(shelf: Shelf) -> Iterator[None]:
    """Warm the shelf beside what is done inside; a study that was not begun with before its end is left."""
    stop = Event()
    Thread(target=warm, args=(shelf, lambda: idle(stop)), name="warming", daemon=True).start()
    try:
        yield
    finally:
        stop.set()


def warm(shelf: Shelf, ready: Callable[[], bool]) -> None:
    """Compute the newest studies with answers, each when it is `ready`, until it is not.

    They stay on the shelf only for as long as nothing of them changes, as whatever was opened there. The first use of
    templates, statements and libraries is paid for on the way.
    """
    if not ready():
        return
    for number, name in enumerate(answered(shelf.database)[:KEPT]):
        if number and not ready():
            return
        try:
            shelf.items(shelf.open(name))
        except Exception as error:  # noqa: BLE001  whoever opens the study is told; nobody has yet
            tell(f"the study {name!r} could not be computed ahead: {error!r:.300}")


def answered(database: Database) -> list[str]:
    """Return the names of the studies that people or models have answered in, the newest first."""
    with reading(database) as session:
        given = marks.answered(session)
        return [study.name for study in list_studies(session) if study.id in given]


def idle(stop: Event) -> bool:
    """Wait until this program is idle; return False where it is to `stop`, or never is."""
    for _ in range(LONGEST):
        used = time.process_time()
        if stop.wait(LOOK):
            return False
        if time.process_time() - used < IDLE * LOOK:
            return True
    return False
