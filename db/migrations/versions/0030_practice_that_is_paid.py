"""Studies keep what they pay for practice; an item reserved during training runs out as those in hand do."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("settings", sa.JSON))


def kept(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a study with what its consents said of practice: that it is paid, passed or not, or not."""
    price = settings.get("training_price") or 0.0
    return {**settings, "training_price": price, "pay_failed_training": price > 0}


def upgrade() -> None:
    connection = op.get_bind()
    for key, settings in connection.execute(sa.select(STUDY.c.id, STUDY.c.settings)).all():
        connection.execute(STUDY.update().where(STUDY.c.id == key).values(settings=kept(settings)))
    op.drop_index("expiring", table_name="assignment")
    waits = sa.text("status in ('held', 'reserved')")
    op.create_index("expiring", "assignment", ["study_id", "expires_at"], sqlite_where=waits, postgresql_where=waits)
