"""Type a text: one line or several, with or without a limit of characters."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar, Literal

from data.answers.answer_type import Typed, prompt_words
from data.answers.effort import DECIDE, TYPED, USUAL_TEXT
from data.answers.replies import EDGES, as_json, candidates
from data.composed_text import composed, without
from data.errors import BadAnswer, BadTask
from data.limits import LONGEST_NUMBER, LONGEST_TEXT
from data.task_keys import Flag, Whole
from data.wording import MODELS_READ, Language, Wording, same

HYPHENS = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
WORDS = re.compile(r"\w+(?:-\w+)*")
SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Text(Typed):
    """One text, as it was typed, without white space around it."""

    kind: Literal["text"] = field(default="text", kw_only=True)
    script: ClassVar[str] = "typed"
    roomy: ClassVar[bool] = True
    distance: ClassVar[str] = "rouge_l"
    limit: Whole | None = None
    """How many characters it may have; 10,000 where it is left out.

    Example: 60
    """
    lines: Whole = 1
    """How many lines its field shows.

    Example: 4
    """
    exact: Flag = False
    """Case, punctuation and hyphens count; else texts that differ in nothing else are the same.

    Example: true
    """
    spelling: Flag = True
    """The browser underlines misspelt words; a test of spelling must not be helped.

    Example: false
    """
    within: Flag = False
    """The words of an accepted answer may stand among others: “в городе Верен” where “Верен” is accepted.

    Example: true
    """

    def __post_init__(self) -> None:
        if self.lines < 1 or (self.limit is not None and self.limit < 1):
            raise BadTask(f"text: lines {self.lines!r} and limit {self.limit!r} must be at least 1")

    def validate(self, value: object, fields: Mapping[str, str]) -> str:
        """Return the text without white space around it; a whole number is taken as its digits."""
        text = str(value) if type(value) is int and value.bit_length() <= LONGEST_NUMBER else value
        if not isinstance(text, str | None):
            raise BadAnswer("not_a_text")
        text = (text or "").strip()
        if not text:
            raise BadAnswer("nothing_typed")
        most = self.limit or LONGEST_TEXT
        if len(text) > most:
            raise BadAnswer("text_too_long", length=len(text), limit=most)
        if "\0" in text or SURROGATES.search(text):
            raise BadAnswer("forbidden_character")
        return text

    def seconds(self, answer: str | None, fields: Mapping[str, str]) -> float:
        """Return the time to settle on a text and to type it."""
        return DECIDE + (USUAL_TEXT if answer is None else len(answer)) / TYPED

    def parse(self, reply: str, fields: Mapping[str, str]) -> str | None:
        """Return the one text a reply gives; None for none, for different ones, and for what is not allowed."""
        candidate_texts = candidates(reply, lines=self.lines)
        if not candidate_texts or len({self.folded(candidate) for candidate in candidate_texts}) > 1:
            return None
        return self.valid_or_none(candidate_texts[0], fields)

    def show(self, answer: str, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the text as it is, or in JSON where a reply would be read as something else."""
        return answer if candidates(answer, lines=self.lines) == [answer] else as_json(answer)

    def words(self, answer: str, fields: Mapping[str, str]) -> Wording:
        """Return the text in one line."""
        return same(" ".join(answer.split()))

    def answer_format(self, fields: Mapping[str, str], language: Language = MODELS_READ) -> str:
        """Return the sentence that asks for the text alone."""
        limit = prompt_words(language, "text", "limit", limit=self.limit) if self.limit else ""
        return prompt_words(language, "text", "asked", limit=limit)

    def draw(self, fields: Mapping[str, str], random: Random) -> str:
        """Return a word of the item's texts, each occurrence equally likely; "нет" where they have no fitting word."""
        words = [word for text in fields.values() for word in re.findall(r"[^\W_]+", text)]
        answer: str = random.choice([word for word in words if len(word) <= (self.limit or len(word))] or ["нет"])
        return answer[: self.limit]

    def folded(self, answer: str) -> str:
        """Return the text without what spells one answer in several ways: case, ё, outer punctuation, hyphens."""
        text = " ".join(without(composed(answer), "Cf").split())
        if self.exact:
            return text
        text = HYPHENS.sub("-", text.casefold().replace("ё", "е"))
        return text.strip(EDGES) or text

    def right(self, answer: str, gold: str, fields: Mapping[str, str]) -> bool:
        """Return whether an answer is one of those accepted, or holds one where that is enough."""
        if not self.within:
            return super().right(answer, gold, fields)
        return any(f" {self._spoken(accepted)} " in f" {self._spoken(answer)} " for accepted in self.accepted(gold))

    def _spoken(self, text: str) -> str:
        return " ".join(WORDS.findall(self.folded(text))) or text
