"""The study that an import leaves in the database: closed, with its items, workers and judgments."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.imports.answer_log import AnswerLog, LogRow, page_key
from annotate.imports.counted_answers import Settled
from annotate.imports.log_items import ItemKey
from annotate.imports.skill_files import Skills
from data.task import Item, Task
from data.wording import Language, english_name
from db.engine import Session
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import Study, create_study, set_status
from db.study_settings import StudySettings
from db.workers import named_workers
from eval.workers import QualityRules

MOST_OVERLAP = 50
CURRENCY = "USD"  # Toloka states its rewards in dollars


@dataclass(frozen=True)
class LogSettings:
    """What a study is said of its log: the language that is read there and the currency of its prices, if known.

    A language that nobody declared is judged by letters: pages are drawn in it, no report states it.
    """

    language: Language | None = None
    language_declared: bool = False
    currency: str | None = None


def store_study(
    session: Session,
    *,
    name: str,
    task: Task,
    items: Mapping[ItemKey, Item],
    settled: Settled,
    about: LogSettings,
) -> Study:
    """Store a study of origin `imported`; the target of a main item is the number of its counted judgments."""
    answers, counts = settled.answers, settled.counted()
    targets = {key[1]: counts[key] for key in items if key[0] == "main"}
    priced = any(answer.row.price is not None for answer in answers)
    settings = _settings(list(targets.values()), about, priced=priced)
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
    """Return a row's seconds as the log tells them, else its share of the time its page took; None where neither."""
    if row.seconds is not None or row.started is None or row.submitted is None:
        return row.seconds
    return (row.submitted - row.started).total_seconds() / log.page_rows[page_key(row.worker, row.page, row.started)]


def _settings(targets: Sequence[int], about: LogSettings, *, priced: bool) -> StudySettings:
    """Return settings that say what was collected: the most frequent overlap, the language, the currency of prices."""
    usual = Counter(targets).most_common(1)[0][0] if targets else 1
    overlap = min(max(usual, 1), MOST_OVERLAP)
    known = {"currency": about.currency or CURRENCY} if priced else {}
    known |= {"language": about.language} if about.language else {}
    known |= {"language_read": english_name(about.language)} if about.language and about.language_declared else {}
    return StudySettings(overlap=overlap, quality=QualityRules().stored(), **known)
