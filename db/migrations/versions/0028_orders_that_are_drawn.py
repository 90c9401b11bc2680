"""The order of options is drawn and kept with the judgment; a study with answers keeps the one it has."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

STUDY = sa.table("study", sa.column("id", sa.Integer), sa.column("settings", sa.JSON))
JUDGMENT = sa.table("judgment", sa.column("study_id", sa.Integer))


def upgrade() -> None:
    op.add_column("judgment", sa.Column("options_shown", sa.String(), nullable=True))
    connection = op.get_bind()
    answered = sa.exists().where(JUDGMENT.c.study_id == STUDY.c.id)
    for key, settings in connection.execute(sa.select(STUDY.c.id, STUDY.c.settings).where(answered)).all():
        kept = {**settings, "order_drawn": False}
        connection.execute(STUDY.update().where(STUDY.c.id == key).values(settings=kept))
