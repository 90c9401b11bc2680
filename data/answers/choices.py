"""Choose several: of a fixed set of labels, or of the options the item itself brings (coded by their position)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb
from random import Random
from typing import ClassVar, Literal

from data.answers.answer_options import Offered
from data.answers.answer_type import packed, prompt_words, unpacked
from data.answers.effort import DECIDE
from data.answers.replies import loaded, named_several
from data.errors import BadAnswer, BadTask
from data.task_keys import Flag, Whole
from data.wording import MODELS_READ, Language, Wording, own_wording, worded


@dataclass(frozen=True)
class Choices(Offered):
    """Some of the options, given in one of the first three ways: a compact JSON list of labels in canonical order."""

    kind: Literal["choices"] = field(default="choices", kw_only=True)
    distance: ClassVar[str] = "masi"
    least: Whole = 1
    """How many have to be chosen.

    Example: 0
    """
    most: Whole | None = None
    """How many may be chosen; all of them where it is left out.

    Example: 3
    """
    drawn_one: Flag = False
    """By chance exactly one is drawn, because that is how most items are answered.

    Example: true
    """
    any_right: Flag = False
    """The options of the gold name one thing in several ways: any of them alone is right, and so are several.

    Example: true
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.least < 0 or (self.most is not None and self.most < max(1, self.least)):
            raise BadTask(f"choices: least {self.least!r} and most {self.most!r} leave nothing to choose")

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return the words of what is chosen, with semicolons between them."""
        chosen = [self.option_words(label, fields) for label in unpacked(answer)]
        if not chosen:
            return own_wording("choices", "nothing")
        return worded(lambda language: "; ".join(option.within(language) for option in chosen), *chosen)

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical list for a list of labels, for one label, or for the canonical list."""
        if value is None or value == "":
            raise self._too_few()
        decoded = loaded(value) if isinstance(value, str) and value.startswith("[") else value
        labels = {self.label_of(entry, fields) for entry in (decoded if isinstance(decoded, list) else [value])}
        return self._allowed([label for label in self.offered(fields) if label in labels])

    def _allowed(self, chosen: list[str]) -> str:
        if len(chosen) < self.least:
            raise self._too_few()
        if self.most is not None and len(chosen) > self.most:
            raise BadAnswer("too_many_chosen", most=self.most)
        return packed(chosen)

    def _too_few(self) -> BadAnswer:
        return BadAnswer("too_few_chosen", least=self.least) if self.least > 1 else BadAnswer("nothing_ticked")

    def seconds(self, answer: str | None, fields: Mapping[str, str]) -> float:
        """Return the time for a choice for each option that is chosen, at least for one."""
        return DECIDE * max(1, len(unpacked(answer)) if answer else self.least)

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the set of options a reply names by keys, letters or words; None where that is not clear."""
        return self.valid_or_none(named_several(reply, self.options(fields)), fields)

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the keys with commas between them; "none", as models write it, where nothing is chosen."""
        chosen = unpacked(answer)
        keys = ", ".join(option.key for option in self.options(fields) if option.label in chosen)
        return keys or prompt_words(language, "choices", "nothing")

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for keys with commas between them."""
        nothing = prompt_words(language, "choices", "nothing")
        most = prompt_words(language, "choices", "most", most=self.most) if self.most else ""
        none = "" if self.least else prompt_words(language, "choices", "none", nothing=nothing)
        return prompt_words(language, "choices", "asked", most=most, none=none)

    def value_schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of a list of keys."""
        return {"type": "array", "items": super().value_schema(fields)}

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return exactly one option where `drawn_one`, else one of the allowed sets, each equally likely.

        That is each option with probability 1/2, drawn again until there are neither too few nor too many.
        """
        offered = self.offered(fields)
        if self.drawn_one:
            return packed([random.choice(offered)])
        most = len(offered) if self.most is None else min(self.most, len(offered))
        sizes = range(min(self.least, most), most + 1)
        (size,) = random.choices(sizes, [comb(len(offered), size) for size in sizes])
        sample = random.sample(offered, size)
        return packed([label for label in offered if label in sample])

    def content(self, answer: str) -> frozenset[str]:
        """Return the set of labels."""
        return frozenset(unpacked(answer))

    def units(self, answer: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Return "1" for each option that is chosen and "0" for each that is not."""
        chosen = unpacked(answer)
        return tuple((label, "1" if label in chosen else "0") for label in self.offered(fields))

    def join(self, units: Mapping[str, str], fields: Mapping[str, str]) -> str | None:
        """Return the set of options decided on, None where one is undecided or there are too few or too many."""
        offered = self.offered(fields)
        chosen = [label for label in offered if units.get(label) == "1"]
        most = len(offered) if self.most is None else self.most
        decided = all(label in units for label in offered) and self.least <= len(chosen) <= most
        return packed(chosen) if decided else None

    def gold(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the canonical gold for labels, for texts of options, or for a flag (0, 1, booleans) for each option.

        A label wins over a text that looks like it; whole numbers are flags where there is one for each option.
        """
        decoded = loaded(value) if isinstance(value, str) and value.startswith("[") else value
        entries = decoded if isinstance(decoded, list) else [value]
        offered = self.offered(fields)
        if len(entries) == len(offered) and all(
            entry in (0, 1) and not isinstance(entry, str | float) for entry in entries
        ):
            return self._allowed([label for label, flag in zip(offered, entries, strict=True) if flag])
        return self.validate([self.label_told(entry, fields) for entry in entries], fields)

    def right(self, answer: str, gold: str, fields: Mapping[str, str]) -> bool:
        """Return whether just the right options are chosen, or, where `any_right`, nothing but right ones."""
        chosen, wanted = self.content(answer), self.content(gold)
        return chosen == wanted or (self.any_right and bool(chosen) and chosen <= wanted)
