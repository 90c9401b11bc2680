"""How many tokens of a reply were thinking."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("prediction", sa.Column("reasoning_tokens", sa.Integer(), nullable=True))
