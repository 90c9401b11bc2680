"""A study is read or changed by its name: each time in one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from db.clock import Clock, now
from db.engine import Database, Session, reading, transact
from db.studies import get_study

T = TypeVar("T")


@dataclass(frozen=True)
class ByName:
    """What requesters do with studies by their names; all of it raises UnknownName."""

    database: Database
    clock: Clock = field(default=now)

    def _read(self, name: str, look: Callable[..., T], **given: Any) -> T:
        with reading(self.database) as session:
            return look(session, study=get_study(session, name=name), **given)

    def _write(self, name: str, work: Callable[..., T]) -> T:
        def writing(session: Session) -> T:
            return work(session, study=get_study(session, name=name))

        return transact(self.database, writing)
