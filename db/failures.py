"""Failures to sign in, by what they came from: kept for a while, for all servers of a database together."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, delete, func, select

from db.account_tables import FailureRow


def most_failures(session: Session, *, sources: Sequence[str], since: datetime) -> int:
    """Return how many failures after `since` that one of the sources has which has most of them."""
    asked = select(func.count()).where(col(FailureRow.source).in_(sources), FailureRow.at > since)
    return max(session.exec(asked.group_by(FailureRow.source)), default=0)


def add_failure(session: Session, *, sources: Sequence[str], moment: datetime, since: datetime) -> None:
    """Count a failure for each of the sources, and forget those of anybody up to `since`."""
    session.exec(delete(FailureRow).where(col(FailureRow.at) <= since))
    session.add_all(FailureRow(source=source, at=moment) for source in sources)
