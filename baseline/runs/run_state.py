"""What a stored run tells: from which harness it came, whether it is under way, and what its server refused."""

import os
import socket
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from db.clock import now
from db.runs import Run

SILENCE = timedelta(seconds=30)
"""A run says that it is alive every few seconds; one that was silent for so long is not under way."""
IMPORTED = "imported"
"""Under this name a run keeps the form of the log that it was read from."""
LOG_FORMS = {
    "inspect": "Inspect AI",
    "lm-eval": "lm-evaluation-harness",
    "libra": "LIBRA's script",
    "jsonl": "a table of answers",
}
"""The forms of logs by name, with who wrote them; `baseline/imports` has a reader for each."""


def imported_from(run: Run) -> str | None:
    """Return the harness whose log a run was read from, None for a run of our own."""
    imported = run.settings.get(IMPORTED)
    return str(imported) if imported else None


def imported_words(run: Run | None) -> str:
    """Return what that harness is called, "" for a run of our own and where nobody was run."""
    form = imported_from(run) if run else None
    return LOG_FORMS[form] if form else ""


def status_words(statuses: Mapping[str, int]) -> str:
    """Return how many answers ended how: `ok 5, error 1`."""
    return ", ".join(f"{name} {n}" for name, n in statuses.items())


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


def refused_words(refused: Mapping[str, str | None]) -> str:
    """Return what a server refused and what was sent instead, "" for nothing.

    >>> refused_words({"max_tokens": "max_completion_tokens", "temperature": None})
    'the server refused max_tokens and temperature: max_completion_tokens was sent in its place, and no temperature'
    """
    if not refused:
        return ""
    instead = [f"{other} was sent in its place" for other in refused.values() if other]
    instead += [f"no {name}" + ("" if instead else " was sent") for name, other in refused.items() if other is None]
    return f"the server refused {' and '.join(refused)}: {', and '.join(instead)}"


def wordless_words(number: int, settings: Mapping[str, Any]) -> str:
    """Return what became of so many replies that ended before a word, and what to do about it."""
    replies = "1 reply" if number == 1 else f"{number} replies"
    limit = f"the limit of {settings['max_tokens']} tokens" if "max_tokens" in settings else "the limit of tokens"
    return f"{replies} ended at {limit} before a word of the answer; raise --max-tokens (thinking counts)"
