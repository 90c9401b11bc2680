"""No control comes again, but in studies that promised a bonus while all of them did: there they go on as they did."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("settings", sa.JSON))


def upgrade() -> None:

    connection = op.get_bind()
    for key, settings in connection.execute(sa.select(STUDY.c.id, STUDY.c.settings)).all():
        if settings.get("bonus"):
            kept = STUDY.update().where(STUDY.c.id == key).values(settings={**settings, "repeat_controls": True})
            connection.execute(kept)
