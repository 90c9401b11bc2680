"""Options to choose from: fixed labels, some of the item's fields, or a list of texts that one field holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from data.answers.base import AnswerType, Option
from data.answers.composite import unpacked
from data.answers.replies import folded
from data.errors import BadAnswer, BadTask
from data.wording import Wording, same


@dataclass(frozen=True)
class Offered(AnswerType):
    """What `Choice` and `Choices` choose from; exactly one of the three is given.

    `choices` (stored label -> words), the fields `option_fields`, or the field `option_list` of kind `options`. The
    item's own options are coded by their position: "0", "1", ... An option is named by its key: its number from 1, or
    the label itself where every label is already a number. The same key chooses it on the worker's keyboard and names
    it in a model's prompt.
    """

    choices: Mapping[str, Wording] | None = None
    option_fields: tuple[str, ...] = ()
    option_list: str = ""

    def __post_init__(self) -> None:
        if sum(map(bool, (self.choices, self.option_fields, self.option_list))) != 1:
            raise BadTask(
                f"{self.kind}: give either fixed labels or the fields that hold the item's own options, or the field "
                "that holds a list of them"
            )
        if not self.option_list and len(self._fixed()) < 2:
            raise BadTask(f"{self.kind}: {self._fixed()!r} leaves nothing to choose; give at least two answers")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse fields of options that the task does not have."""
        needed = (*self.option_fields, *filter(None, (self.option_list,)))
        missing = [name for name in needed if name not in names]
        if missing:
            raise BadTask(f"task {task_id!r}: its answer chooses between fields, but there is no field {missing[0]!r}")

    def offered(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        """Return the labels of one item's options in canonical order."""
        return tuple(map(str, range(len(self._texts(fields))))) if self.option_list else self._fixed()

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the options of one item in canonical order."""
        texts = self._texts(fields) if self.option_list else ()
        return tuple(
            Option(
                label,
                label if self.named_by_labels else str(place),
                same(texts[place - 1]) if self.option_list else self.option_words(label, fields),
            )
            for place, label in enumerate(self.offered(fields), 1)
        )

    @property
    def positional(self) -> bool:
        """Whether the options are the item's own, so that a label is a place counted from 0."""
        return not self.choices

    @property
    def named_by_labels(self) -> bool:
        """Whether the labels are numbers themselves, so that numbering them again would mislead."""
        return bool(self.choices) and all(label.isascii() and label.isdecimal() for label in self._fixed())

    def option_words(self, label: str, fields: Mapping[str, str]) -> Wording:
        """Return the words of a label, or the text of the option at that position."""
        if self.choices:
            return self.choices[label]
        return same(self._texts(fields)[int(label)] if self.option_list else fields[self.option_fields[int(label)]])

    def label_of(self, value: object, fields: Mapping[str, str]) -> str:
        """Return `value` as a label of the item; whole numbers and booleans are taken as files write them."""
        label = str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else value
        if label is None or label == "":
            raise BadAnswer("nothing_chosen")
        if not isinstance(label, str) or label not in self.offered(fields):
            raise BadAnswer("not_an_option", value=str(value)[:80], allowed=", ".join(self.offered(fields)))
        return label

    def label_told(self, value: object, fields: Mapping[str, str]) -> object:
        """Return the label of the only option with that text; what is a label already, or neither, as it is.

        Raises BadAnswer, with the labels as `equal`, for the text of several options: it does not say which is right.
        """
        if not isinstance(value, str) or value in self.offered(fields):
            return value
        texts = {option.label: option.words for option in self.options(fields)}
        exact = [label for label, words in texts.items() if value in (words.ru, words.en)]
        near = [label for label, words in texts.items() if folded(value) in (folded(words.ru), folded(words.en))]
        found = next((labels for labels in (exact, near) if labels), [])
        if len(found) > 1:
            allowed = ", ".join(self.offered(fields))
            raise BadAnswer("not_an_option", value=value[:80], allowed=allowed, equal=", ".join(found))
        return found[0] if found else value

    def source(self) -> dict[str, object]:
        """Return what is chosen from as plain data."""
        if self.choices:
            return {"choices": {label: {"ru": words.ru, "en": words.en} for label, words in self.choices.items()}}
        return {"option_list": self.option_list} if self.option_list else {"option_fields": list(self.option_fields)}

    @staticmethod
    def source_of(values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments that `source` described."""
        if "choices" in values:
            return {"choices": {label: Wording(**words) for label, words in values["choices"].items()}}
        if "option_list" in values:
            return {"option_list": values["option_list"]}
        return {"option_fields": tuple(values["option_fields"])}

    def _fixed(self) -> tuple[str, ...]:
        return tuple(self.choices) if self.choices else tuple(map(str, range(len(self.option_fields))))

    def _texts(self, fields: Mapping[str, str]) -> list[str]:
        texts: list[str] = unpacked(fields[self.option_list] or "[]")
        return texts
