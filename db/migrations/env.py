"""Alembic's way into the tables; the connection comes from `db.engine.upgrade`."""

from alembic import context
from sqlmodel import SQLModel

import db.tables  # noqa: F401

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
