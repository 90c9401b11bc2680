"""The study that an import leaves in the database: closed, with its items, workers and judgments."""

from collections import Counter
from collections.abc import Mapping, Sequence

from annotate.imports.answer_log import AnswerLog, LogRow
from annotate.imports.counted_answers import Settled
from annotate.imports.log_items import ItemKey
from annotate.imports.skill_files import Skills
from data.task import Item, Task
from db.engine import Session
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import Study, create_study, set_status
from db.study_settings import StudySettings
from db.workers import named_workers
from eval.workers import QualityRules

MOST_OVERLAP = 50
CURRENCY = "USD"  # Toloka states its rewards in dollars


def store_study(session: Session, *, name: str, task: Task, items: Mapping[ItemKey, Item], settled: Settled) -> Study:
    """Store a study of origin `imported`; the target of a main item is the number of its counted judgments."""
    answers, counts = settled.answers, settled.counted()
    targets = {key[1]: counts[key] for key in items if key[0] == "main"}
    settings = _settings(list(targets.values()), priced=any(answer.row.price is not None for answer in answers))
    study = create_study(session, name=name, task=task, settings=settings, origin="imported")
    add_items(session, study=study, items=list(items.values()), targets=targets)
    return study


def store_answers(session: Session, *, study: Study, log: AnswerLog, settled: Settled, skills: Skills) -> None:
    """Store who gave which answer, and what is known of their skill, and close the study."""
    keys = {(stored.item.role, stored.item.id): stored.key for stored in list_items(session, study=study)}
    workers = named_workers(session, names={answer.row.worker for answer in settled.answers})
    judgments = (
        Judgment(
            item_key=keys[answer.item],
            worker_key=workers[answer.row.worker],
            label=answer.label,
            repeat=verdict.repeat,
            status="void" if verdict.reason else "counted",
            reason=verdict.reason,
            page=answer.row.page,
            price=None if answer.again else answer.row.price,
            seconds=None if answer.again else seconds(answer.row, log),
            submitted_at=answer.row.submitted,
            skill=skills.of_pools[answer.row.pool].get(answer.row.worker),
        )
        for answer, verdict in settled.judged()
    )
    add_judgments(session, study=study, judgments=judgments)
    set_status(session, study=study, status="closed")


def seconds(row: LogRow, log: AnswerLog) -> float | None:
    """Return a row's share of the time its page took, None where the log does not tell when it began or ended."""
    if row.started is None or row.submitted is None or row.page is None:
        return None
    return (row.submitted - row.started).total_seconds() / log.page_rows[row.page]


def _settings(targets: Sequence[int], *, priced: bool) -> StudySettings:
    """Return settings that say what was collected: the most frequent overlap, and the currency of the prices."""
    usual = Counter(targets).most_common(1)[0][0] if targets else 1
    overlap = min(max(usual, 1), MOST_OVERLAP)
    settings = StudySettings(overlap=overlap, quality=QualityRules().stored())
    return settings.model_copy(update={"currency": CURRENCY}) if priced else settings
