"""What servers were found to refuse of a request, as it is stored with runs and told to people."""

from collections.abc import Iterable, Mapping
from typing import Any

from baseline.models.chat.parameters import LIMIT, TEMPERATURE, Body, Parameters

SENT, REFUSED = "sent", "refused"
"""Under these names a run keeps what was really sent, and what the server refused: field -> the one in its place."""


def sent_of(settings: Mapping[str, Any]) -> Body:
    """Return the parameters that were really sent by a run with these settings; {} for one that sent nothing."""
    if SENT in settings or LIMIT not in settings:
        return dict(settings.get(SENT, {}))
    return Parameters.of(settings).body(samples=settings.get("samples") or 1)


def found_refused(runs: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return what a server refuses by the settings of its runs, the newest first: who tried a field last tells."""
    found: dict[str, str | None] = {}
    tried: set[str] = set()
    for run in runs:
        refused, sent = run.get(REFUSED, {}), sent_of(run)
        found |= {name: other for name, other in refused.items() if name not in tried}
        tried |= refused.keys() | {name for name, value in sent.items() if name != TEMPERATURE or value == 0}
    return found


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
    limit = f"the limit of {settings[LIMIT]} tokens" if LIMIT in settings else "the limit of tokens"
    return f"{replies} ended at {limit} before a word of the answer; raise --max-tokens (thinking counts)"
