"""The form of the tables: migrations bring it up to date, and the database says which program it needs."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from data.errors import BadSetting
from data.version import PROGRAM

MIGRATIONS = Path(__file__).parent / "migrations"
_WAIT_FOR_MIGRATION = text("SELECT pg_advisory_xact_lock(7860001)")
_SIGN, _SIGNED = text("UPDATE alembic_version SET program = :program"), text("SELECT program FROM alembic_version")


def is_newest(connection: Connection) -> bool:
    """Return whether the tables are as this program makes them; raises BadSetting for those of a later one."""
    config = _config()
    return _known_revision(connection, config) == ScriptDirectory.from_config(config).get_current_head()


def migrate(connection: Connection, to: str) -> None:
    """Bring the tables to the form of a revision within a transaction; raises BadSetting."""
    config = _config()
    if connection.dialect.name == "postgresql":
        connection.execute(_WAIT_FOR_MIGRATION)
    config.attributes["connection"] = connection
    before = _known_revision(connection, config)
    command.upgrade(config, to)
    if to == "head" and _known_revision(connection, config) != before:
        connection.execute(_SIGN, {"program": PROGRAM})


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def _known_revision(connection: Connection, config: Config) -> str | None:
    """Return the revision of the tables, None where there are none; raises BadSetting for one of a later program."""
    revision = MigrationContext.configure(connection).get_current_revision()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is None or revision in known:
        return revision
    program = connection.execute(_SIGNED).scalar()
    advice = f"install Etalon {program} or a newer one, or go back with the backup"
    raise BadSetting(f"the database was brought up to date by Etalon {program}, and this is {PROGRAM}; {advice}")
