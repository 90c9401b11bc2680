"""The tables of models: their runs over a study, and what they replied."""

from datetime import datetime
from typing import Any

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from db.clock import now
from db.column_types import json_column, table_of


class RunRow(SQLModel, table=True):
    """A model over a study's main items; `settings` holds everything needed to repeat it.

    While it is running, `process` is the program that asks (host and number) and `alive_at` when it last said so.
    `unanswered_cost` is what was paid for attempts that no prediction tells of: errors that were asked again, and
    questions whose run ended before they had a reply.
    """

    __tablename__ = "run"

    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id", index=True)
    model: str
    kind: str
    settings: dict[str, Any] = Field(sa_column=json_column())
    status: str = "running"
    started_at: datetime = Field(default_factory=now)
    finished_at: datetime | None = None
    alive_at: datetime | None = None
    process: str | None = None
    unanswered_cost: float = 0.0


class PredictionRow(SQLModel, table=True):
    """A model's answer to one item: the reply as it came and what was read in it.

    `request` is the key of the very request that was sent, `cached` tells that an earlier reply to it was taken.
    """

    __tablename__ = "prediction"
    __table_args__ = (UniqueConstraint("run_id", "item_id", "sample"),)
    id: int | None = Field(default=None, primary_key=True)
    run_id: int = Field(foreign_key="run.id")
    item_id: int = Field(foreign_key="item.id", index=True)
    sample: int = 0
    raw: str
    label: str | None = None
    status: str
    seconds: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    request: str | None = Field(default=None, index=True)
    cached: bool = False
    cut: bool = False
    cost: float | None = None


RUN = table_of(RunRow)
PREDICTION = table_of(PredictionRow)
