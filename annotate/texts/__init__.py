"""Every string a worker reads, by language; the texts themselves are in `ru.toml` and `en.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from data.errors import BadAnswer
from data.wording import LANGUAGES, Counted, Language, Wording


class Table(dict[str, Any]):
    """Texts by their names, which are its attributes too: there a template looks first, some fifty times a screen."""

    def __init__(self, texts: Mapping[str, Any]) -> None:
        super().__init__({name: Table(one) if isinstance(one, dict) else one for name, one in texts.items()})
        self.__dict__ = self


@cache
def texts(language: Language) -> Mapping[str, Any]:
    """Return the texts of one language as nested tables."""
    return Table(tomllib.loads((Path(__file__).parent / f"{language}.toml").read_text("utf8")))


def known_language(value: object) -> Language:
    """Return a language the page speaks; raises BadAnswer."""
    spoken = next((known for known in LANGUAGES if known == value), None)
    if spoken is None:
        raise BadAnswer("unknown_language", allowed=", ".join(LANGUAGES))
    return spoken


def sentence(mistake: BadAnswer, language: Language) -> str:
    """Return the sentence that tells a worker what is wrong with an answer."""
    told = texts(language)
    said = {name: _filled(value, language) for name, value in mistake.parameters.items()}
    if "piece" in said:
        said["where"] = told["where"]["part" if "number" in said else "piece"].format_map(said)
    text: str = told["mistakes"][mistake.code]
    return text.format_map(said)


def _filled(value: object, language: Language) -> object:
    """Return a parameter of a mistake as a sentence takes it."""
    if isinstance(value, Wording):
        return value.within(language)
    return Counted(value) if isinstance(value, int) else value
