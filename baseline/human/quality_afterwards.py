"""The rules on workers applied to a stored study: whom each finds, and what leaving these people out would change."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from baseline.human.baseline import Collected, analysis_numbers, collected, names_of
from data.errors import UnknownName
from data.numbers import DASH, interval, number
from data.tables import Column, Table, table_of
from db import frames
from db.engine import Session
from db.studies import Study
from eval.panel import PanelRules
from eval.reanalysis import Analysis, Effect, analysis, effect
from eval.workers.afterwards import StudyTables
from eval.workers.frame import Need
from eval.workers.rule import Finding, WorkerRule
from eval.workers.table import RULES, TITLES, checked_rules, rules_of

NOT_APPLIED = "not applied, see the notes"
ABSENT: dict[Need, str] = {
    "controls": "nobody answered a control item with a right answer.",
    "items_met": "an imported log does not show which items were skipped.",
    "watched": "the page did not record focus and paste while these answers were given.",
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


def checked(answers: Collected, checks: Checks) -> tuple[Check, ...]:
    """Return what each of the rules says of a study; workers whom the study has shut out are not looked at."""
    judgments = answers.judgments[~answers.judgments["worker"].isin(answers.excluded)]
    met = None if answers.items_met is None else answers.items_met[~answers.items_met["worker"].isin(answers.excluded)]
    tables = StudyTables(judgments, answers.items, answers.asked, met)
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


ALL = "all"
ENOUGH = 3  # votes an item should keep: what published protocols ask for


@dataclass(frozen=True, eq=False)
class Quality:
    """A study looked at by the rules on workers.

    `checks` holds each rule with whom it found; `before` is the study with everybody whom it has not shut out itself;
    `after` is what each rule that found somebody changes, and under ALL what they change together. `least` is how many
    votes an item should keep. `rules` say how judgments become one answer, and exclude nobody.
    """

    study: Study
    collected: Collected
    rules: PanelRules
    checks: tuple[Check, ...]
    before: Analysis
    after: Mapping[str, Effect]
    least: int

    @property
    def caught(self) -> frozenset[str]:
        """Everybody whom any rule found."""
        return frozenset(each.worker for check in self.checks for each in check.findings)

    def evidence(self, finding: Finding) -> list[str]:
        """Return the items whose judgments show a finding, or that were skipped, in the order in which they came."""
        met = self.collected.items_met
        shown = met if "items_met" in RULES[finding.rule].needs and met is not None else self.collected.judgments
        return list(dict.fromkeys(map(str, shown.loc[list(finding.evidence), "item"])))

    @cached_property
    def notes(self) -> list[str]:
        """What a reader must know beside the numbers."""
        notes = [f"{check.rule.name()}: {check.refused}" for check in self.checks if check.refused]
        notes += self.before.panel.notes
        if not len(self.before.panel.votes):
            notes.append("There is no judgment to look at.")
        if why := self.before.panel.why_no_scores:
            notes.append(f"There is no score against gold, but agreement and peers only: {why}.")
        if self.collected.excluded:
            notes.append(
                f"{len(self.collected.excluded)} workers whom the study has shut out itself are left out throughout."
            )
        if self.study.settings.control_min is not None:
            notes.append("The study's own threshold for controls is not applied here; the rules above replace it.")
        cautions = (check.rule.caution for check in self.checks if check.findings)
        return [*notes, *filter(None, cautions)]

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as `quality --json` prints it."""
        return {
            "study": self.study.name,
            "task": self.study.task.id,
            "rules": self.rules.as_dict(),
            "checks": [self._check_dict(check) for check in self.checks],
            "before": self.before.as_dict(),
            "after": {name: self._effect_dict(effect) for name, effect in self.after.items()},
            "least_votes": self.least,
            "notes": self.notes,
        }

    def _check_dict(self, check: Check) -> dict[str, Any]:
        findings = [
            {name: getattr(each, name) for name in ("worker", "value", "limit", "n")}
            | {"evidence": self.evidence(each)}
            for each in check.findings
        ]
        return {"rule": check.rule.key, "how": check.how, "refused": check.refused or None, "found": findings}

    def _effect_dict(self, effect: Effect) -> dict[str, Any]:
        shown = {name: value for name, value in effect.as_dict().items() if name not in ("before", "after")}
        losses, below = ([asdict(loss) for loss in each] for each in (effect.losses, effect.thinned(self.least)))
        return shown | {"side": effect.after.as_dict(), "losses": losses, "below": below}


def quality(session: Session, *, study: Study, checks: Checks, rules: PanelRules, least: int = ENOUGH) -> Quality:
    """Return a study as the rules on workers see it; `checks` says which and with which numbers.

    `rules` give consensus, ties and seed; their own threshold for controls is not applied.
    """
    answers = replace(collected(session, study=study), items_met=frames.items_met(session, study=study))
    everybody = replace(rules, control_min=None)
    looked = checked(answers, checks)
    before = _without(answers, everybody, ())
    caught = {check.rule.key: sorted({each.worker for each in check.findings}) for check in looked if check.findings}
    if len(caught) > 1:
        caught[ALL] = sorted({worker for workers in caught.values() for worker in workers})
    after = {name: effect(before, _without(answers, everybody, workers)) for name, workers in caught.items()}
    return Quality(study, answers, everybody, looked, before, after, least)


def _without(answers: Collected, rules: PanelRules, workers: Sequence[str]) -> Analysis:
    left = replace(answers, excluded=answers.excluded | set(workers))
    return analysis(left, answers.study.task.metrics, rules)


SHOWN = 3


def check_table(quality: Quality) -> Table[Sequence[object]]:
    """Return a row for each rule: how it was applied and how many it found."""
    rows = [
        (check.rule.name(), check.how, DASH if check.refused else str(len(check.findings))) for check in quality.checks
    ]
    return table_of("", ["rule", "how it was applied", "workers found"], rows)


def change_table(quality: Quality) -> Table[Sequence[object]]:
    """Return a row for each number of the study, with everybody and without those whom each rule found."""
    shown = {"with everybody": _numbers(quality.before, quality)}
    for name, change in quality.after.items():
        title = "without all of these" if name == ALL else f"without: {TITLES[name]}"
        shown[title] = _numbers(change.after, quality)
    rows = [(what, *(numbers[what] for numbers in shown.values())) for what in shown["with everybody"]]
    return table_of("", ["", *shown], rows)


def _numbers(analysis: Analysis, quality: Quality) -> dict[str, str]:
    kept = analysis.panel.votes.counts.sum(axis=1)
    enough = f"items with {quality.least} votes or more", int((kept >= quality.least).sum())
    return analysis_numbers(analysis, quality.study.task.primary, enough, _spaced)


def _spaced(value: float | None, ends: tuple[float, float] | None) -> str:
    return number(value) if interval(ends) == DASH else f"{number(value)} ({interval(ends)})"


def finding_table(quality: Quality) -> Table[tuple[Check, Finding]]:
    """Return a row for whomever each rule found."""
    called = names_of(quality.study, quality.before.panel)
    in_log = [Column[tuple[Check, Finding]]("worker", "id in the log", "", lambda row: row[1].worker)]
    columns: tuple[Column[tuple[Check, Finding]], ...] = (
        Column("rule", "rule", "", lambda row: row[0].rule.name()),
        Column("called", "worker", "", lambda row: called.get(row[1].worker, row[1].worker)),
        *(in_log if quality.study.origin == "imported" else ()),
        Column("value", "measured", "", lambda row: row[1].value, _short),
        Column("limit", "held against", "", lambda row: row[1].limit, _short),
        Column("n", "out of", "", lambda row: row[1].n),
        Column("evidence", "shown by", "", lambda row: quality.evidence(row[1]), _first),
    )
    return Table("", columns, [(check, each) for check in quality.checks for each in check.findings])


def _short(value: float) -> str:
    return f"{value:g}"[:6]


def _first(items: Sequence[str]) -> str:
    return ", ".join(items[:SHOWN]) + (f" and {len(items) - SHOWN} more" if len(items) > SHOWN else "")
