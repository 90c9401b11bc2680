"""What a stored run tells: from which harness it came, and whether it is under way."""

import os
import socket
from collections.abc import Iterable
from datetime import timedelta

from data.errors import UnknownName
from db.clock import now
from db.runs import Run

SILENCE = timedelta(seconds=30)
"""A run says that it is alive every few seconds; one that was silent for so long is not under way."""
IMPORTED = "imported"
"""Under this name a run keeps the form of the log that it was read from."""
WRITTEN = {
    "inspect": "Inspect AI",
    "lm-eval": "lm-evaluation-harness",
    "libra": "LIBRA's script",
    "jsonl": "plain answers",
}
"""The forms of logs in words."""


def run_numbered(runs: Iterable[Run], number: int) -> Run:
    """Return the run of that number; raises UnknownName where there is none."""
    known = {run.id: run for run in runs}
    if number not in known:
        raise UnknownName("run", str(number), map(str, known))
    return known[number]


def imported_from(run: Run) -> str | None:
    """Return the harness whose log a run was read from, None for a run of our own."""
    imported = run.settings.get(IMPORTED)
    return str(imported) if imported else None


def imported_words(run: Run | None) -> str:
    """Return what that harness is called, "" for a run of our own and where nobody was run."""
    form = imported_from(run) if run else None
    return WRITTEN.get(form, form) if form else ""


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
