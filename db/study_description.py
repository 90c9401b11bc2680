"""What only people can say of a study, as its report asks for it, in the numbering of Wei et al. 2025."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from data.declared import Asked, setting
from db.promises import ANYHOW

REPORT = "For the report: "
PAPER, DESIGN, RECRUITMENT, EXECUTION, DOCUMENTATION = (
    f"{REPORT}{part}" for part in ("Paper", "Design", "Recruitment", "Execution", "Documentation")
)
LONGEST = 2_000
SAYS_NOTHING = ("", "na", "tbd", "todo", "нд")
"""What is no answer, without its signs: why something does not apply has to follow."""


@dataclass(frozen=True)
class ChecklistNumber:
    """Which items of the checklist (arXiv:2506.13776) a text answers, as it is printed: "2.1, 2.1.1".

    A letter is a section of the report's own checklist.
    """

    text: str


def _described(group: str, number: str, title: str, help: str) -> Any:
    asked = Asked(group, lines=2, change=ANYHOW, afterwards=True, imported=True)
    info = setting(asked, "", title, f"{help} ({number})", max_length=LONGEST)
    info.metadata.append(ChecklistNumber(number))
    return info


class StudyDescription(BaseModel):
    """What a report says of a study in its authors' words; empty texts are named as missing."""

    publication: str = _described(
        PAPER, "0.1–0.4", "Publication", "Title, link, year and venue of the paper, or that there is none yet"
    )
    kind: str = _described(PAPER, "0.5", "Kind of evaluation", "Knowledge, capabilities, propensity or agents")
    language_read: str = _described(
        PAPER,
        "0.7",
        "Language of the items",
        "In which one people read items and instruction; of pages shown here it is known",
    )
    full_size: str = _described(
        PAPER, "0.8", "Size of the whole evaluation", "How many items it has where people were given a part of them"
    )
    sampling: str = _described(
        DESIGN, "1.2.1", "How items were sampled", "Out of which split and release, how, and what was left out"
    )
    made_for_both: str = _described(
        DESIGN, "1.5", "Made for people and models alike", "How items and instructions give neither an advantage"
    )
    gold_source: str = _described(
        DESIGN, "A", "Source of the gold", "Where right answers come from and which errors are known, or that none is"
    )
    items_licence: str = _described(
        DESIGN, "L", "Licence of the items", "Under which licence they may be used; of a task that has one it is known"
    )
    planned_overlap: str = _described(
        DESIGN, "F", "Judgments planned", "How many for an item, and whether missing ones were collected later"
    )
    option_order: str = _described(
        DESIGN, "K", "Order of options", "In which order people and models read them, and whether it was the same"
    )
    pilot: str = _described(DESIGN, "1.6", "Pilot", "Whether there was one, and what was changed after it")
    effort: str = _described(
        DESIGN, "1.7", "Amount of effort", "Whether people and models were held to the same time, cost or attempts"
    )
    power_analysis: str = _described(
        DESIGN,
        "1.8, 1.8.1",
        "Power analysis",
        "Whether one set the number of people and items; for which effect and power",
    )
    ethics: str = _described(DESIGN, "1.9", "Ethics review", "Approved or exempted by whom, or why there was none")
    preregistration: str = _described(
        DESIGN, "1.10", "Pre-registration", "Where the plan stands, and what was decided only later"
    )
    population: str = _described(
        RECRUITMENT,
        "2.1, 2.1.1",
        "Population",
        "Whom these people stand for, by which criteria: expertise, language, education, age",
    )
    recruitment: str = _described(
        RECRUITMENT,
        "2.2, 2.3",
        "Recruitment",
        "Through which channel; who was qualified or turned away, by what, and how many",
    )
    authors_answered: str = _described(
        RECRUITMENT, "2.4", "Authors among annotators", "Whether anybody of the research team answered"
    )
    met_before: str = _described(
        RECRUITMENT, "2.5", "Items met before", "Whether people may have seen the items, and how that was prevented"
    )
    how_trained: str = _described(
        RECRUITMENT, "2.6, 2.6.1", "Training", "How people were trained; the report counts training items by itself"
    )
    pay_policy: str = _described(
        RECRUITMENT,
        "2.6.2, 2.7.2, 2.7.3",
        "Pay policy",
        "The unit of pay, bonuses, whether training was paid and all were paid alike",
    )
    pay: str = _described(
        RECRUITMENT, "2.7, 2.7.1", "Pay", "What people were paid, in all and in an hour; stored prices are added"
    )
    sittings: str = _described(
        EXECUTION, "3.1, 3.1.1", "Order and length of sittings", "How many items at a stretch, in which order"
    )
    interface: str = _described(
        EXECUTION, "3.3", "Interface equality", "What people saw that models did not, and what was done about it"
    )
    instructed_alike: str = _described(
        EXECUTION, "3.4, 3.4.1", "Equality of instructions", "Whether models read what people read, and what differed"
    )
    tools: str = _described(
        EXECUTION,
        "3.5, 3.5.1",
        "Tools",
        "What was allowed (dictionary, search, language models), and how that was enforced",
    )
    explanations: str = _described(
        EXECUTION, "3.6", "Explanations", "Whether people were asked why they answered as they did"
    )
    robustness: str = _described(
        EXECUTION,
        "4.6",
        "Robustness to quality control",
        "What results are with and without those who were left out; what controls show is added",
    )
    demographics: str = _described(
        DOCUMENTATION, "5.1.1", "Demographics", "Of those who answered: ages, genders, education, languages"
    )
    instructions: str = _described(
        DOCUMENTATION,
        "5.1.2",
        "Instruction people read",
        "Its text or where it stands; of a study made here the report prints it",
    )
    time_spent: str = _described(
        DOCUMENTATION, "5.1.3", "Time", "How long people took, and on which days; stored times are added"
    )
    ai_tools: str = _described(
        DOCUMENTATION, "5.1.4", "AI tools", "Which ones people had, with their versions, or that they had none"
    )
    drop_outs: str = _described(DOCUMENTATION, "5.1.5", "Drop-outs", "How many began and did not finish, and why")
    worker_names: str = _described(
        DOCUMENTATION, "L", "Names of workers", "Whether what is published gives anybody away"
    )
    availability: str = _described(
        DOCUMENTATION, "5.2–5.4", "Availability", "Where judgments, instruction and code are published, or why not"
    )


NUMBERS = {
    name: annotation.text
    for name, info in StudyDescription.model_fields.items()
    for annotation in info.metadata
    if isinstance(annotation, ChecklistNumber)
}
"""The numbers of the checklist that each text answers, by its name."""


def answered(text: str) -> bool:
    """Return whether a text of the description says anything: "n/a: no gold" does, "n/a" and "-" do not.

    >>> answered("n/a: there is no gold"), answered("N/A."), answered(" - "), answered("None")
    (True, False, False, True)
    """
    return "".join(filter(str.isalnum, text)).casefold() not in SAYS_NOTHING
