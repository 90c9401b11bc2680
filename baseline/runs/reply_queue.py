"""What models wrote becomes a study for people: an item for each reply, or for each pair of them, blind."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from random import SystemRandom
from typing import Final, Literal, get_args

from baseline.runs.result_runs import result_runs
from data.answers.answer_type import unpacked
from data.answers.form import Form, Part
from data.answers.pairwise import Pairwise
from data.catalogue.task_files import read_task
from data.errors import BadSetting, BadTask, UnknownName
from data.numbers import counted
from data.task import UNSEEN_KINDS, Field, Item, Task
from data.wording import enumerated, same
from db import frames
from db.clock import now
from db.engine import Database, Session, reading, writing
from db.events import Cause, add_event, list_events
from db.items import list_items
from db.runs import run_numbered
from db.studies import Study, check_name, get_study, list_studies
from db.study_settings import StudySettings
from db.unfinished_studies import begin_study, fill_study
from eval.workers.table import rules_of

Shape = Literal["pairs", "replies"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
OWN = {shape: Path(__file__).parent / "reply_tasks" / f"{shape}.toml" for shape in SHAPES}
REPLIES: dict[Shape, tuple[str, ...]] = {"pairs": ("reply_1", "reply_2"), "replies": ("reply",)}
WRITERS = {"reply_1": "writers_1", "reply_2": "writers_2", "reply": "writers"}
SOURCE = "source_item"
QUEUED: Final = "queued"
BETWEEN = "\n"
"""What stands between the names of several models that wrote the same text."""
MOST_CRITERIA = 10
COMMON = {"chat", "instruct", "mini", "base", "large", "small", "turbo", "preview", "model", "test", "the", "pro"}
"""Words of models' names that say nothing of a model."""


@dataclass(frozen=True)
class ReplyQueue:
    """What a study for people is made of: the `runs` of a study by number, all that stand in its results by default.

    People are asked by a `task` of one's own, else by ours for the shape; `criteria` are rated instead of the whole.
    """

    source: str
    name: str
    shape: Shape = "pairs"
    runs: tuple[int, ...] = ()
    criteria: tuple[str, ...] = ()
    task: Task | None = None
    overlap: int | None = None
    opens: bool = True


def shape_named(name: object) -> Shape:
    """Return the shape of that name; a browser may send anything."""
    if name not in SHAPES:
        raise UnknownName("shape", str(name)[:40], SHAPES)
    return SHAPES[SHAPES.index(name)]


@dataclass(frozen=True)
class Queued:
    """The study that was made: its items, pairs of the same text that nobody is asked about, replies that tell."""

    study: Study
    items: int
    models: tuple[str, ...]
    ties: int
    naming: tuple[str, ...]

    def __str__(self) -> str:
        """Return it in sentences."""
        same_text = f" {counted(self.ties, 'pair')} of the same text count as ties, unasked." if self.ties else ""
        said = f" Replies that name a model: {enumerated(self.naming)}." if self.naming else ""
        what = f"{counted(self.items, 'item')} of {enumerated(self.models)}"
        status = "a draft" if self.study.status == "draft" else self.study.status
        return f"Study {self.study.name!r} is {status}: {what}.{same_text}{said}"


@dataclass
class Written:
    """Items of the new study; `ties` are the item and the two models of each pair of the same text."""

    items: list[Item] = field(default_factory=list)
    ties: list[tuple[str, str, str]] = field(default_factory=list)
    naming: list[str] = field(default_factory=list)


def queue_replies(database: Database, asked: ReplyQueue, *, who: str) -> Queued:
    """Make the study, with an event; raises an EtalonError where it cannot be made, and keeps nothing then."""
    with reading(database) as session:
        check_name(session, asked.name)
        source = get_study(session, name=asked.source)
        runs = runs_judged(session, source, asked.runs)
        task = _task(source.task, asked)
        written = _written(session, source, task, runs, asked.shape)
    told = names_told(f"{asked.name} {' '.join(task.title.values())}", runs)
    if told:
        raise BadSetting(f"the name {asked.name!r} tells people of {told[0]!r}, whose replies they judge; take another")
    settings = source.settings.model_dump(include={"language", "contact", "retention_days"})
    settings |= {"page_controls": 0, "quality": rules_of("{}").stored()}
    chosen = StudySettings(**settings, **({"overlap": asked.overlap} if asked.overlap else {}))
    begun = begin_study(database, name=asked.name, task=task, settings=chosen, seed=0, moment=now())
    study = fill_study(database, begun, written.items, order=SystemRandom(), status="open" if asked.opens else "draft")
    details = {"source": source.id, "runs": {str(run): name for run, name in runs.items()}, "ties": written.ties}
    with writing(database) as session:
        add_event(session, study_id=study.id, kind=QUEUED, cause=Cause(who, now()), details=details)
    return Queued(study, len(written.items), tuple(runs.values()), len(written.ties), tuple(written.naming))


def runs_judged(session: Session, study: Study, numbers: Sequence[int]) -> dict[int, str]:
    """Return the runs whose replies are judged, by number, each with what its writer is called."""
    if numbers:
        chosen = [run_numbered(session, study=study, number=number) for number in dict.fromkeys(numbers)]
    else:
        chosen = [result.run for result in result_runs(session, study=study) if result.run.kind == "model"]
    if not chosen:
        raise BadSetting(f"no model has answered in the study {study.name!r} yet; run one first")
    several = [run.model for run in chosen]
    return {run.id: run.model if several.count(run.model) == 1 else f"{run.model} (run {run.id})" for run in chosen}


def _task(source: Task, asked: ReplyQueue) -> Task:
    """Return what people are asked: the fields of the items, then replies and, unseen, who wrote them."""
    task, replies = asked.task or read_task(OWN[asked.shape]), REPLIES[asked.shape]
    names = [each.name for each in task.fields]
    if missing := [name for name in replies if name not in names]:
        raise BadTask(
            f"task {task.id!r}: {asked.shape} are shown in {enumerated(replies)}; add the field {missing[0]!r}"
        )
    if asked.criteria and asked.task:
        raise BadSetting("--criterion is for our own task; yours names its criteria as parts of a form")
    if len(asked.criteria) > MOST_CRITERIA:
        raise BadSetting(
            f"{len(asked.criteria)} criteria are more than people rate with care; give {MOST_CRITERIA} at most"
        )
    hidden = [Field(name, same(""), "hidden") for name in (*(WRITERS[name] for name in replies), SOURCE)]
    context = () if asked.task else tuple(_context(source, {*names}))
    fields = (*context, *task.fields, *(each for each in hidden if each.name not in names))
    answer = task.answer
    if isinstance(answer, Pairwise):
        answer = replace(answer, competitors=tuple(WRITERS[name] for name in answer.option_fields))
    if asked.criteria:
        parts = [Part(f"criterion_{n}", same(words), answer) for n, words in enumerate(asked.criteria, 1)]
        answer = Form(parts=tuple(parts))
    return replace(task, fields=fields, answer=answer, cluster=SOURCE)


def _context(source: Task, taken: set[str]) -> Iterator[Field]:
    """Yield the fields of the items as people are to read them: questions and options are texts here."""
    for each in source.fields:
        if each.kind not in UNSEEN_KINDS or each.kind in ("question", "option", "options"):
            unseen = each.kind in UNSEEN_KINDS
            kept = replace(each, kind="plain", separator="") if unseen else each
            yield replace(kept, name=f"asked_{each.name}" if each.name in taken else each.name)
        elif each.kind == "offsets":
            yield each


def _written(session: Session, source: Study, task: Task, runs: Mapping[int, str], shape: Shape) -> Written:
    """Return an item for each different reply, or pair of them; which side is which is drawn."""
    made, chance = Written(), SystemRandom()
    replies = {run: _replies(session, run) for run in runs}
    for stored in list_items(session, study=source, role="main"):
        item, by_text = stored.item, dict[str, list[str]]()
        for run, name in runs.items():
            if text := replies[run].get(item.id, "").strip():
                by_text.setdefault(text, []).append(name)
                made.naming += [f"{item.id} ({name})"] if names_told(text, {run: name}) else []
        made.ties += [(item.id, *two) for names in by_text.values() for two in combinations(names, 2)]
        sides = [[text] for text in by_text] if shape == "replies" else map(list, combinations(by_text, 2))
        for number, texts in enumerate(sides, 1):
            chance.shuffle(texts)
            fields = dict(zip(REPLIES[shape], texts, strict=True)) | {SOURCE: item.id}
            fields |= {WRITERS[n]: BETWEEN.join(by_text[t]) for n, t in zip(REPLIES[shape], texts, strict=True)}
            made.items.append(Item(f"{item.id}-{number}", _shown(source.task, item, task) | fields))
    if not made.items:
        raise BadSetting(f"there is nothing to judge: {enumerated([*runs.values()])} wrote no two different replies")
    if shape == "replies":
        made.ties.clear()
    return made


def _replies(session: Session, run: int) -> dict[str, str]:
    """Return the first reply of a run to each item, an error being none."""
    said = frames.predictions(session, run_id=run)
    first = said[said["status"] != "error"].drop_duplicates("item")
    return dict(zip(first["item"], first["raw"], strict=True))


def _shown(source: Task, item: Item, task: Task) -> dict[str, str]:
    """Return what a task shows of an item, in words where the item holds data or a stored value."""
    own = {each.name: each for each in source.fields}
    ours = {name for names in REPLIES.values() for name in names} | {*WRITERS.values(), SOURCE}
    shown: dict[str, str] = {}
    for each in task.fields:
        name = each.name if each.name in own else each.name.removeprefix("asked_")
        if each.name in ours and each.name == name:
            continue
        if name not in own:
            raise BadTask(f"task {task.id!r}: the items of {source.id!r} have no field {name!r}; leave it out")
        value = item.fields[name]
        if own[name].kind == "options":
            value = "\n".join(f"{place}. {text}" for place, text in enumerate(unpacked(value or "[]"), 1))
        shown[each.name] = value
    return shown


def names_told(text: str, runs: Mapping[int, str]) -> list[str]:
    """Return which words of the names of these models a text holds.

    >>> names_told("As GPT-4o, I cannot.", {1: "openai:gpt-4o-mini"}), names_told("A mini skirt.", {1: "x:gpt-4o-mini"})
    (['gpt'], [])
    """
    words = {word for name in runs.values() for word in re.findall(r"[^\W\d_]{3,}", name.casefold())} - COMMON
    return sorted(word for word in words if re.search(rf"(?<![^\W\d_]){re.escape(word)}", text.casefold()))


@dataclass(frozen=True)
class JudgedReplies:
    """A study in which people judge what models wrote in another: its runs with their writers, and unasked ties."""

    study: Study
    source: int
    runs: Mapping[int, str]
    ties: Sequence[tuple[str, str, str]]


def judging_of(session: Session, study: Study) -> JudgedReplies | None:
    """Return what a study judges, None for one that was not made of replies."""
    for event in list_events(session, study=study, most=1, kinds=(QUEUED,)):
        runs = {int(run): str(name) for run, name in event.details["runs"].items()}
        return JudgedReplies(study, int(event.details["source"]), runs, [tuple(tie) for tie in event.details["ties"]])
    return None


def judged_in(session: Session, source: Study) -> list[JudgedReplies]:
    """Return the studies in which replies of this one are judged, the newest first."""
    others = [study for study in list_studies(session) if SOURCE in [each.name for each in study.task.fields]]
    found = [judging_of(session, study) for study in others]
    return [judging for judging in found if judging and judging.source == source.id]


def writers_of(fields: Mapping[str, str], name: str) -> list[str]:
    """Return the models that a field names: several where they wrote the same text."""
    return fields[name].split(BETWEEN)
