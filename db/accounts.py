"""Accounts: who may sign in, their passwords, failures to sign in, and what was done to them."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy import bindparam, delete, exists, func, insert, select, text, update

from data.errors import BadSetting, UnknownName, look_up
from db.access import ACCOUNT_STUDY
from db.engine import Session, add, read, write
from db.prepared_statements import Row
from db.studies import get_study
from db.tables import STUDY, AccountEventRow, AccountRow, AccountStudyRow, EndedRow, FailureRow, columns_of, table_of

_EVENT = table_of(AccountEventRow)


AccountEventKind = Literal["invited", "role", "studies", "reset", "shut", "opened"]


@dataclass(frozen=True)
class AccountEvent:
    """One event. `who` did it, "" where it was a command on the server; `note` says what it was for a role."""

    account: str
    kind: AccountEventKind
    who: str
    note: str
    at: datetime


_LAST_EVENTS = select(*columns_of(AccountEvent, _EVENT)).order_by(_EVENT.c.id.desc())


def add_account_event(
    session: Session, *, account: str, kind: AccountEventKind, who: str, moment: datetime, note: str = ""
) -> None:
    """Write down what `who` did to an account."""
    add(session, AccountEventRow(account=account, kind=kind, who=who, note=note, at=moment))


def list_account_events(session: Session, *, most: int = 200) -> list[AccountEvent]:
    """Return the last events, the newest first, at most so many."""
    return [AccountEvent(*row) for row in read(session, _LAST_EVENTS.limit(most))]


SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 1_000  # characters; hashing more would only serve to keep the server busy
WELL_KNOWN = (
    "admin", "change-me", "changeme", "changeme123", "etalon", "letmein", "owner", "password", "password1",
    "password123", "passw0rd", "qwerty", "qwertyuiop", "secret", "12345678", "1234567890", "пароль", "йцукенгшщз",
)  # fmt: skip
BY_INSTITUTION = "institution:"
"""What stands for a password where an institution says who somebody is; behind it, whom: no password fits it."""
_HASHER = PasswordHasher()


class WeakPassword(BadSetting):
    """A password that is too short, too long or among the first that are guessed."""


def hashed(password: str) -> str:
    """Return what is kept of a password."""
    return _HASHER.hash(password)


def fits(password_hash: str, password: str) -> bool:
    """Return whether a password is the one that was hashed; without a hash none is, and that takes as long."""
    known = password_hash if password_hash and not password_hash.startswith(BY_INSTITUTION) else ""
    try:
        return _HASHER.verify(known or _unmatchable_hash(), password[:LONGEST_PASSWORD]) and bool(known)
    except VerificationError:
        return False


def checked_password(password: str, *, name: str = "") -> str:
    """Return a password somebody has chosen; raises WeakPassword where it is too short, too long or well known."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise WeakPassword(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; choose another one")
    well_known = password.strip().casefold() in WELL_KNOWN
    if well_known or password.casefold() == name.casefold() or len(set(password)) < 4:
        raise WeakPassword("that password is among the first that are guessed; choose another one")
    return password


def _unmatchable_hash() -> str:
    """Return a well-formed hash of the present strength that no password is known to fit."""
    h = _HASHER
    blank = "A" * 22, "A" * 43
    return f"$argon2id$v=19$m={h.memory_cost},t={h.time_cost},p={h.parallelism}${blank[0]}${blank[1]}"


Role = Literal["viewer", "manager", "owner"]
State = Literal["invited", "active", "shut"]
ROLES: tuple[Role, ...] = ("viewer", "manager", "owner")
"""From the least to the most: each may do what those before it may."""

OWNER: Role = "owner"
NAMES = re.compile(r"[a-z0-9][a-z0-9._@-]{0,59}")
NAMES_ARE = "1 to 60 small Latin letters, digits, dots, dashes, underscores and @, the first a letter or a digit"

_ACCOUNT = table_of(AccountRow)
_NAMED = select(_ACCOUNT).where(_ACCOUNT.c.name == bindparam("name"))
_ENDED = table_of(EndedRow)
_PRESENT = _NAMED.where(
    _ACCOUNT.c.version == bindparam("signed"), ~exists(select(_ENDED.c.key).where(_ENDED.c.key == bindparam("key")))
)
_FORGET = delete(_ENDED).where(_ENDED.c.until <= bindparam("moment"))
_EVERY = select(_ACCOUNT).order_by(_ACCOUNT.c.id)
_ALL = select(_ACCOUNT).order_by(_ACCOUNT.c.created_at, _ACCOUNT.c.id)
_STUDIES = (
    select(STUDY.c.name)
    .join(ACCOUNT_STUDY, ACCOUNT_STUDY.c.study_id == STUDY.c.id)
    .where(ACCOUNT_STUDY.c.account_id == bindparam("account"))
    .order_by(STUDY.c.name)
)


class NameTaken(BadSetting):
    """An institution's account whose name another account has here."""


class StaleKey(BadSetting):
    """Something signed for an account as it was before its password, its role or its being open changed."""


@dataclass(frozen=True)
class Account:
    """One account. `version` goes up with password, role and shutting; what was signed for an earlier one is void.

    `studies` are the names of those that its role is for, None for all.
    """

    name: str
    role: Role
    version: int
    state: State
    created_at: datetime
    studies: tuple[str, ...] | None = None
    key: int = 0

    @property
    def limit(self) -> int | None:
        """The key by which its studies are found (`db.access`), None where it reaches all."""
        return None if self.studies is None else self.key

    def may(self, least: Role) -> bool:
        """Return whether the account is open and may do what `least` may."""
        return self.state == "active" and ROLES.index(self.role) >= ROLES.index(least)


def ensure_owner(session: Session, password: str | None) -> str | None:
    """Make sure that the owner can sign in; return a password made here, the only time it can be read.

    At the first start the owner gets `password`, or one made here. Later a `password` that is not the owner's becomes
    the owner's: whoever sets the installation's secrets gets back in that way. None: the owner knows the password.
    """
    if password is not None and not 0 < len(password) <= LONGEST_PASSWORD:
        raise BadSetting(f"the owner's password must have 1 to {LONGEST_PASSWORD} characters; set another one")
    row = read(session, _NAMED, name=OWNER).first()
    if row is None:
        chosen = password or secrets.token_urlsafe(12)
        add(session, AccountRow(name=OWNER, password_hash=hashed(chosen)))
        return None if password else chosen
    if password is not None and not fits(row.password_hash, password):
        _changed(session, row, password_hash=hashed(password), role=OWNER, disabled=False, limited=False)
    return None


def institution_account(session: Session, *, name: str, subject: str, role: Role, moment: datetime) -> Account:
    """Return the account of whom an institution calls `subject`, made when there is none, with the role it has there.

    The last owner who can sign in stays one. Raises NameTaken where the name is a local account's, or another's.
    """
    row, mark = read(session, _NAMED, name=name).first(), f"{BY_INSTITUTION}{subject}"
    if row is None:
        add(session, AccountRow(name=name, password_hash=mark, role=role))
        add_account_event(session, account=name, kind="invited", who="institution", moment=moment, note=role)
        row = read(session, _NAMED, name=name).one()
    if row.password_hash != mark:
        raise NameTaken(f"the name {name!r} is another account's here")
    if row.role == role or row.disabled:
        return _account(session, row)
    try:
        return change_role(session, name=name, role=role)
    except BadSetting:
        return _account(session, row)


def is_new(session: Session) -> bool:
    """Return whether nobody has an account yet: the server was never started on this database."""
    return read(session, _EVERY.limit(1)).first() is None


def owner_is_guessed(session: Session) -> bool:
    """Return whether the owner's password is a well-known one; takes as long as hashing each of them."""
    row = read(session, _NAMED, name=OWNER).first()
    return row is not None and any(fits(row.password_hash, guess) for guess in WELL_KNOWN)


def find_account(session: Session, *, name: str) -> Account | None:
    """Return an account as it is now, None where there is none of that name."""
    row = read(session, _NAMED, name=name).first()
    return _account(session, row) if row else None


def present(session: Session, *, name: str, version: int, key: str) -> Account | None:
    """Return the open account that a sign-in was made for, None where it was ended or something newer is signed."""
    row = read(session, _PRESENT, name=name, signed=version, key=key).first()
    account = _account(session, row) if row else None
    return account if account and account.state == "active" else None


def end_sign_in(session: Session, *, key: str, moment: datetime, until: datetime) -> None:
    """End one sign-in, which would be good `until` then by itself."""
    forget_ended(session, moment=moment)
    write(session, delete(_ENDED).where(_ENDED.c.key == key))
    write(session, insert(_ENDED), key=key, until=until)


def forget_ended(session: Session, *, moment: datetime) -> None:
    """Forget the sign-ins that would have ended by themselves."""
    write(session, _FORGET, moment=moment)


def end_sign_ins(session: Session, *, name: str) -> Account:
    """End every sign-in to an account, and with them its links; raises UnknownName."""
    return _changed(session, _locked(session, name))


def list_accounts(session: Session) -> list[Account]:
    """Return every account, the oldest first."""
    return [_account(session, row) for row in read(session, _ALL)]


def signed_in(session: Session, *, name: str, password: str) -> Account | None:
    """Return the open account with that password, None for nobody; whatever is wrong takes the same time to refuse."""
    row = read(session, _NAMED, name=name).first()
    right = fits(row.password_hash if row else "", password) and len(password) <= LONGEST_PASSWORD
    return _account(session, row) if row and right and not row.disabled else None


def add_account(session: Session, *, name: str, role: Role) -> Account:
    """Store an account without a password, which nobody can sign in to yet; raises BadSetting."""
    if not NAMES.fullmatch(name):
        raise BadSetting(f"{name!r} cannot be the name of an account; it has {NAMES_ARE}")
    if find_account(session, name=name):
        raise BadSetting(f"there is an account {name!r} already; choose another name")
    add(session, AccountRow(name=name, password_hash="", role=known_role(role)))
    return _account(session, read(session, _NAMED, name=name).one())


def set_password(session: Session, *, name: str, version: int, password: str) -> Account:
    """Give the account of that version a password; raises StaleKey, WeakPassword."""
    row = _locked(session, name)
    if row.version != version or row.disabled:
        raise StaleKey("this has been used already, or something newer has taken its place; ask for a new link")
    return _changed(session, row, password_hash=hashed(checked_password(password, name=name)))


def take_password(session: Session, *, name: str) -> Account:
    """Take the password of an account away, and with it every sign-in and link; raises UnknownName, BadSetting."""
    row = _locked(session, name)
    if row.disabled:
        raise BadSetting(f"the account {name!r} is deactivated; reactivate it first")
    return _changed(session, row, password_hash="")


def change_role(session: Session, *, name: str, role: Role) -> Account:
    """Let an account do more, or less, an owner with all studies; raises UnknownName, BadSetting for the last owner."""
    row = _locked(session, name)
    if row.role == known_role(role):
        return _account(session, row)
    _keep_an_owner(session, row)
    return _changed(session, row, role=role, limited=row.limited and role != OWNER)


def set_studies(session: Session, *, name: str, studies: Sequence[str] | None) -> Account:
    """Let an account reach these studies alone, None: all; whoever is signed in to it stays so.

    Raises UnknownName, and BadSetting for an owner.
    """
    row = _locked(session, name)
    if row.role == OWNER and studies is not None:
        raise BadSetting(f"{name!r} is an owner, who reaches all studies; change the role first")
    keys = {get_study(session, name=each).id for each in studies or ()}
    write(session, delete(ACCOUNT_STUDY).where(ACCOUNT_STUDY.c.account_id == row.id))
    for key in keys:
        add(session, AccountStudyRow(account_id=row.id, study_id=key))
    write(session, update(_ACCOUNT).where(_ACCOUNT.c.id == row.id).values(limited=studies is not None))
    return _account(session, read(session, _NAMED, name=name).one())


def set_shut(session: Session, *, name: str, shut: bool) -> Account:
    """Deactivate an account, or reactivate it; raises UnknownName, and BadSetting for the last owner."""
    row = _locked(session, name)
    if row.disabled == shut:
        return _account(session, row)
    _keep_an_owner(session, row)
    return _changed(session, row, disabled=shut)


def known_role(role: str) -> Role:
    """Return the role of that name; raises UnknownName."""
    if role not in ROLES:
        raise UnknownName("role", role, ROLES)
    return role


def _locked(session: Session, name: str) -> Row:
    """Return the row of an account; every change waits for its turn, so that two cannot both leave no owner."""
    return look_up("account", name, {row.name: row for row in read(session, _EVERY.with_for_update())})


def _keep_an_owner(session: Session, leaving: Row) -> None:
    """Raise BadSetting where no other owner who can sign in would be left."""
    owners = _EVERY.where(_ACCOUNT.c.role == OWNER, _ACCOUNT.c.name != leaving.name)
    others = [row for row in read(session, owners) if _account(session, row).state == "active"]
    if _account(session, leaving).may(OWNER) and not others:
        raise BadSetting(f"{leaving.name!r} is the last owner who can sign in; make another account an owner first")


def _changed(session: Session, row: Row, **values: object) -> Account:
    this = update(_ACCOUNT).where(_ACCOUNT.c.id == row.id)
    write(session, this.values(version=_ACCOUNT.c.version + 1, **values))
    return _account(session, read(session, _NAMED, name=row.name).one())


def _account(session: Session, row: Row) -> Account:
    state: State = "shut" if row.disabled else "active" if row.password_hash else "invited"
    studies = tuple(read(session, _STUDIES, account=row.id).scalars()) if row.limited else None
    return Account(row.name, cast(Role, row.role), row.version, state, row.created_at, studies, row.id)


MOST = 100_000  # sources that are counted at a time; of more, those that came first are forgotten

_FAILURE = table_of(FailureRow)
_PAST_FAILURES = delete(_FAILURE).where(_FAILURE.c.until <= bindparam("moment"))
_BEYOND = delete(_FAILURE).where(
    _FAILURE.c.id <= select(func.max(_FAILURE.c.id)).scalar_subquery() - bindparam("most", type_=_FAILURE.c.id.type)
)
# In one statement: two servers that count at once both count, and each knows the sum.
_COUNT = text(
    "INSERT INTO failure (source, number, until) VALUES (:source, 1, :until) "
    "ON CONFLICT (source) DO UPDATE SET number = failure.number + 1 RETURNING number"
).bindparams(bindparam("until", type_=_FAILURE.c.until.type))
_FORGIVE = update(_FAILURE).where(_FAILURE.c.source == bindparam("known")).values(number=_FAILURE.c.number - 1)


_KNOWN = select(_FAILURE.c.source, _FAILURE.c.number).where(_FAILURE.c.until > bindparam("moment"))


class TooOften(Exception):
    """One of the sources has failed as often as it may; raised to keep nothing of the attempt."""


def count_attempt(
    session: Session, *, limits: Mapping[str, int | None], moment: datetime, until: datetime
) -> dict[str, int]:
    """Count an attempt as failed for each of the sources until it is forgiven; return how many each of them has now.

    `limits` says how many each source may have at a time, None for as many as it likes. A source is counted from its
    first failure to the `until` of that. Raises TooOften, upon which the transaction is to be given up.
    """
    forget_failures(session, moment=moment)
    counted = {}
    for source, most in limits.items():
        counted[source] = int(write(session, _COUNT, source=source, until=until).scalar_one())
        if most is not None and counted[source] > most:
            raise TooOften(source)
    write(session, _BEYOND, most=MOST)
    return counted


def has_failed(session: Session, *, limits: Mapping[str, int | None], moment: datetime) -> bool:
    """Return whether one of the sources has failed as often as it may: who goes on guessing costs no more than this."""
    known = read(session, _KNOWN.where(_FAILURE.c.source.in_(list(limits))), moment=moment)
    return any(number >= most for source, number in known if (most := limits[source]) is not None)


def forgive(session: Session, *, sources: Sequence[str]) -> None:
    """Take the last attempt of these sources back: it was none of a guesser. Those before it stay counted."""
    for source in sources:
        write(session, _FORGIVE, known=source)


def forget_failures(session: Session, *, moment: datetime) -> None:
    """Forget what is counted no longer."""
    write(session, _PAST_FAILURES, moment=moment)
