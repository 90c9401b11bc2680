"""What people read, by language: a language is a folder of `data/languages`, and its code the folder's name.

`docs/languages.md` says how a language is added. What one lacks is read in another until somebody has written it.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from gettext import c2py
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from pydantic import Discriminator, Tag
from pydantic_core import PydanticCustomError, core_schema

from data.errors import BadFile, FileProblem, UnknownName
from data.toml_faults import toml_fault

LANGUAGES = Path(__file__).parent / "languages"
FALLBACK = ("en", "ru")
"""The languages that are read in place of a text that a language lacks, after those that its own `fallback` names."""
NEEDED = ("name", "short", "english")
"""What every language says of itself."""
COUNTED = re.compile(r"\{(\w+):([^{}|#]*[|#][^{}]*)\}")
MOST_COUNTED = 1000  # numbers that show how many forms a plural rule tells apart
Language = str
"""The code of a language."""
MODELS_READ: Language = "ru"
"""The language in which models are asked unless a study or a run says another."""
MODEL_LANGUAGE = "model_language"
"""Under this name studies and runs keep the language in which models are asked."""
AS_PEOPLE_READ = "people"
"""What stands in the place of a language where models are asked in the one that people read."""
REQUESTERS_READ: Language = "en"
"""The language of the requesters' pages and of the commands."""


class TextTable(dict[str, Any]):
    """Texts by their names, which are its attributes too: there a template looks first, some fifty times a screen."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        super().__init__({name: TextTable(text) if isinstance(text, dict) else text for name, text in texts.items()})
        self.__dict__ = self


@cache
def languages() -> tuple[Language, ...]:
    """Return the codes of all languages in the order in which they are offered."""
    codes = (folder.name for folder in LANGUAGES.iterdir() if (folder / "language.toml").is_file())
    return tuple(sorted(codes, key=lambda code: (own_texts(code)["language"].get("place", MOST_COUNTED), code)))


def named_languages() -> dict[Language, str]:
    """Return the codes of all languages, each with its own name."""
    return {code: texts(code)["language"]["name"] for code in languages()}


def english_name(language: Language) -> str:
    """Return what a language is called in English, as requesters read it; its code where it has no folder."""
    return str(texts(language)["language"]["english"]) if language in languages() else language


def prompt_languages() -> dict[str, str]:
    """Return in which languages models may be asked, each as requesters read it."""
    return {AS_PEOPLE_READ: "as people read"} | {code: english_name(code) for code in languages()}


@cache
def fallbacks(language: Language) -> tuple[Language, ...]:
    """Return the languages in which a text is looked for, the best first: `language` itself, its own, FALLBACK."""
    own = own_texts(language)["language"].get("fallback", ()) if language in languages() else ()
    return tuple(code for code in dict.fromkeys((language, *own, *FALLBACK)) if code in languages())


@cache
def own_texts(language: Language) -> Mapping[str, Any]:
    """Return the texts that a language's folder has, as nested tables; raises BadFile for one that cannot be used."""
    texts: dict[str, Any] = {}
    for path in sorted((LANGUAGES / language).glob("*.toml")):
        place = f"data/languages/{language}/{path.name}"
        tables = _tables(path, place)
        if twice := texts.keys() & tables.keys():
            raise BadFile(f"{place}: the table {min(twice)!r} is in another file of the folder too; join the two")
        texts |= tables
    _check_own(texts.get("language", {}), f"data/languages/{language}/language.toml")
    return texts


def _tables(path: Path, place: str) -> dict[str, Any]:
    text = ""
    try:
        text = path.read_text("utf8")
        return tomllib.loads(text)
    except ValueError as error:
        line, sentence = toml_fault(error, text)
        raise BadFile(str(FileProblem(place, sentence, line))) from error


def _check_own(texts: Mapping[str, Any], place: str) -> None:
    """Refuse (BadFile) a language without what no other can say for it, or with a plural rule that is none."""
    if missing := [name for name in NEEDED if not isinstance(texts.get(name), str)]:
        raise BadFile(f"{place}: language.{missing[0]} is missing, or no text; docs/languages.md says what it is")
    try:
        forms_of(texts.get("plural", "0"))
    except (ValueError, TypeError) as error:
        raise BadFile(
            f"{place}: language.plural is no rule ({error}); take the plural= of gettext for the language"
        ) from error


def forms_of(rule: str) -> int:
    """Return how many forms a plural rule of gettext tells apart; raises ValueError for what is none."""
    return 1 + max(map(c2py(rule), range(MOST_COUNTED)))


@cache
def texts(language: Language) -> Mapping[str, Any]:
    """Return all texts in a language as nested tables, those that it lacks in what it falls back to."""
    merged: dict[str, Any] = {}
    for code in reversed(fallbacks(language)):
        merged = _over(merged, own_texts(code), code)
    return TextTable(merged)


def _over(below: Mapping[str, Any], above: Mapping[str, Any], language: Language) -> dict[str, Any]:
    """Return two tables as one; the forms of a word are put behind the language whose rule chooses among them."""
    merged = dict(below)
    for name, value in above.items():
        if isinstance(value, Mapping):
            merged[name] = _over(below.get(name, {}), value, language)
        else:
            merged[name] = COUNTED.sub(rf"{{\1:{language}|\2}}", value) if isinstance(value, str) else value
    return merged


@cache
def plural(language: Language) -> tuple[Callable[[int], int], int]:
    """Return the rule by which a language chooses the form of a word after a number, and how many forms it has."""
    rule = texts(language)["language"]["plural"]
    return c2py(rule), forms_of(rule)


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


class Wording(Mapping[str, str]):
    """One text by language: `Wording(ru="Цвет", en="Colour")`; `within` reads it, in another language where it must."""

    def __init__(self, **texts: str) -> None:
        if not texts:
            raise ValueError("there is no text in any language; write one")
        self._texts = texts

    def __getitem__(self, language: Language) -> str:
        return self._texts[language]

    def __iter__(self) -> Iterator[Language]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __hash__(self) -> int:
        return hash(frozenset(self._texts.items()))

    def __repr__(self) -> str:
        return f"Wording({', '.join(f'{language}={text!r}' for language, text in self._texts.items())})"

    def within(self, language: Language) -> str:
        """Return the text in a language, else in one that it falls back to (`fallbacks`), else in any."""
        text = self._texts.get(language)
        return text if text is not None else self._texts[self.language_read(language)]

    def language_read(self, language: Language) -> Language:
        """Return the language of the text that `within` gives."""
        return next(
            (candidate for candidate in (language, *fallbacks(language)) if candidate in self._texts), next(iter(self))
        )

    @property
    def for_models(self) -> str:
        """The text that models are asked unless a run says another language."""
        return self.within(MODELS_READ)

    @property
    def for_requesters(self) -> str:
        """The text in the language of the requesters' pages."""
        return self.within(REQUESTERS_READ)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> core_schema.CoreSchema:
        text, plain = core_schema.str_schema(), core_schema.plain_serializer_function_ser_schema(dict)
        texts = core_schema.dict_schema(text, text)
        return core_schema.with_info_after_validator_function(cls._read, texts, serialization=plain)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> dict[str, Any]:
        texts = {code: {"type": "string"} for code in languages()}
        return {"type": "object", "properties": texts, "additionalProperties": False, "minProperties": 1}

    @classmethod
    def _read(cls, texts: Mapping[Language, str], info: core_schema.ValidationInfo) -> "Wording":
        """Return texts as a wording; `info.context` are the languages that may be in it, None for all."""
        if not texts:
            raise PydanticCustomError("no_language", "it has no text in any language; write one")
        known = texts if info.context is None else info.context
        if unknown := [code for code in texts if code not in known]:
            said = {"unknown": unknown[0], "sentence": str(UnknownName("the language", unknown[0], known))}
            raise PydanticCustomError("language", "{sentence}", said)
        return cls(**texts)


def same(text: str) -> Wording:
    """Return `text` for every language: for names and labels that are not translated."""
    return Wording(**dict.fromkeys(reversed(FALLBACK), text))


def in_languages(texts: Mapping[Language, str], otherwise: str = "") -> Wording:
    """Return the texts that are written, stripped, or `otherwise` for every language where none is."""
    written = {language: text.strip() for language, text in texts.items() if text.strip()}
    return Wording(**written) if written else same(otherwise)


def worded(make: Callable[[Language], str], *parts: Mapping[Language, str]) -> Wording:
    """Return what is made of texts in each language that any of these `parts` has."""
    return Wording(**{language: make(language) for language in dict.fromkeys(chain.from_iterable(parts))})


def own_wording(table: str, name: str, otherwise: str = "") -> Wording:
    """Return a text of ours in every language that has it; where none has, `otherwise` for every language."""
    texts = {language: own_texts(language).get(table, {}).get(name) for language in languages()}
    return in_languages({language: text or "" for language, text in texts.items()}, otherwise)


def in_a_line(text: str, longest: int) -> str:
    """Return a text in one line, cut between words where it has more than so many characters.

    >>> in_a_line("Кошка  сидит на окне.", 14)
    'Кошка сидит…'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest].rsplit(' ', 1)[0]}…"


def enumerated(words: Sequence[str]) -> str:
    """Return words as they are listed: `length`, `length and kind`, `length, kind and skill`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


NAMES = ("Matthews",)


def in_sentence(title: str) -> str:
    """Return the title of a metric as it stands within a line: `exact match`, but `Matthews correlation`, `ROUGE-L`."""
    first = title.split(" ")[0]
    if first in NAMES or first[1:] != first[1:].lower() or not first.replace("-", "").isalpha():
        return title
    return title[:1].lower() + title[1:]


BY_LANGUAGE = ("one text", "by language")
"""What pydantic names on its way to such a text."""


def _form(value: object) -> str:
    return BY_LANGUAGE[isinstance(value, Mapping)]


TextByLanguage = Annotated[
    Annotated[str, Tag(BY_LANGUAGE[0])] | Annotated[Wording, Tag(BY_LANGUAGE[1])], Discriminator(_form)
]
