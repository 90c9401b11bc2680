"""Studies keep what they pay for practice; an item reserved during training runs out as those in hand do."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("settings", sa.JSON))


def upgrade() -> None:
    connection = op.get_bind()
    for key, settings in connection.execute(sa.select(STUDY.c.id, STUDY.c.settings)).all():
        price = settings.get("training_price") or 0.0
        kept = {**settings, "training_price": price, "pay_failed_training": price > 0}
        connection.execute(STUDY.update().where(STUDY.c.id == key).values(settings=kept))
    op.drop_index("expiring", table_name="assignment")
    waits = sa.text("status in ('held', 'reserved')")
    op.create_index("expiring", "assignment", ["study_id", "expires_at"], sqlite_where=waits, postgresql_where=waits)
