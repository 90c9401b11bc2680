"""A short text in the languages people read the interface in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Language = Literal["ru", "en"]
LANGUAGES: tuple[Language, ...] = ("ru", "en")


@dataclass(frozen=True)
class Wording:
    """One text in Russian and English; `wording.ru`, or `wording.within("en")`."""

    ru: str
    en: str

    def within(self, language: Language) -> str:
        """Return the text in `language`."""
        return self.ru if language == "ru" else self.en


class Counted(int):
    """A number that chooses its word when it is filled in: "{n:# слово|# слова|# слов}", "{n:# word|# words}".

    The forms are the English two or the Russian three (1, 2 and 5 words); before the three may stand one for 1 alone,
    where it is said in words. "#" is the number.
    """

    def __format__(self, spec: str) -> str:
        forms = spec.split("|")
        return (
            forms[self._form(len(forms))].replace("#", str(int(self))) if len(forms) > 1 else super().__format__(spec)
        )

    def _form(self, forms: int) -> int:
        if forms == 2 or (forms == 4 and self == 1):
            return int(self != 1)
        tens, ones = divmod(self % 100, 10)
        plain = 2 if tens == 1 or not 1 <= ones <= 4 else int(ones > 1)
        return plain + (forms == 4)


def same(text: str) -> Wording:
    """Return `text` for every language: for names and labels that are not translated."""
    return Wording(ru=text, en=text)


def enumerated(words: Sequence[str]) -> str:
    """Return words as they are listed: `length`, `length and kind`, `length, kind and skill`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
