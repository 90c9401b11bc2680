"""Compare two texts: which of them is better, or neither."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from data.answers.base import Option
from data.answers.choice import Choice
from data.errors import BadTask
from data.wording import Wording

TIE = "tie"


@dataclass(frozen=True)
class Pairwise(Choice):
    """One of the two texts in `option_fields`, "0" or "1"; with `tie` also "tie", by the key 0: they are level."""

    kind: ClassVar[str] = "pairwise"
    tie: Wording | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.option_fields) != 2:
            raise BadTask(f"pairwise: {self.option_fields!r} must be the two fields that are compared")

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the two texts, then the tie."""
        return tuple(
            Option(label, "0" if label == TIE else str(int(label) + 1), self.option_words(label, fields))
            for label in self.offered(fields)
        )

    def option_words(self, label: str, fields: Mapping[str, str]) -> Wording:
        """Return the text at that position, or the words of the tie."""
        return self.tie if self.tie and label == TIE else super().option_words(label, fields)

    def as_dict(self) -> dict[str, object]:
        """Return the type as plain data."""
        tie = {"ru": self.tie.ru, "en": self.tie.en} if self.tie else None
        return {**super().as_dict(), "tie": tie}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Pairwise":
        """Return the type that `as_dict` described."""
        tie = values.get("tie")
        return cls(**cls.source_of(values), tie=Wording(**tie) if tie else None)

    def _fixed(self) -> tuple[str, ...]:
        return (*super()._fixed(), *((TIE,) if self.tie else ()))
