"""The owner's way to the accounts: who is there, inviting, roles, one-time links for a password, deactivating."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.accounts.signer import Signer
from data.errors import BadSetting
from data.tables import Column, Table
from db import accounts
from db.accounts import Account, AccountEvent, AccountEventKind, Role
from db.clock import Clock, now
from db.engine import Database, Session, reading, writing
from db.studies import list_studies


def studies_in_words(studies: Sequence[str] | None) -> str:
    """Return for which studies a role is."""
    return "all" if studies is None else ", ".join(studies) or "none"


ACCOUNTS: tuple[Column[Account], ...] = (
    Column("name", "name", "", lambda account: account.name),
    Column("role", "role", "", lambda account: account.role, style="start"),
    Column("studies", "studies", "", lambda account: account.studies, studies_in_words, style="start why"),
    Column("state", "state", "", lambda account: account.state, style="start"),
    Column("since", "since", "", lambda account: account.created_at, "{:%Y-%m-%d}".format, ("text", "page")),
)


def account_table(listed: Sequence[Account], form: str) -> Table[Account]:
    """Return who may sign in, and as what."""
    return Table("Accounts, the oldest first", ACCOUNTS, listed).within(form)


@dataclass(frozen=True)
class Register:
    """What owners can do; `address` is where people find this server, without a final slash.

    Whatever changes an account is written down with `who` did it: an account, or "" for a command on the server.
    """

    database: Database
    signer: Signer
    address: str
    clock: Clock = now

    def accounts(self) -> list[Account]:
        """Return every account, the oldest first."""
        with reading(self.database) as session:
            return accounts.list_accounts(session)

    def studies(self) -> list[str]:
        """Return the names of all studies, the newest first."""
        with reading(self.database) as session:
            return [study.name for study in list_studies(session)]

    def events(self) -> list[AccountEvent]:
        """Return what was done to accounts, the newest first."""
        with reading(self.database) as session:
            return accounts.list_account_events(session)

    def invite(self, name: str, role: str, *, studies: Sequence[str] | None = None, who: str = "") -> str:
        """Make an account, for these studies alone where any are given, and return the link for its password.

        Raises BadSetting, UnknownName.
        """
        with writing(self.database) as session:
            made = accounts.add_account(session, name=name.strip().lower(), role=accounts.known_role(role))
            if studies is not None:
                made = accounts.set_studies(session, name=made.name, studies=studies)
            only = "" if studies is None else f", studies: {studies_in_words(made.studies)}"
            self._written(session, made, "invited", who, f"as {made.role}{only}")
            return self._link(made)

    def reset(self, name: str, *, who: str = "") -> str:
        """Take a password away and return the link by which a new one is chosen; raises UnknownName, BadSetting.

        Whoever is signed in to the account is out at once, and links made before do not work any more.
        """
        if name == who:
            raise BadSetting("you are signed in to this account; change its password under Account, above")
        with writing(self.database) as session:
            made = accounts.take_password(session, name=name)
            self._written(session, made, "reset", who)
            return self._link(made)

    def set_role(self, name: str, role: Role, *, who: str = "") -> Account:
        """Let an account do more, or less; raises UnknownName, and BadSetting for the last owner."""
        with writing(self.database) as session:
            before = accounts.find_account(session, name=name)
            made = accounts.change_role(session, name=name, role=role)
            if before and before.role != made.role:
                self._written(session, made, "role", who, f"{before.role} → {made.role}")
            return made

    def set_studies(self, name: str, studies: Sequence[str] | None, *, who: str = "") -> Account:
        """Let an account reach these studies alone, None: all; raises UnknownName, and BadSetting for an owner."""
        with writing(self.database) as session:
            before = accounts.find_account(session, name=name)
            made = accounts.set_studies(session, name=name, studies=studies)
            if before and before.studies != made.studies:
                note = f"{studies_in_words(before.studies)} → {studies_in_words(made.studies)}"
                self._written(session, made, "studies", who, note)
            return made

    def set_shut(self, name: str, shut: bool, *, who: str = "") -> Account:
        """Deactivate an account, or reactivate it; raises UnknownName, and BadSetting for the last owner."""
        with writing(self.database) as session:
            before = accounts.find_account(session, name=name)
            made = accounts.set_shut(session, name=name, shut=shut)
            if before and before.version != made.version:
                self._written(session, made, "shut" if shut else "opened", who)
            return made

    def _written(self, session: Session, made: Account, kind: AccountEventKind, who: str, note: str = "") -> None:
        accounts.add_account_event(session, account=made.name, kind=kind, who=who, moment=self.clock(), note=note)

    def _link(self, account: Account) -> str:
        return f"{self.address}/account/new/{self.signer.account_key(account.name, account.version)}"
