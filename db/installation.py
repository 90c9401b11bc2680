"""The installation as its database knows it: whether a secret is its own, and the key that chance is drawn with."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_hex

from sqlalchemy import insert, select, update

from db.engine import Session, read, write
from db.tables import STUDY, WORKER, InstallationRow, table_of

INSTALLATION = table_of(InstallationRow)
DIGEST = 32  # bytes


@dataclass(frozen=True)
class Installation:
    """The digest of a secret, and the drawing key as that secret hides it."""

    salt: str
    digest: str
    drawing_key: str
    epoch: str = ""

    def secret_among(self, candidates: Iterable[str]) -> str | None:
        """Return which of these secrets is this installation's, None where none is."""
        stored, hidden = bytes.fromhex(self.digest), len(self.drawing_key) // 2
        digests = ((one, _stretched(one, self.salt, hidden)[0]) for one in candidates)
        return next((one for one, digest in digests if hmac.compare_digest(digest, stored)), None)

    def opened(self, secret: str) -> str:
        """Return the drawing key; `secret` is this installation's."""
        return _masked(bytes.fromhex(self.drawing_key), secret, self.salt).decode()


def sealed(secret: str, drawing_key: str, epoch: str = "") -> Installation:
    """Return what a database may know of a secret and of the key that is hidden with it."""
    salt = token_hex(16)
    hidden = _masked(drawing_key.encode(), secret, salt)
    return Installation(salt, _stretched(secret, salt, len(hidden))[0].hex(), hidden.hex(), epoch)


def get_installation(session: Session) -> Installation | None:
    """Return what is known of the installation, None before its first start."""
    row = read(session, select(INSTALLATION)).first()
    return None if row is None else Installation(row.salt, row.digest, row.drawing_key, row.epoch)


def store_installation(session: Session, known: Installation) -> None:
    """Keep what is to be known from now on."""
    if not write(session, update(INSTALLATION).values(vars(known))).rowcount:
        write(session, insert(INSTALLATION).values(vars(known)))


def was_used(session: Session) -> bool:
    """Return whether anything was made in this database yet."""
    return any(read(session, select(table.c.id).limit(1)).first() for table in (STUDY, WORKER))


@lru_cache(maxsize=8)  # a start asks for the same bytes several times, and each time is meant to take long
def _stretched(secret: str, salt: str, length: int) -> tuple[bytes, bytes]:
    """Return the digest of a secret, the same for every length, and a mask of so many bytes."""
    stretched = hashlib.scrypt(secret.encode(), salt=salt.encode(), n=2**14, r=8, p=1, dklen=DIGEST + length)
    return stretched[:DIGEST], stretched[DIGEST:]


def _masked(text: bytes, secret: str, salt: str) -> bytes:
    """Hide a text, or show it again, by bytes that follow from secret and salt and hide nothing else."""
    _, mask = _stretched(secret, salt, len(text))
    return bytes(one ^ other for one, other in zip(text, mask, strict=True))
