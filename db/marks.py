"""A mark of each study that changes with all that its results are made of, so that what was computed may be kept."""

from collections import defaultdict
from typing import Any

from sqlalchemy import Select, String, cast, func, select
from sqlmodel import Session

from db.columns import table_of
from db.statuses import OUT
from db.tables import DECISION, ENROLMENT, EVENT, ITEM, JUDGMENT, REPORT, STUDY, RunRow

Mark = tuple[Any, ...]
RUN = table_of(RunRow)
_OUT = ENROLMENT.c.status.in_(OUT)
_MARKS: dict[str, Select[Any]] = {
    "study": select(STUDY.c.id, STUDY.c.status, cast(STUDY.c.settings, String)),
    "judgments": select(JUDGMENT.c.study_id, func.count(), func.max(JUDGMENT.c.id)).group_by(JUDGMENT.c.study_id),
    "items": select(ITEM.c.study_id, func.count(), func.sum(ITEM.c.filled), func.count(ITEM.c.gold)).group_by(
        ITEM.c.study_id
    ),
    "decisions": select(DECISION.c.study_id, func.count(), func.max(DECISION.c.id)).group_by(DECISION.c.study_id),
    "events": select(EVENT.c.study_id, func.count(), func.max(EVENT.c.id)).group_by(EVENT.c.study_id),
    "reports": select(REPORT.c.study_id, func.count()).group_by(REPORT.c.study_id),
    "out": select(ENROLMENT.c.study_id, func.count()).where(_OUT).group_by(ENROLMENT.c.study_id),
    "run": select(RUN.c.study_id, RUN.c.id, RUN.c.status, RUN.c.alive_at, RUN.c.finished_at).order_by(RUN.c.id),
}


def answered(session: Session) -> set[int]:
    """Return the keys of the studies in which people or models have answered."""
    return {study for study, told in marks(session).items() if {part[0] for part in told} & {"judgments", "run"}}


def marks(session: Session, *, study_id: int | None = None) -> dict[int, Mark]:
    """Return a mark of every study, or of one, by its key.

    It holds the settings, how many judgments, items, decisions and events there are and the newest of each, the workers
    shut out, and when each run was last heard of: cheap beside reading answers.
    """
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for name, statement in _MARKS.items():
        key = statement.selected_columns[0]
        chosen = statement if study_id is None else statement.where(key == study_id)
        for study, *values in session.connection().execute(chosen):
            found[study].append((name, *values))
    return {study: tuple(told) for study, told in found.items()}
