"""The address of a study's results: which tab is in sight, of which items, beside which model, under which rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from data.human_rules import HUMAN_RULES

LONGEST = 2_000
"""Characters of anything an address may name."""
MOST = 40
"""Parts of an address that are read; more are nobody's."""
RULES = ("procedure", *HUMAN_RULES)


@dataclass(frozen=True)
class StudyAddress:
    """What an address names; "" where it says nothing. A browser may send anything.

    `shown` is a part of the tab that is computed only when it is asked for, `kept` leaves only items that people have
    one answer to. `rules` are those that differ from the study's own, as they are written.
    """

    study: str = ""
    tab: str = ""
    shown: str = ""
    item: str = ""
    show: str = ""
    model: str = ""
    other: str = ""
    order: str = ""
    page: int = 0
    kept: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)

    def link(self, **changes: Any) -> str:
        """Return the address with these changes, as a link within the page."""
        changed = replace(self, **changes)
        named = {each.name: getattr(changed, each.name) for each in fields(changed) if each.name != "rules"}
        return f"?{urlencode({name: value for name, value in named.items() if value} | dict(changed.rules))}"

    def to_tab(self, tab: str) -> str:
        """Return the link to another tab, under the same rules."""
        return StudyAddress(self.study, tab, kept=self.kept, rules=self.rules).link()


def read_address(query: Any) -> StudyAddress:
    """Return what the query of an address names; NUL, which no text here may hold, is taken out."""
    text = query.removeprefix("?")[: 10 * LONGEST] if isinstance(query, str) else ""
    parts = parse_qsl(text, keep_blank_values=True, errors="replace") if text.count("&") < MOST else []
    given = {name: value.replace("\0", "")[:LONGEST] for name, value in reversed(parts)}
    known = {each.name: given[each.name] for each in fields(StudyAddress) if each.name in given}
    page = known.pop("page", "")
    known.pop("rules", None)
    number = int(page) if page.isascii() and page.isdecimal() and len(page) < 9 else 0
    return StudyAddress(**known, page=number, rules={name: given[name] for name in RULES if name in given})
