"""Results of a study may be public, and runs may come from outside, whose senders can be reached."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.add_column("study", sa.Column("public", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("run", sa.Column("contact", sa.String(), nullable=False, server_default=""))
