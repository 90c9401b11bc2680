"""When somebody acknowledged a study's notice of sensitive topics."""

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:

    op.add_column("enrolment", sa.Column("noticed_at", sqlmodel.sql.sqltypes.UTCDateTime(), nullable=True))
