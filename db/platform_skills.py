"""How able another platform holds the workers of an imported log to be: a share from 0 to 1 for each."""

from collections.abc import Mapping

from sqlalchemy import bindparam, insert, select

from db.engine import Session, read, write
from db.studies import Study
from db.tables import SKILL, WORKER

_SKILLS = (
    select(WORKER.c.name, SKILL.c.skill)
    .join_from(SKILL, WORKER, WORKER.c.id == SKILL.c.worker_id)
    .where(SKILL.c.study_id == bindparam("study"))
)


def add_skills(session: Session, *, study: Study, skills: Mapping[int, float]) -> None:
    """Store the skills of workers, by their keys."""
    if skills:
        rows = [{"study_id": study.id, "worker_id": key, "skill": skill} for key, skill in skills.items()]
        write(session, insert(SKILL).values(rows))


def skills_of(session: Session, *, study: Study) -> dict[str, float]:
    """Return the skill of each worker whom the platform says one of, by name; nobody in a study of our own."""
    if study.origin != "imported":
        return {}
    return {str(name): float(skill) for name, skill in read(session, _SKILLS, study=study.id)}
