"""A log becomes a study: its items, workers and judgments are stored."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotate.imports.gold_file import GoldFile, Skills, read_gold, read_skills
from annotate.imports.import_settings import AS_IT_IS, ImportSettings
from annotate.imports.log_items import (
    NOMINAL,
    ItemKey,
    Labels,
    Policy,
    Settled,
    clustered,
    derived_task,
    gather,
    lookalikes,
    shortened_list,
    verdicts_of,
    with_clusters,
)
from annotate.imports.log_reading import INPUT, AnswerLog, LogRow, page_key, read_log
from data.catalogue.catalog import task_named
from data.errors import BadFile, BadSetting
from data.task import Item, Task
from data.wording import MODELS_READ, REQUESTERS_READ, Language, english_name, languages, named_languages
from db.engine import Session
from db.items import add_items, list_items
from db.judgments import DUPLICATE, Judgment, add_judgments
from db.studies import Study, create_study, set_status
from db.study_settings import StudySettings
from db.workers import named_workers
from eval.workers import QualityRules

NO_SKILLS = Skills(())


@dataclass(frozen=True)
class ImportReport:
    """An import in all its numbers.

    `judgments` are those that count by role; `missing` main items have no gold.
    """

    study: str
    task: str
    log: AnswerLog
    labels: Labels
    settled: Settled
    policy: Policy
    items: Mapping[str, int]
    judgments: Mapping[str, int]
    workers: int
    missing: int
    skills: Skills = NO_SKILLS
    gold: GoldFile | None = None
    language: Language | None = None
    language_declared: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the report as data that JSON can hold."""
        log, settled, void = self.log, self.settled, self.settled.void()
        return {
            "study": self.study,
            "task": self.task,
            "files": list(log.files),
            "rows": {
                "read": log.read,
                "dropped": dict(log.reasons()),
                "dropped_lines": [f"{row.file}, line {row.line}" for row in log.dropped],
            },
            "items": dict(self.items),
            "workers": self.workers,
            "judgments": {**self.judgments, "control_repeats": settled.repeats, "void": dict(void)},
            "duplicates": {
                "policy": self.policy,
                "found": settled.duplicates,
                "dropped": void[DUPLICATE],
                "conflicts": [
                    {"item": conflict.item[1], "worker": conflict.worker, "labels": list(conflict.labels)}
                    for conflict in settled.conflicts
                ],
            },
            "labels": self.labels.counts(),
            "mapped": [
                {"written": written, "stored": stored, "answers": number}
                for (written, stored), number in sorted(self.labels.renamed.items())
            ],
            "lookalikes": [{"label": label, "like": base} for label, base in lookalikes(self.labels.counts())],
            "gold": self._gold(),
            "skills": {"workers": len(self._skilled()), "several": self.skills.several}
            if any(self.skills.of_pools)
            else None,
            "language": self.language,
            "language_declared": self.language_declared,
            "recognised": dict(log.recognised),
            "unread_cells": dict(log.unread),
            "fields": list(log.field_names),
            "unused_columns": list(log.unused),
        }

    def __str__(self) -> str:
        """Return the report as text; what did not occur is not mentioned."""
        return "\n".join([f"study {self.study!r} ({self.task}) from {', '.join(self.log.files)}", *self._lines()])

    def _skilled(self) -> set[str]:
        """Return the workers of the log who have a skill."""
        stated = self.skills.of_pools
        return {row.worker for row in self.log.rows if stated and row.worker in stated[row.pool]}

    def _gold(self) -> dict[str, Any] | None:
        if self.gold is None:
            return None
        names = ("file", "rows", "matched", "folded", "unmatched", "ambiguous", "empty")
        given = {name: getattr(self.gold, name) for name in names}
        lines = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
        return lines | {"missing": self.missing}

    def _lines(self) -> Iterator[str]:
        for name, words in self._facts():
            if words:
                yield f"  {name:<12}{words}"

    def _facts(self) -> Iterator[tuple[str, str]]:
        log, settled = self.log, self.settled
        reasons = ", ".join(f"{number} with {reason}" for reason, number in log.reasons().items())
        yield "rows", f"{log.read} read" + (f", {len(log.dropped)} dropped ({reasons})" if reasons else "")
        yield "items", f"{self.items['main']} main, {self.items['control']} control"
        yield "workers", str(self.workers)
        repeats = f" ({settled.repeats} answered again by the same worker)" if settled.repeats else ""
        yield "judgments", f"{self.judgments['main']} main, {self.judgments['control']} control{repeats}"
        void = {reason: number for reason, number in settled.void().items() if reason != DUPLICATE}
        yield "void", ", ".join(f"{number} with {reason}" for reason, number in void.items())
        if settled.duplicates:
            conflicts = f"{len(settled.conflicts)} of the pairs conflict" if settled.conflicts else "none conflict"
            yield "duplicates", f"{settled.duplicates} of the same worker and item; policy {self.policy}; {conflicts}"
        said = [f"{each.worker} said {', '.join(each.labels)} to item {each.item[1]}" for each in settled.conflicts]
        yield "", shortened_list(said)
        yield from self._label_facts()
        yield from self._gold_facts()
        if any(self.skills.of_pools):
            what = "of which there is the mean" if self.skills.merged else "each of which holds in its own pool"
            more = f"; {self.skills.several} have several, {what}" if self.skills.several else ""
            yield "skills", f"of {len(self._skilled())} of the {self.workers} workers{more}"
        judged = "" if self.language_declared else ", not declared: as its letters or its task have it"
        yield "language", f"{english_name(self.language)}{judged}" if self.language else ""
        known = [f"{column} as the {use}" for use, column in log.recognised.items() if column != use]
        yield "recognised", ", ".join(known)
        yield "shown", shortened_list(log.field_names)
        yield "not read", shortened_list([f"{number} cells of {column}" for column, number in log.unread.items()])
        yield "not used", shortened_list(log.unused)

    def _label_facts(self) -> Iterator[tuple[str, str]]:
        yield "labels", shortened_list([f"{label} ({number})" for label, number in self.labels.counts().items()])
        renamed = sorted(self.labels.renamed.items())
        yield "mapped", shortened_list([f"{written} -> {stored} ({number})" for (written, stored), number in renamed])
        like = [f"--map '{label}={base}'" for label, base in lookalikes(self.labels.counts())]
        yield "look alike", f"if they mean the same, import with {' '.join(like)}" if like else ""

    def _gold_facts(self) -> Iterator[tuple[str, str]]:
        gold = self.gold
        if gold:
            joined = f"{gold.matched} items matched, {gold.folded} by folded space"
            yield "gold", f"{gold.rows} rows of {gold.file}; {joined}"
            for name in ("unmatched", "ambiguous", "empty"):
                lines = getattr(gold, name)
                yield name, f"{len(lines)} rows: line {shortened_list([str(line) for line in lines])}" if lines else ""
            yield "without gold", f"{self.missing} main items" if self.missing else ""


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
