"""Studies have versions of their instruction, which judgments know, and may be the pilot of another one."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    for table in ("study", "enrolment", "judgment"):
        op.add_column(table, sa.Column("instruction", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("study", sa.Column("pilot_of", sa.Integer(), nullable=True))
