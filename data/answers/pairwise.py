"""Compare two texts: which of them is better, or neither."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from data.answers.answer_type import Option
from data.answers.choice import Choice
from data.errors import BadTask
from data.task_keys import key
from data.wording import Wording

TIE = "tie"


@dataclass(frozen=True)
class Pairwise(Choice):
    """One of the two texts in `option_fields`, "0" or "1"; where a tie is allowed also "tie", by the key 0."""

    kind: Literal["pairwise"] = field(default="pairwise", kw_only=True)  # type: ignore[assignment]
    tie: Wording | None = None
    """The words of the answer that they are level; no such answer without it.

    Example: {"ru": "Поровну", "en": "Tie"}
    """
    competitors: Annotated[tuple[str, ...], key(left_out=True)] = ()
    """The two fields that name whose texts these are, in their order: a ranking is made of them. Of the kind `hidden`,
    since nobody should know. Where each field of texts is one competitor's, those two again.

    Example: ["model_1", "model_2"]
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.option_fields) != 2:
            raise BadTask(f"pairwise: {self.option_fields!r} must be the two fields that are compared")
        if len(self.competitors) not in (0, 2):
            raise BadTask(f"pairwise: {self.competitors!r} must be the two fields that name whose texts are compared")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse fields of texts, or of whose they are, that the task does not have."""
        super().check_fields(task_id, names)
        if missing := [name for name in self.competitors if name not in names]:
            raise BadTask(f"task {task_id!r}: there is no field {missing[0]!r}, which names a competitor")

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the two texts, then the tie."""
        return tuple(
            Option(label, "0" if label == TIE else str(int(label) + 1), self.option_words(label, fields))
            for label in self.offered(fields)
        )

    def option_words(self, label: str, fields: Mapping[str, str]) -> Wording:
        """Return the text at that position, or the words of the tie."""
        return self.tie if self.tie and label == TIE else super().option_words(label, fields)

    def _fixed(self) -> tuple[str, ...]:
        return (*super()._fixed(), *((TIE,) if self.tie else ()))
