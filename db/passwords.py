"""Passwords: kept as argon2 hashes, and which ones are too easily guessed."""

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from data.errors import BadSetting

SHORTEST_PASSWORD = 10
LONGEST_PASSWORD = 1_000  # characters; hashing more would only serve to keep the server busy
WELL_KNOWN = (
    "admin", "change-me", "changeme", "changeme123", "etalon", "letmein", "owner", "password", "password1",
    "password123", "passw0rd", "qwerty", "qwertyuiop", "secret", "12345678", "1234567890", "пароль", "йцукенгшщз",
)  # fmt: skip
_HASHER = PasswordHasher()


class WeakPassword(BadSetting):
    """A password that is too short, too long or among the first that are guessed."""


def hashed(password: str) -> str:
    """Return what is kept of a password."""
    return _HASHER.hash(password)


def fits(password_hash: str, password: str) -> bool:
    """Return whether a password is the one that was hashed; without a hash none is, and that takes as long."""
    try:
        return _HASHER.verify(password_hash or _unmatchable_hash(), password[:LONGEST_PASSWORD]) and bool(password_hash)
    except VerificationError:
        return False


def checked_password(password: str, *, name: str = "") -> str:
    """Return a password somebody has chosen; raises WeakPassword where it is too short, too long or well known."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise WeakPassword(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; choose another one")
    if is_well_known(password) or password.casefold() == name.casefold() or len(set(password)) < 4:
        raise WeakPassword("that password is among the first that are guessed; choose another one")
    return password


def is_well_known(password: str) -> bool:
    """Return whether a password is one of those that everybody tries first."""
    return password.strip().casefold() in WELL_KNOWN


def _unmatchable_hash() -> str:
    """Return a well-formed hash of the present strength that no password is known to fit."""
    h = _HASHER
    blank = "A" * 22, "A" * 43
    return f"$argon2id$v=19$m={h.memory_cost},t={h.time_cost},p={h.parallelism}${blank[0]}${blank[1]}"
