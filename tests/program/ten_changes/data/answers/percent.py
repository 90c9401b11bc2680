"""Say how sure one is: a whole number of percent."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

from data.answers.answer_type import AnswerType
from data.errors import BadAnswer
from data.wording import MODELS_READ, Language, Wording, same

ASKED = Wording(ru="Ответьте одним числом от 0 до 100.", en="Answer with one number from 0 to 100.")


@dataclass(frozen=True)
class Percent(AnswerType):
    """A whole number from 0 to 100."""

    kind: Literal["percent"] = field(default="percent", kw_only=True)
    script: ClassVar[str] = "percent"
    level: ClassVar[str] = "interval"

    def check_fields(self, task_id: str, names: Sequence[str]) -> None:
        """Every task will do."""

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the number without what may stand around it."""
        digits = str("" if value is None else value).strip().removesuffix("%").strip()
        if not digits:
            raise BadAnswer("nothing_typed")
        if not re.fullmatch(r"\d{1,3}", digits, re.ASCII) or int(digits) > 100:
            raise BadAnswer("not_an_option", value=digits[:80], allowed="0-100")
        return str(int(digits))

    def longest(self, fields: Mapping[str, str]) -> int:
        """Return what three digits, a sign and white space take."""
        return 20

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one number of a reply that is no more than 100."""
        found = {str(int(digits)) for digits in re.findall(r"\d{1,3}", reply) if int(digits) <= 100}
        return found.pop() if len(found) == 1 else None

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the digits."""
        return answer

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return the number with its sign."""
        return same(f"{answer}%")

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for the number alone."""
        return ASKED.within(language)

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return each number equally often."""
        return str(random.randrange(101))

    def content(self, answer: str) -> float:
        """Return the number."""
        return float(answer)
