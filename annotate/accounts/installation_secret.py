"""The installation's secret: where it is kept, that it is the one of the database, and how it is made another one.

A secret stands alone, or before those that it replaces: `NEW OLD 2027-02-22` signs with NEW and takes what was signed
with OLD until that day.
"""

import os
import secrets
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from annotate.accounts.proxies import Proxies
from annotate.accounts.signer import WORKER_COOKIE_DAYS, Signer
from data.errors import BadSetting
from db.accounts import WeakPassword, checked_password, owner_is_guessed
from db.clock import now
from db.engine import Database, alone, reading, writing
from db.installation import get_installation, sealed, store_installation, was_used
from db.settings import Settings

SHORTEST_SECRET = 32
ANOTHER = (
    "{} is not the secret of this database: with it everybody would lose their places, and links would open nothing. "
    "Put back the one that was there (a backup holds the file); if it is lost for good, run `python app.py "
    "rotate-secret --lost`"
)


def signer_of(database: Database, settings: Settings) -> Signer:
    """Return what this installation signs with; raises BadSetting where its secret is not the database's.

    What chance draws and the digests of people follow from a drawing key that stays when the secret is another one. It
    is in the database, masked with the secret: nobody learns it there. The first start makes it; where a database is
    older than that, it is the secret of then, so that running studies see no change.
    """
    with reading(database) as session:
        known = get_installation(session)
    with alone(database):
        current, earlier = installation_secrets(settings, make=known is None)
        if known is None:
            with writing(database) as session:
                known = get_installation(session)  # another server may have been there first
                if known is None:
                    key = current if was_used(session) else secrets.token_urlsafe(48)
                    store_installation(session, known := sealed(current, key))
        secret = known.secret_among([current, *earlier])
        if secret is None:
            raise BadSetting(ANOTHER.format(where(settings)))
        key = known.opened(secret)
        if secret != current:
            with writing(database) as session:
                store_installation(session, sealed(current, key, known.epoch))
    today = now().date()
    return Signer(current, tuple(old for old, until in earlier.items() if until >= today), key, known.epoch)


def rotated(database: Database, settings: Settings) -> str:
    """Make a new secret, and return what it is to be with the ones before it, which are taken for a while.

    It is written and used where the secret is a file; ETALON_SECRET is for people to change.
    """
    signer_of(database, settings)  # raises where the present one is not the database's
    current, earlier = installation_secrets(settings)
    if len(current.split()) > 1:
        raise BadSetting(f"{where(settings)} has spaces, so none can stand before it; only --lost makes another one")
    until = now().date() + timedelta(days=WORKER_COOKIE_DAYS)
    kept = {current: until, **{old: day for old, day in earlier.items() if day >= now().date()}}
    text = "\n".join([secrets.token_urlsafe(48), *(f"{old} {day}" for old, day in kept.items())])
    if settings.secret is None:
        write_secret(settings.home / "secret", text)
        signer_of(database, settings)
    return text.replace("\n", " ")


def lost(database: Database, settings: Settings) -> None:
    """Take the secret that is there, or a new one, though the database knows another: what that one signed is lost."""
    current, _ = installation_secrets(settings)
    with writing(database) as session:
        store_installation(session, sealed(current, secrets.token_urlsafe(48), secrets.token_hex(4)))


def begin_epoch(database: Database, settings: Settings) -> None:
    """Let leases, sign-ins and cookies without a nonce of the time before be worth nothing any more."""
    signer_of(database, settings)
    with writing(database) as session:
        known = get_installation(session)
        if known is not None:
            store_installation(session, replace(known, epoch=secrets.token_hex(4)))


def where(settings: Settings) -> str:
    """Return where the secret stands, as it is told to people."""
    return "ETALON_SECRET" if settings.secret is not None else str(settings.home / "secret")


def installation_secrets(settings: Settings, *, make: bool = True) -> tuple[str, dict[str, date]]:
    """Return what everything is signed with, and the secrets before it with the last day on which each is taken.

    Several servers share one (ETALON_SECRET). Without that it is made at the first start and kept in a file that only
    its owner can read; servers that share the folder share it. Raises BadSetting where it is too short to keep
    anything, or is not there and not to be made.
    """
    if settings.secret is not None:
        text = settings.secret.get_secret_value()
    else:
        path = settings.home / "secret"
        if not path.exists():
            if not make:
                raise BadSetting(f"{path} is missing. " + ANOTHER.format("A new secret"))
            _make_secret(path)
        text = path.read_text("ascii", "replace")
    current, earlier = split_secret(text)
    if len(current) < SHORTEST_SECRET or len(set(current)) < 8:
        advice = "python -c 'import secrets; print(secrets.token_urlsafe(48))' makes one"
        raise BadSetting(f"{where(settings)} holds no secret of {SHORTEST_SECRET} random characters or more; {advice}")
    return current, earlier


def split_secret(text: str) -> tuple[str, dict[str, date]]:
    """Return a secret, and those that it replaces with their last days; a passphrase may have spaces."""
    current, *pairs = text.split() or [""]
    with suppress(ValueError):
        return current, {old: date.fromisoformat(day) for old, day in zip(pairs[::2], pairs[1::2], strict=True)}
    return text.strip(), {}


def write_secret(path: Path, text: str) -> None:
    """Replace a file of the secret by another that only its owner can read, never by half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _written_beside(path, text).replace(path)


def _make_secret(path: Path) -> None:
    """Write a new secret; of two servers that start at once both end up with the same, and never with half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = _written_beside(path, secrets.token_urlsafe(48))
    with suppress(FileExistsError):
        os.link(mine, path)
    mine.unlink()


def _written_beside(path: Path, text: str) -> Path:
    mine = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    return mine


def refuse_open_doors(settings: Settings) -> None:
    """Raise BadSetting where others may reach the server and the owner's password in the settings is easily guessed.

    So does a proxy that is not named by its address.
    """
    Proxies.of(settings.proxies)
    chosen = settings.owner_password.get_secret_value() if settings.owner_password else None
    if settings.framed and not chosen:
        raise BadSetting("a Space needs the owner's password: add the secret ETALON_OWNER_PASSWORD in its settings")
    if chosen is None or not settings.exposed:
        return
    try:
        checked_password(chosen, name="owner")
    except WeakPassword as error:
        raise BadSetting(f"ETALON_OWNER_PASSWORD: others may reach this server, and {error}") from error


def refuse_a_guessed_owner(database: Database, settings: Settings) -> None:
    """Raise BadSetting where others may reach the server and the owner's stored password is a well-known one."""
    if not settings.exposed:
        return
    with reading(database) as session:
        guessed = owner_is_guessed(session)
    if guessed:
        advice = "set another one in ETALON_OWNER_PASSWORD"
        raise BadSetting(f"others may reach this server, and the owner's password is well known; {advice}")
