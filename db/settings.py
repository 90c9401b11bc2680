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

    Titles make the table of docs/deploy.md; a description tells there what holds where a setting is empty.
    """

    model_config = SettingsConfigDict(env_prefix="ETALON_", extra="ignore")

    database_url: str = Field(
        default="",
        title="SQLite, or `postgresql+psycopg://user:password@host/name`",
        description="SQLite in `ETALON_HOME`",
        validation_alias=AliasChoices("DATABASE_URL", "ETALON_DATABASE_URL"),
    )
    host: str = Field(
        "127.0.0.1", title="where to listen: `127.0.0.1` behind a proxy on the same machine, `0.0.0.0` in a container"
    )
    port: int = Field(7860, title="the port to listen at", ge=1, le=65535)
    public_url: str = Field(
        "",
        title="the address people use, for links; the server then answers to that name (and to loopback) alone",
        description="from host and port",
    )
    home: Path = Field(Path("var"), title="where the SQLite database, the secret and the list of erasures are")
    secret: SecretStr | None = Field(
        None,
        title="what cookies and links are signed with; several servers need the same",
        description="made at the first start",
    )
    proxies: str = Field(
        "",
        title="whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses and networks with commas; `*` "
        "for one proxy of an unknown address ([below](#where-a-request-comes-from))",
        description="nobody's",
    )
    request_seconds: float = Field(
        20,
        title="a connection whose request is not complete by then is closed; a body has a second more for each 64 KB",
        ge=1,
        le=3600,
    )
    owner_password: SecretStr | None = Field(
        None,
        title="the owner's password; whatever stands here at a start becomes it",
        description="generated and printed once",
    )
    demo: bool = Field(True, title="demo studies at the first start")
    log: Literal["text", "json"] = Field(
        "text", title="the form of the [log](#logs)'s lines: `text`, or `json` with one object a line"
    )
    metrics: SecretStr | None = Field(
        None,
        title="the token with which `/metrics` [is asked](#metrics), 16 characters or more",
        description="`/metrics` is closed",
        min_length=16,
    )
    model_hosts: str = Field(
        "",
        title="the hosts that managers may ask models at, with commas, each with its port unless that is 443 or 80 "
        "([what is reached](models.md#what-is-reached)); name yours where the server stands in a network with other "
        "services",
        description="all but metadata and link-local",
    )
    space_id: str = Field(default="", validation_alias=AliasChoices("SPACE_ID"))
    space_host: str = Field(default="", validation_alias=AliasChoices("SPACE_HOST"))

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
