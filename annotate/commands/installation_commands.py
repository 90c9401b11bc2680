"""Commands about the whole installation: its backup, and its secret."""

import sqlite3
from pathlib import Path
from typing import Annotated

import typer

from annotate import backup as backups
from annotate.accounts import installation_secret
from data.console import print_text, tell
from data.errors import BadSetting
from db.engine import opened
from db.settings import Settings


def backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="A new folder, or a new file that ends in .tar.gz.")],
) -> None:
    """Write the database, the secret and the uploads to a folder or an archive while people answer, and check it."""
    try:
        rows = backups.back_up(Settings(), to)
    except (OSError, sqlite3.OperationalError) as error:
        raise BadSetting(
            f"no backup was written ({error}); {to} needs a folder with room, and the secret its file"
        ) from error
    tell(f"{to}: {sum(rows.values())} rows of {len(rows)} tables, read again and found whole. Keep it as a secret.")


def restore_backup(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="What `backup` wrote.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a database that has studies.")] = False,
) -> None:
    """Overwrite this installation with a backup, after all its servers were stopped."""
    forgotten = backups.restore(Settings(), source, force=force)
    tell(f"{source} is restored; {forgotten} people of the list of erasures are forgotten again. Start the servers.")


def rotate_secret(
    lost: Annotated[
        bool, typer.Option("--lost", help="The old one is gone for good: everybody loses place and links.")
    ] = False,
) -> None:
    """Make a new secret; what the old one signed is taken for 90 days, and cookies are signed anew when they come."""
    settings = Settings()
    with opened(settings.database) as database:
        if lost:
            installation_secret.lost(database, settings)
            tell("The secret that is here is the database's from now on. Start the servers again, send new links.")
        elif settings.secret is None:
            installation_secret.rotated(database, settings)
            tell(f"{settings.home / 'secret'} is new. Start the servers again; links sent before work for 90 days.")
        else:
            print_text(f"ETALON_SECRET='{installation_secret.rotated(database, settings)}'")
            tell("Give this to every server and start them again; after 90 days leave the first word alone.")
