"""What every answer type can do; a new type is one file beside this one and one template in `data/drawing`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Protocol

from data.wording import Wording


@dataclass(frozen=True)
class Option:
    """One answer that may be chosen: its stored label, the key that chooses it, the words that are read."""

    label: str
    key: str
    words: Wording


class AnswerType(Protocol):
    """How an answer is asked for, checked, written and read back. An answer is kept as one canonical string."""

    kind: ClassVar[str]

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse (BadTask) a task whose fields do not carry what this type needs."""

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical answer for what a page or a file sent; raise BadAnswer otherwise."""

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one answer a model's reply names, or None when it names none or several."""

    def show(self, answer: str, fields: Mapping[str, str]) -> str:
        """Return `answer` as a model is asked to write it: `parse(show(a)) == a`."""

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return `answer` as people read it."""

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the answers this item allows, in canonical order; empty where they cannot be listed."""

    def answer_format(self, fields: Mapping[str, str]) -> str:
        """Return the sentence that tells a model how to write its answer."""

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return one of the allowed answers, each equally likely."""

    def labels(self) -> tuple[str, ...]:
        """Return every canonical answer the type can give, where the list is closed; else empty."""

    def as_dict(self) -> dict[str, object]:
        """Return the type as plain data for a task snapshot; `data/answers` reads it back."""
