"""Overlap: how many answers an item gets; dynamic overlap gives one more where they leave doubt, up to a most."""

from collections.abc import Mapping

from data.answers.answer_type import AnswerType
from data.task import Task
from db import judgments
from db.engine import Session
from db.judgments import ControlAnswer
from db.studies import Study
from eval.workers.skills import confidence, skill

LISTED = ("choice", "rating", "pairwise")  # one answer out of a list: only there an error has so many forms


def is_dynamic(study: Study) -> bool:
    """Return whether the items of a study get as many answers as theirs ask for."""
    return study.settings.overlap_max is not None and not study.settings.sitting


def can_be_dynamic(asked: AnswerType) -> bool:
    """Return whether a task's answers can be weighed against each other: one out of a list, in some items at least."""
    return asked.kind in (*LISTED, "varied")


def adjust_target(session: Session, *, study: Study, item_key: int) -> None:
    """Bring the target of a main item to what its answers ask for, after one of them came or went.

    The target is what the item has and waits for, at least the study's overlap; one more where nobody holds the item
    and its leading answer is not sure enough. An answer that is waited for may decide it, so it is waited for. Nothing
    happens where the overlap is fixed.
    """
    most = study.settings.overlap_max
    if most is None or not is_dynamic(study):
        return
    item = judgments.counts(session, item_key=item_key)
    wanted = max(study.settings.overlap, item.filled + item.held)
    full = not item.held and item.filled == wanted
    if full and wanted < most:
        sure = posterior_of_leader(session, study=study, item_key=item_key, fields=item.fields)
        wanted += sure < study.settings.confidence
    if wanted != item.target:
        judgments.set_target(session, item_key=item_key, target=wanted)


def settle_all(session: Session, *, study: Study, worker_key: int) -> None:
    """Bring the targets of all items that a worker has answered to what is asked for, after they changed sides."""
    if is_dynamic(study):
        for key in judgments.judged_by(session, study_id=study.id, worker_key=worker_key):
            adjust_target(session, study=study, item_key=key)


def posterior_of_leader(session: Session, *, study: Study, item_key: int, fields: Mapping[str, str]) -> float:
    """Return how likely the leading answer to an item is right, 0 to 1, by the controls of those who answered.

    1 for an item whose answers are no choice out of a list: more of them would not make it surer.
    """
    options = allowed_answers(study.task, fields)
    if not options:
        return 1.0
    controls = judgments.controls_of_voters(session, study_id=study.id, item_key=item_key)
    skills = {worker: skill(_right(study.task, given), len(given)) for worker, given in controls.items()}
    given = judgments.votes(session, item_key=item_key)
    return confidence([(label, skills.get(worker, skill(0, 0))) for worker, label in given], options=options)


def allowed_answers(task: Task, fields: Mapping[str, str]) -> int:
    """Return how many answers an item allows, 0 where they are no choice of one out of a list."""
    asked = task.answer_for(fields)
    return len(asked.options(fields)) if asked.kind in LISTED else 0


def _right(task: Task, given: list[ControlAnswer]) -> int:
    return sum(task.answer_for(answer.fields).right(answer.label, answer.gold, answer.fields) for answer in given)
