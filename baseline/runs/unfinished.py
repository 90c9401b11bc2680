"""Runs that are not complete, said beside the scores that rest on them."""

from collections.abc import Iterable

from baseline.imports.record import IMPORTED
from baseline.runs.continuing import under_way, why_unanswered
from db.runs import Run
from eval.ballots import Ballots


def unfinished_notes(rows: Iterable[tuple[str, Run | None, Ballots]]) -> list[str]:
    """Return a sentence for each respondent whose run is not complete; a run whose program is gone was cut off."""
    return [_note(name, run, said) for name, run, said in rows if run and run.status != "complete"]


def _note(name: str, run: Run, said: Ballots) -> str:
    state = "is incomplete"
    if run.status == "running":
        state = "is under way" if under_way(run) else "was cut off"
    # What another harness left unfinished only that one can go on with; so can nobody with what is under way.
    onward = "" if state == "is under way" or IMPORTED in run.settings else "; the same `run` command goes on with it"
    answered = int(said.scored.sum())
    why = why_unanswered(run) if state == "is incomplete" else ""
    told = f"{answered} of {len(said.items)} items have an answer" + (f": {why}" if why else "")
    return f"{name}: run {run.id} {state}, {told}{onward}."
