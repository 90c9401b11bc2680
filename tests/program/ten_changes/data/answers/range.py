"""Give a range: from one whole number to another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

from data.answers.answer_type import AnswerType
from data.errors import BadAnswer
from data.wording import MODELS_READ, Language, Wording, same

ASKED = Wording(ru="Ответьте двумя числами через дефис, например 9-12.", en="Answer with two numbers, like 9-12.")
PARTS = ("from", "to")


@dataclass(frozen=True)
class Range(AnswerType):
    """Two whole numbers, the smaller first: "9-12". People agree on each of them by itself."""

    kind: Literal["range"] = field(default="range", kw_only=True)
    script: ClassVar[str] = "range"

    @property
    def part_names(self) -> tuple[str, ...]:
        """Its two ends."""
        return PARTS

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Every task will do."""

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the two numbers of a list, as a page sends them, or of a text, as a file has them."""
        ends = [str(end or "").strip() for end in (value if isinstance(value, list) else str(value or "").split("-"))]
        if not any(ends):
            raise BadAnswer("nothing_typed")
        if len(ends) != 2 or not all(re.fullmatch(r"\d{1,4}", end, re.ASCII) for end in ends):
            raise BadAnswer("not_an_option", value=str(value)[:80], allowed="9-12")
        low, high = sorted(map(int, ends))
        return f"{low}-{high}"

    def longest(self, fields: Mapping[str, str]) -> int:
        """Return what two numbers and white space take."""
        return 40

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one range of a reply."""
        found = {self.validate(text, fields) for text in re.findall(r"\b\d{1,4}-\d{1,4}\b", reply)}
        return found.pop() if len(found) == 1 else None

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return both numbers."""
        return answer

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return both numbers with a dash."""
        return same(answer.replace("-", "–"))

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for two numbers."""
        return ASKED.within(language)

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return two hours of a day."""
        return self.validate([str(random.randrange(25)), str(random.randrange(25))], fields)

    def units(self, answer: str, fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
        """Return each end by itself."""
        return tuple(zip(PARTS, answer.split("-"), strict=True))

    def join(self, units: Mapping[str, str], fields: Mapping[str, str]) -> str | None:
        """Return the range between the ends, None without one of them or where they cross."""
        low, high = (units.get(part) for part in PARTS)
        return f"{low}-{high}" if low and high and int(low) <= int(high) else None
