"""What another platform says of how able a worker is stands at each judgment: every pool of a log has its own."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:

    op.add_column("judgment", sa.Column("skill", sa.Float(), nullable=True))
    op.execute(
        "UPDATE judgment SET skill = (SELECT skill.skill FROM skill WHERE skill.study_id = judgment.study_id AND "
        "skill.worker_id = judgment.worker_id) WHERE study_id IN (SELECT study_id FROM skill)"
    )
    op.drop_table("skill")
