"""A study may be archived: it is off the list of studies, and nothing else about it changes."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:

    op.add_column("study", sa.Column("archived", sa.Boolean(), nullable=False, server_default=sa.false()))
