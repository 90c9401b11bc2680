"""Studies are made here: a task and its items are read, checked and stored whole, or nothing is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotate.accounts.signer import Signer
from annotate.overlap import can_be_dynamic
from annotate.requesters.new_study_items import Gathered, Sources, Tell, gathered, paced
from annotate.requesters.study_card import Draft
from annotate.workload import Workload
from data.catalogue.catalog import get_task, sample_file
from data.declared import quoted, validated
from data.errors import BadSetting, BadTask, FileProblem
from data.task import ROLES, Role, Task
from db.clock import now
from db.engine import Database, reading
from db.studies import Study, check_name
from db.study_settings import SETTINGS, StudySettings
from db.unfinished_studies import begin_study, clear_abandoned, fill_study
from eval.metrics.table import metric_faults
from eval.workers import rules_of

NO_CONTROLS = "the bonus needs controls, and this study shows none; add control items to the pages, or set it to 0"


@dataclass(frozen=True)
class StudySpecification:
    """A study to be made: its name, what it asks, how it collects, and where its items come from."""

    name: str
    task: Task
    settings: StudySettings
    sources: Sources


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
        return "\n".join(
            [
                f"study {self.study.name!r} ({self.study.task.id}) is open",
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
    check_metrics(new.task)
    clear_abandoned(database, now())
    with reading(database) as session:
        check_name(session, new.name)
    seed = new.sources.seed
    roles, order = signer.chance("roles", seed), signer.chance("order", new.name, seed)
    with gathered(new.task, new.sources, roles, tell) as gathered_items:
        fitting = _fitting(new.settings, new.task, gathered_items)
        fitting = fitting.model_copy(update={"quality": rules_of(fitting.quality).stored()})
        records = paced(gathered_items.records(), "items stored", tell, gathered_items.number)
        begun = begin_study(database, name=new.name, task=new.task, settings=fitting, seed=seed, moment=now())
        study = fill_study(database, begun, records, order=order)
        return Created(study, {role: gathered_items.counts[role] for role in ROLES}, gathered_items.unused)


def check_metrics(task: Task) -> None:
    """Refuse (BadTask) metrics that are not known or cannot score a task's answers, before anybody answers."""
    names = {"metrics": task.metrics, "published": task.published}
    if faults := [*metric_faults(names, task.answer, [task_field.name for task_field in task.fields])]:
        raise BadTask(f"task {task.id!r}: {faults[0].sentence}")


def drafted(draft: Draft) -> StudySpecification:
    """Return the study that a form describes; raises an EtalonError where something is missing or not allowed."""
    sources, settings = sources_of(draft), checked_settings(draft.settings)
    if settings.sitting:
        sources = sources.model_copy(update={"control": None, "draw_control": 0})
    return StudySpecification(draft.name.strip(), task_of_draft(draft), settings, sources)


def _fitting(settings: StudySettings, task: Task, items: Gathered) -> StudySettings:
    """Return settings as the items allow: no controls on the pages where there are none."""
    if settings.sitting and not task.cluster:
        raise BadSetting(f"{SETTINGS['sitting'].title}: the items of {task.id} are not parts of a whole; switch it off")
    if settings.overlap_max is not None and not can_be_dynamic(task.answer):
        raise BadSetting(
            f"{SETTINGS['overlap_max'].title}: answers of the type {task.answer.kind!r} cannot be weighed against "
            "each other; leave it empty"
        )
    if items.counts["control"] and settings.page_controls:
        if settings.bonus and not settings.repeat_controls and items.counts["control"] < settings.bonus_after:
            raise BadSetting(
                f"{SETTINGS['bonus_after'].title} {settings.bonus_after}: no worker can earn the bonus: the study has "
                f"{items.counts['control']} control items and none comes again; add some, or ask for fewer"
            )
        counts = items.counts
        check_reached(settings, Workload(counts["main"], counts["training"], counts["control"]))
        return settings
    if settings.bonus:
        raise BadSetting(f"{SETTINGS['bonus'].title} {settings.bonus:g}: {NO_CONTROLS}")
    if items.counts["control"]:
        return settings
    return settings.model_copy(update={"page_controls": 0, "page_controls_proven": None})


def check_reached(settings: StudySettings, workload: Workload) -> None:
    """Refuse a bonus that nobody can earn who works as long as the items and the caps allow; raises BadSetting."""
    if settings.bonus and not workload.rewarded(settings):
        answers = workload.allowed(settings)
        raise BadSetting(
            f"{SETTINGS['bonus_after'].title} {settings.bonus_after}: no worker can earn the bonus: the items and the "
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
    for name, setting in SETTINGS.items():
        if name in given and given[name] in (None, "") and not setting.may_be_empty:
            raise BadSetting(f"{setting.title} is empty; fill it in")


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
    if draft.samples:
        return sample_sources(task_of_draft(draft))
    if draft.main is None:
        raise BadSetting("there are no items yet; choose a file of items, or use the sample items")
    return Sources(
        main=draft.main,
        training=draft.training,
        control=draft.control,
        draw_training=0 if draft.training else draft.draw_training,
        draw_control=0 if draft.control else draft.draw_control,
        sample=draft.sample,
        seed=draft.seed,
        leave_out=draft.leave_out,
    )


def sample_sources(task: Task) -> Sources:
    """Return the sample items that come with a task; what is written has neither training nor controls."""
    files: dict[str, Path] = {role: sample_file(task, role) for role in ROLES}
    there = {role: path if path.exists() else None for role, path in files.items()}
    return Sources(main=files["main"], training=there["training"], control=there["control"])
