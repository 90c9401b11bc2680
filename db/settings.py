"""Every setting of an installation, from environment variables with the prefix ETALON_."""

import os
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from data.errors import BadSetting

LOOPBACK = ("localhost", "127.0.0.1", "::1")
SPACE_FRAME = "https://huggingface.co"
INSIDE = "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"  # addresses that no packet of the internet has
LASTING = Path("/data")  # where a Space keeps files over a restart, if its owner pays for that


class Settings(BaseSettings):
    """The settings with their defaults; `DATABASE_URL` and `SPACE_*` keep the names everybody knows.

    Docstrings make the table of docs/deploy.md; a title tells there what holds where a setting is empty.
    """

    model_config = SettingsConfigDict(env_prefix="ETALON_", extra="ignore")

    database_url: str = Field(
        "", title="SQLite in `ETALON_HOME`", validation_alias=AliasChoices("DATABASE_URL", "ETALON_DATABASE_URL")
    )
    """SQLite, or `postgresql+psycopg://user:password@host/name`"""
    host: str = "127.0.0.1"
    """where to listen: `127.0.0.1` behind a proxy on the same machine, `0.0.0.0` in a container"""
    port: int = Field(7860, ge=1, le=65535)
    """the port to listen at"""
    public_url: str = Field("", title="from host and port")
    """the address people use, for links; the server then answers to that name (and to loopback) alone"""
    home: Path = Path("var")
    """where the SQLite database, the secret and the list of erasures are"""
    secret: SecretStr | None = Field(None, title="made at the first start")
    """what cookies and links are signed with; several servers need the same"""
    proxies: str = Field("", title="nobody's")
    """whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses and networks with commas; `*` for one
    proxy of an unknown address ([below](#where-a-request-comes-from))"""
    request_seconds: float = Field(20, ge=1, le=3600)
    """a connection whose request is not complete by then is closed; a body has a second more for each 64 KB"""
    owner_password: SecretStr | None = Field(None, title="generated and printed once")
    """the owner's password; whatever stands here at a start becomes it"""
    demo: bool = True
    """demo studies at the first start"""
    oidc_issuer: str = Field("", title="no sign-in with an institution")
    """the address of an OpenID Connect provider: people sign in with
    [an institution's accounts](#sign-in-with-an-institution) too"""
    oidc_client: str = Field("", title="needed with an issuer")
    """the client's id at the provider"""
    oidc_secret: SecretStr | None = Field(None, title="a public client")
    """the client's secret"""
    oidc_roles: str = Field("", title="needed with an issuer")
    """which role a group has here: `leads=manager,*=viewer`; `*` is everybody who can sign in there"""
    oidc_scope: str = "openid profile email"
    """what is asked of the provider; some give groups only if asked for `groups` too"""
    log: Literal["text", "json"] = "text"
    """the form of the [log](#logs)'s lines: `text`, or `json` with one object a line"""
    metrics: SecretStr | None = Field(None, title="`/metrics` is closed", min_length=16)
    """the token with which `/metrics` [is asked](#metrics), 16 characters or more"""
    model_hosts: str = Field("", title="all but metadata and link-local")
    """the hosts that managers may ask models at, with commas, each with its port unless that is 443 or 80
    ([what is reached](models.md#what-is-reached)); name yours if the server shares a network with other
    services"""
    space_id: str = Field("", validation_alias=AliasChoices("SPACE_ID"))
    space_host: str = Field("", validation_alias=AliasChoices("SPACE_HOST"))

    def __init__(self, **values: Any) -> None:
        """Read them; raises BadSetting for one that cannot be, without its value: that may be a secret."""
        try:
            super().__init__(**values)
        except ValidationError as error:
            name, message = str(error.errors()[0]["loc"][0]), error.errors()[0]["msg"]
            variable = f"ETALON_{name.upper()}" if name in type(self).model_fields else name
            raise BadSetting(f"{variable}: {message[0].lower()}{message[1:]}; set another value, or none") from error

    @model_validator(mode="after")
    def on_a_space(self) -> "Settings":
        """Take what a Hugging Face Space needs where nothing else is set: its proxies come from changing addresses."""
        if self.space_id:
            fitting = {
                "host": "0.0.0.0",
                "proxies": INSIDE,
                "public_url": self.space_host and f"https://{self.space_host}",
            }
            for name in fitting.keys() - self.model_fields_set:
                setattr(self, name, fitting[name])
        return self

    @model_validator(mode="after")
    def with_an_institution(self) -> "Settings":
        """Refuse an institution's sign-in that lacks something, or whose answers others could write."""
        if self.oidc_issuer:
            issuer = urlsplit(self.oidc_issuer)
            if issuer.scheme != "https" and not is_loopback(issuer.hostname or ""):
                raise BadSetting("ETALON_OIDC_ISSUER: begins with https://; else anybody on the way could sign in")
            if not (self.oidc_client and self.oidc_roles):
                raise BadSetting("ETALON_OIDC_ISSUER: needs ETALON_OIDC_CLIENT and ETALON_OIDC_ROLES; set both")
        return self

    @property
    def database(self) -> str:
        """The database's URL; SQLite in the home folder unless one is named."""
        return self.database_url or f"sqlite:///{(self.home / 'etalon.db').as_posix()}"

    @property
    def address(self) -> str:
        """Where people find this server, without a final slash."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"

    @property
    def framed(self) -> bool:
        """Whether the pages stand in the frame of another site, as on a Space."""
        return bool(self.space_id)

    @property
    def frame_ancestors(self) -> str:
        """Which pages may frame ours, as the content security policy names them."""
        return f"'self' {SPACE_FRAME}" if self.framed else "'self'"

    @property
    def passing(self) -> bool:
        """Whether everything is lost when the server is started anew: a Space without a database of its own."""
        return self.framed and not self.database_url and not self.home.resolve().is_relative_to(LASTING)

    @property
    def exposed(self) -> bool:
        """Whether others than the people at this computer may reach the server, by itself or through a proxy."""
        return not (is_loopback(self.host) and is_loopback(urlsplit(self.address).hostname or ""))

    @property
    def hosts(self) -> frozenset[str]:
        """The names under which the server may be asked for; empty where none is known to be wrong."""
        if not self.public_url and not is_loopback(self.host):
            return frozenset()
        return frozenset({*LOOPBACK, self.host, urlsplit(self.address).hostname or ""})


def secret(name: str) -> str | None:
    """Return the key that a variable of the environment holds, None where it holds none."""
    return os.environ.get(name) or None


def variable(name: str) -> str:
    """Return what a variable of the environment holds that is no secret, "" where it is not set."""
    return os.environ.get(name, "")


def is_loopback(host: str) -> bool:
    """Return whether a name or an address is that of this computer as it speaks to itself."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"
