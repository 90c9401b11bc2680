"""A study that is not there yet: what its files hold, and the numbers that follow from its settings."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, inf
from pathlib import Path
from typing import Literal

from pyarrow import parquet
from scipy.special import bdtrc

from annotate.consent import ESTIMATED_FROM, expected_seconds, needed
from annotate.overlap import can_be_dynamic
from annotate.requesters.study_card import FileCheck
from annotate.requesters.study_creation import Draft, sources_of, task_of_draft
from data.answers.answer_options import Offered
from data.answers.choices import Choices
from data.catalogue.catalog import tasks
from data.errors import BadFile, EtalonError, FileProblem
from data.files.item_files import Checked, CheckedRows, checked, with_own_ids
from data.files.problem_table import unread
from data.files.text_files import uploaded
from data.gold_leaks import leaks_in
from data.task import DATA_KINDS, ROLES, Item, Role, Task, as_dict, from_dict
from data.wording import own_wording
from db.study_settings import CLUSTERS, SETTINGS, WEIGHED, StudySettings
from eval.planner import PERSON, crowd_accuracy, detectable
from eval.workers.control import LONGEST_COMPUTED, ControlRule
from eval.workers.frame import guess
from eval.workers.rule import STOPS, Chances
from eval.workers.table import rules_of

MOST_LABELS = 10
Step = Literal["file", "columns", "question", "people", "check"]


@dataclass(frozen=True)
class Plan:
    """What a study will ask for. `controls` and `pages` are those of one worker who answers as many items as one may.

    `controls_wanted` is how many controls that length of work has places for: where there are fewer, and none may come
    again, main items take the places of the others.
    `sittings` is 0 where workers take items as they come, else how many sittings answer everything once. With a dynamic
    overlap `most_judgments` and `most_cost` are reached where every item asks for as many answers as one may have.
    `capped`: one worker may not answer everything; `share` is how many answers come with one to a main item, controls
    counted. `attempts` at the training are allowed. `practice_cost`, which is in `cost`, pays all the training of
    `workers`; `most_bonus`, which is in `most_cost` alone, is the bonus for everybody.
    """

    items: int
    judgments: int
    workers: int
    pages: int
    controls: int
    controls_wanted: int
    repeats: int
    training_right: int
    training: int
    cost: float
    attempts: int = 1
    sittings: int = 0
    most_judgments: int = 0
    most_cost: float = 0.0
    capped: bool = False
    share: float = 1.0
    practice_cost: float = 0.0
    most_bonus: float = 0.0


@dataclass(frozen=True)
class Forecast:
    """What a plan lets expect.

    `guesser_trains` and `guesser_works` are the probabilities that somebody who guesses passes the training and still
    works after the controls of one worker, None where there are none or where answers cannot be guessed; `acts_from` is
    how many controls it takes before the rule looks. `hours` of active work in all and `most_hours`, at `seconds` an
    answer; `hourly` is the pay for one of them. `difference` is the smallest one between people and a model that the
    items show in four studies out of five, None where nothing is `scored` and where there are too few items for any.
    """

    guesser_trains: float | None
    guesser_works: float | None
    acts_from: int
    seconds: float
    hours: float
    most_hours: float
    hourly: float
    difference: float | None
    scored: bool = True


def plan(counts: Mapping[Role, int], settings: StudySettings, *, sittings: int = 1) -> Plan:
    """Return what follows from the numbers of items by role and the settings.

    `workers` is the least number that can give `overlap` judgments to an item. `repeats` is how often one meets the
    same control at most: once without `repeat_controls`. `cost` is in the study's currency: judgments, the controls
    that come with them and the training of the least number of workers; how many more come, or fail, nobody knows.
    Where a worker answers the items of an exam variant in one go, without controls, there are so many `sittings`.
    """
    items, training, control = (counts.get(role, 0) for role in ("main", "training", "control"))
    sittings = sittings if settings.sitting else 0
    page_main, per_page = settings.page_main, settings.page_controls if control and not sittings else 0
    each, there = per_page / page_main, (inf if settings.repeat_controls else control) if per_page else 0
    cap = None if settings.sitting else settings.max_items
    own = items if cap is None else min(items, max(1, int(max(cap / (1 + each), cap - there))))
    pages = ceil(own / page_main)
    wanted = pages * per_page
    met = int(min(wanted, there))
    if met < wanted:
        pages = ceil((own + met) / (page_main + per_page))
    share = 1 + min(each, there / own if own else 0)
    overlap, most = settings.overlap, max(settings.overlap, settings.overlap_max or 0)
    workers = overlap * sittings if sittings else max(overlap, ceil(items * overlap / own) if own else 0)
    practice = workers * training * settings.training_price
    most_bonus = items * most * settings.bonus if per_page else 0.0
    return Plan(
        items=items,
        judgments=items * overlap,
        workers=workers,
        pages=pages,
        controls=met,
        controls_wanted=wanted,
        repeats=ceil(met / control) if control else 0,
        training_right=needed(training, settings.training_pass),
        training=training,
        cost=items * overlap * share * settings.price + practice,
        attempts=settings.training_attempts,
        sittings=sittings,
        most_judgments=items * most,
        most_cost=items * most * share * settings.price + practice + most_bonus,
        capped=own < items,
        share=share,
        practice_cost=practice,
        most_bonus=most_bonus,
    )


def forecast(planned: Plan, settings: StudySettings, *, chance: float, seconds: float, scored: bool) -> Forecast:
    """Return what a plan lets expect where a guesser is right with probability `chance` (0: answers are open).

    The difference is that which the score test shows with a power of 80% between a crowd of people with 85% each and a
    model below it, their errors independent: real ones share hard items, so less shows too.
    """
    rule, met = rules_of(settings.quality).control, planned.controls
    majority = crowd_accuracy(
        PERSON, settings.overlap, labels=min(MOST_LABELS, max(2, round(1 / chance) if chance else 2))
    )
    each = planned.share * seconds / 3600
    return Forecast(
        guesser_trains=_pass_probability(planned, chance),
        guesser_works=_survival(rule, chance, met),
        acts_from=rule.minimum if rule.action in STOPS else 0,
        seconds=seconds,
        hours=planned.judgments * each,
        most_hours=planned.most_judgments * each,
        hourly=settings.price * 3600 / seconds if seconds else 0.0,
        difference=detectable(planned.items, majority) if scored else None,
        scored=scored,
    )


def _pass_probability(planned: Plan, chance: float) -> float | None:
    """Return the probability of at least as many right answers as pass the training, in one of the attempts.

    None without training. A guesser guesses anew each time: who remembers what was explained no longer does.
    """
    if not planned.training or not chance:
        return None
    once = float(bdtrc(planned.training_right - 1, planned.training, chance))
    return 1 - (1 - once) ** planned.attempts


def _survival(rule: ControlRule, chance: float, met: int) -> float | None:
    """Return how often a guesser still works after so many controls; 1 where the rule stops nobody."""
    if not met or not chance:
        return None
    if rule.action not in STOPS or met < rule.minimum:
        return 1.0
    met = min(met, LONGEST_COMPUTED)
    rows = rule.power(Chances(chance=chance, controls_met=met))
    return next((row.guesser_passes for row in rows if row.answers == met), None)


TAG = re.compile(r"</?[a-zA-Z][^<>]{0,80}>")
FEW, MOST_PROPOSED = 10, 30
"""Right answers from which controls are proposed, and how many of these at most."""


@dataclass(frozen=True)
class Doubt:
    """What a requester should look at before a study opens, and at which step of the form it stands.

    `controls` is how many items with a right answer may become controls, 0 where that is not the doubt.
    """

    step: Step
    sentence: str
    controls: int = 0


def doubts_of(draft: Draft, checks: Mapping[Role, FileCheck]) -> Iterator[Doubt]:
    """Yield what nobody has written or decided yet in a draft; what is wrong with its files stands beside these."""
    main, control = checks.get("main"), checks.get("control")
    if draft.described and draft.sources:
        yield from _default_texts(draft.described, uploaded(draft.sources.main).stem)
    for name, tag in main.tags.items() if main else ():
        yield Doubt("columns", f"The texts of {name!r} have tags such as {tag}. People see them as they stand.")
    known = main.with_gold if main and main.has_right else 0
    if known >= FEW and not (draft.samples or control or (draft.sources and draft.sources.draw_control)):
        sentence = f"{known:,} right answers and no control: nothing shows who guesses."
        yield Doubt("people", sentence, controls=min(MOST_PROPOSED, known // 5))


def _default_texts(task: Task, file: str) -> Iterator[Doubt]:
    if {*task.title.values()} == {file}:
        yield Doubt("question", f"People read the title “{file}”, the name of the file. Write one.")
    own_question = any(task_field.kind == "question" for task_field in task.fields)
    kept = [] if own_question or task.question != own_wording("questions", task.answer.kind) else ["question"]
    kept += ["instruction"] if task.instruction == own_wording("proposals", "instruction") else []
    if kept:
        are = "are still the proposed ones" if len(kept) > 1 else "is still the proposed one"
        yield Doubt("question", f"The {' and the '.join(kept)} {are}.")


SMALL = 48 * 1024 * 1024  # bytes of a file that is checked whole while the form is filled in
LISTED = 2_000  # problems of a file that the page lists; the command lists all
LOOKED_AT = 10_000  # items of a larger one; the rest is checked when the study is made
SAMPLED = 200  # items from which the time and the chance of a guesser are told


def check(task: Task, role: Role, path: Path) -> FileCheck:
    """Return what a file holds, or what is wrong with it; the same file is not read twice for the same task."""
    try:
        stamp = path.stat()
    except OSError as error:
        why = FileProblem(path.name, f"cannot be opened ({error.strerror}); upload it again")
        return FileCheck(0, 0, str(why), 1, first_problems=(why,))
    return _check(json.dumps(as_dict(task)), role, path, stamp.st_size, stamp.st_mtime_ns)


def checks_of(draft: Draft) -> dict[Role, FileCheck]:
    """Return what the files of a draft hold, by role; raises EtalonError where there is no task or no file yet."""
    task = task_of_draft(draft)
    sources = sources_of(draft)
    checks = {role: check(task, role, path) for role, path in sources.files.items()}
    if sources.leave_out and checks["main"].unusable:
        checks["main"] = replace(checks["main"], problem="")
    return checks


def counts_of(draft: Draft, checks: Mapping[Role, FileCheck]) -> dict[Role, int]:
    """Return how many items of each role a draft comes to, those that are drawn counted where they go."""
    counts: dict[Role, int] = {role: checks[role].items if role in checks else 0 for role in ROLES}
    sources = draft.sources
    if draft.samples or sources is None:
        return counts
    from_main: dict[Role, int] = {"training": sources.draw_training, "control": sources.draw_control}
    for role, number in from_main.items():
        if role not in checks and number > 0:
            counts[role], counts["main"] = number, max(0, counts["main"] - number)
    if sources.sample:
        counts["main"] = min(counts["main"], sources.sample)
    return counts


def wants(task: Task) -> set[str]:
    """Return the settings that make sense for a task: what they need of it is there."""
    has = {CLUSTERS: bool(task.cluster), WEIGHED: can_be_dynamic(task.answer)}
    return {name for name, setting in SETTINGS.items() if has.get(setting.asked.needs, True)}


@lru_cache(maxsize=64)
def _check(snapshot: str, role: Role, path: Path, size: int, _changed: int) -> FileCheck:
    task = from_dict(json.loads(snapshot))
    complete = size <= SMALL or path.suffix.lower() == ".json"
    look = _Look(task, role)
    try:
        for part in with_own_ids(checked(path, task, role=role), path.name):
            left = LOOKED_AT - look.number - look.problems
            look.at(part if complete or isinstance(part, FileProblem) else part[:left])
            if not complete and look.number + look.problems == LOOKED_AT:
                break
        number = look.number if complete else _estimated_items(path, look)
    except EtalonError as error:
        return look.refused(path, error)
    return look.seen(number, complete=complete)


@dataclass
class _Look:
    """What has been seen of a file so far; of its items no more than the first ones are kept."""

    task: Task
    role: Role
    number: int = 0
    with_gold: int = 0
    last_line: int = 1
    problems: int = 0
    unusable: set[int] = field(default_factory=set)
    broken: bool = False
    first_problems: list[FileProblem] = field(default_factory=list)
    first: list[Item] = field(default_factory=list)
    golden: list[Item] = field(default_factory=list)
    cluster_values: set[str] = field(default_factory=set)
    golds: set[str] = field(default_factory=set)

    def at(self, part: Checked) -> None:
        """Count items, or what is wrong with one."""
        if not isinstance(part, FileProblem):
            self._count(part)
            return
        self.problems += 1
        self.unusable.update([part.line] if part.line else [])
        self.broken |= not part.line
        if len(self.first_problems) < LISTED:
            self.first_problems.append(part)

    def _count(self, part: CheckedRows) -> None:
        self.number, self.last_line = self.number + len(part.rows), part.rows[-1].line
        known = len(part.golds) - part.golds.count(None)
        self.with_gold += known
        if len(self.first) < SAMPLED or (known and len(self.golden) < SAMPLED):
            items = list(part.items())
            self.first += items[: SAMPLED - len(self.first)]
            self.golden += [item for item in items if item.gold is not None][: SAMPLED - len(self.golden)]
        if isinstance(self.task.answer, Offered):
            self.golds.update(filter(None, part.golds))
        if self.task.cluster:
            self.cluster_values.update(fields[self.task.cluster] for fields in part.fields)

    def refused(self, path: Path, error: EtalonError) -> FileCheck:
        """Return what was found until nothing could be read any more."""
        last = unread(path, error) if isinstance(error, BadFile) else FileProblem(path.name, str(error))
        problems = (*self.first_problems, last)
        return FileCheck(0, 0, str(problems[0]), self.problems + 1, first_problems=problems)

    def _tags(self) -> dict[str, str]:
        """Return a tag of HTML that stands in the texts of each field that shows it as text, by the field's name."""
        shown = [
            each.name for each in self.task.fields if each.kind not in ("markup", "markdown", "hidden", *DATA_KINDS)
        ]
        found = ((name, TAG.search(item.fields[name])) for name in shown for item in self.first)
        return {name: tag[0] for name, tag in found if tag}

    def _unused(self) -> tuple[str, ...]:
        """Return the fixed answers of a task of one's own that no item has."""
        known = isinstance(self.task.answer, Offered) and self.task.answer.choices
        several = isinstance(self.task.answer, Choices)
        used = {label for gold in self.golds for label in (json.loads(gold) if several else [gold])}
        if not known or not used or self.role != "main" or self.task.id in tasks():
            return ()
        return tuple(label for label in known if label not in used)

    def seen(self, number: int, *, complete: bool) -> FileCheck:
        """Return it as the page shows it."""
        return FileCheck(
            items=number,
            with_gold=self.with_gold if complete else round(number * self.with_gold / max(1, self.number)),
            problem=str(self.first_problems[0]) if self.first_problems else "",
            problems=self.problems,
            first_problems=tuple(self.first_problems),
            tags=self._tags(),
            leaks=tuple(map(str, leaks_in(self.task, self.golden or self.first))),
            unused=self._unused() if complete else (),
            unusable=len(self.unusable) if number and not self.broken else 0,
            clusters=len(self.cluster_values) or 1,
            has_right=self.task.answer.has_right,
            complete=complete,
            looked_at=self.number,
            chance=guess(self.task.answer, [item.fields for item in self.first]),
            seconds=expected_seconds(self.task, self.first[:ESTIMATED_FROM]),
            first=tuple(self.first[:1] + self.golden[:2]),
        )


def _estimated_items(path: Path, look: _Look) -> int:
    """Return about how many items a large file has, from its lines and those of the items that were looked at."""
    if path.suffix.lower() == ".parquet":
        return int(parquet.ParquetFile(path).metadata.num_rows)
    with path.open("rb") as file:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
    return round(look.number * max(lines, look.last_line) / look.last_line)
