"""The log of this program and the request that a line belongs to; `data/log_lines.py` writes the lines of a server."""

import logging
import secrets
from contextvars import ContextVar
from itertools import count

SAFE_MESSAGES = {"OperationalError", "TypeError", "AttributeError", "NameError", "ImportError"}
"""The kinds of exceptions whose message, as far as its first line goes, never holds what somebody sent."""

LOG = logging.getLogger("etalon")
LOG.addHandler(logging.NullHandler())  # commands speak to whoever is at the terminal: see data/console.py
REQUEST: ContextVar[tuple[str, str]] = ContextVar("request")
"""The id and the path of the request that is answered now."""
_PROCESS, _NUMBERS = secrets.token_hex(4), count(1)


def begin_request(path: str) -> str:
    """Return an id for a request; the lines that are written while it is answered have it, and the study of `path`."""
    number = f"{_PROCESS}-{next(_NUMBERS):x}"
    REQUEST.set((number, path))
    return number


def fault_name(error: BaseException) -> str:
    """Return the kind of an exception, and its message where that never holds what somebody sent."""
    kind, message = type(error), ""
    if isinstance(error, OSError):
        message = error.strerror or ""
    elif SAFE_MESSAGES & {base.__name__ for base in kind.__mro__}:
        message = next(iter(str(error).splitlines()), "")
    return f"{kind.__name__}: {message}" if message else kind.__name__
