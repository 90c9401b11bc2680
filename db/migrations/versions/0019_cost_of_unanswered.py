"""What was paid for attempts without a reply stays with their run: errors that are asked again are forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:

    op.add_column("run", sa.Column("unanswered_cost", sa.Float(), nullable=False, server_default="0"))
