"""Making a study: its items are gathered and checked, then it is stored whole, or not at all."""

import json
from array import array
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import Any, TextIO

import numpy as np
from pydantic import BaseModel, ConfigDict

from annotate.accounts.signer import Signer
from annotate.consent import Workload
from annotate.overlap import can_be_dynamic
from data.answers.write import Write
from data.catalogue.catalog import get_task, sample_file
from data.console import Tell, watched
from data.declared import asked_in, quoted, settings_of, validated
from data.errors import BadFile, BadSetting, BadTask, FileProblem, UnknownName
from data.files.item_files import each_item, same_id
from data.formats import format_named
from data.task import ROLES, Item, Role, Task
from data.wording import enumerated
from db import frames
from db.clock import now
from db.engine import Database, Session, reading
from db.item_lookup import MODELS_MAY_READ
from db.items import list_items
from db.studies import Study, check_name
from db.study_settings import SETTINGS, StudySettings
from db.unfinished_studies import begin_study, clear_abandoned, fill_study
from eval.metrics.table import metric_faults
from eval.workers.table import rules_of

CAN_LEAVE_OUT = "; correct it, or leave out the rows that cannot be used (--leave-out)"
asked = asked_in(Path(__file__).with_suffix(".toml"))


class Sources(BaseModel):
    """Where the items of a study come from, by role.

    `draw_training` and `draw_control` take so many of the main items that have a right answer, `sample` leaves so many
    main items in all, with the shares of the whole in each combination of the columns `stratify`; `seed` decides which
    items the study has, the installation's secret which of them become what.
    `leave_out` lets the file of main items have rows that can be none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    main: Path
    training: Path | None = asked("training", None)
    control: Path | None = asked("control", None)
    draw_training: int = asked("draw_training", 0, ge=0)
    draw_control: int = asked("draw_control", 0, ge=0)
    sample: int | None = asked("sample", None)
    stratify: str = asked("stratify", "")
    seed: int = asked("seed", 0)
    leave_out: bool = asked("leave_out", False)

    @property
    def columns(self) -> list[str]:
        """The columns by which a sample is balanced."""
        return [name.strip() for name in self.stratify.split(",") if name.strip()]

    @property
    def files(self) -> dict[Role, Path]:
        """The files by the role of their items."""
        chosen: dict[Role, Path | None] = {"main": self.main, "training": self.training, "control": self.control}
        return {role: path for role, path in chosen.items() if path}


SOURCES = settings_of(Sources)
"""What is said of the items beside the file of the main ones, by name."""


@dataclass(frozen=True)
class Draft:
    """A study as its form describes it. `settings` by name.

    `task` is an id of the catalogue; `described` takes its place where the task is one's own. `samples`: with the items
    that come with the task, not those of `sources`. It `opens` as soon as it is made, or is a draft that is edited
    first.
    """

    name: str
    task: str
    settings: Mapping[str, Any]
    samples: bool = False
    sources: Sources | None = None
    described: Task | None = None
    opens: bool = True


@dataclass
class Gathered:
    """Items on their way into a study, by role; `records` may be read again and again. One is in memory at a time.

    `unusable` are rows of the file of main items that are none, `repeated` those whose id another has, by their places;
    `sampling` says how a sample was drawn.
    """

    spool: TextIO
    sources: Sources
    counts: dict[Role, int] = field(default_factory=lambda: dict.fromkeys(ROLES, 0))
    roles: dict[int, Role] = field(default_factory=dict)
    unusable: list[FileProblem] = field(default_factory=list)
    repeated: dict[int, FileProblem] = field(default_factory=dict)
    not_drawn: set[int] = field(default_factory=set)
    sampling: str = ""

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
        _draw(
            made,
            sources,
            array("L", (place for place in with_gold if place not in made.repeated)),
            chance,
            task.answer_column,
        )
        yield made


def _read(task: Task, role: Role, path: Path, made: Gathered, with_gold: "array[int]", tell: Tell) -> int:
    """Write the items of a file into the spool and return how many; what is wrong is refused, or left out."""
    problems: list[FileProblem] = []
    more, digests, begins = 0, array("Q"), made.spool.tell()
    leave_out = made.sources.leave_out and role == "main"
    for record in watched(each_item(path, task, role=role), f"{path.name}, items checked", tell):
        if isinstance(record, FileProblem):
            if leave_out and record.line:
                made.unusable += [] if made.unusable and _of_one_row(made.unusable[-1], record) else [record]
                continue
            more += bool(problems)
            problems = problems or [record]
            continue
        row, item = record
        if role == "main" and item.gold is not None:
            with_gold.append(len(digests))
        digests.append(int.from_bytes(blake2b(item.id.encode(), digest_size=8).digest()))
        kept = [role, row.line, item.id, dict(item.fields), item.gold, item.explanation, item.source]
        made.spool.write(json.dumps(kept, default=str) + "\n")
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


def _draw(made: Gathered, sources: Sources, with_gold: "array[int]", chance: Random, answer: str) -> None:
    """Leave out what a sample leaves out, and give the drawn items their roles.

    Which items remain follows from the seed alone, which others may know; who becomes what among them does not.
    """
    wanted, number = sources.draw_training + sources.draw_control, made.counts["main"] - len(made.repeated)
    if wanted > len(with_gold) or wanted >= number > 0 < wanted:
        has = f"{len(with_gold)} of {number} items have a right answer"
        raise BadSetting(f"{wanted} items are to be drawn for training and controls, and {has}; draw fewer of them")
    main = number - wanted
    golden: Sequence[int] = with_gold
    if sources.columns and sources.sample is None:
        raise BadSetting("--stratify balances a sample; say with --sample how many items to draw")
    if sources.sample is not None:
        if not 1 <= sources.sample <= main:
            raise BadSetting(f"--sample {sources.sample}: the file has {main} items; draw from 1 to {main} of them")
        places = [place for place in range(made.counts["main"]) if place not in made.repeated]
        remaining, main = _sampled(made, with_gold, places, answer), sources.sample
        shares = f"by the shares of {enumerated(sources.columns)}" if sources.columns else "at random"
        made.sampling = f"{main} of {number} items of {sources.main.name}, drawn {shares} with the seed {sources.seed}"
        made.not_drawn = set(places) - remaining
        golden = [place for place in with_gold if place in remaining]
    sampled = chance.sample(golden, wanted)
    made.roles = dict.fromkeys(sampled[: sources.draw_training], "training")
    made.roles |= dict.fromkeys(sampled[sources.draw_training :], "control")
    made.counts["training"] += sources.draw_training
    made.counts["control"] += sources.draw_control
    made.counts["main"] = main


def _sampled(made: Gathered, with_gold: "array[int]", places: Sequence[int], answer: str) -> set[int]:
    """Return the places of the items that remain: enough with a right answer, and a sample of the others."""
    sources = made.sources
    golden = set(Random(sources.seed).sample(with_gold, sources.draw_training + sources.draw_control))
    others = [place for place in places if place not in golden] if golden else places
    strata = _strata(made, others, answer) if sources.columns else [others]
    parts, chance = proportional(list(map(len, strata)), sources.sample or 0), Random(sources.seed)
    return golden.union(*(chance.sample(stratum, part) for stratum, part in zip(strata, parts, strict=True)))


def _strata(made: Gathered, places: Sequence[int], answer: str) -> list[list[int]]:
    """Return the places by what the columns say: a field, a column of the file, or that of the answer."""
    strata: dict[tuple[str, ...], list[int]] = {}
    wanted = set(places)
    made.spool.seek(0)
    for place, text in enumerate(islice(made.spool, made.counts["main"])):
        _, _, _, fields, gold, _, source = json.loads(text)
        known = {**(source or {}), **fields, answer: gold}
        if missing := [name for name in made.sources.columns if name not in known]:
            raise UnknownName("--stratify: the column", missing[0], known)
        if place in wanted:
            strata.setdefault(tuple(str(known[name]) for name in made.sources.columns), []).append(place)
    return list(strata.values())


def proportional(sizes: Sequence[int], wanted: int) -> list[int]:
    """Return so many of each stratum that they add up to what is wanted: by the largest remainders (Hamilton).

    >>> proportional([50, 30, 20], 5)
    [3, 1, 1]
    """
    total = sum(sizes)
    parts = [size * wanted // total for size in sizes]
    largest = sorted(range(len(sizes)), key=lambda place: -(sizes[place] * wanted % total))
    for place in largest[: wanted - sum(parts)]:
        parts[place] += 1
    return parts


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

    A record has the fields of the item that was written about and the pieces of the entry under their names, as the
    format of `task` reads them, so far as `task` shows them; where the writer told what is right, that is its gold. Its
    id names item, writer and entry; workers never see an id. Models may read it if the consent of the study said so
    (`texts_to_models`), or its writer never had one here: programs and imported logs.
    Raises BadSetting for a study in which nothing is written, and for a task that shows what is not there.
    """
    answer = study.task.answer
    if not isinstance(answer, Write):
        raise BadSetting(
            f"nothing is written in the study {study.name!r}: its answers are {answer.kind!r}; name another one"
        )
    fields = {entry.item.id: entry.item.fields for entry in list_items(session, study=study, role="main")}
    names = [field.name for field in task.fields]
    judged = frames.judgments(session, study=study)
    counted = judged[(judged["status"] == "counted") & (judged["role"] == "main")]
    ours = ~counted["simulated"].astype(bool) & (study.origin != "imported") & (not study.settings.texts_to_models)
    columns = (counted["item"], counted["worker"], counted["label"], ours)
    place = {item: number for number, item in enumerate(fields)}
    given = sorted(zip(*columns, strict=True), key=lambda judgment: (place[judgment[0]], judgment[1]))
    records = []
    for item, worker, label, withheld in given:
        for number, entry in enumerate(answer.written(label), 1):
            told = {**fields[item], **entry}
            try:
                (row,) = format_named(task.file_format).unfold(told)
                shown = {name: row[name] for name in names}
            except (ValueError, KeyError) as error:
                why = error if isinstance(error, ValueError) else f"has no {error}"
                has = ", ".join(sorted(told))
                raise BadSetting(f"task {task.id!r}: a text of {study.name!r} {why}; it has {has}") from error
            right = {name: row[name] for name in (task.answer_column,) if name in row}
            may_read = {MODELS_MAY_READ: "no" if withheld else "yes"}
            records.append({"id": f"{item}-{worker}-{number}", **shown, **right, **may_read})
    return records


NO_CONTROLS = "the bonus needs controls, and this study shows none; add control items to the pages, or set it to 0"


@dataclass(frozen=True)
class StudySpecification:
    """A study to be made: its name, what it asks, how it collects, where its items come from; or a draft of one."""

    name: str
    task: Task
    settings: StudySettings
    sources: Sources
    opens: bool = True


@dataclass(frozen=True)
class Created:
    """A new study, how many items it has by role, and the rows that cannot be used and were left out."""

    study: Study
    items: dict[Role, int]
    left_out: Sequence[FileProblem] = ()

    @property
    def wanted(self) -> int:
        """How many judgments the main items are to have."""
        return self.items["main"] * self.study.settings.overlap

    def as_dict(self) -> dict[str, Any]:
        """Return what the study needs as data that JSON can hold."""
        return {
            "study": self.study.name,
            "task": self.study.task.id,
            "items": self.items,
            "left_out": [problem.line for problem in self.left_out],
            "judgments": {"wanted": self.wanted},
            "settings": self.study.settings.model_dump(mode="json"),
        }

    def __str__(self) -> str:
        """Return what the study needs as text."""
        settings, items = self.study.settings, self.items
        page = f", {settings.page_controls} to {settings.page_main} main ones on a page" if items["control"] else ""
        tries = f" in one of {settings.training_attempts} attempts" if settings.training_attempts > 1 else ""
        passed = f", passed with {settings.training_pass:.0%} right{tries}" if items["training"] else ""
        state = "open" if self.study.status == "open" else "a draft"
        return "\n".join(
            [
                f"study {self.study.name!r} ({self.study.task.id}) is {state}",
                f"  main        {items['main']} items, {settings.overlap} judgments each: {self.wanted} wanted",
                f"  control     {items['control']} items{page}",
                f"  training    {items['training']} items{passed}",
                *(f"  left out    {problem}" for problem in self.left_out),
            ]
        )


def create(database: Database, signer: Signer, new: StudySpecification, *, tell: Tell = lambda _: None) -> Created:
    """Store a new study with its items and return it; `tell` hears how far it is.

    Everything is read and checked first; then it is stored while others use the database, and nobody sees it before it
    is whole, so that an error keeps nothing. With the secret of `signer` it is drawn which items become training and
    controls, and in which order items are served. Raises an EtalonError with one sentence where the task, a file or a
    setting is wrong.
    """
    # Metrics that are not known, or cannot score the answers, are refused before anybody answers.
    names = {"metrics": new.task.metrics, "published": new.task.published}
    if faults := [*metric_faults(names, new.task.answer, [field.name for field in new.task.fields])]:
        raise BadTask(f"task {new.task.id!r}: {faults[0].sentence}")
    clear_abandoned(database, now())
    with reading(database) as session:
        check_name(session, new.name)
    seed = new.sources.seed
    roles, order = signer.chance("roles", seed), signer.chance("order", new.name, seed)
    with gathered(new.task, new.sources, roles, tell) as gathered_items:
        fitting = fitted(new.settings, new.task, gathered_items.counts)
        known = {"quality": rules_of(fitting.quality).stored(), "sampling": fitting.sampling or gathered_items.sampling}
        fitting = fitting.model_copy(update=known)
        records = watched(gathered_items.records(), "items stored", tell, gathered_items.number)
        begun = begin_study(database, name=new.name, task=new.task, settings=fitting, seed=seed, moment=now())
        study = fill_study(database, begun, records, order=order, status="open" if new.opens else "draft")
        return Created(study, {role: gathered_items.counts[role] for role in ROLES}, gathered_items.unused)


def drafted(draft: Draft) -> StudySpecification:
    """Return the study that a form describes; raises an EtalonError where something is missing or not allowed."""
    sources, settings = sources_of(draft), checked_settings(draft.settings)
    if settings.sitting:
        sources = sources.model_copy(update={"control": None, "draw_control": 0})
    return StudySpecification(draft.name.strip(), task_of_draft(draft), settings, sources, draft.opens)


def fitted(settings: StudySettings, task: Task, counts: Mapping[Role, int]) -> StudySettings:
    """Return settings as the items allow: no controls on the pages where there are none."""
    if settings.sitting_minutes and "grade_norm" not in task.metrics:
        raise BadSetting(f"{SETTINGS['sitting_minutes'].title}: {task.id} is no exam with points; leave it empty")
    if settings.sitting and not task.cluster:
        raise BadSetting(f"{SETTINGS['sitting'].title}: the items of {task.id} are not parts of a whole; switch it off")
    if settings.overlap_max is not None and not can_be_dynamic(task.answer):
        raise BadSetting(
            f"{SETTINGS['overlap_max'].title}: answers of the type {task.answer.kind!r} cannot be weighed against "
            "each other; leave it empty"
        )
    if counts["control"] and settings.page_controls:
        if settings.bonus and not settings.repeat_controls and counts["control"] < settings.bonus_after:
            raise BadSetting(
                f"{SETTINGS['bonus_after'].title} {settings.bonus_after}: no worker can earn the bonus. The study has "
                f"{counts['control']} control items and none comes again; add some, or ask for fewer"
            )
        check_reached(settings, Workload(counts["main"], counts["training"], counts["control"]))
        return settings
    if settings.bonus:
        raise BadSetting(f"{SETTINGS['bonus'].title} {settings.bonus:g}: {NO_CONTROLS}")
    if counts["control"]:
        return settings
    return settings.model_copy(update={"page_controls": 0, "page_controls_proven": None})


def check_reached(settings: StudySettings, workload: Workload) -> None:
    """Refuse a bonus that nobody can earn who works as long as the items and the caps allow; raises BadSetting."""
    if settings.bonus and not workload.rewarded(settings):
        answers = workload.allowed(settings)
        raise BadSetting(
            f"{SETTINGS['bonus_after'].title} {settings.bonus_after}: no worker can earn the bonus. The items and the "
            f"limits on each worker end the work after {answers} answer{'s' * (answers != 1)}, with fewer controls "
            "among them; ask for fewer, put more on a page, or raise the limits"
        )


def study_settings(given: Mapping[str, Any], *, named: Mapping[str, Any]) -> StudySettings:
    """Return settings with what is given and not None; raises BadSetting with the option as it is typed.

    `named` were given as `--set NAME=VALUE`; an option of its own goes before it.
    """
    typed = {name: value for name, value in given.items() if value is not None}

    def called(name: str, value: object) -> str:
        return f"{SETTINGS[name].asked.option} {quoted(value)}" if name in typed else f"--set {name}={str(value)[:60]}"

    return validated(StudySettings, {**named, **typed}, called)


def checked_settings(given: Mapping[str, Any]) -> StudySettings:
    """Return settings as a form gave them; raises BadSetting with the field as the form names it."""
    check_filled(given)
    return validated(StudySettings, {name: cleaned(value) for name, value in given.items()}, titled)


def check_filled(given: Mapping[str, Any]) -> None:
    """Refuse what is empty and may not be; raises BadSetting with the field as the form names it."""
    for name, declared in SETTINGS.items():
        if name in given and given[name] in (None, "") and not declared.may_be_empty:
            raise BadSetting(f"{declared.title} is empty; fill it in")


def cleaned(value: Any) -> Any:
    """Return a value as it is kept: a text without space around it and without signs that no database holds."""
    return value.replace("\0", "").strip() if isinstance(value, str) else value


def titled(name: str, value: object) -> str:
    """Return a setting and its value as sentences of the pages name them."""
    return f"{SETTINGS[name].title} {quoted(value)}"


def task_of_draft(draft: Draft) -> Task:
    """Return what a draft asks; raises UnknownName, or BadSetting where no task is chosen yet."""
    if draft.described is not None:
        return draft.described
    if not draft.task:
        raise BadSetting("there is no task yet; choose one, or upload a table or a task file")
    return get_task(draft.task)


def sources_of(draft: Draft) -> Sources:
    """Return where the items of a draft come from; raises BadSetting where there are none."""
    if draft.samples:  # what is written has neither training nor controls
        files = {role: sample_file(task_of_draft(draft), role) for role in ROLES}
        there = {role: path if path.exists() else None for role, path in files.items()}
        return Sources(main=files["main"], training=there["training"], control=there["control"])
    if draft.sources is None:
        raise BadSetting("there are no items yet; choose a file of items, or use the sample items")
    return draft.sources.model_copy(update={f"draw_{role}": 0 for role in draft.sources.files if role != "main"})
