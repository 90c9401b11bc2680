"""The table of arrivals, which is kept for a while only."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel


class ArrivalRow(SQLModel, table=True):
    """From where a new place was taken, kept for a while: `source` is a digest of the address and the study."""

    __tablename__ = "arrival"

    __table_args__ = (Index("arrivals_of_source", "study_id", "source", "at"),)
    id: int | None = Field(default=None, primary_key=True)
    study_id: int = Field(foreign_key="study.id")
    enrolment_id: int = Field(index=True)
    source: str
    at: datetime = Field(index=True)
