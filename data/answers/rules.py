"""Rules for a text that people write, each with a check; `rules.js` of the worker page checks the same while typing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from data.errors import BadTask

# A letter may carry combining marks, which Python does not count among letters: "за\u0301мок" is one word.
LETTERS = r"\w[\w\u0300-\u036f]*"
WORD = re.compile(rf"{LETTERS}(?:[-'’]{LETTERS})*")
SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]+[»”\")\]]*(?=\s+[«“\"(\[]*[A-ZА-ЯЁ\d]|\s*$)")


@dataclass(frozen=True)
class Rules:
    """What a written text must keep to; what is empty or None asks for nothing.

    `starts`: the word or words it begins with, in any case. `ends`: what its last character is ("?"). `words` and
    `characters`: the most it may have, hyphenated words counting as one. `sentences`: how many it has, exactly.
    """

    starts: str = ""
    ends: str = ""
    words: int | None = None
    sentences: int | None = None
    characters: int = 2000

    def __post_init__(self) -> None:
        for name in ("words", "sentences", "characters"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise BadTask(f"write: {name} is {number}; a text with less than 1 cannot be written")

    def broken(self, text: str) -> Iterator[str]:
        """Yield the names of the rules that `text` breaks, in a fixed order; of one that is too long only that."""
        if len(text) > self.characters:
            yield "characters"
            return
        if self.starts and not starts_with(text, self.starts):
            yield "starts"
        if self.ends and not text.endswith(self.ends):
            yield "ends"
        if self.words is not None and word_count(text) > self.words:
            yield "words"
        if self.sentences is not None and sentence_count(text) != self.sentences:
            yield "sentences"


def starts_with(text: str, start: str) -> bool:
    """Return whether a text begins with these words, whole ones, in any case."""
    return re.match(rf"{re.escape(start)}(?![\w\u0300-\u036f])", text, re.IGNORECASE) is not None


def word_count(text: str) -> int:
    """Return how many words a text has; numbers are words, a hyphen binds two into one, a dash does not."""
    return len(WORD.findall(text))


def sentence_count(text: str) -> int:
    """Return how many sentences a text has; the last one counts without its full stop, an empty text has none.

    A full stop ends a sentence where a capital letter or a digit follows, so "и т. д." does not.
    """
    text = text.strip()
    if not text:
        return 0
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    return len(ends) + (not ends or ends[-1] < len(text))
