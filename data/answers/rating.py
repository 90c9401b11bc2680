"""Rate on a scale of whole numbers whose two ends have words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from data.answers.answer_type import AnswerType, Option, prompt_words
from data.answers.numerals import canonical, leading, numbers_in
from data.answers.replies import BOXED, folded, opened, told_in_json
from data.errors import BadAnswer, BadTask
from data.task_keys import Whole
from data.wording import MODELS_READ, Language, Wording, own_wording, same, worded

MARKER = re.compile(
    r"(?<![\w-])(?:ответ|оценка|балл|answer|rating|score)(?: is)?[*_»\"]{0,3}[ \t]*(?:[:=]|[—–-](?=[ \t]))[\s*_]*",
    re.IGNORECASE,
)
KEYS = ("оценка", "балл", "rating", "score")


@dataclass(frozen=True)
class Rating(AnswerType):
    """A whole number of one digit on a scale whose ends have words."""

    kind: Literal["rating"] = field(default="rating", kw_only=True)
    low: Whole = 1
    """The lowest point, from 0.

    Example: 1
    """
    high: Whole = 5
    """The highest point, to 9.

    Example: 7
    """
    ends: tuple[Wording, Wording] = field(
        default_factory=lambda: (own_wording("rating", "worst"), own_wording("rating", "best"))
    )
    """What the lowest point and the highest one mean.

    Example: [{"ru": "не согласен", "en": "disagree"}, {"ru": "согласен", "en": "agree"}]
    """

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 9:
            raise BadTask(f"rating: {self.low!r} to {self.high!r} is no scale of at least two digits")

    @property
    def level(self) -> str:
        """Points of a scale stand in order, and nothing says how far apart."""
        return "ordinal"

    def labels(self) -> tuple[str, ...]:
        """Return the digits from the lowest to the highest."""
        return tuple(map(str, range(self.low, self.high + 1)))

    def options(self, fields: Mapping[str, str]) -> tuple[Option, ...]:
        """Return every point of the scale, its key being the digit itself."""
        return tuple(Option(label, label, self.words(label, fields)) for label in self.labels())

    def end(self, label: str) -> Wording | None:
        """Return what an end of the scale means, None for what lies between."""
        return {str(self.low): self.ends[0], str(self.high): self.ends[1]}.get(label)

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return the digit, with its meaning at an end: "5 — отлично"."""
        end = self.end(answer)
        return worded(lambda language: f"{answer} — {end.within(language)}", end) if end else same(answer)

    def listing(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return what the two ends mean."""
        low, high = (end.within(language) for end in self.ends)
        return f"{self.low} — {low}\n{self.high} — {high}"

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the digit; files may write it as a number or with idle zeros ("4.0")."""
        if value is None or value == "":
            raise BadAnswer("nothing_rated")
        known = isinstance(value, str | int | float) and not isinstance(value, bool)
        label = canonical(str(value)) if known else None
        if label is None or label not in self.labels():
            raise BadAnswer("not_an_option", value=str(value)[:80], allowed=", ".join(self.labels()))
        return label

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one digit a reply gives ("Оценка: 4", "4 из 5"); None for none, several and half points."""
        text = opened(reply)
        stated = told_in_json(text, also=KEYS)
        marked = [part.split("\n", 1)[0] for part in (*MARKER.split(text)[1:], *BOXED.findall(text))]
        parts = stated if stated is not None else marked or [text]
        worded = {folded(words): label for label in self.labels() if (end := self.end(label)) for words in end.values()}
        labels = {worded.get(folded(part)) or label for part in parts for label in self._digits(part) or [""]}
        label = labels.pop() if len(labels) == 1 else None
        return label if label in self.labels() else None

    def _digits(self, part: str) -> set[str | None]:
        """Return the numbers of a stretch, without the top of the scale they are out of."""
        alone = re.sub(
            rf"(?<=\d)(?:\s*балл[а-я]{{0,6}})?\s*(?:/|из|out of|of)\s*{self.high}(?!\w)", " ", part.casefold()
        )
        return {canonical(number) for number in numbers_in(leading(alone))}

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the digit."""
        return answer

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for one digit."""
        return prompt_words(language, "rating", "asked", low=self.low, high=self.high)

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return a point of the scale, each equally likely."""
        return random.choice(self.labels())
