"""Migrations bring the tables to another form; only then is Alembic imported, which takes a while."""

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

from data.errors import BadSetting
from data.version import PROGRAM
from db.schema import MIGRATIONS, revision_of

_WAIT_FOR_MIGRATION = text("SELECT pg_advisory_xact_lock(7860001)")
_SIGN = text("UPDATE alembic_version SET program = :program")


def migrate(connection: Connection, to: str) -> None:
    """Bring the tables to the form of a revision within a transaction; raises BadSetting."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    if connection.dialect.name == "postgresql":
        connection.execute(_WAIT_FOR_MIGRATION)
    config.attributes["connection"] = connection
    before = revision_of(connection)
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise BadSetting(f"the database cannot be brought up to date ({error}); install Etalon anew") from error
    if to == "head" and revision_of(connection) != before:
        connection.execute(_SIGN, {"program": PROGRAM})
