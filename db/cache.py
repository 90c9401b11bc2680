"""The cache: results kept with a fingerprint of the data they come from; another fingerprint makes them stale."""

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, Select, String, cast, func, select

from db.engine import Session, read
from db.statuses import OUT
from db.tables import DECISION, ENROLMENT, EVENT, ITEM, JUDGMENT, REPORT, RUN, STUDY

T = TypeVar("T")
Fingerprint = tuple[Any, ...]
SHARE = 0.05  # of the time may go into making one value again and again
_FINGERPRINTS: dict[str, Select[Any]] = {
    "study": select(STUDY.c.id, STUDY.c.status, STUDY.c.instruction, cast(STUDY.c.settings, String)),
    "judgments": select(JUDGMENT.c.study_id, func.count(), func.max(JUDGMENT.c.id)).group_by(JUDGMENT.c.study_id),
    "items": select(ITEM.c.study_id, func.count(), func.sum(ITEM.c.filled), func.count(ITEM.c.gold)).group_by(
        ITEM.c.study_id
    ),
    "decisions": select(DECISION.c.study_id, func.count(), func.max(DECISION.c.id)).group_by(DECISION.c.study_id),
    "events": select(EVENT.c.study_id, func.count(), func.max(EVENT.c.id))
    .where(EVENT.c.kind != "downloaded")
    .group_by(EVENT.c.study_id),
    "reports": select(REPORT.c.study_id, func.count()).group_by(REPORT.c.study_id),
    "out": select(ENROLMENT.c.study_id, func.count()).where(ENROLMENT.c.status.in_(OUT)).group_by(ENROLMENT.c.study_id),
    "run": select(RUN.c.study_id, RUN.c.id, RUN.c.status, RUN.c.alive_at, RUN.c.finished_at)
    .where(RUN.c.status != "deleted")
    .order_by(RUN.c.id),
}


def good_for_share(*, least: float = 0.0, cheap: float = 0.0) -> Callable[[float], float]:
    """Return for how long values are good that may take SHARE of the time: `least` seconds, longer what takes longer.

    What took less than `cheap` seconds is made again whenever it is asked for.
    """
    return lambda took: max(least, took / SHARE) if took >= cheap else 0.0


@dataclass(frozen=True)
class CachedValue:
    """A value, the mark of what it was made of, when it was ready and how many seconds it took."""

    value: Any
    mark: Hashable
    ready: float
    took: float


@dataclass(frozen=True)
class Cache:
    """Values by key, the `most` of them that were asked for last.

    A value is stale when the mark of what it is made of is another one by now; a mark of None says that nothing tells.
    `good_for` returns for how many seconds a value that took so many to make is given all the same. One value at a time
    is made: who asks meanwhile gets the one there was where it may be given so, and else waits for the new one.
    """

    most: int
    good_for: Callable[[float], float] = lambda _: 0.0
    clock: Callable[[], float] = time.monotonic
    _values: OrderedDict[Hashable, CachedValue] = field(default_factory=OrderedDict)
    _guard: Lock = field(default_factory=Lock)
    _make_lock: Lock = field(default_factory=Lock)

    def get(self, key: Hashable, mark: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, by `make()` where there is none yet or it is stale."""
        cached = self._find(key)
        if cached is not None and self._fresh(cached, mark):
            return cached.value  # type: ignore[no-any-return]
        waits = cached is None or not self.good_for(cached.took)
        if not self._make_lock.acquire(blocking=waits) and cached is not None:
            return cached.value  # type: ignore[no-any-return]
        try:
            cached = self._find(key)  # somebody else may have made it meanwhile
            if cached is not None and self._fresh(cached, mark):
                return cached.value  # type: ignore[no-any-return]
            return self._made(key, mark, make)
        finally:
            self._make_lock.release()

    def last(self, key: Hashable, mark: Hashable = None) -> Any:
        """Return the value of a key as it was made last, None where there is none, or none of this mark."""
        cached = self._find(key)
        return cached.value if cached is not None and mark in (None, cached.mark) else None

    def __len__(self) -> int:
        """Return how many values are kept."""
        return len(self._values)

    def _fresh(self, cached: CachedValue, mark: Hashable) -> bool:
        return (mark is not None and cached.mark == mark) or self.clock() - cached.ready < self.good_for(cached.took)

    def _find(self, key: Hashable) -> CachedValue | None:
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def _made(self, key: Hashable, mark: Hashable, make: Callable[[], T]) -> T:
        begun = self.clock()
        value = make()
        ended = self.clock()
        with self._guard:
            self._values[key] = CachedValue(value, mark, ended, ended - begun)
            self._values.move_to_end(key)
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value


MOST_UNCHANGING = 1_000
_UNCHANGING: WeakKeyDictionary[Engine, Cache] = WeakKeyDictionary()


def unchanging(session: Session, key: Hashable, make: Callable[[], T]) -> T:
    """Return what never changes once it is in this database, by `make()` where nobody has asked for it lately."""
    engine = session.engine
    cached = _UNCHANGING.get(engine) or _UNCHANGING.setdefault(engine, Cache(MOST_UNCHANGING))
    return cached.get(key, "unchanging", make)


def fingerprints(session: Session, *, study_id: int | None = None) -> dict[int, Fingerprint]:
    """Return a mark of every study, or of one, by its key; it changes with all that the study's results are made of.

    It holds the settings, how many judgments, items, decisions and events there are and the newest of each, the workers
    shut out, and when each run was last heard of: cheap beside reading answers.
    """
    marks_of: defaultdict[int, list[Any]] = defaultdict(list)
    for name, statement in _FINGERPRINTS.items():
        key = statement.selected_columns[0]
        chosen = statement if study_id is None else statement.where(key == study_id)
        for study, *values in read(session, chosen):
            marks_of[study].append((name, *values))
    return {study: tuple(marks) for study, marks in marks_of.items()}


def studies_with_answers(session: Session) -> set[int]:
    """Return the keys of the studies in which people or models have answered."""
    return {
        study for study, marks in fingerprints(session).items() if {part[0] for part in marks} & {"judgments", "run"}
    }
