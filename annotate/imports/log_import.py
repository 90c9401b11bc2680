"""A log becomes a closed study: items, workers and judgments in one transaction, with a report of what was done."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from annotate.imports.answer_log import AnswerLog
from annotate.imports.counted_answers import POLICIES, Policy, policy_named, settle
from annotate.imports.derived_task import SCALES, Scale, clustered, derived_task
from annotate.imports.gold_file import GoldFile, read_gold
from annotate.imports.import_report import ImportReport
from annotate.imports.labels import Labels, parsed_mapping
from annotate.imports.log_columns import Wanted
from annotate.imports.log_items import Controls, ItemKey, gather, with_clusters
from annotate.imports.log_reading import read_log
from annotate.imports.skill_files import read_skills
from annotate.imports.stored_study import store_answers, store_study
from annotate.imports.toloka import INPUT
from data.catalogue.catalog import task_named
from data.declared import Asked, setting, settings_of
from data.errors import BadFile
from data.task import Item, Task
from db.engine import Session

READING = "Reading"


class ImportSettings(BaseModel):
    """How a log is read.

    The `task` comes from the catalogue, or is derived from the log. The columns `fields`, `answer`, `worker` and
    `gold_column` are named where the header does not tell; `cluster` are those whose equal values bind items together.
    `mapping` turns written labels into stored ones. With `controls` "both" a control is a main item as well.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str | None = setting(
        Asked(READING, option="--task"),
        None,
        "The task’s id or a task file (.toml)",
        "Without it one is made from the log",
    )
    answer: str | None = setting(
        Asked(READING, option="--answer"), None, "Column of the answers", "Known without it: label, answer, result …"
    )
    fields: tuple[str, ...] = setting(
        Asked(READING, option="--fields", typed=str), (), "Columns that make an item", "Written A,B"
    )
    worker: str | None = setting(
        Asked(READING, option="--worker"), None, "Column of the workers", "Known without it: worker_id, annotator …"
    )
    gold_column: str | None = setting(
        Asked(READING, option="--gold-column"), None, "Column of the right answers", "Of main items, in the log itself"
    )
    cluster: tuple[str, ...] = setting(
        Asked(READING, option="--cluster", typed=str),
        (),
        "Columns whose equal values bind items together",
        "Written A,B; intervals resample clusters",
    )
    controls: Controls = setting(
        Asked(READING, option="--controls"),
        "apart",
        "What controls are",
        "apart: controls alone; both: items of the study as well",
    )
    gold: Path | None = setting(Asked(READING, option="--gold"), None, "File with the right answers")
    skills: list[Path] = setting(
        Asked(READING, option="--skills", typed=list[Path]),
        [],
        "File with the skills that the platform gave workers",
        "One for all files of the log, or one for each in the same order: votes then weigh what their own pool says, "
        "under --consensus weighted and --ties skill",
    )
    duplicates: Policy = setting(
        Asked(READING, option="--duplicates"), "first", "Which repeat counts", f"One of {', '.join(POLICIES)}"
    )
    mapping: dict[str, str] = setting(
        Asked(READING, option="--map", typed=list[str]), {}, "What a label means", "Written A=B"
    )

    scale: Scale = setting(
        Asked(READING, option="--scale"),
        "nominal",
        "How answers compare",
        f"One of {', '.join(SCALES)}: labels, ratings, numbers; for a log without a task",
    )

    @property
    def columns(self) -> Wanted:
        """The columns that are named."""
        return Wanted(self.fields, self.answer, self.worker, self.gold_column, self.cluster)

    @field_validator("fields", "cluster", mode="before")
    @classmethod
    def _separated(cls, given: Any) -> Any:
        return [name.strip() for name in given.split(",") if name.strip()] if isinstance(given, str) else given

    @field_validator("duplicates", mode="before")
    @classmethod
    def _known(cls, given: str) -> Policy:
        return policy_named(given)

    @field_validator("mapping", mode="before")
    @classmethod
    def _meant(cls, given: Any) -> Any:
        return parsed_mapping(given) if isinstance(given, list) else given


IMPORT_SETTINGS = settings_of(ImportSettings)
AS_IT_IS = ImportSettings()


def import_log(
    session: Session, *, name: str, files: Sequence[Path], settings: ImportSettings = AS_IT_IS
) -> ImportReport:
    """Store the answers of `files` as the study `name` and return what was read, dropped, merged and stored.

    Raises an EtalonError with one sentence; the caller's transaction then keeps nothing.
    """
    labels = Labels(settings.mapping, task_named(settings.task) if settings.task else None)
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
    if settings.cluster:
        items = with_clusters(items, log.rows, task.cluster)
    settled = settle(answers, policy=settings.duplicates)
    skills = read_skills(settings.skills, pools=len(files))
    study = store_study(session, name=name, task=task, items=items, settled=settled)
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
    )


def _task(name: str, log: AnswerLog, labels: Labels, settings: ImportSettings) -> Task:
    """Return the task that the log was made for, or one made of the log; with the clusters that were asked for."""
    fields = {field: any(not row.fields[field].strip() for row in log.rows) for field in log.field_names}
    where, scale = ", ".join(log.files), settings.scale
    task = labels.task or derived_task(name, fields, labels.stored, where=where, scale=scale)
    return clustered(task, [column.removeprefix(INPUT) for column in settings.cluster])


def with_gold(items: Mapping[ItemKey, Item], gold: GoldFile) -> dict[ItemKey, Item]:
    """Return the items with the right answers of a gold file; one that contradicts a control's GOLDEN is refused."""
    joined = {}
    for key, item in items.items():
        label = gold.labels.get(gold.content(item))
        if label and item.gold and label != item.gold:
            raise BadFile(
                f"{gold.file}: says {label!r} where the log's GOLDEN says {item.gold!r} (item "
                f"{' | '.join(item.fields.values())[:80]!r}); make them agree"
            )
        joined[key] = replace(item, gold=item.gold or label)
    return joined
