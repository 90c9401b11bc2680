"""The owner's way to the accounts: who is there, inviting, roles, one-time links for a password, shutting."""

from dataclasses import dataclass

from annotate.access import Signer
from data.errors import BadSetting
from db.accounts import Account, Role, add_account, change_role, known_role, list_accounts, set_shut, take_password
from db.engine import Database, reading, writing


@dataclass(frozen=True)
class Register:
    """What owners can do; `address` is where people find this server, without a final slash."""

    database: Database
    signer: Signer
    address: str

    def accounts(self) -> list[Account]:
        """Return every account, the oldest first."""
        with reading(self.database) as session:
            return list_accounts(session)

    def invite(self, name: str, role: str) -> str:
        """Make an account and return the link by which its person chooses a password; raises BadSetting."""
        with writing(self.database) as session:
            return self._link(add_account(session, name=name.strip().lower(), role=known_role(role)))

    def reset(self, name: str, *, who: str = "") -> str:
        """Take a password away and return the link by which a new one is chosen; raises UnknownName, BadSetting.

        Whoever is signed in to the account is out at once, and links made before do not work any more. `who` asks.
        """
        if name == who:
            raise BadSetting("you are signed in to this account; change its password under Account, above")
        with writing(self.database) as session:
            return self._link(take_password(session, name=name))

    def set_role(self, name: str, role: Role) -> Account:
        """Let an account do more, or less; raises UnknownName, and BadSetting for the last owner."""
        with writing(self.database) as session:
            return change_role(session, name=name, role=role)

    def set_shut(self, name: str, shut: bool) -> Account:
        """Shut an account, or open it again; raises UnknownName, and BadSetting for the last owner."""
        with writing(self.database) as session:
            return set_shut(session, name=name, shut=shut)

    def _link(self, account: Account) -> str:
        return f"{self.address}/account/new/{self.signer.account_key(account.name, account.version)}"
