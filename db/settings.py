"""Every setting of an installation, from environment variables with the prefix ETALON_."""

import os
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LOOPBACK = ("localhost", "127.0.0.1", "::1")
SPACE_FRAME = "https://huggingface.co"
INSIDE = "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"  # addresses that no packet of the internet has
LASTING = Path("/data")  # where a Space keeps files over a restart, if its owner pays for that


class Settings(BaseSettings):
    """The settings with their defaults; `DATABASE_URL` and `SPACE_*` keep the names everybody knows."""

    model_config = SettingsConfigDict(env_prefix="ETALON_", extra="ignore")

    home: Path = Path("var")
    database_url: str = Field(default="", validation_alias=AliasChoices("DATABASE_URL", "ETALON_DATABASE_URL"))
    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=1, le=65535)
    public_url: str = ""
    proxies: str = "127.0.0.1"
    request_seconds: float = Field(default=20, ge=1, le=3600)
    secret: SecretStr | None = None
    owner_password: SecretStr | None = None
    demo: bool = True
    model_hosts: str = ""
    space_id: str = Field(default="", validation_alias=AliasChoices("SPACE_ID"))
    space_host: str = Field(default="", validation_alias=AliasChoices("SPACE_HOST"))

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
