"""Consent says what a study is for; those that are there go on saying that people and models are compared."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"

STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("settings", sa.JSON))


def upgrade() -> None:
    connection = op.get_bind()
    for key, settings in connection.execute(sa.select(STUDY.c.id, STUDY.c.settings)).all():
        kept = {**settings, "purpose": "comparison"}
        connection.execute(STUDY.update().where(STUDY.c.id == key).values(settings=kept))
