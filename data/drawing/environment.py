"""The Jinja environment all pages are drawn with: always escaped, and a name that is missing is an error."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from data.answers.answer_type import packed
from data.drawing.html_tables import attributes, breakable, draw, exactly, head, td, th
from data.drawing.marked_text import at_start, marked_answer, marked_text, readings
from data.drawing.written import markdown
from data.numbers import interval, number
from data.wording import Counted, Language, texts

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"
NO_BREAK = "\u00a0"
RUSSIAN, NOTHING = Markup(' lang="ru"'), Markup("")
CYRILLIC = re.compile("[\u0400-\u04ff]")
LONG = 4_000  # characters of a text beyond which a browser lays it out in stretches
SENTENCE_END = re.compile(r"[.!?…][»\")]? ")
PARTICLE = r"(?:бы|же|ли|б|ж|ль)(?![\w-])"  # belongs to the word before it
TO_THE_WORD_BEFORE = re.compile(rf" (?=[—–]|{PARTICLE})")
MAILBOX = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(\.[\w-]{1,63}){1,8}", re.ASCII)
WEBPAGE = re.compile(r"https?://[^\s<>\"]{1,1000}")
SHORT_WORD = re.compile(rf"(?<![\w-])(?!{PARTICLE})(\w{{1,2}}) ")


@cache
def environment(*folders: Path) -> Environment:
    """Return the environment over the templates of `folders`, then those of this package."""
    made = Environment(
        loader=FileSystemLoader([*folders, TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=exactly,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters |= {
        "breakable": breakable,
        "tied": tied,
        "lang_of": lang_of,
        "stretches": stretches,
        "pieces": pieces,
        "paragraphs": paragraphs,
        "sentences": sentences,
        "packed": packed,
        "attributes": attributes,
        "number": number,
        "interval": interval,
        "counted": Counted,
        "markdown": markdown,
        "marked_text": marked_text,
        "marked_answer": marked_answer,
        "readings": readings,
        "spans_at_start": at_start,
    }
    made.globals |= {"draw": draw, "head": head, "td": td, "th": th}
    made.tests |= {"mailbox": MAILBOX.fullmatch, "webpage": WEBPAGE.fullmatch}
    return made


def drawn(folder: Path, template: str, /, **seen: Any) -> Markup:
    """Return a template of a folder filled in, everything escaped."""
    return Markup(environment(folder).get_template(template).render(**seen))


@lru_cache(maxsize=1_000, typed=True)  # the same few words of ours on every screen
def tied(text: str) -> str:
    """Return `text` with short words tied to the next one, dashes and particles («бы») to the one before.

    So no line ends or begins badly.
    """
    return SHORT_WORD.sub(rf"\1{NO_BREAK}", TO_THE_WORD_BEFORE.sub(NO_BREAK, text))


def stretches(text: str) -> list[str]:
    """Return `text` as stretches of whole lines which, joined, are `text`; a text that is not long is one stretch.

    A browser lays out only the stretches in sight: 400,000 characters in one node cost it 0.6 s.
    """
    parts = [""]
    for line in re.split(r"(?<=\n)", text):
        if len(parts[-1]) + len(line) > LONG and parts[-1]:
            parts.append("")
        parts[-1] += line
    return parts


def pieces(text: str) -> list[str]:
    """Return `text` as stretches in which a line too long for one is cut as well: behind a sentence, else at a space.

    Such a cut is seen as the end of a line. A line of half a megabyte would make every movement wait.
    """
    parts: list[str] = []
    for stretch in stretches(text):
        rest = stretch
        while len(rest) > LONG:
            ends = [match.end() for match in SENTENCE_END.finditer(rest, 0, LONG)]
            cut = ends[-1] if ends else rest.rfind(" ", 0, LONG) + 1 or LONG
            parts.append(rest[:cut])
            rest = rest[cut:]
        parts.append(rest)
    return parts


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text of ours: what stands between empty lines."""
    return [part for part in re.split(r"\n\s*\n", text.strip()) if part]


def lang_of(text: str, language: Language) -> Markup:
    """Return the attribute that tells a screen reader that a text is in Russian, where the page around it is not.

    Cyrillic letters tell so, but not on a page that is written in them itself.
    """
    return RUSSIAN if CYRILLIC.search(text) and not _in_cyrillic(language) else NOTHING


@cache
def _in_cyrillic(language: Language) -> bool:
    return CYRILLIC.search(texts(language)["language"]["name"]) is not None


def sentences(text: str) -> list[tuple[str, str]]:
    """Return a text as pairs of a number in parentheses and what follows it; joined, they are the text.

    Only 1, 2, 3, ... in this order are numbers of sentences, so that "(2015)" stays text. What stands before "(1)" has
    "" for its number.
    """
    places = [0]
    for match in re.finditer(r"\((\d+)\)", text):
        if int(match[1]) == len(places):
            places.append(match.start())
    stretches = [text[begin:end] for begin, end in zip(places, [*places[1:], len(text)], strict=True)]
    numbers = [f"({place})" if place else "" for place in range(len(stretches))]
    pairs = [(number, stretch[len(number) :]) for number, stretch in zip(numbers, stretches, strict=True)]
    return [pair for pair in pairs if pair != ("", "")]
