"""Type a number: any, or a whole one, within bounds."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, floor
from random import Random
from typing import Annotated, ClassVar, Literal

from data.answers.answer_type import Typed, prompt_words
from data.answers.effort import DECIDE, TYPED
from data.answers.numerals import canonical, leading, numbers_in, of_value, plain
from data.answers.replies import marked_in, opened, told_in_json
from data.errors import BadAnswer, BadTask
from data.task_keys import Bound, Flag, Whole, key
from data.wording import MODELS_READ, Language, Wording, languages, texts, worded

SUM = re.compile(r"[\d\s.,+*/×·:()^=%\u2212-]+")
"""Signs and numbers alone, which end in what they come to: "6000 * 2 = 12000"."""


@dataclass(frozen=True)
class Number(Typed):
    """A number; the answer is a decimal string without idle zeros: "-1.5", "0", "12000"."""

    kind: Literal["number"] = field(default="number", kw_only=True)
    script: ClassVar[str] = "typed"
    whole: Flag = False
    """Only whole numbers are allowed.

    Example: true
    """
    low: Bound | None = None
    """The lowest number that is allowed.

    Example: 0
    """
    high: Bound | None = None
    """The highest number that is allowed.

    Example: 100
    """
    decimals: Whole | None = None
    """How many digits may stand after the comma.

    Example: 2
    """
    name: Annotated[Flag, key(left_out=True)] = False
    """The number is a name, as a key is: agreement asks whether two are equal, not how far apart.

    Example: true
    """
    measured: Annotated[Flag, key(left_out=True)] = False
    """The number is a measurement: errors say how far answers are from the right number, and nothing is scored by
    whether they equal it.

    Example: true
    """

    def __post_init__(self) -> None:
        if self.name and self.measured:
            raise BadTask("number: a name is no measurement; keep one of name and measured")
        if self.decimals is not None and (self.decimals < 0 or self.whole):
            raise BadTask(f"number: decimals {self.decimals!r} must be 0 or more, and None for whole numbers")
        if self.low is not None and self.high is not None:
            first, last = self._steps(self.low, self.high)
            if first > last:
                raise BadTask(f"number: there is none between low {self.low!r} and high {self.high!r}")

    @property
    def level(self) -> str:
        """Numbers are as far apart as their difference; of names it counts only whether they are equal."""
        return "nominal" if self.name else "interval"

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the number as a decimal string; texts are read as people type numbers."""
        text = None
        if isinstance(value, str):
            text = canonical(value, integer=self.whole)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            text = of_value(value)
        if text is None:
            blank = value is None or (isinstance(value, str) and not value.strip())
            raise BadAnswer("nothing_typed") if blank else BadAnswer("not_a_number", value=str(value)[:80])
        places = len(text.partition(".")[2])
        if self.whole and places:
            raise BadAnswer("not_whole", value=text)
        if self.decimals is not None and places > self.decimals:
            raise BadAnswer("too_many_decimals", decimals=self.decimals)
        if self.low is not None or self.high is not None:
            self._check_bounds(Decimal(text))
        return text

    def _check_bounds(self, number: Decimal) -> None:
        if self.low is not None and number < _exactly(self.low):
            raise BadAnswer("number_too_low", low=plain(_exactly(self.low)))
        if self.high is not None and number > _exactly(self.high):
            raise BadAnswer("number_too_high", high=plain(_exactly(self.high)))

    def seconds(self, answer: str | None, fields: Mapping[str, str]) -> float:
        """Return the time to settle on a number and to type it."""
        return DECIDE + len(answer or "") / TYPED

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one number a reply gives, None for none, several, and those that are not allowed.

        What follows "Ответ:" wins over the prose before it; there the number that comes first is the answer, or what
        follows the last "=".
        """
        text = opened(reply)
        stated = told_in_json(text)
        marked = [leading(part) for part in marked_in(text)]
        parts = stated if stated is not None else marked or [text.rpartition("=")[2] if SUM.fullmatch(text) else text]
        numbers = {self.valid_or_none(number, fields) for part in parts for number in numbers_in(part)}
        return numbers.pop() if len(numbers) == 1 else None

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the number itself."""
        return answer

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return the number with the sign for decimals that each language has."""
        signed = answer.replace("-", "\u2212")
        points = {language: texts(language)["numbers"]["point"] for language in languages()}
        return worded(lambda language: signed.replace(".", points[language]), points)

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for the number alone."""
        kind = prompt_words(language, "number", "whole" if self.whole else "any")
        bounds = [("low", self.low), ("high", self.high)]
        within = [
            prompt_words(language, "number", name, bound=plain(_exactly(bound)))
            for name, bound in bounds
            if bound is not None
        ]
        return prompt_words(language, "number", "asked", number=" ".join([kind, *within]))

    def value_schema(self, fields: Mapping[str, str]) -> dict[str, object]:
        """Return the JSON schema of a number, whole where it has to be."""
        return {"type": "integer" if self.whole else "number"}

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return a number by chance, uniform between `low` and `high` where both are given.

        Without them it has as many digits as some number in the item's texts (one, where they have none), and it is
        moved to the bound that it oversteps.
        """
        if self.low is not None and self.high is not None:
            return plain(Decimal(random.randint(*self._steps(self.low, self.high))).scaleb(-self._places))
        met = [len(digits) for text in fields.values() for digits in re.findall(r"\d{1,20}", text, re.ASCII)]
        digits = random.choice(met or [1])
        number = Decimal(random.randint(10 ** (digits - 1) if digits > 1 else 0, 10**digits - 1))
        number = number if self.low is None else max(number, Decimal(ceil(_exactly(self.low))))
        return plain(number if self.high is None else min(number, Decimal(floor(_exactly(self.high)))))

    @property
    def _places(self) -> int:
        """How many digits after the comma a drawn number has at most."""
        return 0 if self.whole else 2 if self.decimals is None else self.decimals

    def _steps(self, low: float, high: float) -> tuple[int, int]:
        """Return the first and the last number between the bounds, counted in units of the last digit drawn."""
        return ceil(_exactly(low).scaleb(self._places)), floor(_exactly(high).scaleb(self._places))

    def content(self, answer: str) -> float:
        """Return the number."""
        return float(answer)


def _exactly(bound: float) -> Decimal:
    return Decimal(str(bound))
