"""The items of a study to be: read and checked whole, then kept in a file of our own until they are stored."""

import json
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from time import monotonic
from typing import Any, TextIO, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from data.answers.write import Write
from data.declared import Asked, setting, settings_of
from data.errors import BadFile, BadSetting, FileProblem
from data.files.item_files import each_item, same_id
from data.task import ROLES, Item, Role, Task
from db import frames
from db.engine import Session
from db.item_lookup import MODELS_MAY_READ
from db.items import list_items
from db.studies import Study

T = TypeVar("T")
Tell = Callable[[str], None]
ITEMS = "Items"
CAN_LEAVE_OUT = "; correct it, or leave out the rows that cannot be used (--leave-out)"
PAUSE = 1.0  # seconds between two sentences about how far something is


class Sources(BaseModel):
    """Where the items of a study come from, by role.

    `draw_training` and `draw_control` take so many of the main items that have a right answer, `sample` leaves so many
    main items in all; `seed` decides which items the study has, the installation's secret which of them become what.
    `leave_out` lets the file of main items have rows that can be none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    main: Path
    training: Path | None = setting(
        Asked(ITEMS, option="--training", placeholder="none"),
        None,
        "File of training items",
        "Explained before the work",
    )
    control: Path | None = setting(
        Asked(ITEMS, option="--control", placeholder="none"),
        None,
        "File of control items",
        "Their answers are known; mixed into the work",
    )
    draw_training: int = setting(
        Asked(ITEMS, option="--draw-training"), 0, "Training items to draw", "From items with an answer", ge=0
    )
    draw_control: int = setting(
        Asked(ITEMS, option="--draw-control"), 0, "Controls to draw", "From items with an answer", ge=0
    )
    sample: int | None = setting(
        Asked(ITEMS, option="--sample", placeholder="all"), None, "Main items to draw", "Empty: all of them"
    )
    seed: int = setting(Asked(ITEMS, option="--seed"), 0, "Seed", "The same seed leaves the same items")
    leave_out: bool = setting(
        Asked(ITEMS, option="--leave-out"),
        False,
        "Leave out the rows that cannot be used",
        "Of the file of items; the export of labelled items has them, with why",
    )

    @property
    def files(self) -> dict[Role, Path]:
        """The files by the role of their items."""
        chosen: dict[Role, Path | None] = {"main": self.main, "training": self.training, "control": self.control}
        return {role: path for role, path in chosen.items() if path}


SOURCES = settings_of(Sources)
"""What is said of the items beside the file of the main ones, by name."""


@dataclass
class Gathered:
    """Items on their way into a study, by role; `records` may be read again and again. One is in memory at a time.

    `unusable` are rows of the file of main items that are none, `repeated` those whose id another has, by their places.
    """

    spool: TextIO
    sources: Sources
    counts: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(ROLES, 0))
    roles: dict[int, Role] = field(default_factory=dict)
    unusable: list[FileProblem] = field(default_factory=list)
    repeated: dict[int, FileProblem] = field(default_factory=dict)
    not_drawn: set[int] = field(default_factory=set)

    def records(self) -> Iterator[Item | FileProblem]:
        """Yield the items in the order of their files, each in the role it was drawn for, among what is left out."""
        self.spool.seek(0)
        unusable = deque(sorted(self.unusable, key=lambda problem: problem.line or 0))
        for place, text in enumerate(self.spool):
            role, line, key, fields, gold, explanation, source = json.loads(text)
            while unusable and (role != "main" or (unusable[0].line or 0) < line):
                yield unusable.popleft()
            if repeated := self.repeated.get(place):
                yield replace(repeated, source=source)
            elif place in self.not_drawn:
                yield FileProblem(self.sources.main.name, "was not drawn", line, source=source)
            else:
                yield Item(key, fields, gold, self.roles.get(place, role), explanation, source)
        yield from unusable

    @property
    def unused(self) -> list[FileProblem]:
        """The rows that cannot be used and are left out, in the order of the file."""
        return sorted([*self.unusable, *self.repeated.values()], key=lambda problem: problem.line or 0)

    @property
    def number(self) -> int:
        """How many rows there are in all."""
        return sum(self.counts.values()) + len(self.unused) + len(self.not_drawn)


@contextmanager
def gathered(task: Task, sources: Sources, chance: Random, tell: Tell = lambda _: None) -> Iterator[Gathered]:
    """Give the items of all files, checked; raises BadFile with the first problem and how many more there are.

    `chance` draws which items become training and control items: no worker may be able to foretell it.
    An item that stands in two of the files is a problem too. Memory does not grow with the main items but by a few
    bytes each. Raises BadSetting where fewer items have a right answer than are to be drawn.
    """
    with_gold = array("L")
    with TemporaryFile("w+", encoding="utf-8") as spool:
        made = Gathered(spool, sources)
        for role, path in sources.files.items():
            made.counts[role] = _read(task, role, path, made, with_gold, tell)
        if len(sources.files) > 1:
            _refuse(repeated_items(task, sources.files, spool, made.counts["main"]))
        _draw(made, sources, array("L", (place for place in with_gold if place not in made.repeated)), chance)
        yield made


def paced(values: Iterable[T], what: str, tell: Tell, of: int | None = None) -> Iterator[T]:
    """Yield things, and tell once in a while how many there have been."""
    last, out_of = monotonic(), f" of {of:,}" if of else ""
    for number, thing in enumerate(values, 1):
        yield thing
        if monotonic() - last > PAUSE:
            tell(f"{what}: {number:,}{out_of}")
            last = monotonic()


def _read(task: Task, role: Role, path: Path, made: Gathered, with_gold: "array[int]", tell: Tell) -> int:
    """Write the items of a file into the spool and return how many; what is wrong is refused, or left out."""
    problems: list[FileProblem] = []
    more, digests, begins = 0, array("Q"), made.spool.tell()
    leave_out = made.sources.leave_out and role == "main"
    for record in paced(each_item(path, task, role=role), f"{path.name}, items checked", tell):
        if isinstance(record, FileProblem):
            if leave_out and record.line:
                made.unusable += [] if made.unusable and _of_one_row(made.unusable[-1], record) else [record]
                continue
            more += bool(problems)
            problems = problems or [record]
            continue
        line, item = record
        if role == "main" and item.gold is not None:
            with_gold.append(len(digests))
        digests.append(int.from_bytes(blake2b(item.id.encode(), digest_size=8).digest()))
        row = [role, line, item.id, dict(item.fields), item.gold, item.explanation, item.source]
        made.spool.write(json.dumps(row, default=str) + "\n")
    repeated = _repeated(path, digests, made.spool, begins)
    if leave_out and digests and not problems:
        made.repeated = repeated
        return len(digests)
    again = [*made.unusable, *repeated.values()]
    problems += again[:1]
    more += max(0, len(again) - (problems == again[:1]))
    can = role == "main" and not leave_out and problems and problems[0].line
    _refuse(problems[:1], more, "; `check` lists them all", CAN_LEAVE_OUT if can else "")
    return len(digests)


def _of_one_row(problem: FileProblem, other: FileProblem) -> bool:
    return problem.line == other.line and problem.source is other.source


def _refuse(problems: list[FileProblem], more: int | None = None, where: str = "", advice: str = "") -> None:
    """Raise BadFile where there are problems, with the first one and how many more there are."""
    if problems:
        others = len(problems) - 1 if more is None else more
        raise BadFile(f"{problems[0]}" + (f" (and {others} more{where})" if others else "") + advice)


def _repeated(path: Path, digests: "array[int]", spool: TextIO, begins: int) -> dict[int, FileProblem]:
    """Return what is wrong with the ids that stand in a file twice, by the place of the item there.

    Only where some do, the file is looked through again.
    """
    ordered = np.sort(np.frombuffer(digests, dtype=np.uint64)) if digests else np.empty(0, dtype=np.uint64)
    if not (ordered[1:] == ordered[:-1]).any():
        return {}
    spool.seek(begins)
    first: dict[str, int] = {}
    problems: dict[int, FileProblem] = {}
    for place, text in enumerate(spool):
        _, line, key, fields, *_ = json.loads(text)
        if first.setdefault(key, line) != line:
            problems[place] = same_id(path.name, Item(key, fields), line, first[key])
    return problems


def _draw(made: Gathered, sources: Sources, with_gold: "array[int]", chance: Random) -> None:
    """Leave out what a sample leaves out, and give the drawn items their roles.

    Which items remain follows from the seed alone, which others may know; who becomes what among them does not.
    """
    wanted, number = sources.draw_training + sources.draw_control, made.counts["main"] - len(made.repeated)
    if wanted > len(with_gold) or wanted >= number > 0 < wanted:
        has = f"{len(with_gold)} of {number} items have a right answer"
        raise BadSetting(f"{wanted} items are to be drawn for training and controls, and {has}; draw fewer of them")
    main = number - wanted
    golden: Sequence[int] = with_gold
    if sources.sample is not None:
        if not 1 <= sources.sample <= main:
            raise BadSetting(f"--sample {sources.sample}: the file has {main} items; draw from 1 to {main} of them")
        places = [place for place in range(made.counts["main"]) if place not in made.repeated]
        remaining, main = _sampled(sources, with_gold, places), sources.sample
        made.not_drawn = set(places) - remaining
        golden = [place for place in with_gold if place in remaining]
    sampled = chance.sample(golden, wanted)
    made.roles = dict.fromkeys(sampled[: sources.draw_training], "training")
    made.roles |= dict.fromkeys(sampled[sources.draw_training :], "control")
    made.counts["training"] += sources.draw_training
    made.counts["control"] += sources.draw_control
    made.counts["main"] = main


def _sampled(sources: Sources, with_gold: "array[int]", places: Sequence[int]) -> set[int]:
    """Return the places of the items that remain: enough with a right answer, and a sample of the others."""
    golden = set(Random(sources.seed).sample(with_gold, sources.draw_training + sources.draw_control))
    others = [place for place in places if place not in golden] if golden else places
    return golden | set(Random(sources.seed).sample(others, sources.sample or 0))


@dataclass(frozen=True)
class ItemPlace:
    """Where an item was read, and the texts that it shows."""

    role: Role
    line: int
    key: str
    shows: tuple[str, ...]


def repeated_items(task: Task, files: Mapping[Role, Path], spool: TextIO, main: int) -> list[FileProblem]:
    """Return a problem for each item of training or control that shows the same as an item of another file.

    `spool` are the gathered items, the `main` ones first: those are only looked up, the others are held in memory. Ids
    may be the same, since files number their items each for itself.
    """
    shown = [field.name for field in task.fields if field.kind != "hidden"]
    others: dict[tuple[str, ...], ItemPlace] = {}
    problems = []
    for place in _places(spool, shown, main, None):
        earlier = others.setdefault(place.shows, place)
        if earlier.role != place.role:
            problems.append(_problem(files, place, earlier))
    problems += [
        _problem(files, others[place.shows], place) for place in _places(spool, shown, 0, main) if place.shows in others
    ]
    return problems


def _places(spool: TextIO, shown: list[str], first: int, last: int | None) -> Iterator[ItemPlace]:
    spool.seek(0)
    for text in islice(spool, first, last):
        role, line, key, fields, *_ = json.loads(text)
        yield ItemPlace(role, line, key, tuple(fields.get(name, "") for name in shown))


def _problem(files: Mapping[Role, Path], place: ItemPlace, other: ItemPlace) -> FileProblem:
    where = f"the {other.role} item {other.key!r} ({files[other.role].name}, line {other.line})"
    sentence = f"the {place.role} item {place.key!r} shows the same as {where}; leave it out of one of the two files"
    return FileProblem(files[place.role].name, sentence, place.line)


def validation_items(session: Session, *, study: Study, task: Task) -> list[dict[str, Any]]:
    """Return one record of `task` for each entry of each counted judgment of a writing study, in the items' order.

    A record has the fields of the item that was written about, so far as `task` shows them, and the pieces of the
    entry under their names. Its id names item, writer and entry; workers never see an id. Models may read it if the
    consent of the study said so (`texts_to_models`), or its writer never had one here: programs and imported logs.
    Raises BadSetting for a study in which nothing is written, and for a task that shows what is not there.
    """
    answer = study.task.answer
    if not isinstance(answer, Write):
        raise BadSetting(
            f"nothing is written in the study {study.name!r}: its answers are {answer.kind!r}; name another one"
        )
    fields = {entry.item.id: entry.item.fields for entry in list_items(session, study=study, role="main")}
    names = [field.name for field in task.fields]
    known = {field.name for field in study.task.fields} | {piece.name for piece in answer.pieces}
    missing = [name for name in names if name not in known]
    if missing:
        raise BadSetting(
            f"task {task.id!r} shows {missing[0]!r}, and the study {study.name!r} has only {', '.join(sorted(known))}"
        )
    judged = frames.judgments(session, study=study)
    counted = judged[(judged["status"] == "counted") & (judged["role"] == "main")]
    ours = ~counted["simulated"].astype(bool) & (study.origin != "imported") & (not study.settings.texts_to_models)
    columns = (counted["item"], counted["worker"], counted["label"], ours)
    given = sorted(zip(*columns, strict=True), key=_place(fields))
    return [
        {
            "id": f"{item}-{worker}-{number}",
            **{name: {**fields[item], **entry}[name] for name in names},
            MODELS_MAY_READ: "no" if withheld else "yes",
        }
        for item, worker, label, withheld in given
        for number, entry in enumerate(answer.written(label), 1)
    ]


def _place(fields: Mapping[str, Any]) -> Any:
    """Return the order of judgments: that of the study's items, then of the writers' pseudonyms."""
    place = {item: number for number, item in enumerate(fields)}
    return lambda judgment: (place[judgment[0]], judgment[1])
