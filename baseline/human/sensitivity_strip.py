"""What the same votes score under other rules: the strip of all choices, a published procedure without each step."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from baseline.human.baseline import Collected
from baseline.human.interval_scope import THESE_ALONE
from data.human_rules import TIES
from data.numbers import interval, number
from data.tables import Column, Table, table_of
from eval.consensus.agreed import AnswerAgreement
from eval.named_rules import NAMED_RULES, name_of_rules
from eval.panel import Panel, PanelRules
from eval.sensitivity import SensitivityCell, sensitivity, without_steps

DRAWS = 1000


@dataclass(frozen=True)
class LeftOutStep:
    """What a study comes to without one step of a procedure; with all of them where `step` is empty."""

    step: str
    words: str
    result: SensitivityCell


@dataclass(frozen=True)
class FollowedProcedure:
    """A procedure as a study follows it: `answers` is the agreement on single items, where it asks for one."""

    name: str
    answers: AnswerAgreement | None
    steps: tuple[LeftOutStep, ...]

    @property
    def title(self) -> str:
        """What the procedure is called."""
        return NAMED_RULES[self.name].title

    def as_dict(self) -> dict[str, Any]:
        """Return the procedure as it stands in JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "source": NAMED_RULES[self.name].source,
            "items": None if self.answers is None else self.answers.as_dict(),
            "without": [{"step": step.step or None} | step.result.as_dict() for step in self.steps],
        }


STEPS: tuple[Column[LeftOutStep], ...] = (
    Column("without", "left out", "", lambda row: row.words),
    Column("score", "score", "", lambda row: getattr(row.result.estimate, "value", None), number),
    Column("interval", "95% interval", "", lambda row: getattr(row.result.estimate, "ci", None), interval),
    Column("scored", "items agreed on", "", lambda row: row.result.scored),
    Column("open", "no answer agreed on", "", lambda row: row.result.tied + row.result.short + row.result.below),
    Column("excluded", "workers excluded", "", lambda row: row.result.excluded),
)


def followed_procedure(answers: Collected, people: Panel) -> FollowedProcedure | None:
    """Return the published procedure that the rules of a panel follow, with the result without each of its steps."""
    name = name_of_rules(people.rules)
    if not name:
        return None
    ways = without_steps(people.rules)
    sensitivities = sensitivity(answers.study.task.primary, answers, ways.values(), draws=DRAWS)
    steps = zip(ways, sensitivities, strict=True)
    return FollowedProcedure(
        name, people.answers, tuple(LeftOutStep(step, _words(step, people.rules), cell) for step, cell in steps)
    )


def procedure_table(procedure: FollowedProcedure) -> Table[LeftOutStep]:
    """Return the result with all steps of a procedure, and without each of them."""
    return Table(f"{procedure.title}: the result without each of its steps; {THESE_ALONE}", STEPS, procedure.steps)


def procedure_source(procedure: FollowedProcedure) -> str:
    """Return whose rules these are; the notes of the baseline say what follows from agreement on its items."""
    return f"Rules: {procedure.title} ({NAMED_RULES[procedure.name].source})."


def _words(step: str, rules: PanelRules) -> str:
    """Return a step in words, by its name in `without_steps`."""
    if not step:
        return "nothing: all steps"
    if step == "control_min":
        return f"controls: at least {rules.control_min:.0%} right"
    if step == "min_votes":
        return f"at least {rules.min_votes} votes for the majority"
    if step == "agreement_min":
        return f"agreement on an item: at least {rules.agreement_min:.0%}"
    if alone := step.partition("only ")[2]:
        return f"{alone} alone, what it decides left to those after it"
    first, *later = rules.then[rules.then.index(step.removeprefix("then ")) :]
    return f"what is left decided by {', then '.join([first, *later])}"


def strip_table(cells: Sequence[SensitivityCell], own: PanelRules) -> Table[Sequence[object]]:
    """Return a row for each threshold and minimum of votes: score and scored items under each tie rule.

    The cell of the study's own rules has a star; a dash stands where there is no score.
    """
    rows: list[list[object]] = []
    for line in _lines(cells):
        rules, excluded = line[0].rules, line[0].excluded
        right = "any" if rules.control_min is None else f"at least {100 * rules.control_min:g}%"
        rows.append([right, rules.min_votes, excluded, *(_cell(choice, own) for choice in line)])
    header = ["controls right", "votes needed", "workers excluded", *(f"ties {name}" for name in TIES)]
    return table_of("Score (items scored) under other rules; the star marks the rules of this report", header, rows)


def strip_remarks(cells: Sequence[SensitivityCell]) -> list[str]:
    """Return how far the score depends on the rules, and why a rule could not be applied."""
    values = [cell.estimate.value for cell in cells if cell.estimate and not isnan(cell.estimate.value)]
    remarks = sorted({choice.refused for choice in cells if choice.refused})
    if not values:
        return ["No score is defined under any of these rules.", *remarks]
    low, high = number(min(values)), number(max(values))
    span = low if low == high else f"from {low} to {high}"
    return [f"The same votes score {span} under these choices of controls, votes and ties.", *remarks]


def _lines(cells: Sequence[SensitivityCell]) -> list[list[SensitivityCell]]:
    """Return the cells that share a threshold and a minimum of votes, in the order of the tie rules."""
    lines: dict[tuple[float | None, int], list[SensitivityCell]] = {}
    for choice in cells:
        lines.setdefault((choice.rules.control_min, choice.rules.min_votes), []).append(choice)
    return [sorted(line, key=lambda choice: list(TIES).index(choice.rules.ties)) for line in lines.values()]


def _cell(choice: SensitivityCell, own: PanelRules) -> str:
    if choice.estimate is None or not choice.estimate.n:
        return "—"
    return f"{number(choice.estimate.value)} ({choice.estimate.n}){'*' if choice.rules == own else ''}"
