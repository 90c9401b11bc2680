"""The tables of the installation and of those who may sign in: accounts, sign-ins that ended, failures to sign in."""

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from db.clock import now


class InstallationRow(SQLModel, table=True):
    """What the database knows of the installation's secret: the only row, made at the first start.

    `digest` is a slow one, salted; `drawing_key` is masked with the secret. `epoch` is another one after every restored
    backup, "" before the first.
    """

    __tablename__ = "installation"

    id: int | None = Field(default=None, primary_key=True)
    salt: str
    digest: str
    drawing_key: str
    epoch: str = ""


class AccountRow(SQLModel, table=True):
    """Someone who may sign in to the requesters' pages.

    `version` goes up with the password, the role and when the account is shut: what was signed for an earlier one (a
    sign-in, an invitation, a new password's link) is worth nothing any more. Without a hash nobody can sign in yet.
    Who is `limited` reaches the studies of `account_study` alone.
    """

    __tablename__ = "account"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    password_hash: str
    role: str = "owner"
    version: int = 0
    disabled: bool = False
    limited: bool = False
    created_at: datetime = Field(default_factory=now)


class AccountStudyRow(SQLModel, table=True):
    """A study that a limited account reaches."""

    __tablename__ = "account_study"

    __table_args__ = (UniqueConstraint("account_id", "study_id"),)
    id: int | None = Field(default=None, primary_key=True)
    account_id: int = Field(foreign_key="account.id")
    study_id: int = Field(foreign_key="study.id")


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
    """How often it failed to sign in from somewhere, until when that is remembered; `source` is a digest."""

    __tablename__ = "failure"

    id: int | None = Field(default=None, primary_key=True)
    source: str = Field(unique=True)
    number: int
    until: datetime = Field(index=True)


class EndedRow(SQLModel, table=True):
    """A sign-in that was ended before its time, kept `until` its cookie is too old in any case."""

    __tablename__ = "ended_sign_in"

    key: str = Field(primary_key=True)
    until: datetime = Field(index=True)
