"""Commands about accounts: who may sign in, as what, and links for a first or a new password."""

from typing import Annotated

import typer

from annotate.accounts.installation_secret import signer_of
from annotate.accounts.register import Register, account_table, studies_in_words
from annotate.accounts.signer import ACCOUNT_KEY_HOURS
from data.commands.options import JSON
from data.console import print_json, print_text, tell
from data.tables import text_table
from db.accounts import known_role
from db.engine import opened
from db.settings import Settings

Studies = Annotated[
    list[str] | None, typer.Option("--study", metavar="STUDY", help="Only this study; may be given several times.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The account's name.")]
ONCE = f"It works once and for {ACCOUNT_KEY_HOURS} hours."


def accounts(as_json: JSON = False) -> None:
    """List who may sign in to the requesters' pages."""
    settings = Settings()
    with opened(settings.database) as database:
        registered = Register(database, signer_of(database, settings), settings.address).accounts()
    if as_json:
        print_json({"accounts": account_table(registered, "json").records})
    else:
        print_text(
            text_table(account_table(registered, "text"))
            if registered
            else "no accounts yet; the first start makes one"
        )


def invite(
    name: Name,
    role: Annotated[str, typer.Option(metavar="viewer|manager|owner", help="What it may do.")] = "viewer",
    study: Studies = None,
) -> None:
    """Make an account and print the one-time link by which its person chooses a password."""
    settings = Settings()
    with opened(settings.database) as database:
        link = Register(database, signer_of(database, settings), settings.address).invite(name, role, studies=study)
    print_text(link)
    tell(f"Send this link to {name.strip().lower()}. {ONCE}")


def reset(name: Name) -> None:
    """Remove an account's password and print a one-time link for choosing a new one."""
    settings = Settings()
    with opened(settings.database) as database:
        link = Register(database, signer_of(database, settings), settings.address).reset(name)
    print_text(link)
    tell(f"{name} is signed out everywhere. Send the link to its person. {ONCE}")


def role(
    name: Name,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="viewer, manager or owner.")],
    study: Studies = None,
    all_studies: Annotated[bool, typer.Option("--all-studies", help="All studies again.")] = False,
) -> None:
    """Change an account's role or studies."""
    settings = Settings()
    with opened(settings.database) as database:
        register = Register(database, signer_of(database, settings), settings.address)
        made = register.set_role(name, known_role(role))
        if study or all_studies:
            made = register.set_studies(name, None if all_studies else study)
    tell(f"{made.name} is {made.role} from now on; studies: {studies_in_words(made.studies)}")
