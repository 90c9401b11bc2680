"""Commands about the installation: who may sign in, its backup, and its secret."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from annotate import backup as backups
from annotate.accounts import installation_secret
from annotate.accounts.installation_secret import signer_of
from annotate.accounts.register import Register, account_table, studies_in_words
from annotate.accounts.signer import ACCOUNT_KEY_HOURS
from data.commands.options import JSON
from data.console import print_result, print_text, tell
from data.tables import text_table
from db.accounts import known_role
from db.engine import opened
from db.settings import Settings

Studies = Annotated[
    list[str] | None, typer.Option("--study", metavar="STUDY", help="Only this study; may be given several times.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]
ONCE = f"It works once and for {ACCOUNT_KEY_HOURS} hours."


@contextmanager
def _register() -> Iterator[Register]:
    settings = Settings()
    with opened(settings.database) as database:
        yield Register(database, signer_of(database, settings), settings.address)


def accounts(as_json: JSON = False) -> None:
    """List who may sign in to the requesters' pages."""
    with _register() as register:
        registered = register.accounts()
    nothing = "no accounts yet; the first start makes one"
    print_result(
        lambda: {"accounts": account_table(registered, "json").records},
        lambda: text_table(account_table(registered, "text")) if registered else nothing,
        as_json=as_json,
    )


def invite(
    name: Name,
    role: Annotated[str, typer.Option(metavar="viewer|manager|owner", help="What it may do.")] = "viewer",
    study: Studies = None,
) -> None:
    """Make an account and print the one-time link by which its person chooses a password."""
    with _register() as register:
        link = register.invite(name, role, studies=study)
    print_text(link)
    tell(f"Send this link to {name.strip().lower()}. {ONCE}")


def reset(name: Name) -> None:
    """Remove an account's password and print a one-time link for choosing a new one."""
    with _register() as register:
        link = register.reset(name)
    print_text(link)
    tell(f"{name} is signed out everywhere. Send the link to its person. {ONCE}")


def role(
    name: Name,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="viewer, manager or owner.")],
    study: Studies = None,
    all_studies: Annotated[bool, typer.Option("--all-studies", help="All studies again.")] = False,
) -> None:
    """Change an account's role or studies."""
    with _register() as register:
        made = register.set_role(name, known_role(role))
        if study or all_studies:
            made = register.set_studies(name, None if all_studies else study)
    tell(f"{made.name} is {made.role} from now on; studies: {studies_in_words(made.studies)}")


def backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="A new folder, or a new file that ends in .tar.gz.")],
) -> None:
    """Write the database, the secret and the uploads to a folder or an archive while people answer, and check it."""
    with backups.usable(to):
        rows = backups.back_up(Settings(), to)
    tell(f"{to}: {sum(rows.values())} rows of {len(rows)} tables, read again and found whole. Keep it as a secret.")


def restore_backup(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="What `backup` wrote.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a database that has studies.")] = False,
) -> None:
    """Overwrite this installation with a backup, after all its servers were stopped."""
    with backups.usable(source):
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
