"""Which studies may be reached: an account's role may be for named ones, and then no other is found.

The server says for every request and every event of a page who asks; commands and what runs by itself reach all.
"""

from contextvars import ContextVar
from typing import Any

from sqlalchemy import Select, bindparam, select

from db.engine import Session, add, read
from db.tables import STUDY, AccountStudyRow, table_of

NOBODY = 0
"""The key of an account that there is not: it reaches no study."""
_LIMIT: ContextVar[int | None] = ContextVar("limit", default=None)
ACCOUNT_STUDY = table_of(AccountStudyRow)
_OF_ACCOUNT = select(ACCOUNT_STUDY.c.study_id).where(ACCOUNT_STUDY.c.account_id == bindparam("account"))
_ONE = _OF_ACCOUNT.where(ACCOUNT_STUDY.c.study_id == bindparam("study"))


def limit_to(account: int | None) -> None:
    """Let what follows in this context reach only the studies of the account with that key, None: all studies."""
    _LIMIT.set(account)


def reached(session: Session, study_id: int) -> bool:
    """Return whether whoever asks may reach a study."""
    account = _LIMIT.get()
    return account is None or read(session, _ONE, account=account, study=study_id).first() is not None


def within_reach(statement: Select[Any]) -> Select[Any]:
    """Return a statement that finds studies so that it finds those alone that whoever asks may reach."""
    account = _LIMIT.get()
    return statement if account is None else statement.where(STUDY.c.id.in_(_OF_ACCOUNT.params(account=account)))


def keep_in_reach(session: Session, study_id: int) -> None:
    """Let whoever asks reach the study that they have made."""
    account = _LIMIT.get()
    if account is not None:
        add(session, AccountStudyRow(account_id=account, study_id=study_id))
