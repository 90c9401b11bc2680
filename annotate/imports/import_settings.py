"""How a log is read: every option of `import-log`, declared once."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from data.composed_text import composed
from data.declared import asked_in, settings_of
from data.errors import BadSetting
from data.wording import Language, named_languages

Controls = Literal["apart", "both"]
Policy = Literal["first", "last", "keep", "error"]
Scale = Literal["nominal", "ordinal", "interval"]
asked = asked_in(Path(__file__).with_suffix(".toml"))


class ImportSettings(BaseModel):
    """How a log is read.

    The `task` comes from the catalogue, or is derived from the log. The columns `fields`, `answer`, `worker`,
    `gold_column` and `control_column` are named where the header does not tell; `cluster` are those whose equal values
    bind items together.
    `mapping` turns written labels into stored ones. With `controls` "both" a control is a main item as well.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str | None = asked("task", None)
    answer: str | None = asked("answer", None)
    fields: tuple[str, ...] = asked("fields", (), typed=str)
    worker: str | None = asked("worker", None)
    gold_column: str | None = asked("gold_column", None)
    control_column: str | None = asked("control_column", None)
    cluster: tuple[str, ...] = asked("cluster", (), typed=str)
    controls: Controls = asked("controls", "apart")
    gold: Path | None = asked("gold", None)
    skills: list[Path] = asked("skills", [], typed=list[Path])
    duplicates: Policy = asked("duplicates", "first")
    mapping: dict[str, str] = asked("mapping", {}, typed=list[str])

    scale: Scale = asked("scale", "nominal")

    price: str | None = asked("price", None)
    started: str | None = asked("started", None)
    submitted: str | None = asked("submitted", None)
    seconds: str | None = asked("seconds", None)
    page: str | None = asked("page", None)
    currency: str | None = asked("currency", None)
    language: Language | None = asked("language", None, choices=named_languages)

    order: tuple[str, ...] = asked("order", (), typed=str)

    @property
    def compared(self) -> Scale:
        """How answers compare; a stated order makes an ordinal scale."""
        return "ordinal" if self.order else self.scale

    @field_validator("fields", "cluster", "order", mode="before")
    @classmethod
    def _separated(cls, given: Any) -> Any:
        return [name.strip() for name in given.split(",") if name.strip()] if isinstance(given, str) else given

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
