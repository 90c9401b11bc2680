"""How a log is read: every option of `import-log`, declared once."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from annotate.imports.log_items import (
    POLICIES,
    SCALES,
    AnswerScale,
    Controls,
    Policy,
    Scale,
    parsed_mapping,
    policy_named,
)
from annotate.imports.log_reading import Wanted
from data.declared import Asked, setting, settings_of
from data.errors import UnknownName
from data.files.column_names import OF_PAY
from data.wording import Language, languages

READING = "Reading"


def _column(name: str, title: str, help: str) -> Any:
    return setting(Asked(READING, option=f"--{name}"), None, f"Column of {title}", help)


class ImportSettings(BaseModel):
    """How a log is read.

    The `task` comes from the catalogue, or is derived from the log. The columns `fields`, `answer`, `worker`,
    `gold_column` and `control_column` are named where the header does not tell; `cluster` are those whose equal values
    bind items together.
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
        Asked(READING, option="--answer"), None, "Column of the answers", "Default: label, answer, result …"
    )
    fields: tuple[str, ...] = setting(
        Asked(READING, option="--fields", typed=str), (), "Columns that make an item", "Written A,B"
    )
    worker: str | None = setting(
        Asked(READING, option="--worker"), None, "Column of the workers", "Default: worker_id, annotator …"
    )
    gold_column: str | None = setting(
        Asked(READING, option="--gold-column"), None, "Column of the right answers", "Of main items, in the log itself"
    )
    control_column: str | None = setting(
        Asked(READING, option="--control-column"),
        None,
        "Column that marks control items",
        "yes, true or 1; default: control, is_control, honeypot …",
    )
    cluster: tuple[str, ...] = setting(
        Asked(READING, option="--cluster", typed=str),
        (),
        "Columns that group items into clusters",
        "Written A,B; items with equal values are one cluster, and intervals resample clusters",
    )
    controls: Controls = setting(
        Asked(READING, option="--controls"),
        "apart",
        "How control items count",
        "apart: as controls only; both: as items of the study too",
    )
    gold: Path | None = setting(Asked(READING, option="--gold"), None, "File with the right answers")
    skills: list[Path] = setting(
        Asked(READING, option="--skills", typed=list[Path]),
        [],
        "File with worker skills from the platform",
        "One for the whole log, or one for each of its files in the same order; --consensus weighted and --ties skill "
        "weigh votes by them",
    )
    duplicates: Policy = setting(
        Asked(READING, option="--duplicates"), "first", "Repeated answer that counts", f"One of {', '.join(POLICIES)}"
    )
    mapping: dict[str, str] = setting(
        Asked(READING, option="--map", typed=list[str]), {}, "Rename a label", "Written A=B: A of the log becomes B"
    )

    scale: Scale = setting(
        Asked(READING, option="--scale"),
        "nominal",
        "Scale of the answers",
        f"One of {', '.join(SCALES)}: labels, labels in order, numbers; for a log without a task",
    )

    price: str | None = _column(
        "price", "the prices", "Of an answer, or of the page it is on; default: price, reward …"
    )
    started: str | None = _column(
        "started", "the start time", "Of an answer or its page; default: started, start_time …"
    )
    submitted: str | None = _column("submitted", "the submission time", "Default: submitted, end_time …")
    seconds: str | None = _column("seconds", "seconds per answer", "Default: seconds, duration …")
    page: str | None = _column(
        "page", "the page", "Answers that are paid and timed together; default: page, assignment_id …"
    )
    currency: str | None = setting(Asked(READING, option="--currency"), None, "Currency of the prices", "Default: USD")
    language: Language | None = setting(
        Asked(READING, option="--language"),
        None,
        "Language of the log",
        "What people read; default: judged by its letters, or a language of the task",
    )

    order: tuple[str, ...] = setting(
        Asked(READING, option="--order", typed=str),
        (),
        "Labels of an ordinal scale",
        "Written LEAST,…,MOST; numbers need none",
    )

    @property
    def answer_scale(self) -> AnswerScale:
        """How answers compare; a stated order makes an ordinal scale."""
        return AnswerScale("ordinal" if self.order else self.scale, self.order)

    @property
    def columns(self) -> Wanted:
        """The columns that are named."""
        of_pay = {use: column for use in OF_PAY if (column := getattr(self, use))}
        return Wanted(
            self.fields, self.answer, self.worker, self.gold_column, self.control_column, self.cluster, of_pay
        )

    @field_validator("language")
    @classmethod
    def _spoken(cls, given: Language | None) -> Language | None:
        if given is not None and given not in languages():
            raise UnknownName("the language", given, languages())
        return given

    @field_validator("fields", "cluster", "order", mode="before")
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
