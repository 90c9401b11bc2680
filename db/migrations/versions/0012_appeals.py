"""What workers who were stopped write to the researchers, and what they are answered."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:

    op.create_table(
        "appeal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("text", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("sent_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.Column("reply", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("who", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("replied_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True),
        sa.Column("restored", sa.Boolean(), nullable=False),
        sa.Column("read", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"]),
        sa.ForeignKeyConstraint(["enrolment_id"], ["enrolment.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_appeal_study_id"), "appeal", ["study_id"])
    op.create_index(op.f("ix_appeal_enrolment_id"), "appeal", ["enrolment_id"])
