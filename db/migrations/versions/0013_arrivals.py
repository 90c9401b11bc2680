"""From where new places were taken, for a while."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:

    op.create_table(
        "arrival",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("source", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("arrivals_of_source", "arrival", ["study_id", "source", "at"])
    op.create_index("ix_arrival_at", "arrival", ["at"])
    op.create_index("ix_arrival_enrolment_id", "arrival", ["enrolment_id"])
