"""The tables of those who may sign in: accounts, what was done to them, failures to sign in."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from db.clock import now


class AccountRow(SQLModel, table=True):
    """Someone who may sign in to the requesters' pages.

    `version` goes up with the password, the role and when the account is shut: what was signed for an earlier one (a
    sign-in, an invitation, a new password's link) is worth nothing any more. Without a hash nobody can sign in yet.
    """

    __tablename__ = "account"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    password_hash: str
    role: str = "owner"
    version: int = 0
    disabled: bool = False
    created_at: datetime = Field(default_factory=now)


class AccountEventRow(SQLModel, table=True):
    """What was done to an account, by which account ("" for a command on the server), and what it was for a role."""

    __tablename__ = "account_event"

    id: int | None = Field(default=None, primary_key=True)
    account: str
    kind: str
    who: str
    note: str = ""
    at: datetime


class FailureRow(SQLModel, table=True):
    """A failure to sign in, for one of the things it came from: a name, an address."""

    __tablename__ = "failure"

    __table_args__ = (Index("failures_of_source", "source", "at"),)
    id: int | None = Field(default=None, primary_key=True)
    source: str
    at: datetime
