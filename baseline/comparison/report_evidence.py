"""What a baseline report is written from: the human baseline, the models beside it, and counts of the study's items."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from baseline.comparison.given_differently import Given, given_differently
from baseline.comparison.results import Respondent, Results, results
from baseline.human.detailed_baseline import DetailedBaseline, detailed_baseline
from data.tables import Table
from data.task import Item
from db.engine import Session
from db.items import list_items
from db.studies import Study
from eval.estimate import Estimate
from eval.panel import PanelRules


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that the database knows for a report."""

    study: Study
    baseline: DetailedBaseline
    results: Results
    items: tuple[Item, ...]
    given: Table[Given] | None = None

    @property
    def models(self) -> tuple[Respondent, ...]:
        """The naive baselines and models, the best first."""
        return self.results.models

    @property
    def estimates(self) -> list[Estimate]:
        """What people score, of themselves and beside their peers."""
        human, best = self.baseline.human, self.baseline.best_worker
        several = (human.majority, human.individual, human.leave_one_out)
        return [each for scores in several for each in scores.values()] + ([best.estimate] if best else [])

    @property
    def has_intervals(self) -> bool:
        """Whether a figure of people has an interval; over one cluster of items hardly any has."""
        agreement = self.baseline.human.panel.agreement
        cis = [estimate.ci for estimate in self.estimates] + list(agreement.cis.values())
        return any(low == low for low, _ in cis)

    @property
    def has_tests(self) -> bool:
        """Whether a model is tested against people: by its score, or where there is no gold by its agreement."""
        compared = [apart for row in self.models for apart in (row.vs_human, row.vs_person) if apart]
        if not self.baseline.human.panel.gold and self.results.peers:
            compared += [row.apart for row in self.results.peers.models if row.apart]
        return any(apart.p is not None for apart in compared)

    @property
    def are_compared(self) -> bool:
        """Whether a model stands beside people: by a score, or by agreement with people."""
        return bool(self.models) and bool(self.baseline.human.majority or self.results.peers)

    @property
    def main(self) -> list[Item]:
        """The items that people and models were given."""
        return [item for item in self.items if item.role == "main"]

    @property
    def instruction(self) -> str:
        """What people read before they answered, in their language; of an imported log, what was made for it."""
        return self.study.task.instruction.within(self.study.settings.language)

    @cached_property
    def counted(self) -> pd.DataFrame:
        """The judgments that count, of all roles."""
        judgments = self.baseline.collected.judgments
        return judgments[judgments["status"] == "counted"]

    def number(self, role: str) -> int:
        """Return how many items of a role there are."""
        return sum(item.role == role for item in self.items)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the main items' ids and fields, one JSON array a line, in order of the ids."""
        lines = (json.dumps([item.id, dict(sorted(item.fields.items()))], ensure_ascii=False) for item in self.main)
        return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()

    def per_worker(self, role: str) -> pd.Series:
        """Return how many counted judgments of a role each worker gave who gave one."""
        return self.counted[self.counted["role"] == role].groupby("worker").size()

    def days(self) -> tuple[str, str] | None:
        """Return the days of the first and the last counted judgment, None where times are not known."""
        times = self.counted["submitted_at"].dropna()
        return (f"{min(times):%Y-%m-%d}", f"{max(times):%Y-%m-%d}") if len(times) else None


def evidence_of_report(
    session: Session, *, study: Study, rules: PanelRules, margin: float | None = None, epsilon: float | None = None
) -> Evidence:
    """Return what the database knows for the report of a study under `rules`; other words are those of `results`."""
    scored = results(session, study=study, rules=rules, margin=margin, epsilon=epsilon)
    return Evidence(
        study=study,
        baseline=detailed_baseline(session, study=study, rules=rules, asked=scored.human.panel.asked),
        results=scored,
        items=tuple(entry.item for entry in list_items(session, study=study)),
        given=given_differently(session, scored),
    )
