"""The log of a server: a line for each event with time, level, request and study, as text or as JSON.

No line holds what people wrote or a key of a link. Of a fault stand there its kind, its places in the code, and only
such messages as systems and databases make themselves; of an address what comes before its secret part.
"""

import atexit
import logging
import re
import sys
import threading
import time
import traceback
from copy import copy
from pathlib import Path
from typing import Any, Literal, TextIO

import structlog
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level

from data.log import LOG, REQUEST, fault_name

EVERY = 60.0  # seconds in which a warning or a fault is written once, and then how often it came
HERE = Path(__file__).parents[1]
_KEYS = re.compile(r"(?<=/join/)\S+|(?<=/account/new/)\S+|(?<=\?)[^\s?]*=\S*")
_STUDY = re.compile(r"/(?:api/annotate|join|manage-files|results-files)/([\w.-]{1,80})/")


def configure(form: Literal["text", "json"]) -> None:
    """Let every line of this process go to standard error in one form, whoever writes it."""
    stamp = structlog.processors.TimeStamper(fmt="iso", utc=True, key="time" if form == "json" else "timestamp")
    chain: list[Any] = [add_log_level, stamp, ExtraAdder(), _one_line]
    text = structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0, pad_level=False)
    render = text if form == "text" else structlog.processors.JSONRenderer(ensure_ascii=False)
    lines = LogHandler()
    meta = ProcessorFormatter.remove_processors_meta
    lines.setFormatter(ProcessorFormatter(processors=[meta, render], foreign_pre_chain=chain))
    logging.basicConfig(handlers=[lines], level=logging.WARNING, force=True)
    LOG.setLevel(logging.INFO)
    logging.getLogger("alembic").setLevel(logging.WARNING if sys.stderr.isatty() else logging.INFO)
    logging.getLogger("alembic.runtime.plugins").setLevel(logging.WARNING)
    logging.captureWarnings(True)
    sys.excepthook = lambda kind, error, trace: LOG.critical("the program ended", exc_info=(kind, error, trace))
    threading.excepthook = lambda met: LOG.error("a thread ended", exc_info=met.exc_value)
    # Gradio prints what goes wrong in an event of a page.
    traceback.print_exc = lambda *_, **__: LOG.error("an event of a page failed", exc_info=True)
    threading.Thread(target=lines.keep_telling, name="log", daemon=True).start()
    atexit.register(lines.tell)


class LogHandler(logging.StreamHandler[Any]):
    """Writes the first of equal warnings and faults, and at the end of each EVERY how many came after it."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)
        self._held: dict[tuple[object, ...], tuple[logging.LogRecord, int]] = {}  # the handler's own lock guards it

    @property
    def stream(self) -> TextIO:
        """Standard error as it is now: whoever runs the program may put another in its place."""
        return sys.stderr

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line with what it is about, unless its like was written just now."""
        record, (number, path) = copy(record), REQUEST.get(("", ""))
        about = _about(record.exc_info[1]) if record.exc_info else {}
        record.exc_info = record.exc_text = record.stack_info = None
        if record.name.partition(".")[0] not in (LOG.name, "alembic", "py"):
            record.args = ()  # other people's libraries write into their lines what they were given
        vars(record).update(about)
        key = record.name, record.msg, *about.values(), vars(record).get("reason")
        first, times = self._held.get(key, (record, -1))
        if record.levelno >= logging.WARNING:
            self._held[key] = first, times + 1
        if times < 0:
            study = _STUDY.match(path)
            asked = {"request": number} if number else {}
            vars(record := copy(record)).update(asked | ({"study": study[1]} if study else {}))
            super().emit(record)

    def keep_telling(self) -> None:
        """Tell at the end of each EVERY, for as long as the process lives."""
        while True:
            time.sleep(EVERY)
            self.tell()

    def tell(self) -> None:
        """Write what came more than once since the last time, with its number; forget what did not."""
        with self.lock or threading.Lock():
            held = [(key, record, times) for key, (record, times) in self._held.items() if times]
            self._held = {key: (record, 0) for key, record, _ in held}
            for _, record, times in held:
                vars(again := copy(record)).update(times=times)
                super().emit(again)


def _about(error: BaseException | None) -> dict[str, str]:
    """Return what kind of exception it was, and after which others, and where in the code it came from."""
    kinds, places = [], []
    while error is not None:
        kinds.append(fault_name(error))
        frames = [(Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__)]
        shown = [(file, line) for file, line in frames[:-1] if HERE in file.parents and ".venv" not in file.parts]
        places.append(" > ".join(f"{'/'.join(file.parts[-2:])}:{line}" for file, line in (shown + frames[-1:])))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return {"fault": " < ".join(kinds), "at": " < ".join(filter(None, places))}


def _one_line(_logger: object, _method: str, line: Any) -> Any:
    """Take keys out of all that a line says, and keep of a message its first line: what follows holds values."""
    texts = {name: value for name, value in line.items() if isinstance(value, str)}
    return line | {name: _KEYS.sub("…", next(iter(text.splitlines()), "")) for name, text in texts.items()}
