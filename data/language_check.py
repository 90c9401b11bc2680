"""Everything that is wrong with the folder of a language at once, and every text that is not translated yet."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import Any

from data import wording
from data.errors import FileProblem, UnknownName
from data.toml_faults import TomlLines, toml_fault
from data.wording import COUNTED, FALLBACK, NEEDED, Language, forms_of, languages, own_texts

MARKS = re.compile(r"""["'`]| - | -- |\.\.\.|  """)
DASH = re.compile(r"\S—|—\S")
AS_IN_FALLBACK = ("language.plural", "numbers.", "units.")
"""What begins so may be left out of a language for good."""
FREE = ("language.", "numbers.")
"""What begins so is no sentence: marks and spaces stand there as they are."""
KINDS = {"language.place": (int, "a whole number"), "language.fallback": (list, "a list of codes")}

NOTHING_NAMED: Mapping[str, str] = {}


@dataclass(frozen=True)
class LanguageCheck:
    """What is wrong with a language, and what it lacks: the file of the English text, its key and that text."""

    problems: tuple[FileProblem, ...]
    missing: tuple[tuple[str, str, str], ...]


def check_language(language: Language, named: Mapping[str, str] = NOTHING_NAMED) -> LanguageCheck:
    """Return what is wrong with the folder of a language and what is missing in it; raises UnknownName for none.

    `named` are the keys of texts that the program chooses by a name, each with what names it: no language may lack all.
    """
    folder = wording.LANGUAGES / language
    if not folder.is_dir():
        raise UnknownName(
            "language", language, (folder.name for folder in wording.LANGUAGES.iterdir() if folder.is_dir())
        )
    tables: dict[str, tuple[Path, Any]] = {}
    problems: list[FileProblem] = []
    for path in sorted(folder.glob("*.toml")):
        text = ""
        try:
            text = path.read_text("utf8")
            read = tomllib.loads(text)
        except ValueError as error:
            line, sentence = toml_fault(error, text)
            problems.append(FileProblem(_named(path), sentence, line))
            continue
        for name, table in read.items():
            if name in tables:
                fault = f"the table {name!r} is in {tables[name][0].name} too; join the two"
                problems.append(FileProblem(_named(path), fault, TomlLines(text).of((name,))))
            tables.setdefault(name, (path, table))
    problems += _faults(language, tables)
    keys = {key for name, (_, table) in tables.items() for key, _ in _flat(table, name)}
    problems += _unwritten(language, named, keys | _known().keys())
    return LanguageCheck(tuple(problems), tuple(_missing(keys)))


def _faults(language: Language, tables: Mapping[str, tuple[Path, Any]]) -> Iterator[FileProblem]:
    """Yield what is wrong with the texts of a language, which stand in tables, each of some file."""
    known = _known()
    own: Mapping[str, Any] = tables["language"][1] if "language" in tables else {}
    forms = _forms(own)
    lines: dict[Path, TomlLines] = {}
    for name, (path, table) in tables.items():
        for key, text in _flat(table, name):
            for fault in _of_text(key, text, known, forms):
                of_file = lines.setdefault(path, TomlLines(path.read_text("utf8")))
                yield FileProblem(_named(path), f"{key}: {fault}", of_file.of(key.split(".")))
    for key in NEEDED:
        if key not in own:
            yield FileProblem(
                f"{language}/language.toml", f"language.{key} is missing; docs/languages.md says what it is"
            )


def _unwritten(language: Language, named: Mapping[str, str], there: set[str]) -> Iterator[FileProblem]:
    """Yield which of the texts that are named are not `there`, in a language or what it falls back to."""
    for key in sorted(named.keys() - there):
        table = key.partition(".")[0]
        others = ", ".join(
            name.partition(".")[2] for name in sorted(named.keys() & there) if name.startswith(f"{table}.")
        )
        fault = f"{key} is missing, the {named[key]}; write it under [{table}], or name one of {others}"
        yield FileProblem(f"{language}/{_files().get(table, '')}", fault)


def _of_text(key: str, text: Any, known: Mapping[str, Any], forms: int) -> Iterator[str]:
    """Yield what is wrong with one text."""
    if key not in known:
        yield str(UnknownName("the text", key, known))
        return
    kind, words = KINDS.get(key, (str, "a text"))
    if not isinstance(text, kind):
        yield f"is {text!r:.60}, not {words}"
    elif isinstance(text, list):
        yield from (str(UnknownName("language", str(part), languages())) for part in text if part not in languages())
    elif key == "language.plural":
        yield from _plural_fault(str(text))
    elif isinstance(text, str):
        yield from _place_faults(text, str(known[key]), forms)
        yield from () if key.startswith(FREE) else _typography(text)


def _place_faults(text: str, english: str, forms: int) -> Iterator[str]:
    try:
        given, wanted = _places(text), _places(english)
    except ValueError as error:
        yield f"its braces cannot be read ({error}); write {{{{ and }}}} for plain ones"
        return
    if given != wanted:
        there = ", ".join(f"{{{place}}}" for place in sorted(wanted)) or "none"
        yield f"has the places {', '.join(sorted(given)) or 'none'}; those to be filled in are {there}"
    for counted in COUNTED.finditer(text):
        number = counted[2].count("|") + 1
        if number not in (forms, forms + 1):
            yield f"{counted[0]} has {number} of {forms} forms; before them may stand one for 1 alone"


def _typography(text: str) -> Iterator[str]:
    if not text.strip():
        yield "is empty; leave it out, and it is read in another language"
    elif text != text.strip():
        yield "has white space around it; take it away"
    if mark := MARKS.search(text):
        yield f"has {mark[0]!r}; use the quotation marks, dashes and … of the language"
    if DASH.search(text):
        yield "a dash stands between spaces"


def _plural_fault(rule: str) -> Iterator[str]:
    try:
        forms_of(rule)
    except ValueError as error:
        yield f"{rule!r} is no rule ({error}); take the plural= of gettext for the language"


def _forms(own: Mapping[str, Any]) -> int:
    """Return how many forms a word has: by the language's own rule, else by that of English."""
    try:
        return forms_of(str(own.get("plural", own_texts("en")["language"]["plural"])))
    except ValueError:
        return forms_of(own_texts("en")["language"]["plural"])


def _missing(keys: set[str]) -> Iterator[tuple[str, str, str]]:
    files = _files()
    for key, text in _known().items():
        if key not in keys and not key.startswith(("language.", *AS_IN_FALLBACK)):
            yield files.get(key.partition(".")[0], ""), key, str(text)


def _files() -> dict[str, str]:
    """Return the names of the files in which English has its tables, by the names of these."""
    return {
        name: path.name for path in sorted((wording.LANGUAGES / FALLBACK[0]).glob("*.toml")) for name in _tables(path)
    }


def _tables(path: Path) -> Mapping[str, Any]:
    return tomllib.loads(path.read_text("utf8"))


def _known() -> dict[str, Any]:
    """Return every text that is read, by its key: in English where that has it."""
    return {
        key: text
        for language in reversed(FALLBACK)
        for name, table in own_texts(language).items()
        for key, text in _flat(table, name)
    }


def _flat(value: Any, key: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, entry in value.items():
            yield from _flat(entry, f"{key}.{name}")
    else:
        yield key, value


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def _named(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"
