"""Runs whose replies were read from the log of another harness: how they are known, and what it is called."""

from db.runs import Run

IMPORTED = "imported"
"""Under this name a run keeps the form of the log that it was read from."""
WRITTEN = {
    "inspect": "Inspect AI",
    "lm-eval": "lm-evaluation-harness",
    "libra": "LIBRA's script",
    "jsonl": "plain answers",
}
"""The forms of logs in words."""


def imported_from(run: Run) -> str | None:
    """Return the harness whose log a run was read from, None for a run of our own."""
    found = run.settings.get(IMPORTED)
    return str(found) if found else None


def imported_words(run: Run | None) -> str:
    """Return what that harness is called, "" for a run of our own and where nobody was run."""
    form = imported_from(run) if run else None
    return WRITTEN.get(form, form) if form else ""
