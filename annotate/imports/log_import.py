"""A log and the files beside it, of right answers and of skills, become a study; what was read, dropped and stored."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import mean
from typing import Any, TypeVar

from annotate.consent import script_of
from annotate.imports.import_settings import AS_IT_IS, ImportSettings
from annotate.imports.log_items import (
    Answer,
    ItemKey,
    Labels,
    Settled,
    clustered,
    derived_task,
    gather,
    lookalikes,
    settled,
    shortened_list,
    with_clusters,
)
from annotate.imports.log_reading import (
    GOLDEN,
    INPUT,
    OUTPUT,
    AnswerLog,
    Cells,
    LogRow,
    not_shown,
    own_fields,
    page_key,
    read_log,
    sound_rows,
)
from annotate.imports.log_reading import LABEL as ANSWER
from data.catalogue.catalog import task_named
from data.errors import BadFile, BadSetting, quoted_names
from data.files.column_names import OF_ANSWERS, column_of
from data.task import Item, Task
from data.wording import MODELS_READ, REQUESTERS_READ, Language, english_name, languages, named_languages
from db.engine import Session
from db.items import add_items, list_items
from db.judgments import DUPLICATE, Judgment, add_judgments
from db.studies import Study, create_study, set_status
from db.study_settings import StudySettings
from db.workers import named_workers
from eval.workers.table import QualityRules

Content = tuple[str, ...]
K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class GoldRow:
    """One right answer of a gold file, with the item's fields in the order of the log's."""

    line: int
    content: Content
    label: str


@dataclass(frozen=True)
class GoldFile:
    """What a gold file gave: the right answers by the items' contents, and the lines of the rows that gave none.

    Contents are the texts of the fields `names`; where there are none, the items' ids.
    `matched` and `folded` count items joined exactly and with white space folded. `ambiguous` rows contradict each
    other or fit several items, `unmatched` ones fit none, `empty` ones hold no answer.
    """

    file: str
    rows: int
    labels: Mapping[Content, str]
    matched: int
    folded: int
    names: tuple[str, ...]
    ambiguous: tuple[int, ...]
    unmatched: tuple[int, ...]
    empty: tuple[int, ...]


def read_gold(path: Path, log: AnswerLog, items: Iterable[Item], *, wanted: ImportSettings, labels: Labels) -> GoldFile:
    """Return the right answers for the items of a log; raises BadFile for a label that is not known.

    Where log and file name items by ids they are joined by these, else by their fields.
    """
    sound, header = sound_rows(path)
    items = list(items)
    named = column_of(header, OF_ANSWERS["item"]) if "item" in log.recognised else None
    columns = {} if named else _field_columns(header, log.field_names, labels.task, path.name)
    answer = _answer_column(header, columns, log, wanted, labels.task, path.name)
    of_id = {item.id: item.fields for item in items}
    names = () if named else log.field_names
    rows, empty = [], []
    for row in sound:
        cells = Cells(row)
        if named:
            content: Content = (cells.text(named),)
            fields = of_id.get(content[0], {})
        else:
            fields = own_fields(_sentence_of(cells, columns, labels.task), labels.task, path.name, row.line)
            content = content_of(fields, names)
        if written := cells.filled(answer):
            rows.append(GoldRow(row.line, content, labels.gold(written, fields)))
        else:
            empty.append(row.line)
    labels.check(path.name)
    return join(rows, [known_by(item, names) for item in items], file=path.name, empty=empty, names=names)


def join(
    rows: Sequence[GoldRow],
    contents: Iterable[Content],
    *,
    file: str,
    empty: Sequence[int] = (),
    names: Sequence[str] = (),
) -> GoldFile:
    """Return what gold rows say about items of these contents, which are the fields `names` or else ids."""
    wanted = set(contents)
    exact = _grouped((row.content, row) for row in rows if row.content in wanted)
    spare = _grouped((folded(row.content), row) for row in rows if row.content not in wanted)
    alike = _grouped((folded(content), content) for content in wanted if content not in exact)
    near = {alike[key][0]: group for key, group in spare.items() if len(alike.get(key, ())) == 1}
    several = [row for key, group in spare.items() if len(alike.get(key, ())) > 1 for row in group]
    unsure = [row for group in [*exact.values(), *near.values()] if not _agree(group) for row in group]
    return GoldFile(
        file=file,
        rows=len(rows) + len(empty),
        labels={content: group[0].label for content, group in (exact | near).items() if _agree(group)},
        matched=sum(map(_agree, exact.values())),
        folded=sum(map(_agree, near.values())),
        names=tuple(names),
        ambiguous=tuple(sorted(row.line for row in [*several, *unsure])),
        unmatched=tuple(sorted(row.line for key, group in spare.items() if key not in alike for row in group)),
        empty=tuple(empty),
    )


def known_by(item: Item, names: Sequence[str]) -> Content:
    """Return the texts of these fields of an item; of none, its id."""
    return content_of(item.fields, names) if names else (item.id,)


def content_of(fields: Mapping[str, str], names: Sequence[str]) -> Content:
    """Return the texts of an item's fields in the order of `names`."""
    return tuple(fields[name] for name in names)


def folded(content: Content) -> Content:
    """Return texts with every run of white space as one space and none at the ends."""
    return tuple(" ".join(text.split()) for text in content)


def _agree(group: Sequence[GoldRow]) -> bool:
    return len({row.label for row in group}) == 1


def _grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    groups: dict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return dict(groups)


def _field_columns(header: Sequence[str], names: Sequence[str], task: Task | None, file: str) -> dict[str, str]:
    """Return field -> column; where a task is known every column is offered to its aliases."""
    if task:
        bare = {column.removeprefix(INPUT): column for column in header}
        unshown = set(not_shown(bare, task))
        return {name: column for name, column in bare.items() if column not in unshown} or bare
    columns = {name: column for name in names for column in (INPUT + name, name) if column in header}
    absent = [name for name in names if name not in columns]
    if absent:
        raise BadFile(f"{file}: has no column for {quoted_names(absent)} of the items; it has {quoted_names(header)}")
    return columns


def _sentence_of(cells: Cells, columns: Mapping[str, str], task: Task | None) -> dict[str, Any]:
    """Return what a row says of its item; a format is offered the whole record, objects within it too."""
    if task and task.file_format:
        return {name.removeprefix(INPUT): value for name, value in cells.row.values.items()}
    return {name: cells.text(column) for name, column in columns.items()}


def _answer_column(
    header: Sequence[str],
    fields: Mapping[str, str],
    log: AnswerLog,
    wanted: ImportSettings,
    task: Task | None,
    file: str,
) -> str:
    """Return the column of the right answers: named like the log's answer, the task's, `label`, or as golds are."""
    names = [(wanted.answer or "").removeprefix(OUTPUT), log.answer_name, "label"]
    if task:
        ours = [theirs for theirs, name in task.aliases.columns.items() if name == task.answer_column]
        names[2:2] = [task.answer_column, *ours]
    for name in filter(None, names):
        for column in (name, OUTPUT + name, GOLDEN + name):
            if column in header and column not in fields.values():
                return column
    if gold := column_of([column for column in header if column not in fields.values()], OF_ANSWERS["gold"]):
        return gold
    named = [name for name in (*names, OF_ANSWERS["gold"][0]) if name and name != ANSWER]
    known = quoted_names(list(dict.fromkeys(named)))
    raise BadFile(f"{file}: has no column of right answers; call it one of {known}; it has {quoted_names(header)}")


@dataclass(frozen=True)
class Skills:
    """The skills of workers, shares from 0 to 1, in each pool (file) of a log.

    `several` workers have skills that differ; they are `merged` into their mean where all are about one pool.
    """

    of_pools: tuple[Mapping[str, float], ...]
    several: int = 0
    merged: bool = False


def read_skills(paths: Sequence[Path], *, pools: int, workers: Collection[str]) -> Skills:
    """Return the skills that these files state of `workers`: one file for all pools, or one for each in their order.

    Of several files about one pool a worker has the mean. Raises BadSetting for another number of files, and BadFile
    where a number is no share and no percentage.
    """
    if len(paths) > 1 and pools > 1 and len(paths) != pools:
        raise BadSetting(
            f"--skills is given {len(paths)} times for {pools} files of the log; give one for all of them, or one for "
            "each in the same order"
        )
    files = [{name: skill for name, skill in _of_file(path).items() if name in workers} for path in paths]
    given: dict[str, list[float]] = {}
    for stated in files:
        for worker, skill in stated.items():
            given.setdefault(worker, []).append(skill)
    several = sum(len(set(skills)) > 1 for skills in given.values())
    if len(files) == pools:
        return Skills(tuple(files), several)
    mean_of = {worker: mean(skills) for worker, skills in given.items()}
    return Skills((mean_of,) * pools, several, merged=True)


def _of_file(path: Path) -> dict[str, float]:
    """Return the skills of one file as shares: where one is above 1, all of them are percentages."""
    rows, header = sound_rows(path)
    worker, column = (column_of(header, OF_ANSWERS[use]) for use in ("worker", "skill"))
    if worker is None or column is None:
        raise BadFile(
            f"{path.name}: a file of skills has a column of workers and one of skills "
            f"({quoted_names(OF_ANSWERS['skill'])}); it has {quoted_names(header)}"
        )
    skills: dict[str, float] = {}
    for row in rows:
        cells = Cells(row)
        skill = cells.amount(column)
        if skill is None or skill > 100:
            raise BadFile(
                f"{path.name}, line {row.line}: the skill {cells.text(column)!r:.60} is no share from 0 to 1 and no "
                "percentage from 0 to 100"
            )
        skills[cells.text(worker)] = skill
    scale = 100 if any(skill > 1 for skill in skills.values()) else 1
    return {worker: skill / scale for worker, skill in skills.items()}


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
    items: Mapping[str, int]
    judgments: Mapping[str, int]
    workers: int
    missing: int
    skills: Skills
    gold: GoldFile | None
    language: Language | None
    settings: ImportSettings

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
                "policy": self.settings.duplicates,
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
            "language_declared": self.settings.language is not None,
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
        log, settled, policy = self.log, self.settled, self.settings.duplicates
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
            yield "duplicates", f"{settled.duplicates} of the same worker and item; policy {policy}; {conflicts}"
        said = [f"{each.worker} said {', '.join(each.labels)} to item {each.item[1]}" for each in settled.conflicts]
        yield "", shortened_list(said)
        yield from self._label_facts()
        yield from self._gold_facts()
        if any(self.skills.of_pools):
            what = "averaged here" if self.skills.merged else "one for each pool"
            more = f"; {self.skills.several} have several, {what}" if self.skills.several else ""
            yield "skills", f"of {len(self._skilled())} of the {self.workers} workers{more}"
        judged = "" if self.settings.language else ", guessed from its letters or its task"
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


def collected(
    answers: Sequence[Answer], overlaps: Iterable[int], language: Language | None, given: ImportSettings
) -> StudySettings:
    """Return what was collected: the most frequent overlap, the language, the currency of prices.

    A language that nobody declared is judged by letters: pages are drawn in it, no report states it.
    """
    priced = any(answer.row.price is not None for answer in answers)
    usual = next(iter(Counter(overlaps).most_common(1)), (1, 0))[0]
    known = {"currency": given.currency or CURRENCY} if priced else {}
    known |= {"language": language} if language else {}
    known |= {"language_read": english_name(given.language)} if given.language else {}
    return StudySettings(overlap=min(max(usual, 1), MOST_OVERLAP), quality=QualityRules().stored(), **known)


def store_answers(session: Session, *, study: Study, log: AnswerLog, answers: Sequence[Answer], skills: Skills) -> None:
    """Store who gave which answer, and what is known of their skill, and close the study."""
    keys = {(stored.item.role, stored.item.id): stored.key for stored in list_items(session, study=study)}
    workers = named_workers(session, names={answer.row.worker for answer in answers})
    judgments = (
        Judgment(
            item_id=keys[answer.item],
            worker_id=workers[answer.row.worker],
            label=answer.label,
            repeat=answer.repeat,
            status="void" if answer.reason else "counted",
            reason=answer.reason,
            page=answer.row.page,
            price=None if answer.again else answer.row.price,
            seconds=None if answer.again else seconds(answer.row, log),
            submitted_at=answer.row.submitted,
            skill=skills.of_pools[answer.row.pool].get(answer.row.worker),
        )
        for answer in answers
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
    labels = Labels(settings.mapping, named, numbers=settings.compared == "interval")
    log = read_log(files, wanted=settings, task=labels.task)
    where = ", ".join(log.files)
    items, answers = gather(log.rows, labels, controls=settings.controls)
    labels.check(where)
    known = None
    if settings.gold:
        known = read_gold(settings.gold, log, items.values(), wanted=settings, labels=labels)
        items = with_gold(items, known)
    labels.check_mapping()
    task = _task(name, log, labels, settings)
    if not labels.task:  # the right answer as the task made of the log writes it: of numbers a list
        items = {
            key: item if item.gold is None else replace(item, gold=task.answer.as_gold(item.gold, item.fields))
            for key, item in items.items()
        }
    if settings.cluster:
        items = with_clusters(items, log.rows, task.cluster)
    made = settled(answers, policy=settings.duplicates)
    skills = read_skills(settings.skills, pools=len(files), workers={row.worker for row in log.rows})
    language = settings.language or language_of(_texts(log), labels.task)
    counts = made.counted()
    targets = {key[1]: counts[key] for key in items if key[0] == "main"}
    collecting = collected(answers, targets.values(), language, settings)
    study = create_study(session, name=name, task=task, settings=collecting, origin="imported")
    add_items(session, study=study, items=list(items.values()), targets=targets)
    store_answers(session, study=study, log=log, answers=made.answers, skills=skills)
    return ImportReport(
        study=name,
        task=task.id,
        log=log,
        labels=labels,
        settled=made,
        items={role: sum(key[0] == role for key in items) for role in ("main", "control")},
        judgments={role: sum(counts[key] for key in counts if key[0] == role) for role in ("main", "control")},
        workers=len({answer.row.worker for answer in answers}),
        missing=sum(item.gold is None for item in items.values() if item.role == "main"),
        skills=skills,
        gold=known,
        language=language,
        settings=settings,
    )


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
    script = script_of(chain.from_iterable(texts))
    fitting = [code for code in languages() if script_of(named_languages()[code]) == script]
    return REQUESTERS_READ if REQUESTERS_READ in fitting else next(iter(fitting), None)


def _task(name: str, log: AnswerLog, labels: Labels, settings: ImportSettings) -> Task:
    """Return the task that the log was made for, or one made of the log; with the clusters that were asked for."""
    fields = {field: any(not row.fields[field].strip() for row in log.rows) for field in log.field_names}
    where = ", ".join(log.files)
    if labels.task and settings.compared != "nominal":
        raise BadSetting(
            f"--scale and --order are for logs without a task; {labels.task.id!r} says how answers compare"
        )
    task = labels.task or derived_task(name, fields, labels.stored, where=where, given=settings)
    return clustered(task, [column.removeprefix(INPUT) for column in settings.cluster])


def with_gold(items: Mapping[ItemKey, Item], gold: GoldFile) -> dict[ItemKey, Item]:
    """Return the items with the right answers of a gold file; one that contradicts a control's GOLDEN is refused."""
    joined = {}
    for key, item in items.items():
        label = gold.labels.get(known_by(item, gold.names))
        if label and item.gold and label != item.gold:
            raise BadFile(
                f"{gold.file}: says {label!r:.60} where the log's GOLDEN says {item.gold!r:.60} (item "
                f"{' | '.join(item.fields.values())[:80]!r}); make them agree"
            )
        joined[key] = replace(item, gold=item.gold or label)
    return joined
