"""The database says which version of the program brought it up to date: older ones do not open it."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:

    op.add_column("alembic_version", sa.Column("program", sa.String()))
