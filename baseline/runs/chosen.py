"""Which run is a model's result: the one place that decides it, for pages, tables, totals, exports and submissions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from baseline.runs.continuing import compared, under_way
from db.engine import Session
from db.replies import totals_of
from db.runs import AnsweredRun, Run, answered_runs
from db.studies import Study

LISTED = 3
"""So many of a model's other runs are told in a sentence; JSON has all of them."""


@dataclass(frozen=True)
class OtherRun:
    """A run that is not shown; `statuses` are counted for one that is not complete."""

    run: Run
    statuses: Mapping[str, int]

    @property
    def state(self) -> str:
        """What its status means now: a run that its program left was cut off."""
        return "cut off" if self.run.status == "running" and not under_way(self.run) else self.run.status

    def as_dict(self) -> dict[str, Any]:
        """Return it as `results --json` prints it."""
        return {**run_dict(self.run), "statuses": dict(self.statuses)}

    def words(self) -> str:
        """Return it for a sentence: `run 7 (incomplete, 60 errors)`."""
        errors = self.statuses.get("error", 0)
        told = [self.state] + ([f"{errors} error{'s' * (errors > 1)}"] if errors else [])
        return f"run {self.run.id} ({', '.join(told)})"


@dataclass(frozen=True)
class ChosenRun:
    """The run that is a model's result, and its other runs with a prediction, the newest first."""

    run: Run
    others: tuple[OtherRun, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as `results --json` prints it."""
        return {**run_dict(self.run), "others": [other.as_dict() for other in self.others]}

    def note(self) -> str:
        """Return the sentence about the runs that are not shown; "" where there are none."""
        if not self.others:
            return ""
        told = ", ".join(other.words() for other in self.others[:LISTED])
        more = len(self.others) - LISTED
        return f"run {self.run.id} is shown; not shown: {told}" + (f" and {more} more" if more > 0 else "")


def run_dict(run: Run) -> dict[str, Any]:
    """Return which run it is, as JSON."""
    return {"id": run.id, "status": run.status, "started": run.started_at.isoformat()}


def chosen_runs(session: Session, *, study: Study) -> list[ChosenRun]:
    """Return the run that stands for each model, in the order of their names, with those that do not.

    It is the newest that has an answer; where that one is not complete, the newest complete one that asked the same of
    as many items, so that a rerun which failed hides nothing. A run without a single answer stands only where its model
    has no other.
    """
    runs = sorted(answered_runs(session, study=study), key=lambda one: one.run.model)
    chosen = [_chosen(list(several)) for _, several in groupby(runs, key=lambda one: one.run.model)]
    partial = [other for _, others in chosen for other in others if other.status != "complete"]
    sums = totals_of(session, runs=partial) if partial else {}
    return [ChosenRun(run, tuple(_others(others, sums))) for run, others in chosen]


def _chosen(runs: Sequence[AnsweredRun]) -> tuple[Run, list[Run]]:
    """Return the run that stands for a model whose runs these are, the newest first, and the others."""
    newest = next((one.run for one in runs if one.has_answer), runs[0].run)
    whole = (one.run for one in runs if one.run.status == "complete" and _stands_for(one.run, newest))
    shown = newest if newest.status == "complete" else next(whole, newest)
    return shown, [one.run for one in runs if one.run is not shown]


def _others(runs: Sequence[Run], sums: Mapping[int, Any]) -> Iterator[OtherRun]:
    for run in runs:
        yield OtherRun(run, sums[run.id].statuses if run.id in sums else {})


def _stands_for(whole: Run, newest: Run) -> bool:
    """Return whether a run asked what another one asks, wherever it asked it, of as many items or more."""
    most, wanted = whole.settings.get("limit"), newest.settings.get("limit")
    return _asked(whole) == _asked(newest) and (most is None or (wanted is not None and most >= wanted))


def _asked(run: Run) -> dict[str, Any]:
    """Return the settings of what was asked: neither where nor of how many; the seed 0 is as good as none."""
    settings = {name: value for name, value in compared(run).items() if name not in ("base_url", "limit")}
    return settings | {"seed": settings.get("seed") or 0}
