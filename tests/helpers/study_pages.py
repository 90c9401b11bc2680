"""The page of a study's results as HTML, and what stands in it: words, tables by their columns, the figure's rows."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Any

from baseline.output.study_address import StudyAddress
from baseline.pages.results_page import StudyCache
from db.engine import Database

TABS = ("scores", "items", "agreement", "models", "judges", "download")


def study_page(database: Database, study: str, rules: Mapping[str, str] | None = None, **asked: Any) -> str:
    """What an address names of a study."""
    return str(StudyCache(database).draw(StudyAddress(study, rules=rules or {}, **asked)))


def words(html: object) -> str:
    """The text of a drawing, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", str(html))).split())


def lead(html: str) -> str:
    """The verdict at the head of the page."""
    return words(html.split('<p class="lead">')[1].split("</p>")[0])


def warnings(html: str) -> list[str]:
    return [words(line) for line in re.findall(r'<p class="warned">(.*?)</p>', html)]


def notes(html: str) -> list[str]:
    return [words(line) for line in re.findall(r'<p class="hint note">(.*?)</p>', html)]


def parts(html: str) -> dict[str, str]:
    """The parts of the tab in sight, by their names."""
    return {each.split('"')[0]: each for each in html.split('<section class="card" id="')[1:]}


def tables(html: object) -> list[list[dict[str, str]]]:
    """Every table as rows: the words of each cell by the title of its column."""
    reader = _Tables()
    reader.feed(str(html))
    return [
        [dict(zip(each[0], row, strict=True)) for row in each[1:]] for each in reader.found if each and len(each[0]) > 0
    ]


def table(html: object, *titles: str) -> list[dict[str, str]]:
    """The rows of the first table that has columns with these titles."""
    return next(rows for rows in tables(html) if rows and set(titles) <= set(rows[0]))


def by_name(html: object, *titles: str) -> dict[str, dict[str, str]]:
    """The rows of such a table by their first cell."""
    return {next(iter(row.values())): row for row in table(html, *titles)}


def scores(html: str) -> dict[str, dict[str, str]]:
    """The table of scores: a row for each respondent."""
    return by_name(html, "respondent", "verdict")


@dataclass
class _Tables(HTMLParser):
    """The tables of a page: a list of rows of words each, the head first."""

    found: list[list[list[str]]] = field(default_factory=list)
    inside: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "table":
            self.found.append([])
        elif tag == "tr":
            self.found[-1].append([])
        elif tag in ("td", "th"):
            self.found[-1][-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.found[-1][-1][-1] = " ".join(self.found[-1][-1][-1].split())
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1][-1][-1] += f" {data}"
