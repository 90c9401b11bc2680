"""What a stored run tells: from which harness it came, and whether it is under way."""

import os
import socket
from dataclasses import dataclass
from datetime import timedelta

from db.clock import now
from db.runs import Run

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
