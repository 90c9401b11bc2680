"""Signed cookies and links: who somebody is, and what is drawn by chance."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from db.tables import PlaceKey

WORKER_COOKIE_DAYS, SIGN_IN_HOURS, ACCOUNT_KEY_HOURS, KNOWN_DAYS = 90, 12, 72, 180


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
    """Signs what a browser brings back to us. One secret, one salt for each purpose.

    What was signed with one of the `earlier` secrets is taken too, and signed anew when it is seen. `drawing_key` stays
    when the secret is another one: with it chance is drawn and people are made digests of; the secret where none is
    given. `epoch` is another one after a restored backup: leases, sign-ins and passwords' links of before are worth
    nothing then, nor is a worker's cookie or return link that names no nonce, as they were made before nonces.
    """

    secret: str
    earlier: tuple[str, ...] = ()
    drawing_key: str = ""
    epoch: str = ""

    def invitation(self, study: str) -> str:
        """Return the key of a study's invitation link."""
        return self._digest("invitation", study)

    def invited(self, study: str, key: str) -> bool:
        """Return whether `key` is that of the study's invitation link."""
        return self._signed("invitation", study, key)

    def personal_key(self, study: str, person: str) -> str:
        """Return the key of the invitation link of one person, known to the requester by `person`; the key hides it."""
        known_as = self.digest_of("personal", person)
        return f"p.{known_as}.{self._digest('personal', f'{study}:{known_as}')}"

    def person(self, study: str, key: str) -> str | None:
        """Return the digest of the person whose own invitation `key` is, None where it is none."""
        match key.split("."):
            case ["p", known_as, signature] if self._signed("personal", f"{study}:{known_as}", signature):
                return f"p.{known_as}"
        return None

    def signature(self, study: str, parameter: str, value: str) -> str:
        """Return the signature of an invitation link for the person of that id, as the parameter tells it."""
        return _digested(self.secret, f"id:{study}:{parameter}:{value}")

    def signs(self, signature: str, study: str, parameter: str, value: str) -> bool:
        """Return whether that is the signature of such a link."""
        return self._signed("id", f"{study}:{parameter}:{value}", signature)

    def return_key(self, study: str, place: PlaceKey) -> str:
        """Return the key of the link that brings somebody back to an enrolment from any device."""
        return f"r.{place.id}.{place.nonce}.{self._digest('return', f'{study}:{place.id}:{place.nonce}')}"

    def returning(self, study: str, key: str) -> PlaceKey | None:
        """Return what a return link says of the enrolment that it leads to, None where it is none."""
        match key.split("."):
            case ["r", number, nonce, signature]:
                named = f"{number}:{nonce}"
            case ["r", number, signature] if not self.epoch:
                named, nonce = number, ""
            case _:
                return None
        if not (number.isascii() and number.isdecimal() and len(number) < 16):
            return None
        return PlaceKey(int(number), nonce) if self._signed("return", f"{study}:{named}", signature) else None

    def digest_of(self, source: str, value: str) -> str:
        """Return what we keep of a person's id elsewhere; without this installation's key nobody can guess it."""
        return _remembered_digest(self._key, f"external:{source}:{value}")

    def invitation_cookie(self, invitation: Invitation) -> str:
        """Return the cookie value of a browser that has opened an invitation and not agreed yet."""
        signed = [invitation.study, invitation.person, invitation.language, invitation.signed]
        return URLSafeSerializer(self._keys, salt="invited").dumps(signed)

    def invitation_of(self, cookie: str | None) -> Invitation | None:
        """Return the invitation a cookie stands for, None for a forged one and one of somebody enrolled."""
        try:
            return Invitation(*URLSafeSerializer(self._keys, salt="invited").loads(cookie or ""))
        except BadSignature:
            return None

    def worker_cookie(self, place: PlaceKey) -> str:
        """Return the cookie value that makes a browser this enrolment's."""
        return URLSafeSerializer(self.secret, salt="worker").dumps(place)

    def enrolment(self, cookie: str | None) -> PlaceKey | None:
        """Return what a worker's cookie says of whose it is, None for a forged one."""
        place = _place(self.secret, cookie or "") or _place(self.earlier, cookie or "")
        return place if place is not None and (place.nonce or not self.epoch) else None

    def is_current(self, cookie: str | None) -> bool:
        """Return whether a worker's cookie is as it would be signed now."""
        place = _place(self.secret, cookie or "")
        return place is not None and place.nonce != ""

    def sign_in_cookie(self, account: str, version: int = 0) -> str:
        """Return the cookie value of a new sign-in to an account of that version."""
        signed = [account, version, secrets.token_urlsafe(12)]
        return URLSafeTimedSerializer(self._keys, salt=f"staff{self.epoch}").dumps(signed)

    def sign_in(self, cookie: str | None) -> SignIn | None:
        """Return the sign-in a staff cookie stands for, None for a forged or old one."""
        match self._timed(f"staff{self.epoch}", cookie, SIGN_IN_HOURS):
            case [str(account), int(version), str(key)]:
                return SignIn(account, version, key)
        return None

    def known_cookie(self, account: str) -> str:
        """Return the cookie value of a browser that has just been signed in to an account. It opens nothing."""
        return URLSafeTimedSerializer(self._keys, salt="known").dumps([account, secrets.token_urlsafe(12)])

    def known_browser(self, cookie: str | None, account: str) -> str:
        """Return the key of a browser that was signed in to that very account before, "" for any other."""
        match self._timed("known", cookie, 24 * KNOWN_DAYS):
            case [str(name), str(key)] if name == account:
                return key
        return ""

    def account_key(self, account: str, version: int) -> str:
        """Return the key of the link by which somebody gives the account of that version a password, once."""
        return URLSafeTimedSerializer(self._keys, salt=f"account{self.epoch}").dumps([account, version])

    def account_of(self, key: str) -> tuple[str, int] | None:
        """Return the account and the version such a link is for, None for a forged or old one."""
        match self._timed(f"account{self.epoch}", key, ACCOUNT_KEY_HOURS):
            case [str(name), int(version)]:
                return name, version
        return None

    def _timed(self, purpose: str, signed: str | None, hours: int) -> object:
        """Return what was signed for that purpose so many hours ago at most, None for anything else."""
        try:
            return URLSafeTimedSerializer(self._keys, salt=purpose).loads(signed or "", max_age=hours * 3600)
        except BadSignature:
            return None

    def token(self, enrolment: int, place: int) -> str:
        """Return the opaque name of a lease; it says nothing of the item but that it is the worker's `place`-th."""
        return f"{place}.{self._digest(f'lease{self.epoch}', f'{enrolment}:{place}')}"

    def place(self, enrolment: int, token: str) -> int | None:
        """Return the place a lease's token stands for, None when it is not this worker's."""
        number, _, signature = token.partition(".")
        if not (number.isascii() and number.isdecimal() and len(number) < 9):
            return None
        named = f"{enrolment}:{int(number)}"
        return int(number) if self._signed(f"lease{self.epoch}", named, signature) else None

    def digest_once(self, purpose: str, value: str) -> str:
        """Return a digest of what may be anything and is hardly asked for again: it is not kept in memory."""
        return _digested(self._key, f"{purpose}:{value}")

    def chance(self, purpose: str, *of: str | int) -> Random:
        """Return draws that follow from this installation's key, the purpose and what they are drawn for, `of`.

        Nobody without the key can foretell them; the same installation draws the same again.
        """
        drawn_for = ":".join(map(str, ("chance", purpose, *of)))
        return Random(hmac.digest(self._key.encode(), drawn_for.encode(), "sha256"))

    @property
    def _key(self) -> str:
        return self.drawing_key or self.secret

    @property
    def _keys(self) -> list[str]:
        """The secrets that are taken; the last one signs."""
        return [*self.earlier, self.secret]

    def _digest(self, purpose: str, value: str) -> str:
        return _remembered_digest(self.secret, f"{purpose}:{value}")

    def _signed(self, purpose: str, value: str, signature: str) -> bool:
        """Return whether that signature is ours, by whichever secret."""
        ours = (_remembered_digest(secret, f"{purpose}:{value}") for secret in reversed(self._keys))
        theirs = signature.encode("utf8", "replace")  # what a browser sends may hold any character
        return any(hmac.compare_digest(digest.encode(), theirs) for digest in ours)


@lru_cache(maxsize=10_000)  # the name of a lease is asked for when it is given out and when it comes back
def _remembered_digest(secret: str, value: str) -> str:
    return _digested(secret, value)


def _digested(secret: str, value: str) -> str:
    raw = hmac.digest(secret.encode(), value.encode(), "sha256")
    return urlsafe_b64encode(raw[:18]).decode()


@lru_cache(maxsize=10_000)  # a worker's cookie stays the same, and comes with every request
def _place(secret: str | tuple[str, ...], cookie: str) -> PlaceKey | None:
    try:
        match secret and URLSafeSerializer(secret, salt="worker").loads(cookie):
            case [int(number), str(nonce)] if nonce:
                return PlaceKey(number, nonce)
            case int(number):
                return PlaceKey(number, "")
    except BadSignature:
        pass
    return None


def worker_cookie_name(study: str) -> str:
    """Return the name of the cookie that holds a worker's place in a study."""
    return f"etalon_{hashlib.sha256(study.encode()).hexdigest()[:12]}"
