"""A study before and while people answer: drafts are renamed, copied and tried; open ones are corrected and grow."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from annotate.accounts.signer import Signer
from data.errors import BadFile, BadSetting, FileProblem
from data.files.item_files import read_items
from data.limits import LONGEST_TEXT
from data.task import ROLES, Item, Task
from data.wording import Language, Wording
from db.clock import Clock, now
from db.engine import Database, Session, reading, transact, writing
from db.events import Cause, add_event
from db.item_lookup import SourceRow, source_rows
from db.items import add_items, list_items, next_place
from db.statuses import StudyStatus
from db.studies import Study, check_name, get_study, rename, set_columns, set_task
from db.study_settings import StudySettings
from db.unfinished_studies import begin_study, fill_study

WORDS = {"title": "Title", "question": "Question", "instruction": "Instruction"}
"""What a task says in words that a draft may change; of a study that was opened only the instruction."""
Words = Mapping[str, Mapping[Language, str]]


@dataclass(frozen=True)
class Pilot:
    """How a study is tried: so many `items`, drawn, are answered by so many `people`."""

    items: int = 10
    people: int = 3

    def __post_init__(self) -> None:
        if self.items < 1 or not 1 <= self.people <= 50:
            raise BadSetting(f"A pilot has 1 item or more and 1 to 50 people, got {self.items} and {self.people}.")


def words_of(task: Task) -> dict[str, dict[Language, str]]:
    """Return what a task says under each of WORDS, by language; words that are the same everywhere stand once."""
    said: dict[str, Wording] = {name: getattr(task, name) for name in WORDS}
    return {
        name: dict(list(wording.items())[: 1 if len(set(wording.values())) == 1 else None])
        for name, wording in said.items()
    }


def reworded(task: Task, words: Words) -> tuple[Task, dict[str, list[dict[Language, str]]]]:
    """Return a task with other words, and those that differ as name -> [before, after]; raises BadSetting.

    Words that are the same in every language stay so.
    """
    changes = {}
    for name, before in words_of(task).items():
        after = {language: text.strip() for language, text in words.get(name, before).items() if language in before}
        if after == before:
            continue
        if not all(0 < len(text) <= LONGEST_TEXT for text in after.values()):
            raise BadSetting(f"{WORDS[name]}: write 1 to {LONGEST_TEXT:,} characters.")
        changes[name] = [before, after]
    made: dict[str, Any] = {
        name: Wording(**{each: next(iter(after.values())) for each in getattr(task, name)} | after)
        for name, (_, after) in changes.items()
    }
    return replace(task, **made), changes


@dataclass(frozen=True)
class StudyChanges:
    """What requesters do to a study as a whole, by its name; all of it raises UnknownName. `who` is who acts."""

    database: Database
    signer: Signer
    clock: Clock = field(default=now)

    def rename(self, name: str, new: str, *, who: str) -> None:
        """Give a draft another name; raises BadSetting, also for a study that people may know by its name."""

        def work(session: Session) -> None:
            study = get_study(session, name=name)
            if study.status != "draft":
                raise BadSetting(f"{name!r} was opened, and its links name it; duplicate it under the new name.")
            rename(session, study=study, name=new)
            self._add_event(session, study, "renamed", who, {"names": [name, new]})

        transact(self.database, work)

    def duplicate(self, name: str, new: str) -> Study:
        """Make a draft with the task, the settings and the items of a study; raises BadSetting for the new name."""
        study, rows = self._read(name, new)
        return self._made(new, study, study.settings.model_copy(update={"counts": False}), rows, "draft")

    def pilot(self, name: str, pilot: Pilot) -> Study:
        """Make and open a study that tries a draft: some of its items, all its controls and practice, few people.

        What is answered there stays there. Raises BadSetting for a study that was opened.
        """
        with reading(self.database) as session:
            number = 1
            while is_taken(session, new := f"{name[:70]}-pilot" + f"-{number}" * (number > 1)):
                number += 1
        study, rows = self._read(name, new)
        if study.status != "draft":
            raise BadSetting(f"{name!r} was opened; a pilot tries a draft. Duplicate it first.")
        few: dict[str, Any] = {"overlap": pilot.people, "max_people": pilot.people, "overlap_max": None, "bonus": 0}
        tried = self._tried(study, rows, pilot)
        made = self._made(new, study, study.settings.model_copy(update=few | {"counts": False}), tried, "open")
        with writing(self.database) as session:
            set_columns(session, study=made, pilot_of=study.id)
            return get_study(session, name=new)

    def reword(self, name: str, words: Words, *, who: str) -> bool:
        """Let a study ask in other words from now on; return whether any are different. Raises BadSetting.

        People who work are shown the new instruction once, before their next item; the event keeps both versions.
        """

        def work(session: Session) -> bool:
            study = get_study(session, name=name)
            task, changes = reworded(study.task, words)
            if study.status == "closed" and changes:
                raise BadSetting(f"{name!r} is closed, and nobody would read it; open it again first.")
            if study.status != "draft" and (fixed := [WORDS[each] for each in changes if each != "instruction"]):
                raise BadSetting(f"{fixed[0]}: people have answered this question; duplicate the study to ask another.")
            if changes:
                set_task(session, study=study, task=task)
                self._add_event(session, study, "corrected", who, {"version": study.instruction + 1, "words": changes})
            return bool(changes)

        return transact(self.database, work)

    def add(self, name: str, file: Path, *, who: str) -> int:
        """Add the items of a file to a study; return how many. Raises EtalonError with the first problem."""
        with reading(self.database) as session:
            task = get_study(session, name=name).task
        items = read_items(file, task)

        def work(session: Session) -> int:
            study = get_study(session, name=name)
            if study.settings.sitting:
                raise BadSetting("Its items are sat as whole variants, and each keeps its items; make another study.")
            _refuse_known(session, study, items, file)
            order = self.signer.chance("order", name, study.seed, first := next_place(session, study=study))
            add_items(session, study=study, items=items, order=order, first=first)
            self._add_event(session, study, "items_added", who, {"added": len(items), "file": file.name})
            return len(items)

        return transact(self.database, work)

    def _read(self, name: str, new: str) -> tuple[Study, list[SourceRow]]:
        with reading(self.database) as session:
            study = get_study(session, name=name)  # first: who may not reach it learns nothing of names
            check_name(session, new)
            rows = source_rows(session, study=study)
            return study, [row for row in rows if row.item is None or row.item.role in ROLES]

    def _tried(self, study: Study, rows: list[SourceRow], pilot: Pilot) -> list[SourceRow]:
        """Return the rows of a pilot: main items as drawn, of an exam one whole variant, and all the others."""
        main = [row.item for row in rows if row.item and row.item.role == "main"]
        chance = self.signer.chance("pilot", study.name, study.seed)
        drawn = chance.sample(main, min(pilot.items, len(main)))
        if study.settings.sitting:
            cluster = study.task.cluster
            drawn = [item for item in main if item.fields[cluster] == drawn[0].fields[cluster]]
        ids = {item.id for item in drawn}
        return [row for row in rows if row.item and (row.item.role != "main" or row.item.id in ids)]

    def _made(
        self, name: str, study: Study, settings: StudySettings, rows: list[SourceRow], status: StudyStatus
    ) -> Study:
        given: dict[str, Any] = {"name": name, "task": study.task, "settings": settings, "seed": study.seed}
        begun = begin_study(self.database, moment=now(), **given)
        order = self.signer.chance("order", name, study.seed)
        return fill_study(self.database, begun, _records(rows), order=order, status=status)

    def _add_event(self, session: Session, study: Study, kind: Any, who: str, details: Mapping[str, Any]) -> None:
        add_event(session, study_id=study.id, kind=kind, cause=Cause(who, self.clock()), details=details)


def is_taken(session: Session, name: str) -> bool:
    """Return whether a name is taken."""
    try:
        check_name(session, name)
    except BadSetting:
        return True
    return False


def _records(rows: list[SourceRow]) -> Iterator[Item | FileProblem]:
    for row in rows:
        file, _, message = row.why.partition(": ")
        yield replace(row.item, source=row.columns) if row.item else FileProblem(file, message, source=row.columns)


def _refuse_known(session: Session, study: Study, items: list[Item], file: Path) -> None:
    """Refuse (BadFile) an item whose id the study has, or that shows the same as one of its practice and controls."""
    there = [entry.item for entry in list_items(session, study=study)]
    shown = [each.name for each in study.task.fields if each.kind != "hidden"]

    def shows(item: Item) -> tuple[str, ...]:
        return tuple(item.fields.get(name, "") for name in shown)

    ids = {item.id for item in there if item.role == "main"}
    others = {shows(item): item for item in there if item.role != "main"}
    for item in items:
        if item.id in ids:
            raise BadFile(f"{file.name}: the study has an item with the id {item.id!r:.80} already; leave it out.")
        if same := others.get(shows(item)):
            raise BadFile(f"{file.name}: {item.id!r:.80} shows the same as a {same.role} item; leave it out.")
