"""What tells enrolments apart beyond their numbers, and what the database knows of its installation's secret."""

import secrets

import sqlalchemy as sa
import sqlmodel
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column(
        "enrolment", sa.Column("nonce", sqlmodel.sql.sqltypes.AutoString(), nullable=False, server_default="")
    )
    rows = sa.table("enrolment", sa.column("id", sa.Integer()), sa.column("nonce", sa.String()))
    known = op.get_bind().execute(sa.select(rows.c.id)).scalars().all()
    # The sign says that the cookies and links of these people have no nonce yet (`db.workers.PlaceKey`).
    nonces = [{"key": key, "new": f"~{secrets.token_urlsafe(12)}"} for key in known]
    if nonces:
        given = sa.update(rows).where(rows.c.id == sa.bindparam("key")).values(nonce=sa.bindparam("new"))
        op.get_bind().execute(given, nonces)
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("salt", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("digest", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("drawing_key", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.Column("epoch", sqlmodel.sql.sqltypes.AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
