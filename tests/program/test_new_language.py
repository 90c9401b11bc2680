"""A new language is a folder: nothing else is told of it, and every screen speaks it."""

import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest

from tests.helpers.changed_program import add_language, copied_program, printed_by

CODE, MARK = "kk", "¤"
NAMED = {"name": "Қазақша", "short": "KK", "english": "Kazakh"}
SPOKEN = ("aria-label", "placeholder", "title", "alt", "data-of", "data-none", "data-left", "data-over", "data-missing")
# What no language translates, and a word of the pages of staff.
PROGRAM = ("Etalon", "w-1", "vera", "anna", "CODE", "/join/", "example.org", "Right answer")
LETTERS = re.compile(r"[^\W\d_]{2,}")
BETWEEN = re.compile(" — | / |; ")


class Spoken(HTMLParser):
    """What a page says: its texts, in order, and the attributes that are read out; the switch of languages left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.within, self.switching = "", False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within = tag
        self.switching = dict(attrs).get("data-act") == "language" or (self.switching and tag == "span")
        self.found += [value or "" for name, value in attrs if name in SPOKEN]
        self.found += [
            one for name, value in attrs if name == "data-words" for one in json.loads(value or "{}").values()
        ]

    def handle_endtag(self, tag: str) -> None:
        self.within = ""

    def handle_data(self, data: str) -> None:
        self.found += [data] if self.within not in ("kbd", "style") and not self.switching else []


@dataclass(frozen=True)
class Drawn:
    """All screens in English and in the language that was added, and the texts that tasks and items bring along."""

    english: dict[str, str]
    added: dict[str, str]
    says: tuple[dict[str, str], dict[str, str]]
    own: tuple[str, str]
    brought: str


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    """The texts of the language that was added are the English ones, with a mark before each."""
    folder = copied_program(tmp_path_factory.mktemp("program"), "data")
    add_language(folder, CODE, NAMED, MARK)
    printed = printed_by(folder, ("-m", "tests.helpers.every_screen", "en", CODE))
    english, added = printed["spoken"]
    brought = plain("\n".join(printed["brought"])).lower()  # a title begins with a capital letter where it is shown
    return Drawn(
        english["screens"], added["screens"], (english["says"], added["says"]), (english["own"], added["own"]), brought
    )


def plain(text: str) -> str:
    """Return a text with one space for each stretch of white space."""
    return " ".join(text.split())


def test_every_screen_speaks_a_language_that_is_a_folder(drawn: Drawn) -> None:
    assert drawn.english.keys() == drawn.added.keys()
    foreign = set()
    for name, html in drawn.english.items():
        before, after = (Spoken(one).found for one in (html, drawn.added[name]))
        assert len(before) == len(after), name
        for one, other in zip(before, after, strict=True):
            own = any(word in one for word in PROGRAM) or all(
                plain(part).lower() in drawn.brought for part in BETWEEN.split(one)
            )
            if LETTERS.search(one) and MARK not in other and not own:
                foreign.add(one)
    assert foreign == set()


def test_what_the_page_says_by_itself_is_in_the_language(drawn: Drawn) -> None:
    english, added = drawn.says
    assert english.keys() == added.keys()
    assert all(text.startswith(MARK) for text in added.values())


def test_a_text_of_a_task_is_read_in_the_language_or_in_what_it_falls_back_to(drawn: Drawn) -> None:
    english, added = drawn.own
    assert ("Title" in english, "Тақырып" in english, "Только так." in plain(english)) == (True, False, True)
    assert ("Title" in added, "Тақырып" in added, "Только так." in plain(added)) == (False, True, True)


def test_the_switch_offers_every_other_language_by_its_own_name(drawn: Drawn) -> None:
    switch = r'data-act="language" data-value="(\w+)">(\w+) <span class="unseen">(\w+)<'
    assert re.findall(switch, drawn.english["work"]) == [("ru", "RU", "Русский"), (CODE, "KK", "Қазақша")]
    assert re.findall(switch, drawn.added["work"]) == [("ru", "RU", "Русский"), ("en", "EN", "English")]
