"""Options to choose from: fixed labels, some of the item's fields, or a list of texts that one field holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from data.answers.answer_type import AnswerType, Option, unpacked
from data.answers.replies import folded
from data.composed_text import composed
from data.errors import BadAnswer, BadTask
from data.task_keys import key
from data.wording import MODELS_READ, Language, Wording, same


@dataclass(frozen=True)
class Offered(AnswerType):
    """What is chosen from: fixed labels, texts in fields of the item, or a list in one field; exactly one is given.

    The item's own options are coded by their position: "0", "1", ... An option is named by its key: its number from 1,
    or the label itself where every label is already a number. The same key chooses it on the worker's keyboard and
    names it in a model's prompt.
    """

    choices: Annotated[Mapping[str, Wording] | None, key(left_out=True)] = None
    """The stored labels, each with the words that are read.

    Example: {"yes": {"ru": "Да", "en": "Yes"}}
    """
    option_fields: Annotated[tuple[str, ...], key(left_out=True)] = ()
    """The fields that hold the item's own options.

    Example: ["choice1", "choice2"]
    """
    option_list: Annotated[str, key(left_out=True)] = ""
    """The field of kind `options` that holds a list of them.

    Example: "options"
    """

    def __post_init__(self) -> None:
        if sum(map(bool, (self.choices, self.option_fields, self.option_list))) != 1:
            raise BadTask(
                f"{self.kind}: give one of choices (fixed labels), option_fields (the fields that hold the item's own "
                "options) and option_list (the field that holds a list of them)"
            )
        if not self.option_list and len(self._fixed()) < 2:
            raise BadTask(f"{self.kind}: {self._fixed()!r} leaves nothing to choose; give at least two answers")

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Refuse fields of options that the task does not have."""
        needed = (*self.option_fields, *filter(None, (self.option_list,)))
        missing = [name for name in needed if name not in names]
        if missing:
            raise BadTask(f"task {task_id!r}: its answer chooses between fields, but there is no field {missing[0]!r}")

    def drawn_fields(self) -> tuple[str, ...]:
        """Return the fields of the item's own options."""
        return self.option_fields

    def offered(self, fields: Mapping[str, str]) -> tuple[str, ...]:
        """Return the labels of one item's options in canonical order."""
        return tuple(map(str, range(len(self._texts(fields))))) if self.option_list else self._fixed()

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return the options of one item in canonical order."""
        if self.choices:
            return self._fixed_options
        return tuple(Option(str(n), str(n + 1), same(text)) for n, text in enumerate(self._texts(fields)))

    def texts_of_options(self, fields: Mapping[str, str]) -> list[str]:
        """Return what the options of one item say, in whatever language."""
        if not self.choices:
            return self._texts(fields)
        return [text for words in self.choices.values() for text in words.values()]

    def listing(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the options, one a line."""
        return self._once("listing", language, lambda: super(Offered, self).listing(fields, language))

    def _once(self, name: str, language: Language, make: Callable[[], str]) -> str:
        """Return a text about the options: where they are the same for every item it is made once."""
        if self.positional:
            return make()
        if (name, language) not in self._made:
            self._made[name, language] = make()
        return self._made[name, language]

    @cached_property
    def _made(self) -> dict[tuple[str, Language], str]:
        return {}

    @cached_property
    def _fixed_options(self) -> tuple[Option, ...]:
        named = self.named_by_labels
        return tuple(
            Option(label, label if named else str(place), words)
            for place, (label, words) in enumerate((self.choices or {}).items(), 1)
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
        return self.choices[label] if self.choices else same(self._texts(fields)[int(label)])

    def label_of(self, value: object, fields: Mapping[str, str]) -> str:
        """Return `value` as a label of the item; whole numbers and booleans are taken as files write them."""
        label = str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else value
        if label is None or label == "":
            raise BadAnswer("nothing_chosen")
        offered = self.offered(fields)
        if label in offered:
            return str(label)
        alike = [option for option in offered if isinstance(label, str) and composed(option) == composed(label)]
        if len(alike) != 1:
            raise BadAnswer("not_an_option", value=str(value)[:80], allowed=", ".join(offered))
        return alike[0]

    def label_told(self, value: object, fields: Mapping[str, str]) -> object:
        """Return the label of the only option with that text; what is a label already, or neither, as it is.

        Raises BadAnswer, with the labels as `equal`, for the text of several options: it does not say which is right.
        """
        if not isinstance(value, str) or value in self.offered(fields):
            return value
        texts = {option.label: option.words for option in self.options(fields)}
        exact = [label for label, words in texts.items() if value in words.values()]
        near = [label for label, words in texts.items() if folded(value) in map(folded, words.values())]
        matching = next((labels for labels in (exact, near) if labels), [])
        if len(matching) > 1:
            allowed = ", ".join(self.offered(fields))
            raise BadAnswer("not_an_option", value=value[:80], allowed=allowed, equal=", ".join(matching))
        return matching[0] if matching else value

    def _fixed(self) -> tuple[str, ...]:
        return tuple(self.choices) if self.choices else tuple(map(str, range(len(self.option_fields))))

    def _texts(self, fields: Mapping[str, str]) -> list[str]:
        if not self.option_list:
            return [fields[name] for name in self.option_fields]
        texts: list[str] = unpacked(fields[self.option_list] or "[]")
        return texts
