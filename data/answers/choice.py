"""Choose one: of a fixed set of labels, or of the options the item itself brings (coded by their position)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Literal

from data.answers.answer_options import Offered
from data.answers.answer_type import alternatives, prompt_words
from data.answers.replies import named_once
from data.errors import BadTask
from data.task_keys import Flag, key
from data.wording import MODELS_READ, Language, Wording


@dataclass(frozen=True)
class Choice(Offered):
    """One of several options, given in one of the first three ways; the answer is its label."""

    kind: Literal["choice"] = field(default="choice", kw_only=True)
    ordered: Annotated[Flag, key(left_out=True)] = False
    """The labels are degrees of one thing, the least first: agreement counts steps.

    Example: true
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ordered and not self.choices:
            raise BadTask("choice: options of the item's own have no order; leave out `ordered`, or give fixed labels")

    @property
    def level(self) -> str:
        """Labels that are told to be in order are ordinal."""
        return "ordinal" if self.ordered else "nominal"

    def labels(self) -> tuple[str, ...]:
        """Return the stored labels in canonical order; none where every item has a list of its own length."""
        return () if self.option_list else self._fixed()

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return the words of a label, or the text of the option at that position."""
        return self.option_words(answer, fields)

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return `value` as a stored label; whole numbers and booleans are taken as files write them."""
        return self.label_of(value, fields)

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the label a reply names by key, letter, label or words; None when none or several are named."""
        return named_once(reply, self.options(fields))

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the key of `answer`."""
        return next(option.key for option in self.options(fields) if option.label == answer)

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for one key."""
        return self._once("answer format", language, lambda: self._format(fields, language))

    def _format(self, fields: Mapping[str, str], language: Language) -> str:
        keys = alternatives(language, [option.key for option in self.options(fields)])
        return prompt_words(language, "choice", "label" if self.named_by_labels else "place", keys=keys)

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return one label, each equally likely."""
        return random.choice(self.offered(fields))

    def gold(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the label for a label or for the text of one of the options."""
        return self.validate(self.label_told(value, fields), fields)
