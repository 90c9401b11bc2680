"""Experts decide items, accounts have versions, an answer says whether it was pasted or the page was left."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:

    op.create_table(
        "decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("who", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("label", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("note", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("decided_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"]),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("decisions_of_study", "decision", ["study_id", "item_id"])
    op.add_column("account", sa.Column("version", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("account", sa.Column("disabled", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("judgment", sa.Column("pasted", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("judgment", sa.Column("away", sa.Boolean(), nullable=False, server_default=sa.false()))
