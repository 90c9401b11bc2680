"""How a log is read: every option of `import-log`, declared once."""

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from annotate.imports.counted_answers import POLICIES, Policy, policy_named
from annotate.imports.derived_task import SCALES, AnswerScale, Scale
from annotate.imports.labels import parsed_mapping
from annotate.imports.log_columns import Wanted
from annotate.imports.log_items import Controls
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
    control_column: str | None = setting(
        Asked(READING, option="--control-column"),
        None,
        "Column that says which rows are controls",
        "yes, true or 1; known without it: control, is_control, honeypot …",
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
        f"One of {', '.join(SCALES)}: labels, labels in order, numbers; for a log without a task",
    )

    price: str | None = _column(
        "price", "the prices", "Of an answer, or of the page it is on; known without it: price, reward …"
    )
    started: str | None = _column(
        "started", "when an answer or its page was begun", "Known without it: started, start_time …"
    )
    submitted: str | None = _column("submitted", "when it was sent", "Known without it: submitted, end_time …")
    seconds: str | None = _column("seconds", "the seconds an answer took", "Known without it: seconds, duration …")
    page: str | None = _column(
        "page", "the page", "Answers that are paid and timed together; known without it: page, assignment_id …"
    )
    currency: str | None = setting(Asked(READING, option="--currency"), None, "Currency of the prices", "Else USD")
    language: Language | None = setting(
        Asked(READING, option="--language"),
        None,
        "Language of the log",
        "In which people read it; without it the one whose letters it is written in, of a task one that the task has",
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
