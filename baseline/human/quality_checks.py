"""The rules on workers as a study meets them: with which numbers, whom they find, or why they cannot be applied."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from baseline.human.baseline import Collected
from data.errors import UnknownName
from eval.workers import RULES, checked_rules, rules_of
from eval.workers.afterwards import StudyTables
from eval.workers.frame import Need
from eval.workers.rule import Finding, WorkerRule

NOT_APPLIED = "not applied, see the notes"
ABSENT: dict[Need, str] = {
    "controls": "nobody answered a control item whose gold is known.",
    "items_met": "no item was handed out here, as in an imported log, so nothing tells what was skipped.",
    "watched": "the page was not watched while these answers were given, so nobody can be told apart.",
}
"""Why a rule cannot be applied to a study that has nothing of what it needs."""


@dataclass(frozen=True)
class Checks:
    """Which rules are applied to a study, by their keys, with its own numbers but for `changes`: {"fast.seconds": 2}.

    Off or not, a rule is applied: afterwards nobody is stopped. `chance` is a guesser's accuracy on controls in the
    place of what the answers say.
    """

    names: tuple[str, ...] = tuple(RULES)
    changes: Mapping[str, Any] = field(default_factory=dict)
    chance: float | None = None

    def __post_init__(self) -> None:
        for name in (*self.names, *(where.split(".")[0] for where in self.changes)):
            if name not in RULES:
                raise UnknownName("rule", name, RULES)

    def rules(self, quality: str) -> list[WorkerRule]:
        """Return the rules with their numbers; raises BadSetting for numbers that are out of bounds."""
        numbers = rules_of(quality).model_dump(mode="json")
        for where, value in self.changes.items():
            rule, _, number = where.partition(".")
            numbers[rule][number] = value
        return [rule for rule in checked_rules(numbers).each() if rule.key in self.names]


@dataclass(frozen=True)
class Check:
    """One rule: how it was applied, whom it found, or the sentence that says why it could not be applied."""

    rule: WorkerRule
    how: str
    findings: tuple[Finding, ...] = ()
    refused: str = ""

    @property
    def title(self) -> str:
        """What the rule is called in a table."""
        return self.rule.name()


def checked(answers: Collected, checks: Checks) -> tuple[Check, ...]:
    """Return what each of the rules says of a study; workers whom the study has shut out are not looked at."""
    judgments = answers.judgments[~answers.judgments["worker"].isin(answers.excluded)]
    met = None if answers.items_met is None else answers.items_met[~answers.items_met["worker"].isin(answers.excluded)]
    tables = StudyTables(judgments, answers.items, answers.asked, met, checks.chance)
    absent = _missing_needs(answers, tables)
    rules, facts = checks.rules(answers.study.settings.quality), tables.facts
    refused = {
        rule.key: next((ABSENT[need] for need in rule.needs if need in absent), "") or rule.why_ineffective(facts)
        for rule in rules
    }
    findings = tables.find(rule for rule in rules if not refused[rule.key])
    return tuple(
        Check(rule, NOT_APPLIED, refused=refused[rule.key])
        if refused[rule.key]
        else Check(rule, rule.sentence(facts), tuple(findings[rule.key]))
        for rule in rules
    )


def _missing_needs(answers: Collected, tables: StudyTables) -> set[Need]:
    """Return of what that rules need the study has nothing."""
    here: dict[Need, bool] = {
        "controls": bool(((tables.counted["role"] == "control") & tables.counted["gold"].notna()).any()),
        "items_met": tables.items_met is not None and not tables.items_met.empty,
        "watched": answers.study.origin != "imported",
    }
    return {need for need, there in here.items() if not there}
