"""Signed cookies and links: who somebody is, and the secret that signs it."""

import hashlib
import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from data.errors import BadSetting
from db.settings import Settings

WORKER_COOKIE_DAYS, SIGN_IN_HOURS, ACCOUNT_KEY_HOURS, KNOWN_DAYS = 90, 12, 72, 180
SHORTEST_SECRET = 32


@dataclass(frozen=True)
class Invitation:
    """Somebody who has opened an invitation and not agreed yet. `person`, a digest, says who comes back as whom.

    `signed`: the link was made by this program for that very person.
    """

    study: str
    person: str
    language: str
    signed: bool = False


@dataclass(frozen=True)
class SignIn:
    """A sign-in to an account as it was in that version; `key` tells it from the others, so that it can be ended."""

    account: str
    version: int
    key: str


@dataclass(frozen=True)
class Signer:
    """Signs what a browser brings back to us. One secret, one salt for each purpose."""

    secret: str

    def invitation(self, study: str) -> str:
        """Return the key of a study's invitation link."""
        return self._digest("invitation", study)

    def invited(self, study: str, key: str) -> bool:
        """Return whether `key` is that of the study's invitation link."""
        return _same(self.invitation(study), key)

    def personal_key(self, study: str, person: str) -> str:
        """Return the key of the invitation link of one person, known to the requester by `person`; the key hides it."""
        known_as = self.digest_of("personal", person)
        return f"p.{known_as}.{self._digest('personal', f'{study}:{known_as}')}"

    def person(self, study: str, key: str) -> str | None:
        """Return the digest of the person whose own invitation `key` is, None where it is none."""
        known_as = key[2:].partition(".")[0]
        ours = f"p.{known_as}.{self._digest('personal', f'{study}:{known_as}')}"
        return f"p.{known_as}" if _same(ours, key) else None

    def signature(self, study: str, parameter: str, value: str) -> str:
        """Return the signature of an invitation link for the person of that id, as the parameter tells it."""
        return self.digest_once("id", f"{study}:{parameter}:{value}")

    def signs(self, signature: str, study: str, parameter: str, value: str) -> bool:
        """Return whether that is the signature of such a link."""
        return _same(self.signature(study, parameter, value), signature)

    def return_key(self, study: str, enrolment: int) -> str:
        """Return the key of the link that brings somebody back to an enrolment from any device."""
        return f"r.{enrolment}.{self._digest('return', f'{study}:{enrolment}')}"

    def returning(self, study: str, key: str) -> int | None:
        """Return the enrolment that a return link leads to, None where it is none."""
        number = key[2:].partition(".")[0]
        if not (number.isascii() and number.isdecimal() and len(number) < 16):
            return None
        return int(number) if _same(self.return_key(study, int(number)), key) else None

    def digest_of(self, source: str, value: str) -> str:
        """Return what we keep of a person's id elsewhere; without this installation's secret nobody can guess it."""
        return self._digest("external", f"{source}:{value}")

    def invitation_cookie(self, invitation: Invitation) -> str:
        """Return the cookie value of a browser that has opened an invitation and not agreed yet."""
        signed = [invitation.study, invitation.person, invitation.language, invitation.signed]
        return URLSafeSerializer(self.secret, salt="invited").dumps(signed)

    def invitation_of(self, cookie: str | None) -> Invitation | None:
        """Return the invitation a cookie stands for, None for a forged one and one of somebody enrolled."""
        try:
            return Invitation(*URLSafeSerializer(self.secret, salt="invited").loads(cookie or ""))
        except BadSignature:
            return None

    def worker_cookie(self, enrolment: int) -> str:
        """Return the cookie value that makes a browser this enrolment's."""
        return URLSafeSerializer(self.secret, salt="worker").dumps(enrolment)

    def enrolment(self, cookie: str | None) -> int | None:
        """Return the enrolment a worker's cookie stands for, None for a forged one."""
        return _enrolment(self.secret, cookie or "")

    def sign_in_cookie(self, account: str, version: int = 0) -> str:
        """Return the cookie value of a new sign-in to an account of that version."""
        signed = [account, version, secrets.token_urlsafe(12)]
        return URLSafeTimedSerializer(self.secret, salt="staff").dumps(signed)

    def sign_in(self, cookie: str | None) -> SignIn | None:
        """Return the sign-in a staff cookie stands for, None for a forged or old one."""
        match self._timed("staff", cookie, SIGN_IN_HOURS):
            case [str(account), int(version), str(key)]:
                return SignIn(account, version, key)
        return None

    def known_cookie(self, account: str) -> str:
        """Return the cookie value of a browser that has just been signed in to an account. It opens nothing."""
        return URLSafeTimedSerializer(self.secret, salt="known").dumps([account, secrets.token_urlsafe(12)])

    def known_browser(self, cookie: str | None, account: str) -> str:
        """Return the key of a browser that was signed in to that very account before, "" for any other."""
        match self._timed("known", cookie, 24 * KNOWN_DAYS):
            case [str(name), str(key)] if name == account:
                return key
        return ""

    def account_key(self, account: str, version: int) -> str:
        """Return the key of the link by which somebody gives the account of that version a password, once."""
        return URLSafeTimedSerializer(self.secret, salt="account").dumps([account, version])

    def account_of(self, key: str) -> tuple[str, int] | None:
        """Return the account and the version such a link is for, None for a forged or old one."""
        match self._timed("account", key, ACCOUNT_KEY_HOURS):
            case [str(name), int(version)]:
                return name, version
        return None

    def _timed(self, purpose: str, signed: str | None, hours: int) -> object:
        """Return what was signed for that purpose so many hours ago at most, None for anything else."""
        try:
            return URLSafeTimedSerializer(self.secret, salt=purpose).loads(signed or "", max_age=hours * 3600)
        except BadSignature:
            return None

    def token(self, enrolment: int, place: int) -> str:
        """Return the opaque name of a lease; it says nothing of the item but that it is the worker's `place`-th."""
        return f"{place}.{self._digest('lease', f'{enrolment}:{place}')}"

    def place(self, enrolment: int, token: str) -> int | None:
        """Return the place a lease's token stands for, None when it is not this worker's."""
        number = token.split(".", 1)[0]
        if not (number.isascii() and number.isdecimal() and len(number) < 9):
            return None
        return int(number) if _same(self.token(enrolment, int(number)), token) else None

    def digest_once(self, purpose: str, value: str) -> str:
        """Return a digest of what may be anything and is hardly asked for again: it is not kept in memory."""
        return _digested(self.secret, f"{purpose}:{value}")

    def chance(self, purpose: str, *of: str | int) -> Random:
        """Return draws that follow from this installation's secret, the purpose and what they are drawn for, `of`.

        Nobody without the secret can foretell them; the same installation draws the same again.
        """
        drawn_for = ":".join(map(str, ("chance", purpose, *of)))
        return Random(hmac.digest(self.secret.encode(), drawn_for.encode(), "sha256"))

    def _digest(self, purpose: str, value: str) -> str:
        return _signed(self.secret, f"{purpose}:{value}")


@lru_cache(maxsize=10_000)  # the name of a lease is asked for when it is given out and when it comes back
def _signed(secret: str, value: str) -> str:
    return _digested(secret, value)


def _digested(secret: str, value: str) -> str:
    raw = hmac.digest(secret.encode(), value.encode(), "sha256")
    return urlsafe_b64encode(raw[:18]).decode()


@lru_cache(maxsize=10_000)  # a worker's cookie stays the same, and comes with every request
def _enrolment(secret: str, cookie: str) -> int | None:
    try:
        value = URLSafeSerializer(secret, salt="worker").loads(cookie)
    except BadSignature:
        return None
    return value if isinstance(value, int) else None


def _same(ours: str, theirs: str) -> bool:
    """Compare in constant time; what a browser sends may hold any character."""
    return hmac.compare_digest(ours.encode(), theirs.encode("utf8", "replace"))


def worker_cookie_name(study: str) -> str:
    """Return the name of the cookie that holds a worker's place in a study."""
    return f"etalon_{hashlib.sha256(study.encode()).hexdigest()[:12]}"


def secret_of(settings: Settings) -> str:
    """Return what this installation signs with; raises BadSetting."""
    return installation_secret(settings.home, settings.secret.get_secret_value() if settings.secret else None)


def installation_secret(home: Path, chosen: str | None = None) -> str:
    """Return what everything is signed with; raises BadSetting where it is too short to keep anything.

    `chosen` is what several servers share (ETALON_SECRET). Without it the secret is made at the first start and kept in
    a file that only its owner can read; servers that share the folder share it.
    """
    if chosen is None:
        path = home / "secret"
        try:
            if not path.exists():
                _make_secret(path)
            secret, where = path.read_text("ascii", "replace").strip(), str(path)
        except OSError as error:
            advice = "ETALON_HOME must be a folder that this program may write to"
            raise BadSetting(f"{path} can neither be read nor made ({error.strerror}); {advice}") from error
    else:
        secret, where = chosen.strip(), "ETALON_SECRET"
    if len(secret) < SHORTEST_SECRET or len(set(secret)) < 8:
        advice = "python -c 'import secrets; print(secrets.token_urlsafe(48))' makes one"
        raise BadSetting(f"{where} holds no secret of {SHORTEST_SECRET} random characters or more; {advice}")
    return secret


def _make_secret(path: Path) -> None:
    """Write a new secret; of two servers that start at once both end up with the same, and never with half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mine = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    with os.fdopen(os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secrets.token_urlsafe(48))
    with suppress(FileExistsError):
        os.link(mine, path)
    mine.unlink()
