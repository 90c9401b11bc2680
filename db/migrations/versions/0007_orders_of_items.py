"""Items are found by how many places they have left; a page of a proven worker may hold fewer controls."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    where = {f"{kind}_where": sa.text("free > 0") for kind in ("sqlite", "postgresql")}
    op.create_index("by_room", "item", ["study_id", "free", "shuffle"], **where)
    op.add_column("enrolment", sa.Column("checks", sa.Integer(), nullable=True))
