"""What an answer costs and how long it takes, for people and for models, and the score against the cost."""

from dataclasses import dataclass

import numpy as np

from baseline.comparison.results import Respondent, Results
from baseline.models.run_fields import Fact
from data.numbers import DASH
from data.tables import Column
from db.engine import Session
from db.study_progress import costs_of_runs, seconds_of_people
from eval.arrays import Floats
from eval.estimate import median_interval


@dataclass(frozen=True)
class CostAndTime:
    """What one item took of one respondent: money (None where no price is known) and seconds, with their interval.

    For people an item is all of its votes: one answer out of several costs as much as they all. `currency` is "" where
    it was not stored.
    """

    row: Respondent
    cost: float | None
    currency: str
    seconds: Floats
    answers: int
    tokens: str = ""
    cached: int = 0

    @property
    def ends(self) -> tuple[float, float]:
        """The 95% interval of the median, NaN where there is none."""
        return median_interval(self.seconds)

    @property
    def median(self) -> float:
        """The median seconds of an answer, NaN where none is timed."""
        return float(np.median(self.seconds)) if len(self.seconds) else float("nan")


COST_AND_TIME: tuple[Column[CostAndTime], ...] = (
    Column("respondent", "respondent", "", lambda answers: answers.row.name, read=lambda answers: answers.row.called),
    Column("answers", "answers", "", lambda answers: answers.answers),
    Column(
        "seconds",
        "seconds an answer, median",
        "Half of the answers took less, half more; its 95% interval by order statistics",
        lambda answers: answers.median,
        lambda median: DASH if median != median else f"{median:.2f} s",
    ),
    Column(
        "cost",
        "cost an item",
        "What one item took: of people all its votes and what belongs to the study; of a model the replies that were "
        "paid",
        lambda answers: answers,
        lambda answers: DASH if answers.cost is None else f"{amount(answers.cost)} {answers.currency}".strip(),
    ),
    Column(
        "tokens",
        "tokens",
        "Tokens of prompts + of replies, of the requests that were sent",
        lambda answers: answers.tokens,
        lambda tokens: tokens or DASH,
    ),
)


def amount(value: float) -> str:
    """Return an amount of money: cents where it has whole units, else three digits."""
    return f"{value:.2f}" if value >= 1 or not value else f"{value:.3g}"


def costs_and_times(session: Session, results: Results) -> list[CostAndTime]:
    """Return what everybody's items took, people first, then the models that were asked."""
    runs = costs_of_runs(session, run_ids=[row.run.id for row in results.rows if row.run])
    timed, pay, panel = seconds_of_people(session, study=results.study), results.human.pay, results.panel
    rows = []
    for row in results.rows:
        if row.run is None:
            judged = panel.judgments["main"]
            answered = int((panel.votes.counts.sum(axis=1) > 0).sum()) if row.name != "human:individual" else judged
            total = pay["total"]
            cost = total / answered if total is not None and answered else None
            rows.append(CostAndTime(row, cost, pay["currency"] or "", timed, judged))
        elif effort := runs.get(row.run.id):
            all_priced = effort.priced == effort.answers and effort.answers > effort.cached
            cost = effort.cost / (effort.answers - effort.cached) if all_priced else None
            tokens = f"{effort.prompt_tokens} + {effort.completion_tokens}" if effort.prompt_tokens else ""
            currency = str(row.run.settings.get(Fact.CURRENCY, ""))
            rows.append(CostAndTime(row, cost, currency, effort.seconds, effort.answers, tokens, effort.cached))
    return rows
