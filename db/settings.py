"""Every setting of an installation, from environment variables with the prefix ETALON_."""

from pathlib import Path

from pydantic import AliasChoices, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """The settings with their defaults; `DATABASE_URL` and `OPENAI_*` keep the names everybody knows."""

    model_config = SettingsConfigDict(env_prefix="ETALON_", extra="ignore")

    home: Path = Path("var")
    database_url: str = Field(default="", validation_alias=AliasChoices("DATABASE_URL", "ETALON_DATABASE_URL"))
    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=1, le=65535)
    public_url: str = ""
    owner_password: SecretStr | None = None
    demo: bool = True
    openai_api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("OPENAI_API_KEY"))
    openai_base_url: str | None = Field(default=None, validation_alias=AliasChoices("OPENAI_BASE_URL"))

    @property
    def database(self) -> str:
        """The database's URL; SQLite in the home folder unless one is named."""
        return self.database_url or f"sqlite:///{(self.home / 'etalon.db').as_posix()}"

    @property
    def address(self) -> str:
        """Where people find this server, without a final slash."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"
