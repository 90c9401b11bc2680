"""When a worker last answered, how long that took by the server's clock, and how often an item comes back."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("enrolment", sa.Column("clocked", sa.Float(), nullable=False, server_default="0"))
    op.add_column("enrolment", sa.Column("answered_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
    op.add_column("enrolment", sa.Column("comebacks", sa.Integer(), nullable=False, server_default="9"))
    op.execute("UPDATE enrolment SET clocked = seconds")
