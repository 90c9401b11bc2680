"""Runs the program of one checkout with a clock that stands and tokens that repeat: what is left to differ is the code.

    python bench/same_process.py CHECKOUT serve MOMENT      the server, in this process
    python bench/same_process.py CHECKOUT commands          commands, as lines of JSON on stdin say

A line is `{"load": [...], "together": 2, "jobs": [{"argv": [...], "moment": "2026-02-03T10:00:00", "out": "file"}]}`,
it is answered by "done". Every command runs in a process of its own, forked from one that has loaded the commands named
in `load`: else loading them would take longer than all they do. Nothing of the checkout but `app.py` is named here.
"""

import asyncio
import base64
import contextlib
import datetime
import hashlib
import io
import itertools
import json
import os
import runpy
import secrets
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pandas  # noqa: F401  its own classes of moments are made of the real ones

REAL = datetime.datetime
TICK = 0.125  # seconds between two looks at the counter by which the replies of models are timed


class Moment:
    """Where the clock stands, and of which command tokens and counts follow."""

    at = REAL(2026, 1, 1, tzinfo=datetime.UTC)
    argv: tuple[str, ...] = ()
    tokens: ClassVar[dict[tuple[str, int | None], Iterator[int]]] = defaultdict(itertools.count)
    ticks: ClassVar[dict[object, Iterator[int]]] = defaultdict(itertools.count)

    @classmethod
    def set(cls, moment: str, argv: list[str]) -> None:
        """Let the clock stand at a moment (UTC, ISO) and begin all counts for a command."""
        cls.at, cls.argv = REAL.fromisoformat(moment).replace(tzinfo=datetime.UTC), tuple(argv)
        cls.tokens, cls.ticks = defaultdict(itertools.count), defaultdict(itertools.count)


class MomentType(type):
    """Lets real moments pass for those of the class that stands in for theirs."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, REAL)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, REAL)


class Standing(REAL, metaclass=MomentType):
    """The class of moments, with a clock that stands."""

    __slots__ = ()

    def __new__(cls, *parts: Any, **named: Any) -> Any:
        return REAL(*parts, **named)

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return Moment.at.astimezone(tz) if tz else Moment.at.replace(tzinfo=None)

    @classmethod
    def utcnow(cls) -> Any:
        return Moment.at.replace(tzinfo=None)


def repeating(real: Callable[[int | None], Any], as_text: Callable[[bytes], Any], checkout: str) -> Any:
    """Return what gives a checkout tokens that follow from its command, their length and how many there were before."""

    def token(nbytes: int | None = None) -> Any:
        if not asked_by(checkout):
            return real(nbytes)
        seed = [Moment.at.isoformat(), Moment.argv, nbytes, next(Moment.tokens[real.__name__, nbytes])]
        return as_text(hashlib.shake_256(json.dumps(seed).encode()).digest(nbytes or 32))

    return token


def asked_by(checkout: str) -> bool:
    """Tell whether the function that called has been called by code of the checkout, not by a library."""
    return sys._getframe(2).f_code.co_filename.startswith(checkout)


def stand_still(checkout: str) -> None:
    """Put the clock and the tokens that repeat in the place of the real ones; `checkout` is the program's folder."""
    datetime.datetime = Standing  # type: ignore[misc]
    time.time = lambda: Moment.at.timestamp()
    measure = time.perf_counter
    time.perf_counter = lambda: TICK * next(Moment.ticks[task()]) if asked_by(checkout) else measure()
    secrets.token_bytes = repeating(secrets.token_bytes, bytes, checkout)
    secrets.token_hex = repeating(secrets.token_hex, bytes.hex, checkout)
    secrets.token_urlsafe = repeating(secrets.token_urlsafe, addressed, checkout)


def task() -> object:
    """Return whose time is counted: the running task, so that requests in flight at once do not lengthen each other."""
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop is running
        return None


def addressed(token: bytes) -> str:
    """Return a token as it may stand in an address."""
    return base64.urlsafe_b64encode(token).rstrip(b"=").decode()


def serve(app: Path, moment: str) -> None:
    """Run the server until it is ended."""
    Moment.set(moment, [])
    program(app, [])


def program(app: Path, argv: list[str]) -> None:
    """Do what `python app.py ARGV` does."""
    sys.argv = [app.name, *argv]
    runpy.run_path(str(app), run_name="__main__")


def commands(app: Path) -> None:
    """Run the commands that stdin names until it ends."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    import app as loaded  # noqa: F401, PLC0415

    for line in sys.stdin:
        asked = json.loads(line)
        for name in asked.get("load", ()):
            with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
                program(app, [name, "--help", "--help"])  # `--help` alone imports nothing
        running = 0
        for job in asked["jobs"]:
            if running == asked["together"]:
                os.wait()
                running -= 1
            if os.fork() == 0:
                run_command(app, job)
            running += 1
        for _ in range(running):
            os.wait()
        print("done")


def run_command(app: Path, job: dict[str, Any]) -> None:
    """Run one command in this process, which ends with it; its output goes to a file, the exit code below it."""
    code = 0
    with Path(job["out"]).open("w", encoding="utf8") as out:
        for number, mode in ((0, os.O_RDONLY), (1, None), (2, None)):
            os.dup2(os.open(os.devnull, mode) if mode is not None else out.fileno(), number)
        try:
            Moment.set(job["moment"], job["argv"])
            program(app, job["argv"])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except BaseException as broken:  # noqa: BLE001  what breaks is what is to be compared
            code = 70
            print(f"{type(broken).__name__}: {broken}", file=sys.stderr)
        with contextlib.suppress(Exception):
            sys.stdout.flush(), sys.stderr.flush()
        os.write(1, f"exit code {code}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    checkout, what, *more = sys.argv[1:]
    sys.path[0] = checkout
    stand_still(checkout)
    if what == "serve":
        serve(Path(checkout, "app.py"), *more)
    else:
        commands(Path(checkout, "app.py"))
