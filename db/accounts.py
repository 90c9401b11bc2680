"""Accounts: who may sign in to the requesters' pages, each with a password kept as an argon2 hash."""

import secrets

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlmodel import Session, select

from data.errors import BadSetting
from db.tables import AccountRow

OWNER = "owner"
LONGEST_PASSWORD = 1_000  # characters; hashing more would only serve to keep the server busy
_HASHER = PasswordHasher()


def ensure_owner(session: Session, password: str | None) -> str | None:
    """Make sure that the owner can sign in; return a password made here, the only time it can be read.

    At the first start the owner gets `password`, or one made here. Later a `password` that is not the owner's becomes
    the owner's: whoever sets the installation's secrets gets back in that way. None: the owner knows the password.
    """
    if password is not None and not 0 < len(password) <= LONGEST_PASSWORD:
        raise BadSetting(f"the owner's password must have 1 to {LONGEST_PASSWORD} characters; set another one")
    row = session.exec(select(AccountRow).where(AccountRow.name == OWNER)).first()
    if row is None:
        chosen = password or secrets.token_urlsafe(12)
        session.add(AccountRow(name=OWNER, password_hash=_HASHER.hash(chosen)))
        return None if password else chosen
    if password is not None and not _fits(row.password_hash, password):
        row.password_hash = _HASHER.hash(password)
        session.add(row)
    return None


def check_password(session: Session, name: str, password: str) -> bool:
    """Return whether `password` is that of the account; an unknown name takes as long to refuse as a wrong password."""
    row = session.exec(select(AccountRow).where(AccountRow.name == name)).first()
    fits = _fits(row.password_hash if row else _nobody(), password[:LONGEST_PASSWORD])
    return row is not None and fits and len(password) <= LONGEST_PASSWORD


def _fits(password_hash: str, password: str) -> bool:
    try:
        return _HASHER.verify(password_hash, password)
    except VerificationError:
        return False


def _nobody() -> str:
    """Return a well-formed hash of the present strength that no password is known to fit."""
    h = _HASHER
    blank = "A" * 22, "A" * 43
    return f"$argon2id$v=19$m={h.memory_cost},t={h.time_cost},p={h.parallelism}${blank[0]}${blank[1]}"


def is_new(session: Session) -> bool:
    """Return whether nobody has an account yet: the server was never started on this database."""
    return session.exec(select(AccountRow.id)).first() is None
