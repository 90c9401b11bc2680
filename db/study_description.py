"""What only people can say of a study, as its report asks for it, in the numbering of Wei et al. 2025."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from data.declared import Asked, setting
from db.promises import ANYHOW

REPORT = "For the report: "
LONGEST = 2_000
SAYS_NOTHING = ("", "na", "tbd", "todo", "нд")
"""What is no answer, without its signs: why something does not apply has to follow."""


@dataclass(frozen=True)
class ChecklistItem:
    """One item of the human baselines checklist, with its number as it is printed: "2.1, 2.1.1".

    What people say of a study has a `group` of settings and a `help`; it has no number where the checklist does not
    ask for it.
    """

    name: str
    title: str
    number: str = ""
    group: str = ""
    help: str = ""

    @property
    def called(self) -> str:
        """Number and title."""
        return f"{self.number} {self.title}"


CHECKLIST = {
    item["name"]: ChecklistItem(**item)
    for item in tomllib.loads((Path(__file__).parent / "checklist.toml").read_text("utf8"))["item"]
}
"""All items of the checklist by name, in its order."""
NUMBERS = {item.name: item.number for item in CHECKLIST.values() if item.group}
"""The numbers of the checklist that each text of people answers, by its name."""


def _described(name: str) -> Any:
    item = CHECKLIST[name]
    asked = Asked(f"{REPORT}{item.group}", lines=2, change=ANYHOW, afterwards=True, imported=True)
    return setting(
        asked, "", item.title, f"{item.help} ({item.number})" if item.number else item.help, max_length=LONGEST
    )


class StudyDescription(BaseModel):
    """What a report says of a study in its authors' words; empty texts are named as missing."""

    publication: str = _described("publication")
    kind: str = _described("kind")
    language_read: str = _described("language_read")
    full_size: str = _described("full_size")
    sampling: str = _described("sampling")
    made_for_both: str = _described("made_for_both")
    gold_source: str = _described("gold_source")
    items_licence: str = _described("items_licence")
    planned_overlap: str = _described("planned_overlap")
    option_order: str = _described("option_order")
    pilot: str = _described("pilot")
    effort: str = _described("effort")
    power_analysis: str = _described("power_analysis")
    ethics: str = _described("ethics")
    preregistration: str = _described("preregistration")
    population: str = _described("population")
    recruitment: str = _described("recruitment")
    authors_answered: str = _described("authors_answered")
    met_before: str = _described("met_before")
    how_trained: str = _described("how_trained")
    pay_policy: str = _described("pay_policy")
    pay: str = _described("pay")
    sittings: str = _described("sittings")
    interface: str = _described("interface")
    instructed_alike: str = _described("instructed_alike")
    tools: str = _described("tools")
    explanations: str = _described("explanations")
    robustness: str = _described("robustness")
    demographics: str = _described("demographics")
    instructions: str = _described("instructions")
    time_spent: str = _described("time_spent")
    ai_tools: str = _described("ai_tools")
    drop_outs: str = _described("drop_outs")
    worker_names: str = _described("worker_names")
    availability: str = _described("availability")


def answered(text: str) -> bool:
    """Return whether a text of the description says anything: "n/a: no gold" does, "n/a" and "-" do not.

    >>> answered("n/a: there is no gold"), answered("N/A."), answered(" - "), answered("None")
    (True, False, False, True)
    """
    return "".join(filter(str.isalnum, text)).casefold() not in SAYS_NOTHING
