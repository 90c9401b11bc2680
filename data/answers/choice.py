"""Choose one: of a fixed set of labels, or of the options the item itself brings (coded by their position)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from data.answers.base import AnswerType, Option
from data.answers.replies import named_once
from data.errors import BadAnswer, BadTask
from data.wording import Wording, same


@dataclass(frozen=True)
class Choice(AnswerType):
    """One of `choices` (stored label -> words), or one of the item's fields `option_fields`, coded "0", "1", ...

    An option is named by its key: its number from 1, or the label itself where every label is already a number. The
    same key chooses it on the worker's keyboard and names it in a model's prompt.
    """

    kind: ClassVar[str] = "choice"
    choices: Mapping[str, Wording] | None = None
    option_fields: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.choices) == bool(self.option_fields):
            raise BadTask("choice: give either fixed labels or the fields that hold the item's own options")
        if len(self.labels()) < 2:
            raise BadTask(f"choice: {self.labels()!r} leaves nothing to choose; give at least two answers")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse option fields that the task does not have."""
        missing = [name for name in self.option_fields if name not in names]
        if missing:
            raise BadTask(f"task {task_id!r}: its answer chooses between fields, but there is no field {missing[0]!r}")

    def labels(self) -> tuple[str, ...]:
        """Return the stored labels in canonical order."""
        return tuple(self.choices) if self.choices else tuple(str(i) for i in range(len(self.option_fields)))

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the options of one item in canonical order."""
        return tuple(
            Option(label, label if self._named_by_labels else str(place), self.words(label, fields))
            for place, label in enumerate(self.labels(), 1)
        )

    @property
    def _named_by_labels(self) -> bool:
        """Whether the labels are numbers themselves, so that numbering them again would mislead."""
        return bool(self.choices) and all(label.isascii() and label.isdecimal() for label in self.labels())

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return the words of a label, or the text of the option at that position."""
        return self.choices[answer] if self.choices else same(fields[self.option_fields[int(answer)]])

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return `value` as a stored label; whole numbers and booleans are taken as files write them."""
        label = str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else value
        if label is None or label == "":
            raise BadAnswer("nothing_chosen")
        if not isinstance(label, str) or label not in self.labels():
            raise BadAnswer("not_an_option", value=str(value)[:80], allowed=", ".join(self.labels()))
        return label

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the label a reply names by key, letter, label or words; None when none or several are named."""
        return named_once(reply, self.options(fields))

    def show(self, answer: str, fields: Mapping[str, str]) -> str:
        """Return the key of `answer`."""
        return next(option.key for option in self.options(fields) if option.label == answer)

    def answer_format(self, fields: Mapping[str, str]) -> str:
        """Return the sentence that asks for one key."""
        keys = [option.key for option in self.options(fields)]
        named = "одним из чисел" if self._named_by_labels else "номером варианта"
        return f"Ответь только {named}: {', '.join(keys[:-1])} или {keys[-1]}."

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return one label, each equally likely."""
        return random.choice(self.labels())

    def as_dict(self) -> dict[str, object]:
        """Return the type as plain data."""
        if self.choices:
            return {"kind": self.kind, "choices": {k: {"ru": w.ru, "en": w.en} for k, w in self.choices.items()}}
        return {"kind": self.kind, "option_fields": list(self.option_fields)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Choice":
        """Return the type that `as_dict` described."""
        if "choices" in values:
            return cls(choices={label: Wording(**words) for label, words in values["choices"].items()})
        return cls(option_fields=tuple(values["option_fields"]))
