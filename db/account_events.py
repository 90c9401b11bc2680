"""What was done to accounts and by whom, never changed and never deleted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import select

from db.account_tables import AccountEventRow
from db.column_types import table_of
from db.engine import Session, add, read

_TABLE = table_of(AccountEventRow)
_LAST = select(_TABLE).order_by(_TABLE.c.id.desc())
AccountEventKind = Literal["invited", "role", "studies", "reset", "shut", "opened"]


@dataclass(frozen=True)
class AccountEvent:
    """One event. `who` did it, "" where it was a command on the server; `note` says what it was for a role."""

    account: str
    kind: AccountEventKind
    who: str
    note: str
    at: datetime


def add_account_event(
    session: Session, *, account: str, kind: AccountEventKind, who: str, moment: datetime, note: str = ""
) -> None:
    """Write down what `who` did to an account."""
    add(session, AccountEventRow(account=account, kind=kind, who=who, note=note, at=moment))


def list_account_events(session: Session, *, most: int = 200) -> list[AccountEvent]:
    """Return the last events, the newest first, at most so many."""
    rows = read(session, _LAST.limit(most))
    return [AccountEvent(row.account, cast(AccountEventKind, row.kind), row.who, row.note, row.at) for row in rows]
