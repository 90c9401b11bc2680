"""The rules on workers applied to a stored study: whom each finds, and what leaving these people out would change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from baseline.human.baseline import Collected, collected
from baseline.human.quality_checks import Check, Checks, checked
from db import frames
from db.engine import Session
from db.studies import Study
from eval.panel import PanelRules
from eval.reanalysis import Analysis, Effect, analysis, effect
from eval.workers import RULES
from eval.workers.rule import Finding

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
        notes = [f"{check.title}: {check.refused}" for check in self.checks if check.refused]
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
            notes.append(
                "The study's own threshold for controls is not applied here: the rules above stand in its place."
            )
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
            {
                "worker": each.worker,
                "value": each.value,
                "limit": each.limit,
                "n": each.n,
                "evidence": self.evidence(each),
            }
            for each in check.findings
        ]
        return {"rule": check.rule.key, "how": check.how, "refused": check.refused or None, "found": findings}

    def _effect_dict(self, effect: Effect) -> dict[str, Any]:
        shown = {name: value for name, value in effect.as_dict().items() if name not in ("before", "after")}
        losses = {"losses": effect.losses, "below": effect.thinned(self.least)}
        lost = {
            name: [{"item": loss.item, "before": loss.before, "after": loss.after} for loss in each]
            for name, each in losses.items()
        }
        return shown | {"side": effect.after.as_dict()} | lost


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
