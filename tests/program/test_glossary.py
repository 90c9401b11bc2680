"""The glossary names files that are there, each term once and in order."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = re.findall(r"^\| (.+?) \| .+ \| `(.+?)` \|$", (ROOT / "docs" / "glossary.md").read_text("utf8"), re.MULTILINE)


def test_every_file_it_names_is_there() -> None:
    assert len(ROWS) > 90
    assert [file for _, file in ROWS if not (ROOT / file).is_file()] == []


def test_terms_are_in_order_and_stand_once() -> None:
    terms = [terms.lower() for terms, _ in ROWS]
    assert terms == sorted(set(terms))
