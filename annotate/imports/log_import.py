"""A log becomes a study: its items, workers and judgments are stored."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from annotate.imports.gold_file import GoldFile, Skills, read_gold, read_skills
from annotate.imports.import_report import ImportReport
from annotate.imports.import_settings import AS_IT_IS, ImportSettings
from annotate.imports.labels import NOMINAL, Labels, clustered, derived_task
from annotate.imports.log_columns import INPUT
from annotate.imports.log_items import ItemKey, Settled, gather, verdicts_of, with_clusters
from annotate.imports.log_reading import AnswerLog, LogRow, page_key, read_log
from data.catalogue.catalog import task_named
from data.errors import BadFile, BadSetting
from data.task import Item, Task
from data.wording import MODELS_READ, REQUESTERS_READ, Language, english_name, languages, named_languages
from db.engine import Session
from db.items import add_items, list_items
from db.judgments import Judgment, add_judgments
from db.studies import Study, create_study, set_status
from db.study_settings import StudySettings
from db.workers import named_workers
from eval.workers import QualityRules

MOST_OVERLAP = 50
CURRENCY = "USD"  # Toloka states its rewards in dollars


def store_study(
    session: Session,
    *,
    name: str,
    task: Task,
    items: Mapping[ItemKey, Item],
    settled: Settled,
    language: Language | None,
    given: ImportSettings,
) -> Study:
    """Store a study of origin `imported`; the target of a main item is the number of its counted judgments.

    Its settings say what was collected: the most frequent overlap, the language, the currency of prices. A language
    that nobody declared is judged by letters: pages are drawn in it, no report states it.
    """
    answers, counts = settled.answers, settled.counted()
    targets = {key[1]: counts[key] for key in items if key[0] == "main"}
    priced = any(answer.row.price is not None for answer in answers)
    usual = Counter(targets.values()).most_common(1)[0][0] if targets else 1
    known = {"currency": given.currency or CURRENCY} if priced else {}
    known |= {"language": language} if language else {}
    known |= {"language_read": english_name(given.language)} if given.language else {}
    overlap = min(max(usual, 1), MOST_OVERLAP)
    settings = StudySettings(overlap=overlap, quality=QualityRules().stored(), **known)
    study = create_study(session, name=name, task=task, settings=settings, origin="imported")
    add_items(session, study=study, items=list(items.values()), targets=targets)
    return study


def store_answers(session: Session, *, study: Study, log: AnswerLog, settled: Settled, skills: Skills) -> None:
    """Store who gave which answer, and what is known of their skill, and close the study."""
    keys = {(stored.item.role, stored.item.id): stored.key for stored in list_items(session, study=study)}
    workers = named_workers(session, names={answer.row.worker for answer in settled.answers})
    judgments = (
        Judgment(
            item_id=keys[answer.item],
            worker_id=workers[answer.row.worker],
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


SEEN = 1_000
"""Rows, and characters of a text, in which the language of a log is looked for."""


def import_log(
    session: Session, *, name: str, files: Sequence[Path], settings: ImportSettings = AS_IT_IS
) -> ImportReport:
    """Store the answers of `files` as the study `name` and return what was read, dropped, merged and stored.

    Raises an EtalonError with one sentence; the caller's transaction then keeps nothing.
    """
    named = task_named(settings.task) if settings.task else None
    labels = Labels(settings.mapping, named, numbers=settings.answer_scale.name == "interval")
    log = read_log(files, wanted=settings.columns, task=labels.task)
    where = ", ".join(log.files)
    items, answers = gather(log.rows, labels, controls=settings.controls)
    labels.check(where)
    known = None
    if settings.gold:
        known = read_gold(settings.gold, log, items.values(), wanted=settings.columns, labels=labels)
        items = with_gold(items, known)
    labels.check_mapping()
    task = _task(name, log, labels, settings)
    if not labels.task:
        items = {key: _with_own_gold(item, task) for key, item in items.items()}
    if settings.cluster:
        items = with_clusters(items, log.rows, task.cluster)
    settled = verdicts_of(answers, policy=settings.duplicates)
    skills = read_skills(settings.skills, pools=len(files), workers={row.worker for row in log.rows})
    language = settings.language or language_of(_texts(log), labels.task)
    study = store_study(session, name=name, task=task, items=items, settled=settled, language=language, given=settings)
    store_answers(session, study=study, log=log, settled=settled, skills=skills)
    counted: Counter[str] = Counter()
    for (role, _), number in settled.counted().items():
        counted[role] += number
    return ImportReport(
        study=name,
        task=task.id,
        log=log,
        labels=labels,
        settled=settled,
        policy=settings.duplicates,
        items={role: sum(key[0] == role for key in items) for role in ("main", "control")},
        judgments={role: counted[role] for role in ("main", "control")},
        workers=len({answer.row.worker for answer in answers}),
        missing=sum(item.gold is None for item in items.values() if item.role == "main"),
        skills=skills,
        gold=known,
        language=language,
        language_declared=settings.language is not None,
    )


def _with_own_gold(item: Item, task: Task) -> Item:
    """Return an item of a task made of the log with its right answer as that task writes it: of numbers a list."""
    return item if item.gold is None else replace(item, gold=task.answer.as_gold(item.gold, item.fields))


def _texts(log: AnswerLog) -> Iterator[str]:
    """Yield what of a log is read: the beginnings of its items, and its answers."""
    for row in log.rows[:SEEN]:
        yield from (text[:SEEN] for text in row.fields.values())
        yield row.answer


def language_of(texts: Iterable[str], task: Task | None = None) -> Language | None:
    """Return the language of which most letters of these texts are; None where no language has them, or there are none.

    Of a task it is one in which its instruction is written. Letters tell one alphabet from another: of several
    languages with the same one it is the requesters' own, else the first that is offered.

    >>> language_of(["a text", "12"]), language_of(["текст of 2 words", "Ещё слово"]), language_of(["12", "[("])
    ('en', 'ru', None)
    """
    if task is not None:
        return task.instruction.language_read(language_of(texts) or MODELS_READ)
    alphabets = Counter(alphabet for text in texts for alphabet in map(_alphabet, text) if alphabet)
    if not alphabets:
        return None
    most = alphabets.most_common(1)[0][0]
    fitting = [code for code in languages() if _alphabet(named_languages()[code][0]) == most]
    return REQUESTERS_READ if REQUESTERS_READ in fitting else next(iter(fitting), None)


def _alphabet(letter: str) -> str:
    """Return the alphabet of a letter (LATIN, CYRILLIC), "" for any other sign."""
    return unicodedata.name(letter, "").split(" ")[0] if letter.isalpha() else ""


def _task(name: str, log: AnswerLog, labels: Labels, settings: ImportSettings) -> Task:
    """Return the task that the log was made for, or one made of the log; with the clusters that were asked for."""
    fields = {field: any(not row.fields[field].strip() for row in log.rows) for field in log.field_names}
    where, scale = ", ".join(log.files), settings.answer_scale
    if labels.task and scale != NOMINAL:
        raise BadSetting(
            f"--scale and --order are for logs without a task; {labels.task.id!r} says how answers compare"
        )
    task = labels.task or derived_task(name, fields, labels.stored, where=where, scale=scale)
    return clustered(task, [column.removeprefix(INPUT) for column in settings.cluster])


def with_gold(items: Mapping[ItemKey, Item], gold: GoldFile) -> dict[ItemKey, Item]:
    """Return the items with the right answers of a gold file; one that contradicts a control's GOLDEN is refused."""
    joined = {}
    for key, item in items.items():
        label = gold.labels.get(gold.content(item))
        if label and item.gold and label != item.gold:
            raise BadFile(
                f"{gold.file}: says {label!r:.60} where the log's GOLDEN says {item.gold!r:.60} (item "
                f"{' | '.join(item.fields.values())[:80]!r}); make them agree"
            )
        joined[key] = replace(item, gold=item.gold or label)
    return joined
