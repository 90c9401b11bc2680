"""In which language a study made of a log is read: the one whose letters the log is written in."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from data.wording import REQUESTERS_READ, Language, languages, named_languages


def language_of(texts: Iterable[str]) -> Language | None:
    """Return the language of which most letters of these texts are; None where no language has them, or there are none.

    Letters tell one alphabet from another: of several languages with the same one it is the requesters' own, else the
    first that is offered.

    >>> language_of(["a text", "12"]), language_of(["текст of 2 words", "Ещё слово"]), language_of(["12", "[("])
    ('en', 'ru', None)
    """
    alphabets = Counter(alphabet for text in texts for alphabet in map(_alphabet, text) if alphabet)
    if not alphabets:
        return None
    most = alphabets.most_common(1)[0][0]
    fitting = [code for code in languages() if _alphabet(named_languages()[code][0]) == most]
    return REQUESTERS_READ if REQUESTERS_READ in fitting else next(iter(fitting), None)


def _alphabet(letter: str) -> str:
    """Return the alphabet of a letter (LATIN, CYRILLIC), "" for any other sign."""
    return unicodedata.name(letter, "").split(" ")[0] if letter.isalpha() else ""
