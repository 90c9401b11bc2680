"""What people read, by language: a language is a folder of `data/languages`, and its code the folder's name.

`docs/languages.md` says how a language is added. What one lacks is read in another until somebody has written it.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any

LANGUAGES = Path(__file__).parent / "languages"
FALLBACK = ("en", "ru")
"""The languages that are read in place of a text that a language lacks, after those that its own `fallback` names."""
COUNTED = re.compile(r"\{(\w+):([^{}|]*\|[^{}]*)\}")
MOST_COUNTED = 1000  # numbers that show how many forms a plural rule tells apart
Language = str
"""The code of a language."""


class TextTable(dict[str, Any]):
    """Texts by their names, which are its attributes too: there a template looks first, some fifty times a screen."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        super().__init__({name: TextTable(one) if isinstance(one, dict) else one for name, one in texts.items()})
        self.__dict__ = self


@cache
def languages() -> tuple[Language, ...]:
    """Return the codes of all languages in the order in which they are offered."""
    codes = (folder.name for folder in LANGUAGES.iterdir() if (folder / "language.toml").is_file())
    return tuple(sorted(codes, key=lambda code: (own_texts(code)["language"].get("place", MOST_COUNTED), code)))


def named_languages() -> dict[Language, str]:
    """Return the codes of all languages, each with its own name."""
    return {code: texts(code)["language"]["name"] for code in languages()}


@cache
def fallbacks(language: Language) -> tuple[Language, ...]:
    """Return the languages in which a text is looked for, the best first: `language` itself, its own, FALLBACK."""
    own = own_texts(language)["language"].get("fallback", ()) if language in languages() else ()
    return tuple(code for code in dict.fromkeys((language, *own, *FALLBACK)) if code in languages())


@cache
def own_texts(language: Language) -> Mapping[str, Any]:
    """Return the texts that a language's folder has, as nested tables; raises ValueError for a table in two files."""
    found: dict[str, Any] = {}
    for path in sorted((LANGUAGES / language).glob("*.toml")):
        tables = tomllib.loads(path.read_text("utf8"))
        if twice := found.keys() & tables.keys():
            raise ValueError(f"{path}: the table {min(twice)!r} is in another file of the folder too; join the two")
        found |= tables
    return found


@cache
def texts(language: Language) -> Mapping[str, Any]:
    """Return all texts in a language as nested tables, those that it lacks in what it falls back to."""
    merged: dict[str, Any] = {}
    for code in reversed(fallbacks(language)):
        merged = _over(merged, own_texts(code), code)
    return TextTable(merged)


def _over(below: Mapping[str, Any], above: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return two tables as one; the forms of a word are put behind the language whose rule chooses among them."""
    found = dict(below)
    for name, one in above.items():
        if isinstance(one, Mapping):
            found[name] = _over(below.get(name, {}), one, language)
        else:
            found[name] = COUNTED.sub(rf"{{\1:{language}|\2}}", one) if isinstance(one, str) else one
    return found


@cache
def plural(language: Language) -> tuple[Callable[[int], int], int]:
    """Return the rule by which a language chooses the form of a word after a number, and how many forms it has."""
    rule = c2py(texts(language)["language"]["plural"])
    return rule, 1 + max(map(rule, range(MOST_COUNTED)))


class Counted(int):
    """A number that chooses its word where a text is filled in: "{n:# word|# words}"; "#" is the number.

    The forms are those of the language's plural rule, in its order; before them may stand one for 1 alone, where that
    is said in words. `texts` has put the code of the language before them.
    """

    def __format__(self, spec: str) -> str:
        language, *forms = spec.split("|")
        if not forms:
            return super().__format__(spec)
        return forms[self._form(language, len(forms))].replace("#", str(int(self)))

    def _form(self, language: Language, given: int) -> int:
        rule, forms = plural(language)
        alone = given > forms
        return 0 if alone and self == 1 else rule(self) + alone


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


def enumerated(words: Sequence[str]) -> str:
    """Return words as they are listed: `length`, `length and kind`, `length, kind and skill`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
