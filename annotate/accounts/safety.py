"""Checks before the server is opened to others: secrets must be set, and none may be easy to guess."""

from annotate.accounts.proxies import Proxies
from data.errors import BadSetting
from db.accounts import WeakPassword, checked_password, owner_is_guessed
from db.engine import Database, reading
from db.settings import Settings


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
