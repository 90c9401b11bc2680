"""What a stored run tells: where it came from, its state, and what became of it over time."""

import os
import socket
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from baseline.models.run_fields import Fact
from baseline.runs.run_settings import told_settings
from data.tables import Column, Table
from db.clock import now
from db.engine import Session
from db.runs import DeletedRun, Run, RunTotals, deleted_runs, every_run, pins, totals_of
from db.studies import Study

SILENCE = timedelta(seconds=30)
"""A run says that it is alive every few seconds; one that was silent for so long is not under way."""
IMPORTED = "imported"
"""Under this name a run keeps the form of the log that it was read from."""


@dataclass(frozen=True)
class LogForm:
    """A form in which a model that was run elsewhere comes: `title` is who wrote it, `file` what the file is."""

    title: str
    file: str


LM_EVAL = "the `samples_*.jsonl` that lm-evaluation-harness writes with `--log_samples`; replies before any filter"
PLAIN = "a table or JSONL with `item` (or `id`) and `answer`, or `raw` where the whole reply was kept"
LOG_FORMS = {
    "inspect": LogForm("Inspect AI", "an Inspect AI log, JSON or `.eval`; epochs become samples"),
    "lm-eval": LogForm("lm-evaluation-harness", LM_EVAL),
    "libra": LogForm("LIBRA's script", "what LIBRA's script saved: texts without ids"),
    "jsonl": LogForm("a table of answers", f"{PLAIN}; or a file like that of the items"),
}
"""The forms of logs by name; `baseline/imports` has a reader for each."""


def imported_from(run: Run) -> str | None:
    """Return the harness whose log a run was read from, None for a run of our own."""
    imported = run.settings.get(IMPORTED)
    return str(imported) if imported else None


def imported_words(run: Run | None) -> str:
    """Return what that harness is called, "" for a run of our own and where nobody was run."""
    form = imported_from(run) if run else None
    return LOG_FORMS[form].title if form else ""


def imported_help(origins: Iterable[tuple[str, str]]) -> str:
    """Return which of the respondents were imported, and from what: the help of their column."""
    called: dict[str, list[str]] = {}
    for name, origin in origins:
        called.setdefault(origin, []).append(name)
    return "; ".join(f"Imported from {origin}: {', '.join(names)}" for origin, names in called.items() if origin)


def under_way(run: Run) -> bool:
    """Return whether the program that asks is still there: it was heard lately, and here it can be looked for."""
    if run.status != "running" or run.alive_at is None or now() - run.alive_at > SILENCE:
        return False
    host, _, number = (run.process or "").rpartition(":")
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(number), 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def state_of(run: Run) -> str:
    """Return what a run's status means now: one that its program left was cut off."""
    return "cut off" if run.status == "running" and not under_way(run) else run.status


ELSEWHERE = {Fact.TEMPLATES, Fact.EXAMPLES, Fact.RESUMED}


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


def _counts_words(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.items())


RUNS: tuple[Column[RunHistory], ...] = (
    Column("run", "run", "", lambda history: history.run.id),
    Column("model", "model", "", lambda history: history.run.model),
    Column("status", "status", "", lambda history: history.state),
    Column("started", "started (UTC)", "", lambda history: history.run.started_at, "{:%Y-%m-%d %H:%M}".format),
    Column(
        "finished", "finished", "", lambda past: past.run.finished_at, lambda at: f"{at:%Y-%m-%d %H:%M}" if at else ""
    ),
    Column("statuses", "replies", "", lambda past: past.statuses, _counts_words),
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
