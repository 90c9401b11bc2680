"""The form of the tables: which revision a database has, which ones this program knows, and who brought it there."""

from pathlib import Path

from sqlalchemy import Connection, text

from data.errors import BadSetting
from data.version import PROGRAM

MIGRATIONS = Path(__file__).parent / "migrations"
REVISIONS = sorted(path.name.partition("_")[0] for path in MIGRATIONS.glob("versions/*.py"))
"""The revisions that this program knows, oldest first: the files are named after them, and reading them costs time."""
REVISION, _SIGNED = text("SELECT version_num FROM alembic_version"), text("SELECT program FROM alembic_version")


def is_newest(connection: Connection) -> bool:
    """Return whether the tables are as this program makes them; raises BadSetting for those of a later one."""
    return revision_of(connection) == REVISIONS[-1]


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the tables, None where there are none; raises BadSetting for one of a later program."""
    signed = connection.dialect.has_table(connection, "alembic_version")
    revision = connection.execute(REVISION).scalar() if signed else None
    if revision is None or revision in REVISIONS:
        return revision
    program = connection.execute(_SIGNED).scalar()
    advice = f"install Etalon {program} or a newer one, or go back with the backup"
    raise BadSetting(f"the database was brought up to date by Etalon {program}, and this is {PROGRAM}; {advice}")
