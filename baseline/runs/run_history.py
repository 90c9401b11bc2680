"""What became of each run of a study over time: its settings, when it went on and after what, failures, cost."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from baseline.models.run_fields import Fact
from baseline.runs.run_settings import told_settings
from baseline.runs.run_state import imported_words, state_of, status_words
from data.tables import Column, Table
from db.engine import Session
from db.runs import DeletedRun, Run, RunTotals, deleted_runs, every_run, pins, totals_of
from db.studies import Study

ELSEWHERE = {Fact.TEMPLATES, Fact.EXAMPLES, Fact.RESUMED}
"""What a run keeps that has a place of its own where its settings are told."""


@dataclass(frozen=True)
class RunHistory:
    """One run with what it came to; `pinned` says who chose it, `deleted` who deleted it and what it had cost."""

    run: Run
    totals: RunTotals
    pinned: str = ""
    deleted: DeletedRun | None = None

    @property
    def state(self) -> str:
        """What its status means now: a run that its program left was cut off."""
        return state_of(self.run)

    @property
    def statuses(self) -> dict[str, int]:
        """How many replies of which kind it had, also before they were deleted."""
        return dict(self.deleted.paid["statuses"] if self.deleted else self.totals.statuses)

    @property
    def cost(self) -> float:
        """What was paid for it."""
        return float(self.deleted.paid["cost"] if self.deleted else self.totals.cost)

    @property
    def currency(self) -> str:
        """In what money; "" where no price was known."""
        return str(self.run.settings.get(Fact.CURRENCY, ""))

    @property
    def resumed(self) -> list[dict[str, Any]]:
        """When it went on, after what, and how many errors were asked again."""
        return list(self.run.settings.get(Fact.RESUMED, []))

    def times_resumed(self) -> str:
        """Return how often it went on; "" for never."""
        times = len(self.resumed)
        return f"went on {'once' if times == 1 else f'{times} times'}" if times else ""

    def happened(self) -> str:
        """Return what was done with it, in words: its origin, how often it went on and after what the last time."""
        gone = self.deleted.words() if self.deleted else ""
        imported, resumed = imported_words(self.run), self.times_resumed()
        if resumed:
            last = self.resumed[-1]
            errors = f", {last['errors']} errors asked again" if last["errors"] else ""
            resumed += f", last after: {last['after'] or 'errors'}{errors}"
        parts = (imported and f"from {imported}", resumed, self.pinned, gone)
        return "; ".join(filter(None, (*parts, str(self.run.settings.get(Fact.ENDED, "")))))


RUNS: tuple[Column[RunHistory], ...] = (
    Column("run", "run", "", lambda history: history.run.id),
    Column("model", "model", "", lambda history: history.run.model),
    Column("status", "status", "", lambda history: history.state),
    Column("started", "started (UTC)", "", lambda history: history.run.started_at, "{:%Y-%m-%d %H:%M}".format),
    Column(
        "finished", "finished", "", lambda past: past.run.finished_at, lambda at: f"{at:%Y-%m-%d %H:%M}" if at else ""
    ),
    Column("statuses", "replies", "", lambda past: past.statuses, status_words),
    Column("cost", "cost", "", lambda past: past, lambda past: f"{past.cost:.4f} {past.currency}" if past.cost else ""),
    Column("settings", "settings", "", lambda history: ", ".join(told_settings(history.run))),
    Column("history", "what happened", "", lambda history: history.happened()),
)


def histories(session: Session, *, study: Study) -> list[RunHistory]:
    """Return every run of a study, the newest first, with those that were deleted."""
    runs = every_run(session, study=study)
    totals = totals_of(session, runs=runs) if runs else {}
    pinned = {run: pin.words() for run, pin in pins(session, study=study).items()}
    gone = {run.run: run for run in deleted_runs(session, study=study)}
    return [RunHistory(run, totals[run.id], pinned.get(run.id, ""), gone.get(run.id)) for run in runs]


def history_table(histories: Sequence[RunHistory]) -> Table[RunHistory]:
    """Return a row for each run."""
    return Table("", RUNS, histories)


def history_dict(histories: Sequence[RunHistory]) -> dict[str, Any]:
    """Return runs as `runs --json` prints them."""
    rows = []
    for record, history in zip(history_table(histories).records, histories, strict=True):
        settings = {name: value for name, value in history.run.settings.items() if name not in ELSEWHERE}
        money = {"cost": history.cost, "currency": history.currency}
        rows.append(record | money | {"settings": settings, "resumed": history.resumed})
    return {"runs": rows, "paid": paid(histories)}


def paid(histories: Sequence[RunHistory]) -> dict[str, float]:
    """Return what all runs cost in each money, those that were deleted with them."""
    costs: defaultdict[str, float] = defaultdict(float)
    for history in histories:
        if history.cost:
            costs[history.currency] += history.cost
    return dict(costs)


def paid_words(histories: Sequence[RunHistory]) -> str:
    """Return what all runs cost, in a sentence; "" where nothing was paid."""
    amounts = " and ".join(f"{cost:.4f} {currency}".strip() for currency, cost in paid(histories).items())
    gone = sum(history.deleted is not None and history.cost > 0 for history in histories)
    return f"Paid in all: {amounts}" + (f", {gone} deleted runs with them" if gone else "") + "." if amounts else ""
