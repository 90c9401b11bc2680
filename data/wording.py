"""A short text in the languages people read the interface in."""

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


def same(text: str) -> Wording:
    """Return `text` for every language: for names and labels that are not translated."""
    return Wording(ru=text, en=text)
