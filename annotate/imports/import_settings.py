"""How a log is read: every option of `import-log`, declared once."""

from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, field_validator

from data.composed_text import composed
from data.declared import Asked, setting, settings_of
from data.errors import BadSetting, UnknownName
from data.wording import Language, languages

READING = "Reading"
Controls = Literal["apart", "both"]
Policy = Literal["first", "last", "keep", "error"]
Scale = Literal["nominal", "ordinal", "interval"]
POLICIES, SCALES = get_args(Policy), get_args(Scale)


def _option(name: str, default: Any, title: str, help: str = "", *, typed: Any = None) -> Any:
    return setting(Asked(READING, option=f"--{name}", typed=typed), default, title, help)


class ImportSettings(BaseModel):
    """How a log is read.

    The `task` comes from the catalogue, or is derived from the log. The columns `fields`, `answer`, `worker`,
    `gold_column` and `control_column` are named where the header does not tell; `cluster` are those whose equal values
    bind items together.
    `mapping` turns written labels into stored ones. With `controls` "both" a control is a main item as well.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str | None = _option(
        "task", None, "The task’s id or a task file (.toml)", "Without it one is made from the log"
    )
    answer: str | None = _option("answer", None, "Column of the answers", "Default: label, answer, result …")
    fields: tuple[str, ...] = _option("fields", (), "Columns that make an item", "Written A,B", typed=str)
    worker: str | None = _option("worker", None, "Column of the workers", "Default: worker_id, annotator …")
    gold_column: str | None = _option(
        "gold-column", None, "Column of the right answers", "Of main items, in the log itself"
    )
    control_column: str | None = _option(
        "control-column",
        None,
        "Column that marks control items",
        "yes, true or 1; default: control, is_control, honeypot …",
    )
    cluster: tuple[str, ...] = _option(
        "cluster",
        (),
        "Columns that group items into clusters",
        "Written A,B; items with equal values are one cluster, and intervals resample clusters",
        typed=str,
    )
    controls: Controls = _option(
        "controls", "apart", "How control items count", "apart: as controls only; both: as items of the study too"
    )
    gold: Path | None = _option("gold", None, "File with the right answers")
    skills: list[Path] = _option(
        "skills",
        [],
        "File with worker skills from the platform",
        "One for the whole log, or one for each of its files in the same order; --consensus weighted and --ties skill "
        "weigh votes by them",
        typed=list[Path],
    )
    duplicates: Policy = _option("duplicates", "first", "Repeated answer that counts", f"One of {', '.join(POLICIES)}")
    mapping: dict[str, str] = _option(
        "map", {}, "Rename a label", "Written A=B: A of the log becomes B", typed=list[str]
    )

    scale: Scale = _option(
        "scale",
        "nominal",
        "Scale of the answers",
        f"One of {', '.join(SCALES)}: labels, labels in order, numbers; for a log without a task",
    )

    price: str | None = _option(
        "price", None, "Column of the prices", "Of an answer, or of the page it is on; default: price, reward …"
    )
    started: str | None = _option(
        "started", None, "Column of the start time", "Of an answer or its page; default: started, start_time …"
    )
    submitted: str | None = _option(
        "submitted", None, "Column of the submission time", "Default: submitted, end_time …"
    )
    seconds: str | None = _option("seconds", None, "Column of seconds per answer", "Default: seconds, duration …")
    page: str | None = _option(
        "page", None, "Column of the page", "Answers that are paid and timed together; default: page, assignment_id …"
    )
    currency: str | None = _option("currency", None, "Currency of the prices", "Default: USD")
    language: Language | None = _option(
        "language",
        None,
        "Language of the log",
        "What people read; default: judged by its letters, or a language of the task",
    )

    order: tuple[str, ...] = _option(
        "order", (), "Labels of an ordinal scale", "Written LEAST,…,MOST; numbers need none", typed=str
    )

    @property
    def compared(self) -> Scale:
        """How answers compare; a stated order makes an ordinal scale."""
        return "ordinal" if self.order else self.scale

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
    def _known(cls, given: str) -> str:
        if given not in POLICIES:
            raise UnknownName("policy for --duplicates", given, POLICIES)
        return given

    @field_validator("mapping", mode="before")
    @classmethod
    def _meant(cls, given: Any) -> Any:
        """Return what `--map 'entailment6=entailment'` options say, composed."""
        if not isinstance(given, list):
            return given
        mapping: dict[str, str] = {}
        for option in given:
            written, equals, label = composed(option).partition("=")
            if not (written and equals and label):
                raise BadSetting(f"--map {option!r}: write the value in the file, '=' and its label")
            if mapping.setdefault(written, label) != label:
                raise BadSetting(f"--map {option!r}: {written!r} is mapped to {mapping[written]!r} already")
        return mapping


IMPORT_SETTINGS = settings_of(ImportSettings)
AS_IT_IS = ImportSettings()
