"""The log of a server: a line for each event with time, level, request and study, as text or as JSON.

No line holds what people wrote or a key of a link. Of a fault stand there its kind, its places in the code, and only
such messages as systems and databases make themselves; of an address what comes before its secret part.
"""

import atexit
import logging
import re
import secrets
import sys
import threading
import time
import traceback
from contextvars import ContextVar
from copy import copy
from itertools import count
from pathlib import Path
from typing import Any, Literal

import structlog
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level

EVERY = 60.0  # seconds in which a warning or a fault is written once, and then how often it came
MOST_FRAMES = 12
TOLD = {"OperationalError", "TypeError", "AttributeError", "NameError", "ImportError"}
"""The kinds of exceptions whose message, as far as its first line goes, never holds what somebody sent."""

LOG = logging.getLogger("etalon")
LOG.addHandler(logging.NullHandler())  # commands speak to whoever is at the terminal: see data/console.py
_KEYS = re.compile(r"(?<=/join/)\S+|(?<=/account/new/)\S+|(?<=\?)[^\s?]*=\S*")
_STUDY = re.compile(r"/(?:api/annotate|join|manage-files|results-files)/([\w.-]{1,80})/")
_REQUEST: ContextVar[tuple[str, str]] = ContextVar("request")
_PROCESS, _NUMBERS = secrets.token_hex(4), count(1)


def begin_request(path: str) -> str:
    """Return an id for a request; the lines that are written while it is answered have it, and the study of `path`."""
    number = f"{_PROCESS}-{next(_NUMBERS):x}"
    _REQUEST.set((number, path))
    return number


def configure(form: Literal["text", "json"]) -> None:
    """Let every line of this process go to standard error in one form, whoever writes it."""
    handler = logging.StreamHandler()
    repeats = Repeats(handler)
    handler.addFilter(repeats)
    render: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
    if form == "text":
        render = structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0, pad_level=False)
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True, key="time" if form == "json" else "timestamp")
    chain: list[Any] = [add_log_level, stamp, ExtraAdder(), _one_line]
    handler.setFormatter(
        ProcessorFormatter(processors=[ProcessorFormatter.remove_processors_meta, render], foreign_pre_chain=chain)
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for name in (LOG.name, "alembic"):
        logging.getLogger(name).setLevel(logging.INFO)
    logging.captureWarnings(True)
    sys.excepthook = lambda kind, error, trace: LOG.critical("the program ended", exc_info=(kind, error, trace))
    threading.excepthook = lambda met: LOG.error("a thread ended", exc_info=met.exc_value)
    # Gradio prints what goes wrong in an event of a page.
    traceback.print_exc = lambda *_, **__: LOG.error("an event of a page failed", exc_info=True)
    threading.Thread(target=repeats.keep_telling, name="log", daemon=True).start()
    atexit.register(repeats.tell)


class Repeats(logging.Filter):
    """Lets the first of equal warnings and faults pass, and tells at the end of each EVERY how many came after it."""

    def __init__(self, handler: logging.Handler) -> None:
        super().__init__()
        self._handler, self._lock = handler, threading.Lock()
        self._held: dict[tuple[object, ...], tuple[logging.LogRecord, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say of a record what it is about, and return whether it is to be written now."""
        if hasattr(record, "times"):
            return True
        about = _about_request() | (_about_fault(record.exc_info[1]) if record.exc_info else {})
        record.exc_info = record.exc_text = record.stack_info = None
        vars(record).update(about)
        if record.levelno < logging.WARNING:
            return True
        key = record.name, record.msg, about.get("fault"), about.get("at")
        with self._lock:
            first, times = self._held.get(key, (record, -1))
            self._held[key] = first, times + 1
        return times < 0

    def keep_telling(self) -> None:
        """Tell at the end of each EVERY, for as long as the process lives."""
        while True:
            time.sleep(EVERY)
            self.tell()

    def tell(self) -> None:
        """Write what came more than once since the last time, with its number; forget what did not."""
        with self._lock:
            held = self._held
            self._held = {key: (record, 0) for key, (record, times) in held.items() if times}
        for record, times in held.values():
            if times:
                again = copy(record)
                vars(again).pop("request", None)
                vars(again).update(times=times, created=time.time())
                self._handler.handle(again)


def _about_request() -> dict[str, str]:
    number, path = _REQUEST.get(("", ""))
    study = _STUDY.match(path)
    return ({"request": number} if number else {}) | ({"study": study[1]} if study else {})


def _about_fault(error: BaseException | None) -> dict[str, str]:
    """Return what kind of exception it was, and after which others, and where in the code it came from."""
    kinds, places = [], []
    while error is not None:
        kinds.append(told(error))
        frames = [*traceback.walk_tb(error.__traceback__)][-MOST_FRAMES:]
        places.append(" > ".join(f"{_short(frame.f_code.co_filename)}:{line}" for frame, line in frames))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return {"fault": " < ".join(kinds), "at": " < ".join(filter(None, places))} if kinds else {}


def told(error: BaseException) -> str:
    """Return the kind of an exception, and its message where that never holds what somebody sent."""
    kind, message = type(error), ""
    if isinstance(error, OSError):
        message = error.strerror or ""
    elif TOLD & {base.__name__ for base in kind.__mro__}:
        message = next(iter(str(error).splitlines()), "")
    return f"{kind.__name__}: {message}" if message else kind.__name__


def _short(file: str) -> str:
    return "/".join(Path(file).parts[-2:])


def _one_line(_logger: object, _method: str, line: Any) -> Any:
    """Take keys out of all that a line says, and keep of a message its first line: what follows holds values."""
    for name, value in line.items():
        if isinstance(value, str):
            line[name] = _KEYS.sub("…", next(iter(value.splitlines()), ""))
    return line
