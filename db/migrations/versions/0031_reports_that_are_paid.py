"""A report knows whether it stands in place of an answer and what it was paid; those before paid nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.add_column("report", sa.Column("instead", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("report", sa.Column("price", sa.Float(), nullable=False, server_default="0"))
