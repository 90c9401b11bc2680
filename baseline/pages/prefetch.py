"""Studies are computed before they are asked for: while their page is loading, and by a server with nothing to do."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Receive, Scope, Send

from baseline.output.study_address import StudyAddress
from baseline.pages.study_cache import KEPT, StudyCache
from data.log import LOG
from db import cache
from db.engine import Database, reading
from db.studies import list_studies

PAGE = "/results/"
LOOK = 1.0
"""Seconds over which the server is watched; it is idle where it used less than IDLE of a core in them."""
IDLE = 0.25
LONGEST = 600
"""Times it is looked at for each study: a server that is never idle is not kept from its work."""


@dataclass(frozen=True)
class Prefetch:
    """ASGI middleware, to be put behind the guard: whoever comes here may open it."""

    app: ASGIApp
    studies: StudyCache

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin with the study in the address of a page, then hand the request on."""
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == PAGE:
            for study in asked_study(scope["query_string"]):
                self.studies.expect(study)
        await self.app(scope, receive, send)


def asked_study(query: bytes) -> list[str]:
    """Return the study that the query of an address names, nothing where it names none; a browser may send anything."""
    query_values = parse_qs(query[:2000].decode("latin-1"), errors="replace")
    return [name for name in query_values.get("study", [])[:1] if "\0" not in name]


@contextmanager
def prefetched(studies: StudyCache) -> Iterator[None]:
    """Compute the newest studies beside what is done inside; a study that was not begun with before its end is left."""
    stop = Event()
    Thread(target=prefetch, args=(studies, lambda: wait_until_idle(stop)), name="prefetch", daemon=True).start()
    try:
        yield
    finally:
        stop.set()


def prefetch(studies: StudyCache, ready: Callable[[], bool]) -> None:
    """Compute the newest studies with answers, each when it is `ready`, until it is not.

    They are kept only for as long as nothing of them changes, as whatever was opened there. The first use of
    templates, statements and libraries is paid for on the way.
    """
    if not ready():
        return
    for number, name in enumerate(answered(studies.database)[:KEPT]):
        if number and not ready():
            return
        try:
            studies.draw(StudyAddress(name))
        except Exception:  # noqa: BLE001  whoever opens the study is told; nobody has yet
            LOG.exception("a study could not be computed ahead", extra={"study": name})


def answered(database: Database) -> list[str]:
    """Return the names of the studies that people or models have answered in, the newest first."""
    with reading(database) as session:
        given = cache.studies_with_answers(session)
        return [study.name for study in list_studies(session) if study.id in given]


def wait_until_idle(stop: Event) -> bool:
    """Wait until this program is idle; return False where it is to `stop`, or never is."""
    for _ in range(LONGEST):
        used = time.process_time()
        if stop.wait(LOOK):
            return False
        if time.process_time() - used < IDLE * LOOK:
            return True
    return False
